// Styles that several components share. Colours and sizes come from tokens.css, through custom properties.
import { css } from "lit";

export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host([hidden]) {
    display: none;
  }
  button {
    font: inherit;
    color: inherit;
    height: 32px;
    padding: 0 11px;
    border: 1px solid var(--line2);
    border-radius: var(--radius);
    background: var(--panel);
    white-space: nowrap;
    cursor: pointer;
  }
  button:hover {
    background: var(--hover);
  }
  button:disabled {
    color: var(--ink3);
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  .mono {
    font-family: var(--mono);
    font-size: var(--code);
    font-variant-numeric: tabular-nums;
  }
  .dim {
    color: var(--ink3);
  }
  .num {
    text-align: right;
  }
  .clip {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      transition: none !important;
      animation: none !important;
    }
  }
`;

/** A row of tabs: buttons in .tabs. */
export const tabs = css`
  .tabs {
    display: flex;
    gap: 2px;
    padding: 0 10px;
    border-bottom: 1px solid var(--line);
    overflow: auto hidden;
    scrollbar-width: none;
  }
  .tabs button {
    flex: none;
    height: 32px;
    padding: 0 10px;
    color: var(--ink2);
    border: 0;
    border-bottom: 2px solid transparent;
    border-radius: 0;
    background: none;
  }
  .tabs button[aria-selected="true"] {
    color: var(--ink);
    font-weight: 550;
    border-color: var(--accent);
  }
  @media (forced-colors: active) {
    .tabs button {
      border-color: Canvas;
    }
    .tabs button[aria-selected="true"] {
      border-color: Highlight;
    }
  }
`;

/** Small buttons in a line: what can be done, and where one can go. */
export const chips = css`
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .chips button {
    height: 22px;
    padding: 0 9px;
    border-radius: 99px;
    font-size: var(--small);
    color: var(--ink2);
  }
`;

/** The kinds of events: colour and weight; the glyph stands before the name. */
export const kinds = css`
  .kind {
    font-weight: 550;
    white-space: nowrap;
  }
  .glyph {
    display: inline-block;
    width: 2ch;
    font-family: var(--mono);
  }
  .ins {
    color: var(--ins);
  }
  .upd {
    color: var(--upd);
  }
  .del {
    color: var(--del);
  }
  .ddl {
    color: var(--ddl);
  }
  .ctl {
    color: var(--ctl);
  }
  .trx {
    color: var(--trx);
  }
  .bad {
    color: var(--bad);
  }
`;

/** A scrolling element whose rows are drawn where it is looked at: see virtual.ts. */
export const virtual = css`
  .viewport {
    position: relative;
    height: 100%;
    overflow: hidden auto;
    overflow-anchor: none;
    container-type: size;
    overscroll-behavior: contain;
  }
  .spacer {
    min-height: 100%;
  }
  .frame {
    position: sticky;
    top: 0;
    height: 100cqh;
    overflow: clip;
  }
  .lines {
    will-change: transform;
  }
  .viewport:focus-visible {
    outline: none;
  }
  .viewport:focus-visible .frame::after {
    content: "";
    position: absolute;
    inset: 0;
    z-index: 2;
    border: 2px solid var(--accent);
    pointer-events: none;
  }
`;

/** A list of rows in columns, with a head whose buttons sort it. */
export const grid = css`
  .row,
  .event {
    display: grid;
    height: 24px;
    line-height: 24px;
    cursor: default;
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
  @media (forced-colors: active) {
    .lines > [aria-selected="true"] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;

/** A text below a bar of buttons. */
export const textPane = css`
  :host {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    min-height: 0;
  }
  .bar {
    display: flex;
    gap: 8px;
    align-items: center;
    padding: 6px var(--pad);
    color: var(--ink2);
  }
  .bar button {
    height: 24px;
    padding: 0 9px;
    font-size: 12px;
  }
`;
