// What can be done with what is selected: the items of the menu, and the references that one can go to.
import type { Item } from "./menu.ts";
import { count } from "./format.ts";
import type { Store } from "./store.ts";

export interface Reference {
  label: string;
  title: string;
  go(): void;
}

const NEXT = "next event";

/** The rows that the shown event refers to. */
export function referencesOf(store: Store): Reference[] {
  const { detail } = store.state;
  if (!detail) return [];
  const { ordinal, table_map: map = -1, format_description: format, transaction_first: first, payload, next_position: next, offset, size } = detail;
  const all: Reference[] = [];
  const to = (label: string, row: number): void => {
    if (row >= 0 && row !== ordinal) all.push({ label, title: `Go to event #${count(row)}`, go: () => store.select(row) });
  };
  to("table map", map);
  to("transaction", first);
  if (payload) to("payload around it", payload.ordinal);
  to("format description", format);
  if (!payload && detail.kind === "event" && next > 0 && next === offset + size) {
    all.push({ label: NEXT, title: `Go to next_position, ${count(next)}`, go: () => void follow(store, next) });
  }
  return all;
}

/** Goes to an offset of the file, or says that nothing is there. */
export async function follow(store: Store, offset: number): Promise<void> {
  try {
    if (!(await store.goTo(offset))) store.say(`nothing is listed at offset ${count(offset)}`);
  } catch {
    // another file was opened meanwhile
  }
}

/** The reference that a field of the shown event is. */
export function referenceOf(store: Store, path: string): Reference | undefined {
  const { detail } = store.state;
  const label = path === "table_id" && detail?.table_map !== undefined ? "table map" : path === "next_position" ? NEXT : "";
  return label ? referencesOf(store).find((reference) => reference.label === label) : undefined;
}

export function itemsOf(store: Store): Item[] {
  const { selection } = store.state;
  const copying: Item[] = [];
  if (selection.path) {
    copying.push({ label: "Copy value", key: "c", run: () => void store.copy("value") });
    copying.push({ label: "Copy path", key: "p", run: () => void store.copy("path") });
  }
  copying.push({ label: "Copy bytes as hex", key: "x", run: () => void store.copy("hex") });
  copying.push({ label: "Copy bytes as base64", run: () => void store.copy("base64") });
  copying.push({ label: "Copy bytes as text", run: () => void store.copy("text") });
  copying.push({ label: "Copy link to this event", key: "y", run: () => void store.copy("link") });
  return [...copying, ...referencesOf(store).map(({ label, go }) => ({ label: `Go to ${label}`, run: go }))];
}
