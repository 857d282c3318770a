// The hex pane: the bytes of the shown event, in step with the tree and the cells. Selecting a field marks its bytes
// and scrolls to them; a click on a byte, or the arrow keys, select the deepest field that has it.
import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { style } from "./css.ts";
import { StoreElement, askForMenu } from "./element.ts";
import { cellAt, cellsOf, fieldAt, isRowsNode, leafRanges, selectedField, type Range, type Selected } from "./fields.ts";
import { MARK_CLASS, Mark, address, byteAtColumn, hexChars, lineRuns, rangeAt, widthFor, type Run } from "./hexlines.ts";
import type { BinlogHexbar } from "./hexbar.ts";
import type { Detail } from "./protocol.ts";
import type { Selection, Subject } from "./state.ts";
import { base, virtual } from "./styles.ts";
import { Virtual } from "./virtual.ts";
import "./hexbar.ts";

const LINE = 18;

@customElement("binlog-hex")
export class BinlogHex extends StoreElement {
  /** Bytes a line, by the width of the pane. */
  @state() private width = 16;
  /** The byte under the pointer, -1 for none. */
  @state() private hovered = -1;

  readonly #virtual = new Virtual(this, { rowHeight: LINE, head: 0 });
  readonly #resized = new ResizeObserver(() => this.#fit());
  #cursor = 0;
  /** The byte that a selection by hand began at. */
  #from: number | undefined;
  #selection: Selection | undefined;
  #subject: number | undefined;
  #leaves: { detail: Detail; ranges: Range[] } | undefined;

  static override styles = [base, virtual, css`
    :host {
      display: grid;
      grid-template-rows: auto minmax(0, 1fr);
      min-height: 0;
      min-width: 0;
      background: var(--sunk);
    }
    .lines {
      padding: 0 var(--pad);
    }
    .line {
      height: 18px;
      line-height: 18px;
      white-space: pre;
      display: flex;
      gap: 2ch;
      cursor: text;
      user-select: none;
    }
    .addr {
      color: var(--ink3);
    }
    .hex {
      width: calc(var(--hex) * 1ch);
    }
    .ascii {
      width: calc(var(--ascii) * 1ch);
      color: var(--ink2);
    }
    .a {
      background: var(--band);
    }
    .b {
      background: var(--band2);
    }
    .sel,
    .cur {
      background: var(--sel);
      color: var(--ink);
      box-shadow: inset 0 -1px var(--accent);
    }
    .cur {
      box-shadow: inset 0 0 0 1px var(--accent);
    }
    .viewport:focus-visible .cur {
      background: var(--accent);
      color: var(--panel);
    }
    .probe {
      position: absolute;
      visibility: hidden;
      white-space: pre;
    }
    @media (forced-colors: active) {
      .sel,
      .cur {
        forced-color-adjust: none;
        background: Highlight;
        color: HighlightText;
      }
    }
    @container (max-width: 480px) {
      .lines {
        padding: 0 6px;
      }
      .line {
        gap: 1ch;
      }
    }
  `];

  /** Opens the way to an offset, or the search. */
  openBar(what: "go" | "find"): void {
    void this.find<BinlogHexbar>("binlog-hexbar")?.open(what);
  }

  override focus(): void {
    this.find(".viewport")?.focus({ preventScroll: true });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { subject } = this.store;
    const { selection } = this.store.state;
    this.#virtual.setTotal(subject ? Math.ceil((this.#lead(subject) + subject.size) / this.width) : 0);
    if (subject?.ordinal !== this.#subject) {
      this.#subject = subject?.ordinal;
      this.#cursor = 0;
      this.#from = undefined;
      this.#virtual.toStart();
    }
    if (selection === this.#selection) return;
    this.#selection = selection;
    if (!subject || !selection.range || selection.ordinal !== subject.ordinal) return;
    const [start, end] = selection.range;
    if (this.#cursor < start || this.#cursor >= end) this.#cursor = start;
    this.#showByte(subject, this.#cursor);
  }

  override updated(): void {
    const { subject } = this.store;
    if (!subject) return;
    const { row, end } = this.#virtual.anchor;
    const lead = this.#lead(subject);
    this.store.reader.bytes.want(row * this.width - lead, end * this.width - lead, subject.size);
  }

  override render(): TemplateResult {
    const { subject } = this.store;
    const { anchor } = this.#virtual;
    const lines: TemplateResult[] = [];
    if (subject) {
      const marks = this.#marks(subject);
      for (let i = anchor.row; i < anchor.end; i++) lines.push(this.#line(subject, i, marks));
    }
    return html`
      <binlog-hexbar
        .store=${this.store} .hover=${this.hovered < 0 ? undefined : this.#meaning(this.hovered)} ?stacked=${this.hasAttribute("stacked")}
        @done=${() => this.focus()}
      ></binlog-hexbar>
      <div
        class="viewport mono" role="group" tabindex="0" aria-label="Bytes" @keydown=${this.#onKey} @pointerdown=${this.#onPointer}
        @pointermove=${this.#onMove} @pointerleave=${() => (this.hovered = -1)} @contextmenu=${(event: MouseEvent) => askForMenu(this, event)}
      >
        <span class="probe" aria-hidden="true">0000000000</span>
        <div class="spacer">
          <div class="frame" ${style({ "--hex": `${hexChars(this.width) - 1}`, "--ascii": `${this.width}` })}>
            <div class="lines" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div>
          </div>
        </div>
      </div>
    `;
  }

  #line(subject: Subject, i: number, mark: (byte: number) => Mark): TemplateResult {
    const first = i * this.width - this.#lead(subject);
    const inside = (k: number): boolean => first + k >= 0 && first + k < subject.size;
    const runs = lineRuns(
      this.width,
      (k) => (inside(k) ? (this.store.reader.bytes.at(first + k) ?? -1) : undefined),
      (k) => mark(first + k),
    );
    const draw = (text: (run: Run) => string): TemplateResult[] =>
      runs.map((run) => html`<span class=${MARK_CLASS[run.mark] ?? ""}>${text(run)}</span>`);
    return html`<div class="line" data-line=${i}><span class="addr">${address(subject.offset + first)}</span
      ><span class="hex">${draw((run) => run.hex)}</span><span class="ascii">${draw((run) => run.ascii)}</span></div>`;
  }

  /** How each byte is drawn: selected, or lightly banded by the field that it belongs to. */
  #marks(subject: Subject): (byte: number) => Mark {
    const { detail, selection } = this.store.state;
    const range = selection.ordinal === subject.ordinal ? selection.range : null;
    const leaves = detail ? this.#leavesOf(detail) : [];
    const cells = this.#visibleCells(subject);
    return (byte) => {
      if (byte === this.#cursor && range) return Mark.Cursor;
      if (range && range[0] <= byte && byte < range[1]) return Mark.Selected;
      const cell = rangeAt(cells, byte);
      const band = cell >= 0 ? cell : rangeAt(leaves, byte);
      if (band < 0) return Mark.None;
      return band % 2 === 0 ? Mark.BandA : Mark.BandB;
    };
  }

  #leavesOf(detail: Detail): Range[] {
    if (this.#leaves?.detail !== detail) this.#leaves = { detail, ranges: leafRanges(detail) };
    return this.#leaves.ranges;
  }

  /** The cells of the rows that are here and can be seen. */
  #visibleCells(subject: Subject): Range[] {
    const { row, end } = this.#virtual.anchor;
    const from = row * this.width - this.#lead(subject);
    const to = end * this.width - this.#lead(subject);
    const cells: Range[] = [];
    for (const slab of this.store.reader.rows.loaded()) {
      for (let i = 0; i < slab.length; i++) {
        const image = slab.at(i);
        if (!image || image.end <= from || image.start >= to) continue;
        for (const cell of cellsOf(image)) if (cell.end > cell.start) cells.push([cell.start, cell.end]);
      }
    }
    return cells.sort((a, b) => a[0] - b[0]);
  }

  /** Blank bytes before the event in its first line. */
  #lead(subject: Subject): number {
    return subject.offset % this.width;
  }

  #showByte(subject: Subject, byte: number): void {
    this.#virtual.show(Math.floor((byte + this.#lead(subject)) / this.width));
  }

  #fit(): void {
    const probe = this.find(".probe")?.getBoundingClientRect().width ?? 0;
    if (probe === 0) return;
    const padding = this.clientWidth < 480 ? 24 : 44; // the lines' own, and the scrollbar's
    this.width = widthFor((this.clientWidth - padding) / (probe / 10), 10);
  }

  /** Moves the cursor: to a field by its byte, or, extending, over all bytes from where the selection began. */
  #select(byte: number, extend: boolean): void {
    const { subject } = this.store;
    if (!subject) return;
    const from = extend ? (this.#from ?? this.#cursor) : undefined;
    this.#from = from;
    this.#cursor = Math.min(Math.max(0, byte), subject.size - 1);
    this.#showByte(subject, this.#cursor);
    if (from === undefined) void this.store.selectByte(this.#cursor);
    else this.store.selectBytes([Math.min(from, this.#cursor), Math.max(from, this.#cursor) + 1]);
    this.requestUpdate();
  }

  /** The byte under the pointer, or -1. */
  #byteAt(event: PointerEvent): number {
    const { subject } = this.store;
    const target = event.composedPath()[0];
    const line = target instanceof Element ? target.closest<HTMLElement>(".line") : null;
    if (!subject || !line) return -1;
    const part = (name: string): { at: number; width: number } => {
      const box = line.querySelector(name)?.getBoundingClientRect();
      return { at: event.clientX - (box?.left ?? 0), width: box?.width ?? 0 };
    };
    const hex = part(".hex");
    const text = part(".ascii");
    let k = -1;
    if (text.at >= 0 && text.at < text.width) k = Math.floor((text.at / text.width) * this.width);
    else if (hex.at >= 0 && hex.at < hex.width) k = byteAtColumn((hex.at / hex.width) * (hexChars(this.width) - 1), this.width);
    const byte = Number(line.dataset["line"]) * this.width - this.#lead(subject) + k;
    return k >= 0 && byte >= 0 && byte < subject.size ? byte : -1;
  }

  readonly #onPointer = (event: PointerEvent): void => {
    const byte = this.#byteAt(event);
    if (byte >= 0 && event.button === 0) this.#select(byte, event.shiftKey);
  };

  readonly #onMove = (event: PointerEvent): void => {
    const byte = this.#byteAt(event);
    if ((event.buttons & 1) !== 0 && byte >= 0 && (byte !== this.#cursor || this.#from !== undefined)) this.#select(byte, true);
    this.hovered = event.buttons === 0 ? byte : -1;
  };

  /** The field or cell that has a byte, as far as it is here. */
  #meaning(byte: number): Selected | undefined {
    const { detail } = this.store.state;
    const node = detail && fieldAt(detail.nodes, byte);
    if (!detail || !node) return undefined;
    let path = node.path;
    for (const slab of isRowsNode(detail, node) ? this.store.reader.rows.loaded() : []) {
      for (let i = 0; i < slab.length; i++) {
        const row = slab.at(i);
        if (row && row.start <= byte && byte < row.end) path = cellAt(row, byte).path;
      }
    }
    return selectedField(detail, path, (index) => this.store.reader.rows.at(index));
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const { subject } = this.store;
    if (!subject || event.altKey || event.metaKey) return;
    if (event.key === "c" && !event.shiftKey) {
      event.preventDefault();
      void this.store.copy("hex");
      return;
    }
    if (event.ctrlKey && event.key !== "Home" && event.key !== "End") return;
    const at = this.#cursor;
    const column = (at + this.#lead(subject)) % this.width;
    const page = this.width * this.#virtual.anchor.fits;
    const to: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - this.width,
      ArrowDown: at + this.width,
      PageUp: at - page,
      PageDown: at + page,
      Home: event.ctrlKey ? 0 : at - column,
      End: event.ctrlKey ? subject.size - 1 : at - column + this.width - 1,
    };
    const byte = to[event.key];
    if (byte === undefined) return;
    event.preventDefault();
    this.hovered = -1;
    this.#virtual.turn(event.key, (byte - at) / this.width);
    this.#select(byte, event.shiftKey);
  };
}
