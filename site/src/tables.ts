// The tables of the log with what happened to them, and below, the log by event type and by server.
//
//   <binlens-tables .total .version .load .totals .zone @pick @filter>
//
// It tells the first row event of the table that it comes to as "pick" {ordinal}, and what a button, Enter or a double
// click asks for as "filter" {term}.
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Chunks } from "./chunks.ts";
import { style } from "./css.ts";
import { dataOf, hasModifier } from "./element.ts";
import { tableTerm } from "./filtertext.ts";
import { columnSize, count, dateTime, monthDay, plural, time, zoneName } from "./format.ts";
import type { Zone } from "./state.ts";
import { base, grid, kinds, virtual } from "./styles.ts";
import { tableStyles } from "./tables-styles.ts";
import { Virtual } from "./virtual.ts";
import type { Table, TableOrder, TablePage, Totals } from "./viewdata.ts";

const ROW = 26;
const HEAD = 28;

const COLUMNS: readonly { css: string; label: string; order?: TableOrder }[] = [
  { css: "name", label: "Table", order: "name" },
  { css: "num", label: "Events", order: "events" },
  { css: "num", label: "Bytes", order: "bytes" },
  { css: "num", label: "Rows", order: "rows" },
  { css: "bars", label: "Inserted, updated, deleted" },
  { css: "num part", label: "Inserted" },
  { css: "num part", label: "Updated" },
  { css: "num part", label: "Deleted" },
  { css: "last", label: "Last", order: "last" },
  { css: "only", label: "Filter" },
];

const PARTS = [
  { key: "inserted", css: "ins", glyph: "+" },
  { key: "updated", css: "upd", glyph: "~" },
  { key: "deleted", css: "del", glyph: "−" },
] as const;

@customElement("binlens-tables")
export class BinlensTables extends LitElement {
  /** Tables met so far. */
  @property({ attribute: false }) total = 0;
  /** Another value: the survey has come on. */
  @property({ attribute: false }) version: unknown = 0;
  @property({ attribute: false }) load: ((order: TableOrder, from: number, n: number) => Promise<TablePage>) | null = null;
  @property({ attribute: false }) totals: (() => Promise<Totals>) | null = null;
  @property({ attribute: false }) zone: Zone = "utc";

  @state() private order: TableOrder = "bytes";
  @state() private at = 0;
  @state() private sums: Totals | null = null;
  /** The most rows that were changed in one table, which the bars are measured by. */
  @state() private most = 1;

  readonly #virtual = new Virtual(this, { rowHeight: ROW, head: HEAD });
  readonly #list = new Chunks<Table>({
    size: 128,
    keep: 16,
    fetch: async (from, n) => (await this.load?.(this.order, from, n))?.tables ?? [],
    changed: () => this.requestUpdate(),
    failed: (thrown) => ["superseded", "dead"].includes((thrown as { kind?: string }).kind ?? ""),
  });

  static override styles = [base, kinds, virtual, grid, tableStyles];

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".viewport")?.focus({ preventScroll: true });
  }

  sort(order: TableOrder): void {
    this.order = order;
    this.#list.clear();
    this.at = 0;
    this.#virtual.toStart();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("load")) this.at = 0;
    if (changed.has("load") || changed.has("version")) {
      this.#list.clear();
      void this.#count();
    }
    this.#virtual.setTotal(this.total);
  }

  override updated(): void {
    const { row, end } = this.#virtual.anchor;
    if (this.load && this.total > 0) this.#list.want(row - 8, end + 8, this.total);
  }

  async #count(): Promise<void> {
    const { load, totals } = this;
    try {
      const sums = (await totals?.()) ?? null;
      if (totals === this.totals) this.sums = sums;
      const [top] = (await load?.("rows", 0, 1))?.tables ?? [];
      if (load === this.load) this.most = Math.max(1, top ? changedRows(top) : 1);
    } catch {
      // the log was closed, or a newer request asks for the same
    }
  }

  override render(): TemplateResult {
    const { anchor } = this.#virtual;
    const lines: TemplateResult[] = [];
    for (let i = anchor.row; i < anchor.end; i++) lines.push(this.#row(i, this.#list.at(i)));
    const shown = this.at >= anchor.row && this.at < anchor.end;
    return html`
      <div class="list">
        <div
          class="viewport mono" role="grid" tabindex="0" aria-label="Tables" aria-rowcount=${this.total + 1} aria-colcount=${COLUMNS.length}
          aria-activedescendant=${shown ? `b${this.at}` : nothing} @keydown=${this.#onKey} @click=${this.#onClick} @dblclick=${this.#onOpen}
        >
          <div class="spacer" role="presentation"><div class="frame" role="presentation">
            <div role="rowgroup"><div class="row head" role="row" aria-rowindex="1">${COLUMNS.map((column) => this.#head(column))}</div></div>
            ${this.total === 0
              ? html`<p class="none">No table: this log has no row events, as far as it was read.</p>`
              : html`<div role="rowgroup" class="lines" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div>`}
          </div></div>
        </div>
      </div>
      ${this.sums ? this.#sums(this.sums) : nothing}
    `;
  }

  #head({ css, label, order }: (typeof COLUMNS)[number]): TemplateResult {
    const text = label === "Last" ? `Last (${zoneName(this.zone)})` : label;
    if (!order) {
      return html`<div role="columnheader" class=${css}>${css === "only" || css === "bars" ? html`<span class="sr">${text}</span>` : text}</div>`;
    }
    const on = order === this.order;
    const up = order === "name";
    return html`<div role="columnheader" class=${css} aria-sort=${on ? (up ? "ascending" : "descending") : "none"}
      ><button @click=${() => this.sort(order)}>${text}<span class="arrow" aria-hidden="true">${on ? (up ? "▴" : "▾") : ""}</span></button></div>`;
  }

  #row(i: number, t: Table | undefined): TemplateResult {
    const on = i === this.at;
    if (!t) return html`<div class="row" role="row" id="b${i}" aria-rowindex=${i + 2} aria-selected=${on} data-line=${i}><div role="gridcell" class="dim">…</div></div>`;
    const least = t.uncounted > 0 ? "≥ " : "";
    const why = t.uncounted > 0 ? `the rows of ${plural(t.uncounted, "event")} could not be counted` : nothing;
    const name = `${t.schema}.${t.table}`;
    return html`<div class="row" role="row" id="b${i}" aria-rowindex=${i + 2} aria-selected=${on} data-line=${i}>
      <div role="gridcell" class="name" title=${t.versions > 1 ? `${name}: ${count(t.versions)} different table maps` : name}><span class="dim">${t.schema}.</span>${t.table}</div>
      <div role="gridcell" class="num">${count(t.events)}</div>
      <div role="gridcell" class="num" title=${plural(t.bytes, "byte")}>${columnSize(t.bytes)}</div>
      <div role="gridcell" class="num" title=${why}>${least}${count(changedRows(t))}</div>
      <div role="gridcell" class="bars" aria-label=${PARTS.map(({ key }) => `${key} ${count(t[key])}`).join(", ")}
        >${PARTS.map(({ key, css }) => html`<i class="bar ${css}" ${style({ width: `${(100 * t[key]) / this.most}%`, "min-width": t[key] > 0 ? "2px" : "0" })}></i>`)}</div>
      ${PARTS.map(({ key, css, glyph }) => html`<div role="gridcell" class="num part ${t[key] > 0 ? css : "dim"}">${t[key] > 0 ? glyph : ""}${count(t[key])}</div>`)}
      <div role="gridcell" class="last dim" title="${dateTime(t.first, this.zone)} to ${dateTime(t.last, this.zone)}">${monthDay(t.last, this.zone)} ${time(t.last, this.zone)}</div>
      <div role="gridcell" class="only"><button tabindex="-1" data-only=${i} aria-label="only ${name}">only</button></div>
    </div>`;
  }

  #sums({ types, servers }: Totals): TemplateResult {
    const part = (title: string, rows: readonly { name: string; events: number; bytes: number }[]): TemplateResult => {
      const most = Math.max(1, ...rows.map(({ bytes }) => bytes));
      return html`<table class="mono">
        <thead><tr><th scope="col">${title}</th><th scope="col" class="num">Events</th><th scope="col" class="num">Bytes</th><td class="share"></td></tr></thead>
        <tbody>${rows.map(({ name, events, bytes }) => html`<tr>
          <th scope="row">${name}</th><td class="num">${count(events)}</td><td class="num" title=${plural(bytes, "byte")}>${columnSize(bytes)}</td>
          <td class="share"><i class="bar all" ${style({ width: `${(100 * bytes) / most}%` })}></i></td></tr>`)}</tbody>
      </table>`;
    };
    return html`<div class="sums" role="region" aria-label="Totals" tabindex="0">
      ${part("Event type", types.map(({ type, events, bytes }) => ({ name: type, events, bytes })))}
      ${part("Server", servers.map(({ server_id, events, bytes }) => ({ name: String(server_id), events, bytes })))}
    </div>`;
  }

  #go(i: number): void {
    this.at = Math.min(Math.max(0, i), this.total - 1);
    this.#virtual.show(this.at);
    const ordinal = this.#list.at(this.at)?.event ?? -1;
    if (ordinal >= 0) this.dispatchEvent(new CustomEvent("pick", { detail: { ordinal }, bubbles: true, composed: true }));
  }

  #only(i: number): void {
    const t = this.#list.at(i);
    if (t) this.dispatchEvent(new CustomEvent("filter", { detail: { term: tableTerm(t.schema, t.table) }, bubbles: true, composed: true }));
  }

  readonly #onClick = (event: MouseEvent): void => {
    const only = dataOf(event, "only");
    const i = dataOf(event, "line");
    if (only >= 0) this.#only(only);
    else if (i >= 0) this.#go(i);
  };

  readonly #onOpen = (event: MouseEvent): void => {
    if (dataOf(event, "only") < 0) this.#only(dataOf(event, "line"));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.composedPath()[0] instanceof HTMLButtonElement) return;
    const { fits } = this.#virtual.anchor;
    const to: Record<string, number> = {
      ArrowDown: this.at + 1,
      ArrowUp: this.at - 1,
      PageDown: this.at + fits,
      PageUp: this.at - fits,
      Home: 0,
      End: this.total - 1,
    };
    const next = to[event.key];
    if (next !== undefined) {
      this.#virtual.turn(event.key, next - this.at);
      this.#go(next);
    } else if (event.key === "Enter") this.#only(this.at);
    else return;
    event.preventDefault();
  };
}

function changedRows(t: Table): number {
  return t.inserted + t.updated + t.deleted;
}
