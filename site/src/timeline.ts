// The timeline: events or bytes over time or over the file, by class. A part of it is chosen with the pointer or the keys.
//
//   <binlens-timeline .load .version .filter .span .zone .theme @range>
//
// It asks `load` for what it shows, again when `version` changes, and tells the chosen part as "range" (null: all). What a
// filter leaves stands in front of the whole log.
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { GROUPS, binsOf, heldOf, notes, present, spanOf, spanText, sumOf, type Measure, type Run } from "./bins.ts";
import { style } from "./css.ts";
import { hasModifier } from "./element.ts";
import { count, plural, shortSize } from "./format.ts";
import { Plot } from "./plot.ts";
import { recall, remember } from "./prefs.ts";
import type { Zone } from "./state.ts";
import { base, kinds } from "./styles.ts";
import { timelineStyles } from "./timeline-styles.ts";
import { AXES, type Axis, type Histogram, type Span } from "./viewdata.ts";
import "./timeline-table.ts";

/** Pixels of a bin, and milliseconds between two requests while the log comes in. */
const BIN = 7;
const PACE = 400;

const MEASURES: readonly Measure[] = ["events", "bytes"];
const AXIS_NAMES: Readonly<Record<Axis, string>> = { time: "time", offset: "file" };

@customElement("binlens-timeline")
export class BinlensTimeline extends LitElement {
  /** The histogram of [from, to) in at most so many bins; of all there is when `to` is not above `from`. `matched`: of what the filter leaves. */
  @property({ attribute: false }) load: ((axis: Axis, from: number, to: number, bins: number, matched: boolean) => Promise<Histogram>) | null = null;
  /** Another value: the log has changed or grown. */
  @property({ attribute: false }) version: unknown = 0;
  /** The filter that holds, "" for none. */
  @property({ attribute: false }) filter = "";
  /** The part of the log that is chosen. */
  @property({ attribute: false }) span: Span | null = null;
  @property({ attribute: false }) zone: Zone = "utc";
  /** Another value: the colours have changed. */
  @property({ attribute: false }) theme = "";

  @state() private axis: Axis = recall("timeline.axis") === "offset" ? "offset" : "time";
  @state() private measure: Measure = recall("timeline.measure") === "bytes" ? "bytes" : "events";
  @state() private histogram: Histogram | null = null;
  /** What the filter leaves of it, in the same bins. */
  @state() private left: Histogram | null = null;
  @state() private failure = "";
  /** The part of the log that is shown; null for all of it. */
  @state() private zoom: Span | null = null;
  /** The bin that the keys are at, and the one that the pointer is over; -1 for none. */
  @state() private at = -1;
  @state() private over = -1;
  /** The bins that are being chosen, by their ends, in any order. */
  @state() private brush: { from: number; to: number } | null = null;

  #plot: Plot | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #dragged = false;
  readonly #resized = new ResizeObserver(() => this.#resize());
  readonly #media = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));

  static override styles = [base, kinds, timelineStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    for (const media of this.#media) media.addEventListener("change", this.#repaint);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const media of this.#media) media.removeEventListener("change", this.#repaint);
    this.#resized.disconnect();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  override focus(): void {
    this.#chart?.focus();
  }

  override firstUpdated(): void {
    if (this.#chart) this.#resized.observe(this.#chart);
  }

  override willUpdate(changed: PropertyValues): void {
    if (this.filter === "" || changed.has("load")) this.left = null;
    if (changed.has("load")) {
      this.histogram = null;
      this.zoom = null;
      this.brush = null;
      this.at = -1;
    }
  }

  override updated(changed: PropertyValues): void {
    if (["load", "version", "filter", "axis", "zoom"].some((name) => changed.has(name))) this.#wantSoon(changed.has("version") ? PACE : 0);
    if (["histogram", "left", "measure", "zone", "theme"].some((name) => changed.has(name))) this.#draw();
  }

  get #chart(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".chart");
  }

  /** Asks at once, or when the last request is `pace` milliseconds ago. */
  #wantSoon(pace: number): void {
    if (this.#timer !== undefined && pace > 0) return;
    clearTimeout(this.#timer);
    const wait = Math.max(0, this.#asked + pace - performance.now());
    this.#timer = setTimeout(() => void this.#want(), wait);
  }

  async #want(): Promise<void> {
    this.#timer = undefined;
    const width = this.#chart?.clientWidth ?? 0;
    const { load, axis, zoom, filter } = this;
    if (!load || width === 0) return;
    this.#asked = performance.now();
    try {
      const part = [axis, zoom?.from ?? 0, zoom?.to ?? 0, Math.max(1, Math.floor(width / BIN))] as const;
      const histogram = await load(...part, false);
      const left = filter === "" || histogram.empty ? null : await load(...part, true);
      if (load !== this.load || axis !== this.axis || zoom !== this.zoom || filter !== this.filter) return;
      this.failure = "";
      if (histogram.empty) {
        this.#asked = -Infinity; // nothing is indexed yet: ask as soon as something is
        return;
      }
      this.histogram = histogram;
      this.left = left && left.bins === histogram.bins && left.width === histogram.width ? left : null;
    } catch (thrown) {
      if ((thrown as { kind?: string }).kind !== "superseded") this.failure = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }

  #resize(): void {
    const chart = this.#chart;
    if (!chart || (this.#plot?.width === chart.clientWidth && this.#plot.height === chart.clientHeight)) return;
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#wantSoon(0);
    this.#draw();
  }

  readonly #repaint = (): void => this.#draw();

  #draw(): void {
    const place = this.renderRoot.querySelector<HTMLElement>(".plot");
    const h = this.histogram;
    if (!place || !h || place.clientWidth === 0) return;
    this.#plot ??= new Plot(place, place.clientWidth, place.clientHeight);
    const groups = present(this.left ?? h);
    const colour = (name: string): string => getComputedStyle(this.renderRoot.querySelector(`.inks .${name}`) ?? this).color;
    const { fontSize, fontFamily } = getComputedStyle(place);
    this.#plot.draw({
      histogram: h,
      left: this.left,
      measure: this.measure,
      groups,
      zone: this.zone,
      colours: groups.map(({ css }) => colour(css)),
      ink: colour("dim"),
      line: colour("line"),
      ground: colour("ground"),
      forced: matchMedia("(forced-colors: active)").matches,
      font: `${fontSize} ${fontFamily}`,
    });
    this.requestUpdate(); // the brush is where its bins are now
  }

  /** The bins that are chosen, be it only for now. */
  get #chosen(): Run | null {
    const h = this.histogram;
    if (!h) return null;
    if (!this.brush) return binsOf(h, this.span);
    return { first: Math.min(this.brush.from, this.brush.to), end: Math.max(this.brush.from, this.brush.to) + 1 };
  }

  #apply(span: Span | null): void {
    this.brush = null;
    this.dispatchEvent(new CustomEvent<Span | null>("range", { detail: span, bubbles: true, composed: true }));
  }

  override render(): TemplateResult {
    const h = this.histogram;
    const chosen = this.#chosen;
    const current = this.over >= 0 ? this.over : this.at;
    return html`
      <div class="inks" aria-hidden="true">${[...GROUPS.map(({ css }) => css), "dim", "line", "ground"].map((name) => html`<i class=${name}></i>`)}</div>
      <div class="bar">
        <div class="said clip mono" aria-hidden="true">${this.#said(h, chosen, current)}</div>
        ${h ? html`<div class="notes clip">${notes(h, this.zoom !== null).join(" · ")}</div>` : nothing}
        ${this.#zoomButton(chosen)}
        ${this.#choice("Bars show", MEASURES, this.measure, (name) => name, this.#setMeasure)}
        ${this.#choice("Over", AXES, this.axis, (axis) => AXIS_NAMES[axis], this.#setAxis)}
      </div>
      <div
        class="chart mono" role="slider" tabindex="0" aria-label="Timeline" aria-orientation="horizontal"
        aria-valuemin="0" aria-valuemax=${Math.max(0, (h?.bins ?? 0) - 1)} aria-valuenow=${Math.max(0, this.at)}
        aria-valuetext=${this.#spoken(h, chosen)} aria-describedby="keys"
        @keydown=${this.#onKey} @pointerdown=${this.#onDown} @pointermove=${this.#onMove} @pointerup=${this.#onUp}
        @pointercancel=${this.#onCancel} @pointerleave=${() => (this.over = -1)} @dblclick=${this.#reset}
      >
        <div class="plot"></div>
        ${this.#frame("brush", chosen)}${this.#frame("at", this.at < 0 ? null : { first: this.at, end: this.at + 1 })}
        ${this.#frame("over", this.over < 0 || this.#dragged ? null : { first: this.over, end: this.over + 1 })}
        ${this.failure ? html`<p class="failure">${this.failure}</p>` : nothing}
      </div>
      <p class="sr" id="keys">Arrow keys move, Shift and arrow keys choose a part, Enter filters by it, Escape takes it back.</p>
      <binlens-timeline-table .histogram=${h} .left=${this.left} .zone=${this.zone}></binlens-timeline-table>
    `;
  }

  #frame(name: string, run: Run | null): TemplateResult | typeof nothing {
    if (!run || !this.#plot) return nothing;
    const { left, width } = this.#plot.box(run.first, run.end);
    return html`<div class=${name} ${style({ left: `${left}px`, width: `${Math.max(2, width)}px` })}></div>`;
  }

  #choice<T extends string>(label: string, names: readonly T[], on: T, text: (name: T) => string, set: (name: T) => void): TemplateResult {
    return html`<div class="choice" role="group" aria-label=${label}>
      ${names.map((name) => html`<button aria-pressed=${name === on} @click=${() => set(name)}>${text(name)}</button>`)}
    </div>`;
  }

  #zoomButton(chosen: Run | null): TemplateResult | typeof nothing {
    const h = this.histogram;
    const all = this.zoom ? html`<button class="zoom" @click=${() => this.#zoomTo(null)}>whole log</button>` : nothing;
    if (!h || !chosen || h.width * (chosen.end - chosen.first) <= 1 || chosen.end - chosen.first === h.bins) return all;
    return html`${all}<button class="zoom" @click=${() => this.#zoomTo(spanOf(h, chosen))}>zoom in</button>`;
  }

  /** The line above the bars: what the pointer or the keys are at, else what is chosen, else the highest bar. */
  #said(h: Histogram | null, chosen: Run | null, current: number): TemplateResult | string {
    if (!h) return "";
    const run = this.brush || current < 0 ? chosen : { first: current, end: current + 1 };
    if (!run) {
      const shown = this.left ?? h;
      let top = 0;
      for (let bin = 0; bin < h.bins; bin++) top = Math.max(top, sumOf(shown, this.measure, bin));
      const most = this.measure === "events" ? plural(top, "event") : shortSize(top);
      return html`<span class="dim">highest bar${this.left ? " of the filter" : ""}: ${most} in ${h.axis === "time" ? `${count(h.width)} s` : shortSize(h.width)}</span>`;
    }
    const { events, bytes, groups } = heldOf(h, this.left, run);
    return html`${spanText(spanOf(h, run), this.zone)} · ${events} · ${shortSize(bytes)}${groups.map(
      ([{ css, glyph, name }, n]) => html` <span class=${css} title=${name}>${glyph}${count(n)}</span>`,
    )}`;
  }

  #spoken(h: Histogram | null, chosen: Run | null): string {
    const run = this.brush ? chosen : this.at >= 0 ? { first: this.at, end: this.at + 1 } : null;
    if (!h || !run) return "nothing chosen";
    const { events, bytes, groups } = heldOf(h, this.left, run);
    const parts = groups.map(([{ name }, n]) => `${count(n)} ${name}`).join(", ");
    return `${spanText(spanOf(h, run), this.zone)}: ${events}, ${shortSize(bytes)}${parts ? `: ${parts}` : ""}`;
  }

  readonly #setMeasure = (measure: Measure): void => {
    this.measure = measure;
    remember("timeline.measure", measure);
  };

  readonly #setAxis = (axis: Axis): void => {
    if (axis === this.axis) return;
    this.axis = axis;
    this.zoom = null;
    this.brush = null;
    this.at = -1;
    remember("timeline.axis", axis);
  };

  #zoomTo(span: Span | null): void {
    this.zoom = span;
    this.brush = null;
    this.at = -1;
  }

  readonly #reset = (): void => this.#apply(null);

  #binAt(event: PointerEvent): number {
    const left = this.#chart?.getBoundingClientRect().left ?? 0;
    return this.#plot?.binAt(event.clientX - left) ?? -1;
  }

  readonly #onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !this.histogram) return;
    this.#chart?.setPointerCapture(event.pointerId);
    const bin = this.#binAt(event);
    this.#dragged = true;
    this.at = bin;
    this.brush = { from: bin, to: bin };
  };

  readonly #onMove = (event: PointerEvent): void => {
    if (!this.histogram) return;
    const bin = this.#binAt(event);
    if (this.#dragged && this.brush) this.brush = { ...this.brush, to: bin };
    else this.over = bin;
  };

  /** A drag within one bin is a click: it moves the cursor only. */
  readonly #onUp = (): void => {
    if (!this.#dragged) return;
    this.#dragged = false;
    const run = this.#chosen;
    if (this.brush && this.brush.from !== this.brush.to && this.histogram && run) this.#apply(spanOf(this.histogram, run));
    this.brush = null;
  };

  readonly #onCancel = (): void => {
    this.#dragged = false;
    this.brush = null;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const h = this.histogram;
    if (!h || hasModifier(event)) return;
    const from = this.at < 0 ? (this.#chosen?.first ?? 0) : this.at;
    const to: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowRight: this.at < 0 ? from : from + 1,
      PageUp: from - 10,
      PageDown: from + 10,
      Home: 0,
      End: h.bins - 1,
    };
    const bin = to[event.key];
    if (bin !== undefined) this.#go(Math.min(h.bins - 1, Math.max(0, bin)), event.shiftKey ? (this.brush?.from ?? from) : -1);
    else if (event.key === "Enter" && this.at >= 0) this.#apply(spanOf(h, this.brush && this.#chosen ? this.#chosen : { first: this.at, end: this.at + 1 }));
    else if (event.key === "Escape" && this.brush) this.brush = null;
    else if (event.key === "Escape" && this.span) this.#apply(null);
    else return;
    event.preventDefault();
  };

  /** `anchor`: where the chosen part begins; -1 when only the cursor moves. */
  #go(bin: number, anchor: number): void {
    this.at = bin;
    this.brush = anchor < 0 ? null : { from: anchor, to: bin };
  }
}
