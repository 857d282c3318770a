import { css } from "lit";

export const filterStyles = css`
  :host {
    display: block;
    position: relative;
    min-width: 0;
    color: var(--ink);
    font: var(--size) / 1.4 var(--font);
  }
  .box {
    display: flex;
    align-items: center;
    gap: 6px;
    height: 32px;
    padding: 0 5px 0 0;
    border: 1px solid var(--line2);
    border-radius: var(--radius);
    background: var(--bg);
  }
  .box:focus-within {
    border-color: var(--accent);
    outline: 1px solid var(--accent);
  }
  .box.wrong {
    border-color: var(--bad);
  }
  .box > .field {
    position: relative;
    flex: 1;
    min-width: 0;
    height: 100%;
  }
  .under,
  input {
    position: absolute;
    inset: 0;
    width: 100%;
    margin: 0;
    padding: 0 10px;
    border: 0;
    line-height: 30px;
    white-space: pre;
    letter-spacing: normal;
  }
  .under {
    overflow: hidden;
    pointer-events: none;
  }
  .under .shown {
    display: inline-block;
    padding-right: 10px;
    color: inherit;
  }
  input {
    outline: none;
    color: var(--ink);
    -webkit-text-fill-color: transparent;
    caret-color: var(--ink);
    background: transparent;
  }
  input::placeholder {
    color: var(--ink3);
    opacity: 1;
    -webkit-text-fill-color: var(--ink3);
  }
  input::selection {
    background: color-mix(in srgb, var(--accent) 30%, transparent);
  }
  .under .field {
    color: var(--accent);
  }
  .under .sign {
    color: var(--del);
    font-weight: 700;
  }
  .error {
    text-decoration: underline wavy var(--bad);
    text-underline-offset: 3px;
    text-decoration-skip-ink: none;
  }
  .state {
    flex: none;
    color: var(--ink2);
    font-size: var(--small);
  }
  kbd {
    padding: 0 5px;
    border: 1px solid var(--line2);
    border-radius: 4px;
    color: var(--ink3);
    font: 11px / 16px var(--mono);
  }
  .icon {
    flex: none;
    height: 22px;
    min-width: 22px;
    padding: 0 5px;
    border: 0;
    background: none;
    color: var(--ink2);
    font-size: var(--small);
  }
  .options {
    position: absolute;
    z-index: 20;
    inset: 34px 0 auto;
    max-height: 320px;
    margin: 0;
    padding: 4px 0;
    overflow: auto;
    list-style: none;
    border: 1px solid var(--line2);
    border-radius: var(--radius);
    background: var(--panel);
    box-shadow: 0 6px 20px rgb(0 0 0 / 18%);
  }
  .options[hidden] {
    display: none;
  }
  .options li {
    display: flex;
    gap: 16px;
    justify-content: space-between;
    padding: 0 10px;
    line-height: 24px;
    white-space: nowrap;
    cursor: default;
  }
  .options li:hover {
    background: var(--hover);
  }
  .options li[aria-selected="true"] {
    background: var(--sel);
  }
  .options li[aria-selected="true"] .dim {
    color: var(--ink2);
  }
  .options .dim {
    overflow: hidden;
    text-overflow: ellipsis;
    font-family: var(--font);
  }
  .mistake {
    position: absolute;
    z-index: 19;
    inset: 34px 0 auto;
    margin: 0;
    padding: 5px 10px;
    border: 1px solid var(--bad);
    border-radius: var(--radius);
    background: var(--panel);
    color: var(--bad);
  }
  .mistake .dim {
    color: var(--ink2);
  }
  @media (forced-colors: active) {
    .under {
      visibility: hidden;
    }
    .under .error {
      visibility: visible;
    }
    input {
      -webkit-text-fill-color: FieldText;
    }
    .options li[aria-selected="true"] {
      forced-color-adjust: none;
      color: HighlightText;
      background: Highlight;
    }
  }
`;
