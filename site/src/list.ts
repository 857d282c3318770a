// The list of events: every listed row of the log, drawn where it is looked at.
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { style } from "./css.ts";
import { StoreElement, askForMenu, dataOf, hasModifier } from "./element.ts";
import { columnSize, count, dateTime, monthDay, time, zoneName } from "./format.ts";
import { lookOf, nameOf } from "./kinds.ts";
import { FLAG_GROUP_FIRST, FLAG_GROUP_LAST, FLAG_IN_GROUP, FLAG_IN_PAYLOAD, FLAG_PROBLEM, type ListRow } from "./protocol.ts";
import type { Zone } from "./state.ts";
import { base, grid, kinds, virtual } from "./styles.ts";
import type { FilterProgress } from "./viewdata.ts";
import { Virtual } from "./virtual.ts";

const ROW = 24;
const HEAD = 28;
/** No event is shorter than its header. */
const MIN_EVENT = 19;

const COLUMNS = ["Problems", "#", "Offset", "Time", "Event", "Table or summary", "Rows", "Bytes"];

@customElement("binlog-list")
export class BinlogList extends StoreElement {
  readonly #virtual = new Virtual(this, { rowHeight: ROW, head: HEAD });
  #shown = -1;

  static override styles = [base, kinds, virtual, grid, css`
    :host {
      display: block;
      min-width: 0;
      min-height: 0;
      background: var(--panel);
    }
    .row {
      grid-template-columns:
        16px calc(var(--ord) * 1ch + 10px) calc(var(--off) * 1ch + 22px) calc(14ch + 20px) minmax(18ch, 29ch)
        minmax(10ch, 1fr) calc(6ch + 12px) calc(7ch + 30px);
    }
    .row > .ord {
      padding: 0 4px;
    }
    .in {
      padding-left: 26px !important;
    }
    @container (max-width: 760px) {
      .date {
        display: none;
      }
      .row {
        grid-template-columns:
          16px calc(var(--ord) * 1ch + 10px) calc(var(--off) * 1ch + 22px) calc(8ch + 20px) minmax(18ch, 28ch)
          minmax(8ch, 1fr) calc(5ch + 16px) calc(7ch + 24px);
      }
    }
    @container (max-width: 620px) {
      .row > .off,
      .row > .rows {
        display: none;
      }
      .row {
        grid-template-columns: 16px calc(var(--ord) * 1ch + 10px) calc(8ch + 20px) minmax(18ch, 28ch) minmax(8ch, 1fr) calc(7ch + 24px);
      }
    }
    @container (max-width: 480px) {
      .row > .ord,
      .row > .bytes {
        display: none;
      }
      .row {
        grid-template-columns: 16px calc(8ch + 18px) minmax(12ch, 25ch) minmax(8ch, 1fr);
      }
      .row > div {
        padding: 0 6px;
      }
      .in {
        padding-left: 14px !important;
      }
    }
  `];

  override focus(): void {
    this.find(".viewport")?.focus({ preventScroll: true });
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { row, filtered } = this.store.state;
    const { listed } = this.store;
    this.#virtual.setTotal(listed);
    if (filtered !== null && row >= listed) {
      this.#shown = -1; // the filter has not come there; when it has, the row is shown anew
      return;
    }
    if (row === this.#shown) return;
    this.#shown = row;
    if (row >= 0) this.#virtual.show(row);
  }

  override updated(): void {
    const { row, end, total } = this.#virtual.anchor;
    if (total > 0) this.store.reader.list.want(row - 16, end + 16, total);
  }

  override render(): TemplateResult {
    const { file, phase, zone, row, hidden, filtered } = this.store.state;
    const { anchor } = this.#virtual;
    const size = file?.size ?? 0;
    const widths = { "--ord": `${digits(size / MIN_EVENT)}`, "--off": `${Math.max(6, digits(size))}` };
    const active = !hidden && row >= anchor.row && row < anchor.end;
    const lines: TemplateResult[] = [];
    for (let i = anchor.row; i < anchor.end; i++) lines.push(this.#row(i, this.store.reader.list.at(i)));
    const idle = phase !== "indexing" && phase !== "opening" && !filtered?.running;
    return html`
      <div
        class="viewport" role="grid" tabindex="0" aria-label="Events" aria-rowcount=${anchor.total + 1}
        aria-colcount=${COLUMNS.length} aria-busy=${!idle}
        aria-activedescendant=${active ? `r${row}` : nothing}
        @keydown=${this.#onKey} @click=${this.#onClick} @contextmenu=${this.#onMenu}
      >
        <div class="spacer" role="presentation">
          <div class="frame" role="presentation" ${style(widths)}>
            <div role="rowgroup" class="mono">${header(zone)}</div>
            ${anchor.total === 0 && idle
              ? html`<p class="none">${filtered ? nothingLeft(filtered) : "No event: nothing follows the first bytes of this log."}</p>`
              : html`<div role="rowgroup" class="lines mono" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div>`}
          </div>
        </div>
      </div>
    `;
  }

  #row(i: number, row: ListRow | undefined): TemplateResult {
    const selected = i === this.store.state.row && !this.store.state.hidden;
    if (!row) {
      return html`<div class="row" role="row" id="r${i}" aria-rowindex=${i + 2} aria-selected=${selected} data-row=${i}>
        <div role="gridcell" class="mark"></div><div role="gridcell" class="ord num dim">${this.store.state.filtered ? "…" : count(i)}</div>
      </div>`;
    }
    const look = lookOf(row);
    const { flags } = row;
    const { zone } = this.store.state;
    const first = (flags & FLAG_GROUP_FIRST) !== 0 || (flags & FLAG_IN_GROUP) === 0;
    const inside = !first && (flags & FLAG_GROUP_LAST) === 0;
    const problem = (flags & FLAG_PROBLEM) !== 0;
    return html`<div
      class="row ${first ? "first" : ""}" role="row" id="r${i}" aria-rowindex=${i + 2} aria-selected=${selected} data-row=${i}
    >
      <div role="gridcell" class="mark" title=${problem ? "has problems" : nothing}>${problem ? "!" : ""}</div>
      <div role="gridcell" class="ord num dim">${count(row.ordinal)}</div>
      <div role="gridcell" class="off num">${row.flags & FLAG_IN_PAYLOAD ? "+" : ""}${count(row.offset)}</div>
      <div role="gridcell" class="dim" title=${dateTime(row.timestamp, zone)}
        ><span class="date">${monthDay(row.timestamp, zone)} </span>${time(row.timestamp, zone)}</div>
      <div role="gridcell" class="kind ${look.css} ${inside ? "in" : ""}"
        ><span class="glyph" aria-hidden="true">${look.glyph}</span>${nameOf(row, this.store.typeNames)}</div>
      <div role="gridcell" title=${row.text}>${row.text}</div>
      <div role="gridcell" class="rows num">${row.rows < 0 ? "" : count(row.rows)}</div>
      <div role="gridcell" class="bytes num" title=${`${count(row.size)} bytes`}>${columnSize(row.size)}</div>
    </div>`;
  }

  readonly #onClick = (event: MouseEvent): void => {
    const row = dataOf(event, "row");
    if (row < 0) return;
    this.store.selectRow(row);
    this.store.setPane("detail");
  };

  readonly #onMenu = (event: MouseEvent): void => {
    const row = dataOf(event, "row");
    if (row >= 0) this.store.selectRow(row);
    askForMenu(this, event);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (hasModifier(event)) return;
    const { anchor } = this.#virtual;
    const { row: at, hidden } = this.store.state;
    const page = Math.max(1, anchor.fits - 1);
    const to: Record<string, number> = {
      ArrowDown: at < 0 ? anchor.row : hidden ? at : at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: anchor.total - 1,
    };
    const row = to[event.key];
    if (row === undefined) return;
    event.preventDefault();
    const clamped = Math.min(Math.max(0, row), anchor.total - 1);
    this.#virtual.turn(event.key, clamped - at);
    this.store.selectRow(clamped);
    this.#virtual.show(clamped);
  };
}

const NUMERIC = new Set(["#", "Offset", "Rows", "Bytes"]);
const CLASSES: Readonly<Record<string, string>> = { Problems: "mark", "#": "ord", Offset: "off", Rows: "rows", Bytes: "bytes" };

function header(zone: Zone): TemplateResult {
  return html`<div class="row head" role="row" aria-rowindex="1">
    ${COLUMNS.map((name) => {
      const css = `${CLASSES[name] ?? ""} ${NUMERIC.has(name) ? "num" : ""}`;
      const label = name === "Time" ? `Time (${zoneName(zone)})` : name;
      return html`<div role="columnheader" class=${css}>${name === "Problems" ? html`<span class="sr">Problems</span>` : label}</div>`;
    })}
  </div>`;
}

/** Characters of a number up to n, with its separators. */
function digits(n: number): number {
  return count(Math.max(1, Math.floor(n))).length;
}

function nothingLeft({ examined, total }: FilterProgress): string {
  return examined < total ? "The filter was stopped before it found an event." : "The filter leaves no event.";
}
