// Searches in sequences that live in the worker, by asking for as little of them as possible.
import type { Chunks } from "./chunks.ts";
import { BinlensError, FLAG_PROBLEM, type Page, type Row, type RowPage } from "./protocol.ts";

/** Rows asked for at a time while the row of a byte is looked for. */
const PROBE = 8;
/** List rows looked through at a time. */
const STRIDE = 2048;

/**
 * The row that has this byte. Rows lie one behind the other and are about equally long, so a guess by proportion comes
 * near at once; every probe narrows the range of rows, and after a few the middle is taken, so that it ends.
 */
export async function findRow(
  byte: number,
  all: { start: number; end: number },
  total: number,
  here: Chunks<Row>,
  fetch: (from: number, n: number) => Promise<RowPage>,
): Promise<Row | undefined> {
  for (const slab of here.loaded()) {
    for (let i = 0; i < slab.length; i++) {
      const row = slab.at(i);
      if (row && row.start <= byte && byte < row.end) return row;
    }
  }
  let low = { index: 0, start: all.start };
  let high = { index: total, start: all.end };
  for (let probes = 0; low.index < high.index; probes++) {
    const share = probes < 4 ? (byte - low.start) / Math.max(1, high.start - low.start) : 0.5;
    const guess = low.index + Math.floor(share * (high.index - low.index)) - PROBE / 2;
    const from = Math.max(low.index, Math.min(guess, high.index - 1));
    const { rows } = await fetch(from, Math.min(PROBE, high.index - from));
    const first = rows[0];
    const last = rows.at(-1);
    if (!first || !last) return undefined;
    if (byte < first.start) high = { index: from, start: first.start };
    else if (byte >= last.end) low = { index: last.index + 1, start: last.end };
    else return rows.find((row) => row.start <= byte && byte < row.end);
  }
  return undefined;
}

/** The first listed row at or after `from` (then from the beginning) that has a problem, or -1. */
export async function findProblem(
  from: number,
  events: number,
  ask: { page(from: number, n: number): Promise<Page>; stopped(): boolean },
): Promise<number> {
  for (let walked = 0; walked < events && !ask.stopped(); ) {
    const at = (from + walked) % events;
    const page = await patiently(() => ask.page(at, Math.min(STRIDE, events - at)));
    for (let i = 0; i < page.length; i++) if ((page.flags[i] ?? 0) & FLAG_PROBLEM) return page.ordinal[i] ?? -1;
    if (page.length === 0) return -1;
    walked += page.length;
  }
  return -1;
}

/** Asks again when a newer page request took this one's place. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      if (!(thrown instanceof BinlensError) || thrown.kind !== "superseded") throw thrown;
    }
  }
}
