// Looking for bytes: what was asked for, and the search, step by step, so that it can be told how far it is and be stopped.

export interface Needle {
  bytes: Uint8Array;
  /** How the question was understood. */
  as: "bytes" | "text";
}

/** `fa ce 00`, `face00` with 0x before it: bytes. Anything else, and what stands in quotes: text, as UTF-8. */
export function needleOf(question: string): Needle | undefined {
  const quoted = /^"(.*)"$/s.exec(question);
  const hex = question.trim().replace(/^0x/i, "");
  const pairs = /^0x/i.test(question.trim()) ? /^([0-9a-f]{2}\s*)+$/i : /^[0-9a-f]{2}(\s+[0-9a-f]{2})+$/i;
  if (!quoted && pairs.test(hex)) {
    const digits = hex.replace(/\s/g, "");
    return { bytes: Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)), as: "bytes" };
  }
  const bytes = new TextEncoder().encode(quoted?.[1] ?? question);
  return bytes.length > 0 ? { bytes, as: "text" } : undefined;
}

/** `1234`, `1,234`, `0x4d2`: an offset; `+12`: bytes behind the event's start. */
export function offsetOf(text: string, start: number): number | undefined {
  const plain = text.trim().replace(/[,_\s]/g, "");
  const [, plus, digits = ""] = /^(\+?)(.*)$/.exec(plain) ?? [];
  if (!/^(\d{1,16}|0x[0-9a-f]{1,13})$/i.test(digits)) return undefined;
  return (plus ? start : 0) + Number(digits);
}

/** Place of the needle in the hay at or after `from`, or -1. */
export function indexOfBytes(hay: Uint8Array, needle: Uint8Array, from = 0): number {
  const first = needle[0] ?? 0;
  const last = hay.length - needle.length;
  for (let at = hay.indexOf(first, from); at >= 0 && at <= last; at = hay.indexOf(first, at + 1)) {
    let k = 1;
    while (k < needle.length && hay[at + k] === needle[k]) k++;
    if (k === needle.length) return at;
  }
  return -1;
}

export interface Field {
  size: number;
  /** Bytes read at a time. */
  step: number;
  read(from: number, n: number): Promise<Uint8Array>;
  stopped(): boolean;
  progress(done: number): void;
}

/** Looks from a place to the end and then from the beginning on; -1 when there is nothing, or when it was stopped. */
export async function search(field: Field, needle: Uint8Array, from: number): Promise<number> {
  const start = Math.min(Math.max(0, from), field.size);
  const behind = await stretch(field, needle, start, field.size, 0);
  if (behind >= 0 || field.stopped()) return behind;
  return stretch(field, needle, 0, Math.min(field.size, start + needle.length - 1), field.size - start);
}

async function stretch(field: Field, needle: Uint8Array, from: number, to: number, done: number): Promise<number> {
  for (let at = from; at + needle.length <= to && !field.stopped(); at += field.step) {
    const hay = await field.read(at, Math.min(field.step + needle.length - 1, to - at));
    const found = indexOfBytes(hay, needle);
    if (found >= 0) return at + found;
    field.progress(done + at + hay.length - from);
  }
  return -1;
}
