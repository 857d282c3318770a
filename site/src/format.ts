// Numbers, sizes and times as they are shown. Times are UTC.

const grouped = new Intl.NumberFormat("en-US");

/** 1234567 -> "1,234,567" */
export function count(n: number): string {
  return grouped.format(n);
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** 1073741824 -> "1.07 GB": three figures, decimal units; below 1000 the exact number. */
export function shortSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  if (unit === 0) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${UNITS[unit]}`;
}

/** A size that must fit a column of nine figures: exact below ten million, short above. */
export function columnSize(bytes: number): string {
  return bytes < 10_000_000 ? count(bytes) : shortSize(bytes);
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Seconds UTC -> "14:03:07"; 0 -> "" (the event has no time). */
export function time(seconds: number): string {
  return seconds === 0 ? "" : iso(seconds).slice(11, 19);
}

/** Seconds UTC -> "01-31"; 0 -> "". */
export function monthDay(seconds: number): string {
  return seconds === 0 ? "" : iso(seconds).slice(5, 10);
}

/** Seconds UTC -> "2026-01-31 14:03:07 UTC" */
export function dateTime(seconds: number): string {
  return seconds === 0 ? "no time" : `${iso(seconds).slice(0, 10)} ${time(seconds)} UTC`;
}

/** The reader's own clock, "14:22:05". */
export function clock(date: Date): string {
  return date.toTimeString().slice(0, 8);
}

/** Milliseconds -> "1.9 s", "140 ms" */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** part / whole -> "34 %", never 100 before the end. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${Math.min(99, Math.floor((100 * part) / whole))} %`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}
