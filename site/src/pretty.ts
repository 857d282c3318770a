// JSON as indented lines, from its text and not from its value: numbers stay exactly as the decoder wrote them.

const OPEN = new Set(["{", "["]);
const CLOSE = new Set(["}", "]"]);

/** Indents JSON text by two spaces; the text is taken to be valid. Empty objects and arrays stay on one line. */
export function pretty(json: string): string {
  const out: string[] = [];
  let depth = 0;
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
  let last = "";
  for (const [token] of json.matchAll(tokens)) {
    if (CLOSE.has(token)) {
      depth--;
      if (!OPEN.has(last)) out.push(newline(depth));
      out.push(token);
    } else {
      if (OPEN.has(last)) out.push(newline(depth));
      out.push(token);
      if (token === ",") out.push(newline(depth));
      else if (token === ":") out.push(" ");
      else if (OPEN.has(token)) depth++;
    }
    last = token;
  }
  return out.join("");
}

function newline(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

/**
 * Where the lines begin when a text is broken at its newlines and after `columns` columns; wide characters count as
 * two. The text's own end is the last entry.
 */
export function breakLines(text: string, columns: number): Uint32Array {
  const starts: number[] = [0];
  let column = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10) {
      starts.push(i + 1);
      column = 0;
      continue;
    }
    const width = unit >= 0x1100 ? 2 : 1;
    if (column + width > columns && (unit & 0xfc00) !== 0xdc00) {
      starts.push(i);
      column = 0;
    }
    column += width;
  }
  starts.push(text.length);
  return Uint32Array.from(starts);
}
