// What the dialogs have in common: the frame, the head with its button, fields below each other, a list of remarks.
import { css } from "lit";

export const dialogs = css`
  dialog {
    width: min(var(--dialog, 760px), calc(100vw - 24px));
    max-height: calc(100dvh - 24px);
    padding: 16px 20px 20px;
    border: 1px solid var(--line2);
    border-radius: 10px;
    background: var(--panel);
    color: var(--ink);
    overflow: auto;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.35);
  }
  .head,
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
  }
  h2 {
    margin: 0;
    font-size: 15px;
  }
`;

export const forms = css`
  .fields {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 8px 16px;
    align-items: baseline;
    margin-top: 12px;
  }
  fieldset {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 18px;
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  label {
    display: inline-flex;
    gap: 6px;
    align-items: baseline;
  }
  select,
  textarea {
    font: inherit;
    color: inherit;
    max-width: 100%;
    padding: 4px 6px;
    border: 1px solid var(--line2);
    border-radius: var(--radius);
    background: var(--panel);
  }
  p {
    margin: 2px 0 0;
    color: var(--ink2);
  }
  p code {
    white-space: nowrap;
  }
  .remark {
    margin-top: 10px;
  }
  .wrong {
    color: var(--bad);
  }
  .remarks {
    max-height: 22vh;
    margin: 6px 0 0;
    padding-left: 18px;
    overflow: auto;
  }
  pre {
    height: 34vh;
    margin: 12px 0;
    padding: 8px 10px;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--sunk);
    tab-size: 4;
  }
  .main {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--panel);
  }
  .main:hover {
    background: var(--accent);
    filter: brightness(1.08);
  }
  .main:disabled {
    background: var(--sunk);
    border-color: var(--line2);
    color: var(--ink3);
    filter: none;
  }
  .main:focus-visible {
    outline-offset: 2px;
  }
  .foot {
    position: sticky;
    bottom: -20px;
    margin-bottom: -20px;
    padding-bottom: 20px;
    background: var(--panel);
  }
  .foot > :first-child {
    flex: 1 1 220px;
    min-width: 0;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
    margin-left: auto;
  }
  progress {
    width: 100%;
    height: 6px;
    accent-color: var(--accent);
  }
  @media (max-width: 620px) {
    .fields {
      grid-template-columns: minmax(0, 1fr);
      gap: 4px;
    }
    .fields > :nth-child(odd) {
      font-weight: 600;
    }
  }
`;
