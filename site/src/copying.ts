// Putting things on the clipboard: what is selected as value, path, bytes or link.
import type { Range } from "./fields.ts";
import { plural } from "./format.ts";
import type { SelectingStore } from "./selecting.ts";

export type What = "value" | "path" | "hex" | "base64" | "text" | "link";

/** Bytes copied at most, and bytes asked for at a time. */
const MAX_BYTES = 16 << 20;
const STEP = 1 << 20;

/** Bytes of the shown event. */
export async function readBytes(store: SelectingStore, ordinal: number, [start, end]: Range): Promise<Uint8Array> {
  const all = new Uint8Array(end - start);
  for (let at = start; at < end; at += STEP) {
    all.set(await store.client.bytes(ordinal, at, Math.min(STEP, end - at)), at - start);
  }
  return all;
}

export function toHex(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) parts.push(byte.toString(16).padStart(2, "0"));
  return parts.join("");
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}

/** The bytes that are selected: those of the field, those chosen by hand, or else the whole event. */
export function selectedRange(store: SelectingStore): Range | undefined {
  const { subject } = store;
  const { selection } = store.state;
  if (!subject) return undefined;
  return selection.range && selection.ordinal === subject.ordinal ? selection.range : [0, subject.size];
}

/** Copies, and returns what to say about it. */
export async function copy(store: SelectingStore, what: What): Promise<string> {
  try {
    switch (what) {
      case "link":
        if (!store.link) return "";
        await navigator.clipboard.writeText(location.href.replace(/#.*$/, "") + store.link);
        return "copied a link to this event";
      case "path":
        if (!store.state.selection.path) return "no field is selected";
        await navigator.clipboard.writeText(store.state.selection.path);
        return "copied the path";
      case "value": {
        const value = store.selected?.value;
        if (value === undefined || value === "") return copy(store, "hex");
        await navigator.clipboard.writeText(value);
        return `copied the value, ${plural(value.length, "character")}`;
      }
      default:
        return await copyBytes(store, what);
    }
  } catch (thrown) {
    return `not copied: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

async function copyBytes(store: SelectingStore, as: "hex" | "base64" | "text"): Promise<string> {
  const range = selectedRange(store);
  if (!store.subject || !range) return "";
  if (range[1] - range[0] > MAX_BYTES) return `not copied: more than ${plural(MAX_BYTES, "byte")}`;
  const bytes = await readBytes(store, store.subject.ordinal, range);
  const text = as === "hex" ? toHex(bytes) : as === "base64" ? toBase64(bytes) : new TextDecoder().decode(bytes);
  await navigator.clipboard.writeText(text);
  return `copied ${plural(bytes.length, "byte")} as ${as}`;
}
