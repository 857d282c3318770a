// The difference of two texts, line by line.

export interface DiffLine {
  mark: " " | "-" | "+";
  text: string;
}

/** Cells of the table that is laid out at most; above that the middle is shown as replaced as a whole. */
const MAX_TABLE = 4_000_000;

/** The lines of both texts: common ones once, the others marked as removed and added. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ mark: " ", text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const out: DiffLine[] = [];
  const common = a.length * b.length > MAX_TABLE ? undefined : commonLengths(a, b);
  const width = b.length + 1;
  let i = 0;
  let j = 0;
  while (common && i < a.length && j < b.length) {
    if (a[i] === b[j]) out.push({ mark: " ", text: a[i++] ?? "" }), j++;
    else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) out.push({ mark: "-", text: a[i++] ?? "" });
    else out.push({ mark: "+", text: b[j++] ?? "" });
  }
  for (; i < a.length; i++) out.push({ mark: "-", text: a[i] ?? "" });
  for (; j < b.length; j++) out.push({ mark: "+", text: b[j] ?? "" });
  return out;
}

/** For every pair of places, the length of the longest common sequence of lines behind them. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      table[at] = a[i] === b[j] ? (table[at + width + 1] ?? 0) + 1 : Math.max(table[at + width] ?? 0, table[at + 1] ?? 0);
    }
  }
  return table;
}
