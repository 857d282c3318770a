// Guesses at what bytes and numbers mean where the log does not say: they are labelled as guesses wherever they show.
import type { Cell, Column } from "./protocol.ts";

export interface Guess {
  /** "UUID?" */
  label: string;
  text: string;
}

/** Names of columns that hold addresses. */
const ADDRESS_NAME = /(^|_)(ip|ipv4|inet|ip_?addr(ess)?)($|_)/i;

/** What a value looks like, or undefined. */
export function guessOf(cell: Cell, column: Column | undefined): Guess | undefined {
  const hex = cell.value;
  if (cell.kind === "number") return column && ADDRESS_NAME.test(column.name) ? ipv4Number(Number(cell.value)) : undefined;
  if (cell.kind !== "hex" || !/^[0-9a-f]+$/i.test(hex)) return undefined;
  if (hex.length === 8) return { label: "IPv4?", text: ipv4(hex) };
  return hex.length === 32 ? (uuid(hex) ?? ipv6(hex)) : undefined;
}

function ipv4Number(n: number): Guess | undefined {
  if (!Number.isInteger(n) || n < 0x01000000 || n > 0xffffffff) return undefined;
  return { label: "IPv4?", text: ipv4(n.toString(16).padStart(8, "0")) };
}

function ipv4(hex: string): string {
  return [0, 2, 4, 6].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)).join(".");
}

/** A UUID as it is, or as UUID_TO_BIN(…, 1) stores it: high and low part of the time exchanged. */
function uuid(hex: string): Guess | undefined {
  const variant = /[89ab]/i.test(hex[16] ?? "");
  const parts = (...of: string[]): string => of.join("-");
  const tail = [hex.slice(16, 20), hex.slice(20)] as const;
  if (variant && /[1-8]/.test(hex[12] ?? "")) {
    return { label: "UUID?", text: parts(hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), ...tail) };
  }
  if (variant && hex[0] === "1") {
    return { label: "UUID, time swapped?", text: parts(hex.slice(8, 16), hex.slice(4, 8), hex.slice(0, 4), ...tail) };
  }
  return undefined;
}

/** Addresses that are in use: global unicast, unique local, link-local, and IPv4 in IPv6. */
function ipv6(hex: string): Guess | undefined {
  if (/^0{20}ffff/i.test(hex)) return { label: "IPv4 in IPv6?", text: `::ffff:${ipv4(hex.slice(24))}` };
  if (!/^(2[0-9a-f]|3[0-9a-f]|f[cd]|fe[89ab])/i.test(hex) || !/0000/.test(hex)) return undefined;
  const groups = Array.from({ length: 8 }, (_, i) => Number.parseInt(hex.slice(4 * i, 4 * i + 4), 16).toString(16));
  const zeros = [...`:${groups.join(":")}:`.matchAll(/(:0)+(?=:)/g)].sort((a, b) => b[0].length - a[0].length)[0];
  const text = groups.join(":");
  if (!zeros || zeros[0].length < 4) return { label: "IPv6?", text };
  const start = zeros[0].length / 2;
  const before = `:${text}:`.slice(1, zeros.index).split(":").filter(Boolean);
  return { label: "IPv6?", text: `${before.join(":")}::${groups.slice(before.length + start).join(":")}` };
}
