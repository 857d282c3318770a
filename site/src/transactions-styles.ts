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
  .row {
    grid-template-columns:
      16px calc(9ch + 20px) minmax(8ch, 24ch) calc(13ch + 20px) calc(14ch + 20px) calc(11ch + 12px) calc(7ch + 20px)
      calc(8ch + 20px) calc(9ch + 20px) minmax(10ch, 1fr);
  }
  .event {
    grid-template-columns: calc(16px + 11ch + 26px) minmax(18ch, 30ch) minmax(10ch, 1fr) calc(6ch + 12px) calc(9ch + 20px);
  }
  .twist {
    float: left;
    width: 2ch;
    margin-left: -8px;
    text-align: center;
    cursor: pointer;
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
`;
