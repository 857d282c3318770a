// What a listed row is: its name, its glyph and its colour. The glyph says what the colour says.
import { FLAG_GROUP_FIRST, FLAG_GROUP_LAST, type RowKind } from "./protocol.ts";

export interface Look {
  /** A class of styles.ts that sets the colour. */
  css: string;
  glyph: string;
}

const BY_CLASS: readonly Look[] = [
  { css: "ctl", glyph: "·" },
  { css: "trx", glyph: "◆" },
  { css: "ctl", glyph: "›" },
  { css: "ddl", glyph: "Δ" },
  { css: "ctl", glyph: "▤" },
  { css: "ins", glyph: "+" },
  { css: "upd", glyph: "~" },
  { css: "del", glyph: "−" },
  { css: "ctl", glyph: "·" },
  { css: "bad", glyph: "!" },
];
const OTHER: Look = { css: "ctl", glyph: "·" };

const TRANSACTION = 1;
const QUERY = 2;
const XID = 16;
const XA_PREPARE = 38;
const PAYLOAD = 40;

/** `flags`: where the row stands in its group, if that is known. */
export function lookOf(row: { class: number; code: number; kind: RowKind; flags?: number }): Look {
  const look = BY_CLASS[row.class] ?? OTHER;
  if (row.kind !== "event") return row.kind === "padding" ? OTHER : look;
  const flags = row.flags ?? 0;
  const ends = row.code === XID || row.code === XA_PREPARE || (row.class === TRANSACTION && (flags & FLAG_GROUP_LAST) !== 0);
  if (ends) return { css: look.css, glyph: "✓" };
  if (row.code === PAYLOAD) return { css: look.css, glyph: "▣" };
  const begins = row.code === QUERY && row.class === TRANSACTION && (flags & FLAG_GROUP_FIRST) === 0;
  return begins ? OTHER : look; // a BEGIN behind its GTID says nothing new
}

const OF_KIND: Readonly<Record<Exclude<RowKind, "event">, string>> = {
  gap: "damaged bytes",
  padding: "zero padding",
  truncated: "truncated tail",
};

export function nameOf(row: { code: number; kind: RowKind }, typeNames: Readonly<Record<string, string>>): string {
  return row.kind === "event" ? (typeNames[row.code] ?? `type ${row.code}`) : OF_KIND[row.kind];
}
