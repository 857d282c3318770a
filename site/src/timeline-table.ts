// The timeline as a table, for those who do not see its bars: as many rows as one listens to, empty stretches left out.
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { holds, present, spanOf, spanText, type Run } from "./bins.ts";
import { count } from "./format.ts";
import type { Zone } from "./state.ts";
import { base } from "./styles.ts";
import type { Histogram } from "./viewdata.ts";

const ROWS = 24;

@customElement("binlens-timeline-table")
export class BinlensTimelineTable extends LitElement {
  @property({ attribute: false }) histogram: Histogram | null = null;
  /** What a filter leaves of it, in the same bins. */
  @property({ attribute: false }) left: Histogram | null = null;
  @property({ attribute: false }) zone: Zone = "utc";

  static override styles = [base, css`
    :host {
      position: absolute;
    }
  `];

  override render(): TemplateResult | typeof nothing {
    const h = this.histogram;
    if (!h) return nothing;
    const { left } = this;
    const groups = present(left ?? h);
    const rows = runsOf(h)
      .map((run) => ({ run, all: holds(h, run).events, held: holds(left ?? h, run) }))
      .filter(({ all }) => all > 0);
    return html`<table class="sr">
      <caption>Events and bytes ${left ? "that the filter leaves" : "of the log"} over ${h.axis === "time" ? "time" : "the file"}</caption>
      <thead>
        <tr>${["Part", "Events", ...(left ? ["Of all events"] : []), "Bytes", ...groups.map(({ name }) => name)].map((name) => html`<th scope="col">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(({ run, all, held }) => {
          const parts = new Map(held.groups.map(([{ name }, n]) => [name, n]));
          return html`<tr>
            <th scope="row">${spanText(spanOf(h, run), this.zone)}</th>
            <td>${count(held.events)}</td>${left ? html`<td>${count(all)}</td>` : nothing}<td>${count(held.bytes)}</td>
            ${groups.map(({ name }) => html`<td>${count(parts.get(name) ?? 0)}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}

/** The bins, some together, so that there are no more than ROWS. */
function runsOf(h: Histogram): Run[] {
  const step = Math.max(1, Math.ceil(h.bins / ROWS));
  return Array.from({ length: Math.ceil(h.bins / step) }, (_, i) => ({ first: i * step, end: Math.min(h.bins, (i + 1) * step) }));
}
