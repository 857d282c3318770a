// The drawing of the timeline on a canvas: stacked bars by group, the axis under them, gaps in time in words. Selection and
// cursor are not drawn here: they are elements over the plot.
import { gaps, lasting, stacks, sumOf, tickText, type Group, type Measure } from "./bins.ts";
import type { Zone } from "./state.ts";
import type { Axis, Histogram } from "./viewdata.ts";

export interface Drawing {
  histogram: Histogram;
  /** What the filter leaves of it, in the same bins: it stands in front of the whole, which is faint then. */
  left: Histogram | null;
  measure: Measure;
  /** Of what is in front. */
  groups: readonly Group[];
  zone: Zone;
  /** By the groups' place. */
  colours: readonly string[];
  ink: string;
  line: string;
  ground: string;
  /** The system's few colours: bars are told apart by lines between their parts. */
  forced: boolean;
  font: string;
}

const AXIS_HEIGHT = 20;
const SIDE = 14;
const TOP = 4;
const TICK = 3;
/** Pixels between two ticks at least. */
const TICK_SPACE = 90;

/** Pixels of the plot's height that a bin has that is not empty. */
const LEAST = 1.5;

/** Distances of ticks: round times in seconds, and round numbers of decimal units. */
const STEPS: Readonly<Record<Axis, readonly number[]>> = {
  time: [
    ...[1, 2, 5, 10, 15, 30],
    ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60),
    ...[1, 2, 3, 6, 12].map((hours) => hours * 3600),
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((days) => days * 86_400),
  ],
  offset: Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat(),
};

export class Plot {
  readonly #canvas = document.createElement("canvas");
  #histogram: Histogram | undefined;

  constructor(
    place: HTMLElement,
    readonly width: number,
    readonly height: number,
  ) {
    place.append(this.#canvas);
  }

  draw(drawing: Drawing): void {
    this.#histogram = drawing.histogram;
    const { width, height } = this;
    const scale = devicePixelRatio;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    const context = this.#canvas.getContext("2d");
    if (!context) return;
    context.scale(scale, scale);
    context.font = drawing.font;
    context.textBaseline = "middle";
    this.#bars(context, drawing);
    this.#axis(context, drawing);
    if (drawing.histogram.axis === "time") this.#gaps(context, drawing);
  }

  destroy(): void {
    this.#canvas.remove();
  }

  /** Where bins are, in pixels of the place. */
  box(first: number, end: number): { left: number; width: number } {
    const left = this.#x(first);
    return { left, width: this.#x(end) - left };
  }

  /** The bin at a pixel of the place. */
  binAt(x: number): number {
    const bins = this.#histogram?.bins ?? 0;
    const bin = Math.floor(((x - SIDE) / (this.width - 2 * SIDE)) * bins);
    return Math.min(bins - 1, Math.max(0, bin));
  }

  /** Where a bin begins. */
  #x(bin: number): number {
    return SIDE + (bin / Math.max(1, this.#histogram?.bins ?? 0)) * (this.width - 2 * SIDE);
  }

  get #bottom(): number {
    return this.height - AXIS_HEIGHT;
  }

  /** Where the bar of a bin is, a little apart from the next where there is room. */
  #bar(h: Histogram, bin: number): { left: number; width: number } {
    const space = h.bins * 4 < this.width ? 1 : 0;
    const { left, width } = this.box(bin, bin + 1);
    return { left, width: Math.max(1, width - space) };
  }

  #bars(context: CanvasRenderingContext2D, drawing: Drawing): void {
    const { histogram: h, left, measure } = drawing;
    const all = Array.from({ length: h.bins }, (_, bin) => sumOf(h, measure, bin));
    const most = Math.max(1, ...all);
    if (left) this.#behind(context, drawing, all.map((sum) => sum / most));
    this.#stacks(context, drawing, left ?? h, most);
  }

  /** The whole log behind what the filter leaves of it: `shares` of the height. */
  #behind(context: CanvasRenderingContext2D, { histogram: h, ink, line, forced }: Drawing, shares: readonly number[]): void {
    context.fillStyle = line;
    context.strokeStyle = ink;
    shares.forEach((share, bin) => {
      const { left, width } = this.#bar(h, bin);
      const high = Math.max(share * (this.#bottom - TOP), sumOf(h, "events", bin) > 0 ? LEAST : 0);
      if (high === 0) return;
      if (forced) context.strokeRect(left, this.#bottom - high, width, high);
      else context.fillRect(left, this.#bottom - high, width, high);
    });
  }

  /** The highest part of a stack first, so that what is seen of a part is its own; a foot for what is too little to be seen. */
  #stacks(context: CanvasRenderingContext2D, { measure, groups, colours, ink, ground, forced }: Drawing, h: Histogram, most: number): void {
    const tops = stacks(h, measure, groups);
    const present = stacks(h, "events", groups);
    context.strokeStyle = ground;
    for (let bin = 0; bin < h.bins; bin++) {
      const { left, width } = this.#bar(h, bin);
      for (let group = groups.length - 1; group >= 0; group--) {
        const high = ((tops[group]?.[bin] ?? 0) / most) * (this.#bottom - TOP);
        if (high === 0) continue;
        context.fillStyle = colours[group] ?? ink;
        context.fillRect(left, this.#bottom - high, width, high);
        if (forced) context.strokeRect(left, this.#bottom - high, width, high);
      }
      const lowest = present.findIndex((top) => (top[bin] ?? 0) > 0);
      if (lowest < 0) continue;
      context.fillStyle = colours[lowest] ?? ink;
      context.fillRect(left, this.#bottom - LEAST, width, LEAST);
    }
  }

  #axis(context: CanvasRenderingContext2D, { histogram: h, zone, ink, line }: Drawing): void {
    const wide = this.width - 2 * SIDE;
    const span = h.to - h.from;
    const step = STEPS[h.axis].find((distance) => (distance / span) * wide >= TICK_SPACE) ?? span;
    const local = h.axis === "time" && zone === "local" ? new Date(h.from * 1000).getTimezoneOffset() * 60 : 0;
    context.textAlign = "center";
    context.strokeStyle = line;
    context.fillStyle = ink;
    for (let at = Math.ceil((h.from - local) / step) * step + local; at <= h.to; at += step) {
      const x = SIDE + ((at - h.from) / span) * wide;
      context.beginPath();
      context.moveTo(x, this.#bottom);
      context.lineTo(x, this.#bottom + TICK);
      context.stroke();
      const text = tickText(h.axis, at, step, zone);
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(x, half + 1), this.width - half - 1), this.#bottom + AXIS_HEIGHT / 2 + 1);
    }
  }

  /** What a gap in time is: a dashed line, and how long it is where there is room. */
  #gaps(context: CanvasRenderingContext2D, { histogram: h, ink }: Drawing): void {
    context.fillStyle = ink;
    context.strokeStyle = ink;
    context.textAlign = "center";
    context.setLineDash([2, 4]);
    const middle = this.#bottom / 2;
    for (const { first, end } of gaps(h, Math.max(3, h.bins / 50))) {
      const [left, right] = [this.#x(first), this.#x(end)];
      const text = `no events for ${lasting((end - first) * h.width)}`;
      const half = context.measureText(text).width / 2 + 6;
      const fits = half * 2 < right - left;
      const centre = (left + right) / 2;
      if (fits) context.fillText(text, centre, middle);
      context.beginPath();
      context.moveTo(left + 2, middle);
      context.lineTo(fits ? centre - half : right - 2, middle);
      if (fits) context.moveTo(centre + half, middle);
      if (fits) context.lineTo(right - 2, middle);
      context.stroke();
    }
  }
}
