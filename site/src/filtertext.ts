// What the page knows of the filter language without asking the decoder: where its words are, and how names are written.
import type { Span } from "./viewdata.ts";

export interface Piece {
  kind: "space" | "sign" | "field" | "text";
  text: string;
}

/** The text of a filter in pieces that together are the text: spaces, minus signs, names of terms with their colon, the rest. */
export function pieces(text: string): Piece[] {
  const list: Piece[] = [];
  for (const [word] of text.matchAll(/\s+|(?:"(?:\\.|[^"\\])*"?|`[^`]*`?|[^\s"`])+/g)) {
    if (/^\s/.test(word)) {
      list.push({ kind: "space", text: word });
      continue;
    }
    const [, sign = "", field = "", rest = ""] = /^(-?)([a-z]+:)?(.*)$/is.exec(word) ?? [];
    if (sign) list.push({ kind: "sign", text: sign });
    if (field) list.push({ kind: "field", text: field });
    if (rest) list.push({ kind: "text", text: rest });
  }
  return list;
}

/** A name as a filter takes it: in backticks where it is not plain. */
export function quoteName(name: string): string {
  return /^[\w$\u0080-\uffff]+$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;
}

/** The term that leaves one table. */
export function tableTerm(schema: string, table: string): string {
  return `table:${quoteName(schema)}.${quoteName(table)}`;
}

/** The term that leaves a part of the log; the ends of a filter's ranges are both included. */
export function spanTerm({ axis, from, to }: Span): string {
  const last = Math.max(from, to - 1);
  if (axis === "offset") return `offset:${from}..${last}`;
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);
  return `time:${iso(from)}..${iso(last)}`;
}

const WORDS = /(?:"(?:\\.|[^"\\])*"?|`[^`]*`?|[^\s"`])+/g;

/** A value as a filter takes it. */
export function quoteValue(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}

/** A filter without the terms of parts of the log. */
export function withoutSpan(text: string): string {
  return (text.match(WORDS) ?? []).filter((word) => !/^(time|offset|pos):/i.test(word)).join(" ");
}

const TIME = String.raw`(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?)?Z?`;
const TIMES = new RegExp(`^time:${TIME}(?:\\.\\.(?:${TIME}|(\\d\\d:\\d\\d)(:\\d\\d)?))?$`, "i");
const OFFSETS = /^(?:offset|pos):(\d+)\.\.(\d+)$/i;

/** The part of the log that a filter leaves, where it says one with both ends. */
export function spanOfText(text: string): Span | null {
  for (const word of text.match(WORDS) ?? []) {
    const offsets = OFFSETS.exec(word);
    if (offsets) return { axis: "offset", from: Number(offsets[1]), to: Number(offsets[2]) + 1 };
    const [, day = "", minute, second, lastDay, lastMinute, lastSecond, clock, clockSecond] = TIMES.exec(word) ?? [];
    if (day === "") continue;
    const from = secondsOf(day, minute, second);
    if (lastDay) return { axis: "time", from, to: secondsOf(lastDay, lastMinute, lastSecond) + lengthOf(lastMinute, lastSecond) };
    if (!clock) return { axis: "time", from, to: from + lengthOf(minute, second) };
    const to = secondsOf(day, clock, clockSecond) + lengthOf(clock, clockSecond);
    return { axis: "time", from, to: to > from ? to : to + 86_400 };
  }
  return null;
}

function secondsOf(day: string, minute = "00:00", second = ":00"): number {
  return Date.parse(`${day}T${minute}${second}Z`) / 1000;
}

/** A day or minute has all its seconds. */
function lengthOf(minute: string | undefined, second: string | undefined): number {
  return second ? 1 : minute ? 60 : 86_400;
}

/** A filter with a term in the place of the one of the same name, or at its end. */
export function withTerm(text: string, term: string): string {
  const field = /^[a-z]+:/.exec(term)?.[0] ?? "";
  const words = text.match(WORDS) ?? [];
  const kept = words.filter((word) => word !== term && (field === "" || !word.toLowerCase().startsWith(field)));
  return [...kept, term].join(" ");
}
