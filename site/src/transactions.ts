// The list of transactions: sorted by its columns, each opens to its events.
//
//   <binlens-transactions .total .version .load .place .events .start .ordinal .zone .typeNames @pick @open>
//
// It tells the event that it comes to as "pick", and what Enter or a double click asks for as "open", both {ordinal}.
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { lasting } from "./bins.ts";
import { Chunks, type Slab } from "./chunks.ts";
import { style } from "./css.ts";
import { dataOf, hasModifier } from "./element.ts";
import { columnSize, count, dateTime, monthDay, plural, time, zoneName } from "./format.ts";
import { lookOf, nameOf } from "./kinds.ts";
import { Outline, type Line } from "./outline.ts";
import type { ListRow } from "./protocol.ts";
import type { Zone } from "./state.ts";
import { base, grid, kinds, virtual } from "./styles.ts";
import { transactionStyles } from "./transactions-styles.ts";
import { Virtual } from "./virtual.ts";
import type { Transaction, TransactionOrder, TransactionPage } from "./viewdata.ts";

const ROW = 24;
const HEAD = 28;
const CHUNK = 64;

/** Signs of the states, as those of events. */
const SIGNS: Readonly<Record<Transaction["state"], { glyph: string; css: string }>> = {
  committed: { glyph: "✓", css: "ins" },
  "rolled back": { glyph: "↶", css: "del" },
  prepared: { glyph: "◐", css: "upd" },
  open: { glyph: "…", css: "upd" },
  implicit: { glyph: "◇", css: "ctl" },
};

interface Column {
  css: string;
  label: string;
  /** What a press on its head orders by. */
  order?: TransactionOrder;
}

const COLUMNS: readonly Column[] = [
  { css: "mark", label: "Failed checks" },
  { css: "num", label: "#", order: "number" },
  { css: "gtid", label: "GTID" },
  { css: "state", label: "State" },
  { css: "start", label: "Start" },
  { css: "num lasted", label: "Lasted", order: "duration" },
  { css: "num", label: "Events", order: "events" },
  { css: "num", label: "Rows", order: "rows" },
  { css: "num bytes", label: "Bytes", order: "bytes" },
  { css: "tables", label: "Tables" },
];

@customElement("binlens-transactions")
export class BinlensTransactions extends LitElement {
  /** Transactions that are listed: those of the log, or those of which the filter leaves events. */
  @property({ attribute: false }) total = 0;
  /** Another value: others are listed. */
  @property({ attribute: false }) filter = "";
  /** Another value: what was loaded may have changed, as the survey or the filter has come on. */
  @property({ attribute: false }) version: unknown = 0;
  @property({ attribute: false }) load: ((order: TransactionOrder, from: number, n: number) => Promise<TransactionPage>) | null = null;
  /** Where a transaction stands in an order, -1 for nowhere. */
  @property({ attribute: false }) place: ((order: TransactionOrder, number: number) => Promise<number>) | null = null;
  /** Events by their ordinals, whatever the list's filter is. */
  @property({ attribute: false }) events: ((first: number, n: number) => Promise<Slab<ListRow>>) | null = null;
  /** The transaction that the list begins at, as it comes to be shown; 0 for the first. */
  @property({ attribute: false }) start = 0;
  /** The selected event, -1 for none. */
  @property({ attribute: false }) ordinal = -1;
  @property({ attribute: false }) zone: Zone = "utc";
  @property({ attribute: false }) typeNames: Readonly<Record<string, string>> = {};

  @state() private order: TransactionOrder = "number";
  @state() private at = 0;
  @state() private failure = "";

  readonly #virtual = new Virtual(this, { rowHeight: ROW, head: HEAD });
  readonly #outline = new Outline();
  /** The line that was gone to has not come from the decoder yet: it is told when it has. */
  #due = false;
  readonly #list = this.#chunks<Transaction>(async (from, n) => (await this.load?.(this.order, from, n))?.transactions ?? []);
  readonly #rows = this.#chunks<ListRow>(async (from, n) => (await this.events?.(from, n)) ?? []);

  static override styles = [base, kinds, virtual, grid, transactionStyles];

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".viewport")?.focus({ preventScroll: true });
  }

  /** Orders the list, and goes to where the transaction that it was at is now. */
  async sort(order: TransactionOrder): Promise<void> {
    const number = this.#list.at(this.#outline.line(this.at).place)?.number ?? 0;
    this.order = order;
    this.#list.clear();
    this.#outline.clear();
    this.at = 0;
    this.#due = false;
    this.#virtual.toStart();
    const place = number > 0 ? ((await this.place?.(order, number)) ?? -1) : -1;
    if (place >= 0 && order === this.order) this.at = place;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const others = changed.has("load") || (changed.has("filter") && this.hasUpdated);
    if (others || (changed.has("version") && this.order !== "number")) this.#outline.clear(); // it goes by places
    if (others) {
      this.at = 0;
      this.#due = false;
      this.#virtual.toStart();
      this.failure = "";
    }
    if (others || changed.has("version")) this.#list.clear();
    if (changed.has("events")) this.#rows.clear();
    this.#virtual.setTotal(this.#lines);
  }

  override updated(changed: PropertyValues<this>): void {
    if (this.start > 0 && this.at === 0 && (changed.has("start") || changed.has("total"))) void this.#begin();
    const { row, end } = this.#virtual.anchor;
    if (!this.load || this.total === 0) return;
    const [first, last] = [this.#outline.line(Math.max(0, row - 8)), this.#outline.line(end + 8)];
    this.#list.want(first.place, last.place, this.total);
    for (const { from, to } of this.#outline.events(row, end)) this.#rows.want(from, to, to + 1);
    if (this.#due) this.#tell("pick");
  }

  async #begin(): Promise<void> {
    const place = (await this.place?.(this.order, this.start).catch(() => -1)) ?? -1;
    if (this.at > 0 || place < 0 || place >= this.#lines) return;
    this.at = place;
    this.#virtual.show(place);
  }

  get #lines(): number {
    return this.total + this.#outline.lines;
  }

  #chunks<T>(fetch: (from: number, n: number) => Promise<Slab<T>>): Chunks<T> {
    return new Chunks<T>({
      size: CHUNK,
      keep: 32,
      fetch,
      changed: () => this.requestUpdate(),
      failed: (thrown) => {
        const { kind, message } = thrown as { kind?: string; message?: string };
        if (kind === "superseded" || kind === "dead") return true;
        this.failure = message ?? String(thrown);
        return false;
      },
    });
  }

  override render(): TemplateResult {
    const { anchor } = this.#virtual;
    const lines: TemplateResult[] = [];
    for (let i = anchor.row; i < anchor.end; i++) lines.push(this.#line(i));
    const shown = this.at >= anchor.row && this.at < anchor.end;
    return html`
      <div
        class="viewport mono" role="treegrid" tabindex="0" aria-label="Transactions" aria-rowcount=${this.#lines + 1}
        aria-colcount=${COLUMNS.length} aria-activedescendant=${shown ? `t${this.at}` : nothing}
        @keydown=${this.#onKey} @click=${this.#onClick} @dblclick=${this.#onOpen}
      >
        <div class="spacer" role="presentation"><div class="frame" role="presentation">
          <div role="rowgroup"><div class="row head" role="row" aria-rowindex="1">${COLUMNS.map((column) => this.#head(column))}</div></div>
          ${this.total === 0
            ? html`<p class="none">${this.failure || (this.filter ? "The filter leaves nothing of a transaction." : "No transaction.")}</p>`
            : html`<div role="rowgroup" class="lines" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div>`}
        </div></div>
      </div>
      ${this.failure && this.total > 0 ? html`<p class="failure" role="alert">${this.failure}</p>` : nothing}
    `;
  }

  #head({ css, label, order }: Column): TemplateResult {
    const on = order === this.order;
    const text = label === "Start" ? `Start (${zoneName(this.zone)})` : label;
    if (!order) {
      return html`<div role="columnheader" class=${css}>${css === "mark" ? html`<span class="sr">${text}</span>` : text}</div>`;
    }
    return html`<div role="columnheader" class=${css} aria-sort=${on ? (order === "number" ? "ascending" : "descending") : "none"}
      ><button @click=${() => void this.sort(order)}>${text}<span aria-hidden="true" class="arrow">${on ? (order === "number" ? "▴" : "▾") : ""}</span></button></div>`;
  }

  #line(i: number): TemplateResult {
    const line = this.#outline.line(i);
    return line.event < 0 ? this.#transaction(i, line, this.#list.at(line.place)) : this.#event(i, line);
  }

  #transaction(i: number, line: Line, t: Transaction | undefined): TemplateResult {
    const on = i === this.at;
    const open = this.#outline.has(line.place);
    if (!t) {
      return html`<div class="row" role="row" id="t${i}" aria-rowindex=${i + 2} aria-level="1" aria-selected=${on} data-line=${i}>
        <div role="gridcell" class="mark"></div><div role="gridcell" class="num dim">…</div>
      </div>`;
    }
    const { glyph, css } = SIGNS[t.state];
    const checks = t.checks?.join("\n") ?? "";
    const tables = t.tables.join(", ") + (t.more ? ` and ${count(t.more)} more` : "");
    return html`<div
      class="row first" role="row" id="t${i}" aria-rowindex=${i + 2} aria-level="1" aria-expanded=${open} aria-selected=${on}
      data-line=${i} data-number=${t.number}
    >
      <div role="gridcell" class="mark" title=${checks || nothing}>${checks ? html`!<span class="sr">${checks}</span>` : ""}</div>
      <div role="gridcell" class="num dim"><span class="twist" aria-hidden="true" data-twist=${i}>${open ? "▾" : "▸"}</span>${count(t.number)}</div>
      <div role="gridcell" class="gtid" title=${t.gtid ?? nothing}>${t.gtid ?? html`<span class="dim">none</span>`}</div>
      <div role="gridcell" class="state"><span class="glyph ${css}" aria-hidden="true">${glyph}</span>${t.state}</div>
      <div role="gridcell" class="start dim" title=${dateTime(t.start, this.zone)}>${monthDay(t.start, this.zone)} ${time(t.start, this.zone)}</div>
      <div role="gridcell" class="num lasted">${t.end > t.start && t.start > 0 ? lasting(t.end - t.start) : html`<span class="dim">0 s</span>`}</div>
      <div role="gridcell" class="num">${count(t.events)}</div>
      <div role="gridcell" class="num" title=${t.rows === undefined ? "not counted" : nothing}>${t.rows === undefined ? html`<span class="dim">–</span>` : count(t.rows)}</div>
      <div role="gridcell" class="num bytes" title=${plural(t.bytes, "byte")}>${columnSize(t.bytes)}</div>
      <div role="gridcell" class="tables" title=${tables}>${checks ? html`<span class="bad">${checks}</span> ` : nothing}${tables}</div>
    </div>`;
  }

  #event(i: number, line: Line): TemplateResult {
    const row = this.#rows.at(line.ordinal);
    const look = row && lookOf(row);
    return html`<div
      class="event" role="row" id="t${i}" aria-rowindex=${i + 2} aria-level="2" aria-selected=${i === this.at} data-line=${i}
    >
      <div role="gridcell" class="num dim">${count(line.ordinal)}</div>
      <div role="gridcell" class="kind ${look?.css ?? ""}">${look ? html`<span class="glyph" aria-hidden="true">${look.glyph}</span>` : nothing}${row ? nameOf(row, this.typeNames) : "…"}</div>
      <div role="gridcell" title=${row?.text ?? nothing}>${row?.text}</div>
      <div role="gridcell" class="num">${row && row.rows >= 0 ? count(row.rows) : ""}</div>
      <div role="gridcell" class="num">${row ? columnSize(row.size) : ""}</div>
    </div>`;
  }

  /** The first event of a transaction, or the event of a line; -1 while it is not known. */
  #ordinalAt(i: number): number {
    const line = this.#outline.line(i);
    return line.event < 0 ? (this.#list.at(line.place)?.first ?? -1) : line.ordinal;
  }

  #go(i: number): void {
    this.at = Math.min(Math.max(0, i), this.#lines - 1);
    this.#virtual.show(this.at);
    this.#tell("pick");
  }

  #tell(name: "pick" | "open"): void {
    const ordinal = this.#ordinalAt(this.at);
    if (name === "pick") this.#due = ordinal < 0;
    if (ordinal >= 0) this.dispatchEvent(new CustomEvent(name, { detail: { ordinal }, bubbles: true, composed: true }));
  }

  #fold(i: number, open: boolean): void {
    const line = this.#outline.line(i);
    const t = this.#list.at(line.place);
    if (line.event >= 0 || !t) return;
    if (open) this.#outline.open(line.place, t.first, t.events);
    else this.#outline.close(line.place);
    this.requestUpdate();
  }

  readonly #onClick = (event: MouseEvent): void => {
    const twist = dataOf(event, "twist");
    const i = dataOf(event, "line");
    if (i < 0) return;
    this.#go(i);
    if (twist >= 0) this.#fold(i, !this.#outline.has(this.#outline.line(i).place));
  };

  readonly #onOpen = (event: MouseEvent): void => {
    if (dataOf(event, "line") >= 0 && dataOf(event, "twist") < 0) this.#tell("open");
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (hasModifier(event) || event.composedPath()[0] instanceof HTMLButtonElement) return;
    const { fits } = this.#virtual.anchor;
    const line = this.#outline.line(this.at);
    const to: Record<string, number> = {
      ArrowDown: this.at + 1,
      ArrowUp: this.at - 1,
      PageDown: this.at + fits,
      PageUp: this.at - fits,
      Home: 0,
      End: this.#lines - 1,
    };
    const next = to[event.key];
    if (next !== undefined) {
      this.#virtual.turn(event.key, next - this.at);
      this.#go(next);
    } else if (event.key === "ArrowRight") this.#fold(this.at, true);
    else if (event.key === "ArrowLeft" && line.event >= 0) this.#go(this.at - line.event - 1);
    else if (event.key === "ArrowLeft") this.#fold(this.at, false);
    else if (event.key === " ") this.#fold(this.at, !this.#outline.has(line.place));
    else if (event.key === "Enter") this.#tell("open");
    else return;
    event.preventDefault();
  };
}
