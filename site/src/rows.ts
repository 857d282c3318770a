// The rows of a rows event, as before and after: a line for each row and one below it for each column. What changed is
// marked three ways (tint, strike and weight) and by ▸; NULL stays apart from "not in this image".
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { style } from "./css.ts";
import { StoreElement, askForMenu, dataOf, hasModifier } from "./element.ts";
import { changeOf, rowOfPath, rowPath, typeOf } from "./fields.ts";
import { count } from "./format.ts";
import { guessOf } from "./guess.ts";
import type { Cell, Column, Detail, Row } from "./protocol.ts";
import type { Selection } from "./state.ts";
import { base, virtual } from "./styles.ts";
import { Virtual } from "./virtual.ts";

const LINE = 24;
const HEAD = 26;
const MAX_SHOWN = 300;

type Side = "before" | "after";
type Rows = NonNullable<Detail["rows"]>;

@customElement("binlog-rows")
export class BinlogRows extends StoreElement {
  readonly #virtual = new Virtual(this, { rowHeight: LINE, head: HEAD });
  #detail: Detail | undefined;
  #selection: Selection | undefined;
  #at = { line: 0, side: "after" as Side };
  /** A selected path whose row is not here yet. */
  #sought = "";
  /** The keyboard is on a line whose row is not here yet: its cell is selected when it comes. */
  #pending = false;

  static override styles = [base, virtual, css`
    :host {
      display: block;
      min-height: 0;
    }
    .line {
      display: grid;
      grid-template-columns: calc(var(--name) * 1ch + 12px) calc(var(--type) * 1ch + 12px) minmax(0, 1fr) minmax(0, 1fr);
      height: 24px;
      line-height: 23px;
      border-bottom: 1px solid var(--line);
      cursor: default;
    }
    .one .line {
      grid-template-columns: calc(var(--name) * 1ch + 12px) calc(var(--type) * 1ch + 12px) minmax(0, 1fr);
    }
    .line > div {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
      padding: 0 8px;
    }
    .line > div:nth-child(-n + 2) {
      padding-right: 4px;
    }
    .head {
      height: 26px;
      line-height: 25px;
      color: var(--ink3);
      background: var(--panel);
      position: relative;
      z-index: 1;
    }
    .head > div {
      font: var(--small) / 25px var(--font);
    }
    .row {
      background: var(--sunk);
      color: var(--ink2);
    }
    .row > div {
      grid-column: 1 / -1;
    }
    .name > i {
      font-style: normal;
      display: inline-block;
      width: 2ch;
    }
    .chg {
      background: var(--chg);
    }
    .chg .dim,
    .chg .void {
      color: var(--ink2);
    }
    .chg .was {
      text-decoration: line-through;
      color: var(--ink2);
    }
    .chg .now {
      font-weight: 650;
    }
    .null,
    .void {
      color: var(--ink3);
    }
    .void {
      font-family: var(--font);
      font-style: italic;
    }
    .fault {
      color: var(--bad);
    }
    [aria-selected="true"] {
      box-shadow: inset 0 0 0 1px var(--accent);
      background: var(--accent-bg);
      color: var(--ink) !important;
    }
    .viewport:focus-visible [aria-selected="true"] {
      box-shadow: inset 0 0 0 2px var(--accent);
    }
    .end {
      padding: 6px 10px;
      color: var(--bad);
    }
    @container (max-width: 480px) {
      .line,
      .one .line {
        grid-template-columns: minmax(10ch, 30%) minmax(0, 1fr) minmax(0, 1fr);
      }
      .one .line {
        grid-template-columns: minmax(10ch, 40%) minmax(0, 1fr);
      }
      .type {
        display: none;
      }
    }
    @media (forced-colors: active) {
      [aria-selected="true"] {
        outline: 1px solid Highlight;
        outline-offset: -1px;
      }
    }
  `];

  override focus(): void {
    this.find(".viewport")?.focus({ preventScroll: true });
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { detail, selection } = this.store.state;
    if (detail && detail !== this.#detail) {
      this.#detail = detail;
      this.#at = { line: 0, side: detail.rows?.hasAfter ? "after" : "before" };
      this.#pending = false;
      this.#virtual.setTotal(this.#total);
      this.#virtual.toStart();
    }
    this.#virtual.setTotal(this.#total);
    if (selection !== this.#selection) {
      this.#selection = selection;
      this.#sought = rowOfPath(selection.path) >= 0 ? selection.path : "";
    }
    if (this.#sought) this.#locate(this.#sought);
  }

  override updated(): void {
    if (!this.#rows || this.#detail !== this.store.state.detail) return; // on the way out
    if (this.#pending) this.#select();
    const { row, end } = this.#virtual.anchor;
    this.store.reader.rows.want(Math.floor(row / this.#stride), Math.floor(end / this.#stride), this.#available);
  }

  override render(): TemplateResult {
    const rows = this.#rows;
    if (!rows) return html`<div class="viewport"></div>`;
    const { anchor } = this.#virtual;
    const { line, side } = this.#at;
    const lines: TemplateResult[] = [];
    for (let i = anchor.row; i < anchor.end; i++) lines.push(this.#line(rows, i));
    const both = rows.hasBefore && rows.hasAfter;
    const problem = this.store.state.rowsProblem;
    const atEnd = anchor.end === this.#total && problem;
    return html`
      <div
        class="viewport ${both ? "" : "one"}" role="grid" tabindex="0" aria-label="Rows" aria-rowcount=${this.#total + 1}
        aria-activedescendant=${line < anchor.row || line >= anchor.end ? nothing : cellId(line, line % this.#stride === 0 ? "row" : side)}
        @keydown=${this.#onKey} @click=${this.#onClick} @contextmenu=${this.#onMenu}
      >
        <div class="spacer" role="presentation">
          <div class="frame mono" role="presentation" ${style(widths(rows))}>
            <div role="rowgroup"><div class="line head" role="row" aria-rowindex="1">
              <div role="columnheader">Column</div><div role="columnheader" class="type">Type</div>
              ${rows.hasBefore ? html`<div role="columnheader">Before</div>` : nothing}
              ${rows.hasAfter ? html`<div role="columnheader">After</div>` : nothing}
            </div></div>
            <div role="rowgroup" class="lines" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div>
            ${atEnd ? html`<div class="end">Rows end here: ${problem.reason}</div>` : nothing}
          </div>
        </div>
      </div>
    `;
  }

  get #rows(): Rows | undefined {
    return this.#detail?.rows;
  }

  /** Lines of one row: its head and its columns. */
  get #stride(): number {
    return (this.#rows?.columns.length ?? 0) + 1;
  }

  /** Rows that can be read: fewer than the event says where it is damaged. */
  get #available(): number {
    const { rowsProblem } = this.store.state;
    const total = this.#rows?.total ?? 0;
    const unreadable = /^rows\[(\d+)\]/.exec(rowsProblem?.path ?? "");
    return unreadable ? Math.min(total, Number(unreadable[1]) + 1) : total;
  }

  get #total(): number {
    return this.#available * this.#stride;
  }

  #line(rows: Rows, i: number): TemplateResult {
    const index = Math.floor(i / this.#stride);
    const column = (i % this.#stride) - 1;
    const row = this.store.reader.rows.at(index);
    if (column < 0) return this.#rowHead(rows, row, index, i);
    const what = rows.columns[column];
    const change = row ? changeOf(row, column) : "same";
    const cell = (side: Side): TemplateResult => this.#cell(row, row?.[side]?.[column], what, i, side, change !== "same");
    return html`<div class="line ${change === "same" ? "" : "chg"}" role="row" aria-rowindex=${i + 2} data-line=${i}>
      <div role="rowheader" class="name" title=${what?.name ?? ""}
        ><i aria-hidden="true">${change === "same" ? "" : "▸"}</i>${what?.name ?? `@${column + 1}`}${change === "same"
          ? nothing
          : html`<span class="sr"> (${change})</span>`}</div>
      <div role="gridcell" class="type dim">${what ? typeOf(what) : ""}</div>
      ${rows.hasBefore ? cell("before") : nothing}${rows.hasAfter ? cell("after") : nothing}
    </div>`;
  }

  #rowHead(rows: Rows, row: Row | undefined, index: number, i: number): TemplateResult {
    const selected = this.store.state.selection.path === rowPath(index);
    return html`<div class="line row" role="row" aria-rowindex=${i + 2} data-line=${i}>
      <div role="gridcell" id=${cellId(i, "row")} aria-selected=${selected} aria-colspan=${3 + Number(rows.hasBefore && rows.hasAfter)}
        >row ${count(index + 1)} of ${count(rows.total)}${row ? ` · ${count(row.end - row.start)} bytes at +${count(row.start)}` : ""}</div>
    </div>`;
  }

  #cell(row: Row | undefined, cell: Cell | null | undefined, column: Column | undefined, line: number, side: Side, changed: boolean): TemplateResult {
    const number = column?.numeric || cell?.kind === "number" ? "num" : "";
    const weight = changed ? (side === "before" ? "was" : "now") : "";
    const id = cellId(line, side);
    if (!cell) {
      const at = this.#at.line === line && this.#at.side === side && this.#selection?.path.startsWith("rows[") === true;
      return html`<div role="gridcell" id=${id} data-side=${side} class="void ${number}" aria-selected=${at && row !== undefined}
        >${row ? "not in this image" : ""}</div>`;
    }
    const selected = cell.path === this.store.state.selection.path;
    const isNull = cell.kind === "null";
    const guess = guessOf(cell, column);
    return html`<div
      role="gridcell" id=${id} data-side=${side} aria-selected=${selected} title=${cell.problem ?? (guess ? `${guess.label} ${guess.text}` : cell.value.slice(0, MAX_SHOWN))}
      class="${number} ${weight} ${isNull ? "null" : ""} ${cell.problem ? "fault" : ""}"
    >${cell.problem ? "! " : ""}${isNull ? "NULL" : cell.value.slice(0, MAX_SHOWN)}${guess ? html` <span class="dim">${guess.label.toLowerCase()}</span>` : nothing}</div>`;
  }

  /** Puts the keyboard on a path's line; its row may still be on the way. */
  #locate(path: string): void {
    const index = rowOfPath(path);
    const row = this.store.reader.rows.at(index);
    const line = index * this.#stride;
    this.#virtual.show(line);
    if (!row) return;
    this.#sought = "";
    for (const side of ["before", "after"] as const) {
      const column = row[side]?.findIndex((cell) => cell?.path === path) ?? -1;
      if (column >= 0) this.#at = { line: line + 1 + column, side };
    }
    if (path === rowPath(index) && Math.floor(this.#at.line / this.#stride) !== index) this.#at = { line, side: this.#at.side };
    this.#virtual.show(this.#at.line);
  }

  #go(line: number, side: Side): void {
    const rows = this.#rows;
    if (!rows) return;
    this.#at = { line: Math.min(Math.max(0, line), this.#total - 1), side };
    this.#virtual.show(this.#at.line);
    this.#select();
    this.requestUpdate();
  }

  /** Selects the cell, or the row, that the keyboard is on. */
  #select(): void {
    const { line, side } = this.#at;
    const index = Math.floor(line / this.#stride);
    const row = this.store.reader.rows.at(index);
    this.#pending = !row;
    const cell = row?.[side]?.[(line % this.#stride) - 1];
    if (cell) this.store.selectField(cell);
    else if (row) this.store.selectField({ path: rowPath(index), start: row.start, end: row.end });
  }

  readonly #onClick = (event: MouseEvent): void => {
    const line = dataOf(event, "line");
    if (line < 0) return;
    const target = event.composedPath().find((part) => part instanceof HTMLElement && part.dataset["side"] !== undefined);
    const side = target instanceof HTMLElement ? (target.dataset["side"] as Side) : this.#at.side;
    this.#go(line, side);
  };

  readonly #onMenu = (event: MouseEvent): void => {
    if (event.button === 2) this.#onClick(event);
    askForMenu(this, event);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const rows = this.#rows;
    if (!rows || hasModifier(event)) return;
    const { line, side } = this.#at;
    const page = this.#virtual.anchor.fits;
    const to: Record<string, number> = {
      ArrowDown: line + 1,
      ArrowUp: line - 1,
      PageDown: line + page,
      PageUp: line - page,
      Home: 0,
      End: this.#total - 1,
    };
    const next = to[event.key];
    if (next !== undefined) {
      this.#virtual.turn(event.key, next - line);
      this.#go(next, side);
    } else if (event.key === "ArrowLeft" && rows.hasBefore) this.#go(line, "before");
    else if (event.key === "ArrowRight" && rows.hasAfter) this.#go(line, "after");
    else return;
    event.preventDefault();
  };
}

/** Characters for the names and the types of the columns: what the longest needs, within reason. */
function widths({ columns }: Rows): Record<string, string> {
  const longest = (of: (column: Column) => string): number => columns.reduce((most, column) => Math.max(most, of(column).length), 0);
  return {
    "--name": `${Math.min(Math.max(8, longest((column) => column.name) + 2), 24)}`,
    "--type": `${Math.min(Math.max(6, longest(typeOf)), 22)}`,
  };
}

function cellId(line: number, part: Side | "row"): string {
  return `c${line}-${part}`;
}
