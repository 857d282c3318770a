// Reads CSV as the decoder writes it: RFC 4180, where an empty field without quotes is NULL and "" is an empty text.

export type Field = string | null;

export class CsvReader {
  /** What was given and is no whole line yet. */
  #rest = "";

  /** Takes more text, and gives the lines that it completes. */
  push(text: string): Field[][] {
    const all = this.#rest + text;
    const lines: Field[][] = [];
    let at = 0;
    for (;;) {
      const line: Field[] = [];
      const end = readLine(all, at, line);
      if (end < 0) break;
      lines.push(line);
      at = end;
    }
    this.#rest = all.slice(at);
    return lines;
  }

  /** Nothing is left of what was given. */
  get empty(): boolean {
    return this.#rest === "";
  }
}

/** Reads the line at a place; returns where the next begins, or -1 when this one has no end. */
function readLine(text: string, at: number, line: Field[]): number {
  for (;;) {
    let end: number;
    if (text[at] === '"') {
      end = endOfQuoted(text, at + 1);
      if (end < 0) return -1;
      line.push(text.slice(at + 1, end - 1).replaceAll('""', '"'));
    } else {
      end = endOfPlain(text, at);
      if (end < 0) return -1;
      line.push(end === at ? null : text.slice(at, end));
    }
    if (text[end] === ",") at = end + 1;
    else return text.startsWith("\r\n", end) ? end + 2 : -1;
  }
}

/** The place behind the quote that ends a field; -1 when what ends it has not come, or may be the first of two quotes. */
function endOfQuoted(text: string, at: number): number {
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote + 1 >= text.length) return -1;
    if (text[quote + 1] !== '"') return quote + 1;
    at = quote + 2;
  }
}

function endOfPlain(text: string, at: number): number {
  for (; at < text.length; at++) if (text[at] === "," || text[at] === "\r") return at;
  return -1;
}
