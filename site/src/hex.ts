// The hex pane: the bytes of the shown event, in step with the tree and the cells. Selecting a field marks its bytes
// and scrolls to them; a click on a byte, or the arrow keys, select the deepest field that has it.
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { style } from "./css.ts";
import { StoreElement, hasModifier } from "./element.ts";
import { cellsOf, leafRanges, type Range } from "./fields.ts";
import { count, plural } from "./format.ts";
import { MARK_CLASS, Mark, address, byteAtColumn, hexChars, lineRuns, rangeAt, widthFor, type Run } from "./hexlines.ts";
import type { Detail } from "./protocol.ts";
import type { Selection, Subject } from "./store.ts";
import { base, virtual } from "./styles.ts";
import { Virtual } from "./virtual.ts";

const LINE = 18;

@customElement("binlog-hex")
export class BinlogHex extends StoreElement {
  /** Bytes a line, by the width of the pane. */
  @state() private width = 16;

  readonly #virtual = new Virtual(this, { rowHeight: LINE, head: 0 });
  readonly #resized = new ResizeObserver(() => this.#fit());
  #cursor = 0;
  #selection: Selection | undefined;
  #subject: number | undefined;
  #leaves: { detail: Detail; ranges: Range[] } | undefined;

  static override styles = [base, virtual, css`
    :host {
      display: grid;
      grid-template-rows: 26px minmax(0, 1fr);
      min-height: 0;
      min-width: 0;
      background: var(--sunk);
    }
    .bar {
      display: flex;
      gap: 14px;
      align-items: center;
      padding: 0 var(--pad);
      color: var(--ink2);
      border-bottom: 1px solid var(--line);
      font-size: 12px;
      white-space: nowrap;
      min-width: 0;
    }
    .what {
      color: var(--accent);
      min-width: 0;
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
    this.store.bytes.want(row * this.width - lead, end * this.width - lead, subject.size);
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
      <div class="bar" id="bar">${subject ? this.#bar(subject) : nothing}</div>
      <div
        class="viewport mono" role="group" tabindex="0" aria-label="Bytes" aria-describedby="bar"
        @keydown=${this.#onKey} @pointerdown=${this.#onPointer}
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

  #bar(subject: Subject): TemplateResult {
    const { selected } = this.store;
    const last = subject.offset + Math.max(0, subject.size - 1);
    const payload = this.store.state.detail?.payload;
    const space = payload ? `payload #${count(payload.ordinal)}, decompressed` : "file";
    return html`
      <span>${space}</span>
      <span class="mono">${count(subject.offset)} – ${count(last)} · ${plural(subject.size, "byte")}</span>
      ${selected
        ? html`<span class="what mono clip"
            >${selected.path}${selected.value === undefined || selected.value === "" ? "" : ` = ${selected.value.slice(0, 200)}`}${selected.note
              ? ` · ${selected.note}`
              : ""} · ${plural(selected.end - selected.start, "byte")} at ${count(subject.offset + selected.start)}</span
          >`
        : nothing}
    `;
  }

  #line(subject: Subject, i: number, mark: (byte: number) => Mark): TemplateResult {
    const first = i * this.width - this.#lead(subject);
    const inside = (k: number): boolean => first + k >= 0 && first + k < subject.size;
    const runs = lineRuns(
      this.width,
      (k) => (inside(k) ? (this.store.bytes.at(first + k) ?? -1) : undefined),
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
    for (const slab of this.store.rows.loaded()) {
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

  #select(byte: number): void {
    const { subject } = this.store;
    if (!subject) return;
    this.#cursor = Math.min(Math.max(0, byte), subject.size - 1);
    this.#showByte(subject, this.#cursor);
    void this.store.selectByte(this.#cursor);
    this.requestUpdate();
  }

  readonly #onPointer = (event: PointerEvent): void => {
    const { subject } = this.store;
    const target = event.composedPath()[0];
    const line = target instanceof Element ? target.closest<HTMLElement>(".line") : null;
    if (!subject || !line || event.button !== 0) return;
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
    if (k >= 0 && byte >= 0 && byte < subject.size) this.#select(byte);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const { subject } = this.store;
    if (!subject || event.altKey || event.metaKey || (event.ctrlKey && event.key !== "Home" && event.key !== "End")) return;
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
    if (byte === undefined || (hasModifier(event) && !event.ctrlKey)) return;
    event.preventDefault();
    this.#virtual.turn(event.key, (byte - at) / this.width);
    this.#select(byte);
  };
}
