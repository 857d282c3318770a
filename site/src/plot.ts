// The drawing of the timeline: uPlot with one series of bars for each group, the highest stack first, so that what is seen
// of a series is its own part. Selection and cursor are not drawn here: they are elements over the plot.
import uPlot from "uplot";
import { gaps, lasting, stacks, tickText, type Group, type Measure } from "./bins.ts";
import type { Zone } from "./state.ts";
import type { Histogram } from "./viewdata.ts";

export interface Drawing {
  histogram: Histogram;
  measure: Measure;
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

/** Pixels of the plot's height that a bin has that is not empty. */
const LEAST = 1.5;

export class Plot {
  #plot: uPlot | undefined;
  #drawing: Drawing | undefined;

  constructor(
    private readonly place: HTMLElement,
    readonly width: number,
    readonly height: number,
  ) {}

  draw(drawing: Drawing): void {
    this.#plot?.destroy();
    this.#drawing = drawing;
    this.#plot = new uPlot(this.#options(drawing), dataOf(drawing), this.place);
  }

  destroy(): void {
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  /** Where bins are, in pixels of the place. */
  box(first: number, end: number): { left: number; width: number } {
    const plot = this.#plot;
    const h = this.#drawing?.histogram;
    if (!plot || !h) return { left: 0, width: 0 };
    const left = plot.valToPos(h.from + first * h.width, "x");
    return { left: SIDE + left, width: plot.valToPos(h.from + end * h.width, "x") - left };
  }

  /** The bin at a pixel of the place. */
  binAt(x: number): number {
    const h = this.#drawing?.histogram;
    if (!this.#plot || !h) return -1;
    const bin = Math.floor((this.#plot.posToVal(x - SIDE, "x") - h.from) / h.width);
    return Math.min(h.bins - 1, Math.max(0, bin));
  }

  #options(drawing: Drawing): uPlot.Options {
    const { histogram: h, zone, ink, line, font, forced, ground } = drawing;
    const bars = uPlot.paths.bars?.({ size: [1, Infinity], align: 1, gap: h.bins * 4 < this.width ? 1 : 0 });
    const series = drawing.groups.map((_, i): uPlot.Series => {
      const group = drawing.groups.length - 1 - i;
      return {
        fill: drawing.colours[group] ?? ink,
        ...(forced ? { stroke: ground, width: 1 } : { width: 0 }),
        ...(bars && { paths: bars }),
        points: { show: false },
      };
    });
    return {
      width: this.width,
      height: this.height,
      padding: [TOP, SIDE, 0, SIDE],
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      ms: 1e-3,
      tzDate: (at) => (zone === "utc" ? uPlot.tzDate(new Date(at * 1000), "Etc/UTC") : new Date(at * 1000)),
      scales: {
        x: { time: h.axis === "time", range: () => [h.from, h.to] },
        y: { range: (_, __, max) => [0, Math.max(1, max)] },
      },
      axes: [
        {
          size: AXIS_HEIGHT,
          gap: 2,
          space: 90,
          font,
          stroke: ink,
          grid: { show: false },
          ticks: { stroke: line, width: 1, size: 3 },
          values: (_, ticks, __, ___, step) => ticks.map((at) => tickText(h.axis, at, step, zone)),
          ...(h.axis === "offset" && { incrs: BYTE_STEPS }),
        },
        { show: false },
      ],
      series: [{}, ...series],
      hooks: { draw: [(plot) => this.#over(plot, drawing)] },
    };
  }

  /** A line at the foot of every bin that has anything, however little; and what a gap in time is. */
  #over(plot: uPlot, drawing: Drawing): void {
    const { ctx, bbox } = plot;
    const { histogram: h, groups, colours, ink, font } = drawing;
    const scale = devicePixelRatio;
    const bottom = bbox.top + bbox.height;
    const x = (bin: number): number => plot.valToPos(h.from + bin * h.width, "x", true);
    ctx.save();
    const tops = stacks(h, "events", groups);
    for (let bin = 0; bin < h.bins; bin++) {
      const group = tops.findIndex((top) => (top[bin] ?? 0) > 0);
      if (group < 0) continue;
      ctx.fillStyle = colours[group] ?? ink;
      ctx.fillRect(x(bin), bottom - LEAST * scale, Math.max(scale, x(bin + 1) - x(bin) - scale), LEAST * scale);
    }
    if (h.axis === "time") {
      ctx.fillStyle = ink;
      ctx.strokeStyle = ink;
      ctx.font = font.replace(/[\d.]+(?=px)/, (size) => String(Number(size) * scale));
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.setLineDash([2 * scale, 4 * scale]);
      for (const { first, end } of gaps(h, Math.max(3, h.bins / 50))) {
        const [left, right, middle] = [x(first), x(end), bottom - bbox.height / 2];
        const text = `no events for ${lasting((end - first) * h.width)}`;
        const half = ctx.measureText(text).width / 2 + 6 * scale;
        const fits = half * 2 < right - left;
        const centre = (left + right) / 2;
        if (fits) ctx.fillText(text, centre, middle);
        ctx.beginPath();
        ctx.moveTo(left + 2 * scale, middle);
        ctx.lineTo(fits ? centre - half : right - 2 * scale, middle);
        if (fits) ctx.moveTo(centre + half, middle);
        if (fits) ctx.lineTo(right - 2 * scale, middle);
        ctx.stroke();
      }
    }
    ctx.restore();
  }
}

/** Round numbers of decimal units. */
const BYTE_STEPS = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

function dataOf({ histogram: h, measure, groups }: Drawing): uPlot.AlignedData {
  const starts = Float64Array.from({ length: h.bins }, (_, bin) => h.from + bin * h.width);
  return [starts, ...stacks(h, measure, groups).reverse()];
}
