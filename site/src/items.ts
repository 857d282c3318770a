// What can be done with what is selected: the items of the menu, and the references that one can go to.
import { rowOfPath } from "./fields.ts";
import { quoteName, quoteValue, spanTerm, tableTerm, withTerm, withoutSpan } from "./filtertext.ts";
import { count } from "./format.ts";
import { lookOf } from "./kinds.ts";
import type { Item } from "./menu.ts";
import type { Detail } from "./protocol.ts";
import type { Store } from "./store.ts";

export interface Reference {
  label: string;
  title: string;
  go(): void;
}

const MINUTE = 60;
/** Characters of a key that a button shows. */
const MAX_KEY = 20;
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
  to("DDL of the table", detail.rows?.names_at ?? -1);
  to("transaction", first);
  if (payload) to("payload around it", payload.ordinal);
  to("format description", format);
  if (!payload && detail.kind === "event" && next > 0 && next === offset + size) {
    all.push({ label: NEXT, title: `Go to next_position, ${count(next)}`, go: () => void follow(store, next) });
  }
  return all;
}

/** A filter that what is selected suggests. */
export interface Suggestion {
  label: string;
  filter: string;
}

export function suggestionsOf(store: Store): Suggestion[] {
  const { detail, filter } = store.state;
  if (detail?.kind !== "event") return [];
  const list: Suggestion[] = [];
  const table = tableOf(detail);
  if (table) list.push({ label: "only this table", filter: withTerm(filter, table) });
  if (detail.transaction) list.push({ label: "this transaction", filter: withTerm(filter, `trx:${detail.transaction}`) });
  const key = table ? keyOf(store, detail) : undefined;
  if (key) list.push({ label: `life of row ${key.text}`, filter: `${table} ${key.terms}` });
  if (detail.timestamp > 0) {
    const span = { axis: "time", from: detail.timestamp - MINUTE, to: detail.timestamp + MINUTE + 1 } as const;
    list.push({ label: "± 1 minute", filter: withTerm(withoutSpan(filter), spanTerm(span)) });
  }
  return list;
}

/** The term of the table that a table map or a row event is about, where its title names it without doubt. */
function tableOf(detail: Detail): string | undefined {
  const [schema, table, more] = detail.rows || lookOf(detail).glyph === "▤" ? detail.title.split(".") : [];
  return schema && table && more === undefined ? tableTerm(schema, table) : undefined;
}

/** The key of the selected row, or else of the first, as terms of a filter. */
function keyOf(store: Store, detail: Detail): { text: string; terms: string } | undefined {
  const row = store.reader.rows.at(Math.max(0, rowOfPath(store.state.selection.path)));
  const image = row?.after ?? row?.before;
  const terms: string[] = [];
  const texts: string[] = [];
  for (const [i, { key, name }] of (detail.rows?.columns ?? []).entries()) {
    if (!key) continue;
    const cell = row?.before?.[i] ?? image?.[i];
    if (!cell || cell.problem || !["number", "text", "time"].includes(cell.kind)) return undefined;
    terms.push(`row:${quoteName(name)}=${cell.kind === "number" ? cell.value : quoteValue(cell.value)}`);
    texts.push(cell.value.length > MAX_KEY ? `${cell.value.slice(0, MAX_KEY)}…` : cell.value);
  }
  return terms.length > 0 ? { text: texts.join(", "), terms: terms.join(" ") } : undefined;
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
  if (store.link !== "") copying.push({ label: "Copy link to this event", key: "y", run: () => void store.copy("link") });
  const filters = suggestionsOf(store).map(({ label, filter }): Item => ({ label: `Filter: ${label}`, run: () => store.filterBy(filter) }));
  return [...copying, ...filters, ...referencesOf(store).map(({ label, go }) => ({ label: `Go to ${label}`, run: go }))];
}
