import { css } from "lit";

export const transactionStyles = css`
  :host {
    display: block;
    position: relative;
    min-width: 0;
    min-height: 0;
    background: var(--panel);
    color: var(--ink);
  }
  .row,
  .event {
    display: grid;
    height: 24px;
    line-height: 24px;
    cursor: default;
  }
  .row {
    grid-template-columns:
      16px calc(9ch + 20px) minmax(8ch, 24ch) calc(13ch + 20px) calc(14ch + 20px) calc(11ch + 12px) calc(7ch + 20px)
      calc(8ch + 20px) calc(9ch + 20px) minmax(10ch, 1fr);
  }
  .event {
    grid-template-columns: calc(16px + 11ch + 26px) minmax(18ch, 30ch) minmax(10ch, 1fr) calc(6ch + 12px) calc(9ch + 20px);
  }
  .row > div,
  .event > div {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    padding: 0 10px;
  }
  .row > .mark {
    padding: 0 0 0 5px;
    color: var(--bad);
    font-weight: 700;
  }
  .twist {
    float: left;
    width: 2ch;
    margin-left: -8px;
    text-align: center;
    cursor: pointer;
  }
  .head {
    height: 28px;
    color: var(--ink3);
    border-bottom: 1px solid var(--line);
    background: var(--panel);
    position: relative;
    z-index: 1;
  }
  .head > div {
    font: var(--small) / 28px var(--font);
  }
  .head button {
    height: 27px;
    margin: 0 -6px;
    padding: 0 6px;
    border: 0;
    font: inherit;
    color: inherit;
  }
  [aria-sort="ascending"],
  [aria-sort="descending"] {
    color: var(--ink);
    font-weight: 600 !important;
  }
  .arrow {
    display: inline-block;
    margin-left: 3px;
  }
  .arrow:empty {
    display: none;
  }
  .first {
    box-shadow: inset 0 1px var(--line);
  }
  .lines > :hover {
    background: var(--hover);
  }
  .lines > [aria-selected="true"],
  .lines > [aria-selected="true"]:hover {
    background: var(--sel);
    box-shadow: inset 3px 0 var(--accent);
  }
  .lines > [aria-selected="true"] .dim,
  .lines > [aria-selected="true"] .ctl {
    color: var(--ink2);
  }
  .none {
    padding: 24px;
    color: var(--ink2);
    font: var(--size) / 1.4 var(--font);
  }
  .failure {
    position: absolute;
    inset: auto 0 0;
    margin: 0;
    padding: 6px 14px;
    color: var(--bad);
    background: var(--panel);
    border-top: 1px solid var(--line);
  }
  @container (max-width: 900px) {
    .row > .lasted,
    .row > .gtid {
      display: none;
    }
    .row {
      grid-template-columns:
        16px calc(9ch + 20px) calc(13ch + 20px) calc(14ch + 20px) calc(6ch + 20px) calc(7ch + 20px) calc(9ch + 20px) minmax(8ch, 1fr);
    }
  }
  @container (max-width: 620px) {
    .row > .start,
    .row > .tables {
      display: none;
    }
    .row {
      grid-template-columns: 12px minmax(9ch, 1fr) calc(11ch + 20px) calc(5ch + 18px) calc(6ch + 18px) calc(8ch + 18px);
    }
    .row > div {
      padding: 0 5px;
    }
    .event {
      grid-template-columns: calc(8ch + 16px) minmax(12ch, 25ch) minmax(8ch, 1fr) 0 0;
    }
  }
  @media (forced-colors: active) {
    .lines > [aria-selected="true"] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
