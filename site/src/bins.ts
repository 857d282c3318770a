// What is drawn and said of a histogram: its groups of classes, stacks, gaps, and single bins in words.
import { count, dateTime, plural, shortSize, time } from "./format.ts";
import type { Zone } from "./state.ts";
import type { Axis, Histogram, Span } from "./viewdata.ts";

export type Measure = "events" | "bytes";

/** Classes that are shown as one. `css` is a class of styles.ts, or of the timeline's own, that sets the colour. */
export interface Group {
  name: string;
  css: string;
  glyph: string;
  classes: readonly number[];
}

/** From the bottom of a bar to its top. */
export const GROUPS: readonly Group[] = [
  { name: "insert", css: "ins", glyph: "+", classes: [5] },
  { name: "update", css: "upd", glyph: "~", classes: [6] },
  { name: "delete", css: "del", glyph: "−", classes: [7] },
  { name: "DDL", css: "ddl", glyph: "Δ", classes: [3] },
  { name: "query", css: "qry", glyph: "›", classes: [2] },
  { name: "transaction", css: "trx", glyph: "◆", classes: [1] },
  { name: "control", css: "ctl", glyph: "·", classes: [0, 4, 8] },
  { name: "damage", css: "bad", glyph: "!", classes: [9] },
];

/** Rows or bytes of a group in a bin. */
export function amount(h: Histogram, measure: Measure, bin: number, group: Group): number {
  const cells = measure === "events" ? h.rows : h.bytes;
  return group.classes.reduce((sum, c) => sum + (cells[bin * h.classes + c] ?? 0), 0);
}

/** The groups that there is anything of. */
export function present(h: Histogram): Group[] {
  const met = new Set<number>();
  for (let cell = 0; cell < h.rows.length; cell++) if (h.rows[cell]) met.add(cell % h.classes);
  return GROUPS.filter(({ classes }) => classes.some((c) => met.has(c)));
}

/** For each group, from the bottom up, how high it reaches in each bin. */
export function stacks(h: Histogram, measure: Measure, groups: readonly Group[]): Float64Array[] {
  let below: Float64Array | undefined;
  return groups.map((group) => {
    const tops = Float64Array.from({ length: h.bins }, (_, bin) => (below?.[bin] ?? 0) + amount(h, measure, bin, group));
    below = tops;
    return tops;
  });
}

/** Rows of a bin, and its bytes. */
export function sumOf(h: Histogram, measure: Measure, bin: number): number {
  return GROUPS.reduce((sum, group) => sum + amount(h, measure, bin, group), 0);
}

export interface Run {
  first: number;
  /** One past the last bin. */
  end: number;
}

/** Stretches of at least `least` bins without any row, between bins that have some. */
export function gaps(h: Histogram, least: number): Run[] {
  const runs: Run[] = [];
  let last = -1;
  for (let bin = 0; bin < h.bins; bin++) {
    if (sumOf(h, "events", bin) === 0) continue;
    if (last >= 0 && bin - last - 1 >= least) runs.push({ first: last + 1, end: bin });
    last = bin;
  }
  return runs;
}

/** The part of the log that bins [first, end) are. */
export function spanOf(h: Histogram, { first, end }: Run): Span {
  return { axis: h.axis, from: h.from + first * h.width, to: h.from + end * h.width };
}

/** The bins that a part of the log touches; none when it is outside, or of the other axis. */
export function binsOf(h: Histogram, span: Span | null): Run | null {
  if (!span || span.axis !== h.axis || span.to <= h.from || span.from >= h.to) return null;
  const first = Math.max(0, Math.floor((span.from - h.from) / h.width));
  return { first, end: Math.max(first + 1, Math.min(h.bins, Math.ceil((span.to - h.from) / h.width))) };
}

/** "14:03:07 to 14:03:09 UTC", "offset 4 to 4,711". */
export function spanText(span: Span, zone: Zone): string {
  const last = Math.max(span.from, span.to - 1);
  if (span.axis === "offset") return `offset ${count(span.from)} to ${count(last)}`;
  if (last === span.from) return dateTime(last, zone);
  const sameDay = dateTime(span.from, zone).slice(0, 10) === dateTime(last, zone).slice(0, 10);
  const begin = dateTime(span.from, zone).slice(0, 19);
  const end = dateTime(last, zone);
  return `${begin} to ${sameDay ? end.slice(11) : end}`;
}

/** What bins hold, by group, as words: "3 inserts" would lie about statements, so the class stands behind the number. */
export function holds(h: Histogram, { first, end }: Run): { events: number; bytes: number; groups: [Group, number][] } {
  const bins = Array.from({ length: end - first }, (_, i) => first + i);
  const total = (measure: Measure, group: Group): number => bins.reduce((sum, bin) => sum + amount(h, measure, bin, group), 0);
  const groups = GROUPS.map((group): [Group, number] => [group, total("events", group)]).filter(([, n]) => n > 0);
  return {
    events: groups.reduce((sum, [, n]) => sum + n, 0),
    bytes: GROUPS.reduce((sum, group) => sum + total("bytes", group), 0),
    groups,
  };
}

/** The same of what a filter leaves, if there is one, with its events in words: "3 of 40 events". */
export function heldOf(h: Histogram, left: Histogram | null, run: Run): { events: string; bytes: number; groups: [Group, number][] } {
  const all = holds(h, run);
  if (!left) return { ...all, events: plural(all.events, "event") };
  const some = holds(left, run);
  return { ...some, events: `${count(some.events)} of ${plural(all.events, "event")}` };
}

/** Seconds -> "3 s", "4 min", "2 h 05 min", "3 days". */
export function lasting(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 600) return `${Math.floor(seconds / 60)} min${seconds % 60 ? ` ${seconds % 60} s` : ""}`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} min`;
  return `${count(Math.round(seconds / 86_400))} days`;
}

/** The label of a tick. `step` is the distance to the next. */
export function tickText(axis: Axis, at: number, step: number, zone: Zone): string {
  if (axis === "offset") return at === 0 ? "0" : shortSize(at);
  const clock = time(at, zone);
  if (clock === "00:00:00" || step >= 86_400) return dateTime(at, zone).slice(0, 10);
  return step >= 60 ? clock.slice(0, 5) : clock;
}

/** What a timeline cannot show in its bars. `zoomed`: it shows a part of the log. */
export function notes(h: Histogram, zoomed: boolean): string[] {
  const list: string[] = [];
  if (h.outside > 0) list.push(zoomed ? `${plural(h.outside, "event")} outside` : `${plural(h.outside, "event")} without a time`);
  if (h.back > 0) list.push(`time runs back ${h.back === 1 ? "once" : `${count(h.back)} times`}, by up to ${lasting(h.backBy)}`);
  return list;
}
