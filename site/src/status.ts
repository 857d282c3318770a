// The bottom line: the seal, the progress, the problems, the position, the keys.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { traffic } from "./airlock.ts";
import { style } from "./css.ts";
import { StoreElement } from "./element.ts";
import { clock, count, duration, percent, plural, shortSize, timeLeft, zoneName } from "./format.ts";
import type { State } from "./state.ts";
import { base } from "./styles.ts";

@customElement("binlog-status")
export class BinlogStatus extends StoreElement {
  static override styles = [base, css`
    :host {
      display: flex;
      gap: 18px;
      align-items: center;
      padding: 0 var(--pad);
      border-top: 1px solid var(--line);
      background: var(--panel);
      color: var(--ink2);
      font-size: 12px;
      white-space: nowrap;
      min-width: 0;
      overflow: hidden;
    }
    .seal {
      display: flex;
      gap: 6px;
      align-items: center;
      font-weight: 550;
    }
    .seal::before {
      content: "";
      width: 8px;
      height: 8px;
      border-radius: 50%;
      border: 2px solid currentColor;
    }
    .sealed {
      color: var(--ok);
    }
    .sealed::before {
      background: currentColor;
    }
    .broken {
      color: var(--bad);
    }
    .progress {
      min-width: 0;
    }
    .bar {
      display: inline-block;
      vertical-align: middle;
      width: 80px;
      height: 6px;
      margin-right: 8px;
      border-radius: 3px;
      background: var(--line);
      overflow: hidden;
    }
    .bar i {
      display: block;
      height: 100%;
      background: var(--accent);
    }
    button {
      height: 22px;
      padding: 0 6px;
      border-color: transparent;
      background: none;
    }
    .problems {
      color: var(--bad);
    }
    .said {
      min-width: 0;
      color: var(--ink);
    }
    .zone {
      border-color: var(--line2);
    }
    .right {
      margin-left: auto;
      display: flex;
      gap: 18px;
      align-items: center;
    }
    kbd {
      font: 11px var(--mono);
      border: 1px solid var(--line2);
      border-radius: 4px;
      padding: 0 4px;
    }
    @media (max-width: 980px) {
      .keys {
        display: none;
      }
    }
    @media (max-width: 620px) {
      :host {
        gap: 10px;
        padding: 0 8px;
      }
      .at,
      .long {
        display: none;
      }
      .right {
        gap: 10px;
      }
    }
    @media (forced-colors: active) {
      .bar {
        border: 1px solid CanvasText;
      }
      .bar i {
        forced-color-adjust: none;
        background: Highlight;
      }
    }
  `];

  override render(): TemplateResult {
    const { state } = this.store;
    const { progress, row, hidden, zone, said } = state;
    const problems = progress?.problems ?? 0;
    return html`
      ${badge(state, this.store.origin)}
      ${progress ? html`<span class="progress clip">${how(state)}</span>` : nothing}
      ${problems > 0
        ? html`<button class="problems" title="Go to the next one" @click=${() => void this.store.nextProblem()}>! ${plural(problems, "problem")}</button>`
        : nothing}
      <span class="said clip" role="status">${said}</span>
      <span class="right">
        ${progress && row >= 0
          ? html`<span class="at mono">${hidden ? missing(state) : `row ${count(row + 1)} of ${count(this.store.listed)}`}</span>`
          : nothing}
        ${progress
          ? html`<span class="keys"><kbd>?</kbd> keys</span
              ><button
                class="zone" title="Times in UTC, or by your clock" aria-label="Times: ${zoneName(zone)}"
                @click=${() => this.store.setZone(zone === "utc" ? "local" : "utc")}
                >${zoneName(zone)}</button
              >`
          : nothing}
      </span>
    `;
  }
}

/** Why the selected event is not in the list. */
function missing({ filtered, selection }: State): string {
  const passed = (filtered?.examined ?? 0) > selection.ordinal;
  return passed ? "the selected event is hidden by the filter" : "the filter has not come to the selected event";
}

/** Whether the page can send, and where from it reads. */
function badge({ seal, fetching }: State, origin: string): TemplateResult {
  const from = fetching?.host ?? origin;
  const reading = from === "" ? "" : ` · reading from ${seal.is === "foreign" && seal.host === from ? "it" : from}`;
  switch (seal.is) {
    case "open":
      return html`<span class="seal">Loading…</span>`;
    case "foreign":
      return html`<span class="seal">not sealed: this page belongs to ${seal.host}${reading}</span>`;
    case "network":
      return html`<span class="seal">Not sealed${reading || ": this page reads logs by their addresses"}</span>`;
    case "broken":
      return html`<span class="seal broken">Not sealed: ${seal.why}</span>`;
    case "sealed": {
      const { requests, blocked } = traffic(seal);
      return html`<span class="seal ${requests > 0 ? "broken" : "sealed"}"
        ><span>Sealed<span class="long"> ${clock(seal.at)}</span> · ${plural(requests, "request")} since${blocked > 0
          ? ` · ${count(blocked)} stopped`
          : ""}</span></span
      >`;
    }
  }
}

/** What was indexed, of how much, and how that ended. */
function how(state: State): TemplateResult | string {
  const { phase, progress, took, left, failure } = state;
  if (!progress) return "";
  const { bytes, size, events } = progress;
  switch (phase) {
    case "indexing":
      return html`<span
          class="bar" role="progressbar" aria-label="Indexing" aria-valuemin="0" aria-valuemax="100"
          aria-valuenow=${Math.floor((100 * bytes) / Math.max(1, size))}
          ><i ${style({ width: `${(100 * bytes) / Math.max(1, size)}%` })}></i></span
        >${percent(bytes, size)}<span class="long"
          > · ${shortSize(bytes)} of ${shortSize(size)} · ${plural(events, "event")}${left > 0 ? ` · ${timeLeft(left)}` : ""}</span
        >`;
    case "cancelled":
      return `stopped at ${shortSize(bytes)} of ${shortSize(size)} · ${plural(events, "event")}`;
    case "failed":
      return `stopped at ${shortSize(bytes)} of ${shortSize(size)}: ${failure?.message ?? ""}`;
    default:
      return html`${plural(events, "event")}<span class="long"> · ${shortSize(bytes)} indexed in ${duration(took)}</span>`;
  }
}
