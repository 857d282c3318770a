// What the page knows of the filter language without asking the decoder: where its words are, and how names are written.

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
export function spanTerm({ axis, from, to }: { axis: "time" | "offset"; from: number; to: number }): string {
  const last = Math.max(from, to - 1);
  if (axis === "offset") return `offset:${from}..${last}`;
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);
  return `time:${iso(from)}..${iso(last)}`;
}

/** A filter with a term in the place of the one of the same name, or at its end. */
export function withTerm(text: string, term: string): string {
  const field = /^[a-z]+:/.exec(term)?.[0] ?? "";
  const words = text.match(/(?:"(?:\\.|[^"\\])*"?|`[^`]*`?|[^\s"`])+/g) ?? [];
  const kept = words.filter((word) => word !== term && (field === "" || !word.toLowerCase().startsWith(field)));
  return [...kept, term].join(" ");
}
