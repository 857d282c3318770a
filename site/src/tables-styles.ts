import { css } from "lit";

export const tableStyles = css`
  :host {
    display: grid;
    grid-template-rows: minmax(45%, 1fr) auto;
    min-width: 0;
    min-height: 0;
    background: var(--panel);
    color: var(--ink);
  }
  .list {
    min-height: 0;
  }
  .row {
    grid-template-columns:
      minmax(16ch, 2fr) calc(8ch + 20px) calc(9ch + 20px) calc(11ch + 20px) minmax(60px, 1fr) repeat(3, calc(9ch + 20px))
      calc(14ch + 20px) 60px;
  }
  .lines > .row {
    height: 26px;
    line-height: 26px;
  }
  .bars {
    display: flex;
    align-items: center;
  }
  .bar {
    flex: none;
    display: block;
    height: 10px;
    background: currentColor;
  }
  .all {
    background: var(--line2);
  }
  .only {
    padding: 0 6px !important;
    text-overflow: clip !important;
  }
  .only button {
    height: 20px;
    padding: 0 8px;
    border-radius: 99px;
    font: var(--small) / 1 var(--font);
    color: var(--ink2);
  }
  .sums {
    display: flex;
    flex-wrap: wrap;
    gap: 0 32px;
    align-items: start;
    max-height: 38vh;
    padding: 4px 0 10px;
    overflow: auto;
    border-top: 1px solid var(--line);
    background: var(--sunk);
  }
  table {
    border-collapse: collapse;
  }
  th,
  td {
    padding: 1px 10px;
    text-align: left;
    font-weight: 400;
  }
  td.num,
  th.num {
    text-align: right;
  }
  thead th {
    padding-top: 4px;
    color: var(--ink3);
    font: var(--small) / 1.6 var(--font);
  }
  .share {
    width: 120px;
  }
  @container (max-width: 900px) {
    .row > .part {
      display: none;
    }
    .row {
      grid-template-columns:
        minmax(14ch, 2fr) calc(7ch + 20px) calc(9ch + 20px) calc(9ch + 20px) minmax(40px, 1fr) calc(14ch + 20px) 60px;
    }
  }
  @container (max-width: 620px) {
    .row > .last,
    .row > .bars {
      display: none;
    }
    .row {
      grid-template-columns: minmax(10ch, 1fr) calc(5ch + 16px) calc(8ch + 16px) calc(6ch + 16px) 54px;
    }
    .row > div {
      padding: 0 6px;
    }
  }
  @media (forced-colors: active) {
    .bar {
      forced-color-adjust: none;
      background: CanvasText;
      border-right: 1px solid Canvas;
    }
    .lines .row[aria-selected="true"] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
