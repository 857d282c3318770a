// How bytes are laid out in lines: pure functions, used by the hex pane and its tests.
//
// A line holds `width` bytes and begins at a multiple of it in the file, so an event that begins elsewhere leaves the
// first bytes of its first line blank. "dd dd dd dd dd dd dd dd  dd …": three characters a byte, one more after every
// eight.
import type { Range } from "./fields.ts";

/** Characters of the hex part of one line. */
export function hexChars(width: number): number {
  return width * 3 + Math.floor((width - 1) / 8);
}

/** Character column at which byte i of a line begins in the hex part. */
export function hexColumn(i: number): number {
  return i * 3 + Math.floor(i / 8);
}

/** The byte of the line that a character column of the hex part belongs to. */
export function byteAtColumn(column: number, width: number): number {
  const group = Math.floor(column / 25);
  return Math.min(width - 1, group * 8 + Math.min(7, Math.floor((column - group * 25) / 3)));
}

/** Bytes a line for a pane of so many characters: 32, 16, or 8 where nothing wider fits. */
export function widthFor(characters: number, addressDigits: number): number {
  for (const width of [32, 16]) if (addressDigits + 2 + hexChars(width) + 1 + width <= characters) return width;
  return 8;
}

/** How a byte is drawn; runs of equal marks are drawn as one. */
export const enum Mark {
  None,
  BandA,
  BandB,
  Selected,
  Cursor,
}

export const MARK_CLASS: readonly string[] = ["", "a", "b", "sel", "cur"];

export interface Run {
  mark: Mark;
  hex: string;
  ascii: string;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function ascii(byte: number): string {
  return byte > 32 && byte < 127 ? String.fromCharCode(byte) : byte === 32 ? " " : "·";
}

/**
 * The runs of one line: byte(i) is byte i of the line, undefined where the line has none (before the event, behind it)
 * and -1 while it is not here yet. A gap between two bytes is drawn like them when both are marked alike; the cursor
 * is part of the selection.
 */
export function lineRuns(width: number, byte: (i: number) => number | undefined, mark: (i: number) => Mark): Run[] {
  const runs: Run[] = [];
  let gap = "";
  for (let i = 0; i < width; i++) {
    const value = byte(i);
    const kind = value === undefined ? Mark.None : mark(i);
    const hex = value === undefined || value < 0 ? "  " : (HEX[value] ?? "  ");
    const text = value === undefined || value < 0 ? " " : ascii(value);
    const last = runs.at(-1);
    if (last && last.mark === kind) {
      last.hex += gap + hex;
      last.ascii += text;
    } else {
      const joined = last && isSelected(last.mark) && isSelected(kind);
      if (gap) runs.push({ mark: joined ? Mark.Selected : Mark.None, hex: gap, ascii: "" });
      runs.push({ mark: kind, hex, ascii: text });
    }
    gap = i % 8 === 7 ? "  " : " ";
  }
  return runs;
}

function isSelected(mark: Mark): boolean {
  return mark === Mark.Selected || mark === Mark.Cursor;
}

/** Index of the range that has `at`, or -1; the ranges are sorted and do not overlap. */
export function rangeAt(ranges: readonly Range[], at: number): number {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle]!;
    if (at < range[0]) high = middle - 1;
    else if (at >= range[1]) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** An address of at least ten hex digits. */
export function address(offset: number): string {
  return offset.toString(16).padStart(10, "0");
}
