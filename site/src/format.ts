// Numbers, sizes and times as they are shown. Times come as seconds UTC.
import type { Zone } from "./state.ts";

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

/** Minutes that the reader's clock is ahead of UTC at a time. */
function ahead(seconds: number): number {
  return -new Date(seconds * 1000).getTimezoneOffset();
}

/** "2026-01-31T14:03:07" of a clock. */
function iso(seconds: number, zone: Zone): string {
  const shift = zone === "utc" ? 0 : ahead(seconds) * 60;
  return new Date((seconds + shift) * 1000).toISOString().slice(0, 19);
}

/** Seconds UTC -> "14:03:07"; 0 -> "" (the event has no time). */
export function time(seconds: number, zone: Zone = "utc"): string {
  return seconds === 0 ? "" : iso(seconds, zone).slice(11);
}

/** Seconds UTC -> "01-31"; 0 -> "". */
export function monthDay(seconds: number, zone: Zone = "utc"): string {
  return seconds === 0 ? "" : iso(seconds, zone).slice(5, 10);
}

/** Seconds UTC -> "2026-01-31 14:03:07 UTC", or "… +02:00" by the reader's clock. */
export function dateTime(seconds: number, zone: Zone = "utc"): string {
  return seconds === 0 ? "no time" : `${iso(seconds, zone).replace("T", " ")} ${zone === "utc" ? "UTC" : offsetOf(seconds)}`;
}

function offsetOf(seconds: number): string {
  const minutes = ahead(seconds);
  const part = (n: number): string => String(n).padStart(2, "0");
  return `${minutes < 0 ? "−" : "+"}${part(Math.floor(Math.abs(minutes) / 60))}:${part(Math.abs(minutes) % 60)}`;
}

/** What the clock is called where times stand in a column. */
export function zoneName(zone: Zone): string {
  return zone === "utc" ? "UTC" : "local";
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

/** Milliseconds -> "about 40 s left", "about 3 min left"; 0 -> "". */
export function timeLeft(ms: number): string {
  if (ms === 0) return "";
  return ms < 90_000 ? `about ${Math.max(1, Math.round(ms / 1000))} s left` : `about ${Math.round(ms / 60_000)} min left`;
}

/** What is told when the decoder has died in a call, and what has become of the file. */
export function obituary(during: string, message: string, scanning: boolean): string {
  const kept = scanning ? "The log is shown up to the place where that happened." : "Your file was kept and is being indexed again.";
  if (/memory|allocat/i.test(message)) {
    const help = "Closing other tabs may help; the program for the terminal has no such limit.";
    return `The decoder had no more memory (${during}) and was started again. ${kept} ${help}`;
  }
  return `The decoder stopped (${during}: ${message}) and was started again. ${kept}`;
}
