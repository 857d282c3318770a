// Questions about the fields of one event: which one a byte belongs to, which bytes a field has, what can be folded.
// Nodes come in pre-order with their depth, so a subtree is a run and the leaves are in the order of their bytes.
import type { Cell, Column, Detail, FieldNode, Row } from "./protocol.ts";

/** A byte range [start, end) relative to the event's first byte. */
export type Range = readonly [start: number, end: number];

/** Groups with more children than this are folded at first. */
const FOLD_ABOVE = 24;

/** Index of the first node after the subtree of node i. */
export function subtreeEnd(nodes: readonly FieldNode[], i: number): number {
  const depth = nodes[i]?.depth ?? 0;
  let end = i + 1;
  while (end < nodes.length && (nodes[end]?.depth ?? 0) > depth) end++;
  return end;
}

export function hasChildren(nodes: readonly FieldNode[], i: number): boolean {
  return (nodes[i + 1]?.depth ?? 0) > (nodes[i]?.depth ?? 0);
}

/** How many nodes lie directly in node i. */
export function childCount(nodes: readonly FieldNode[], i: number): number {
  const depth = (nodes[i]?.depth ?? 0) + 1;
  let children = 0;
  for (let k = i + 1; (nodes[k]?.depth ?? 0) >= depth; k++) if (nodes[k]?.depth === depth) children++;
  return children;
}

/** The nodes that are folded before anyone has touched the tree: long arrays. */
export function foldedAtFirst(nodes: readonly FieldNode[]): Set<string> {
  const folded = new Set<string>();
  nodes.forEach((node, i) => {
    if (childCount(nodes, i) > FOLD_ABOVE) folded.add(node.path);
  });
  return folded;
}

/** The indices of the nodes that show when these are folded. */
export function visibleNodes(nodes: readonly FieldNode[], folded: ReadonlySet<string>): number[] {
  const shown: number[] = [];
  for (let i = 0; i < nodes.length; ) {
    const node = nodes[i];
    shown.push(i);
    i = node && folded.has(node.path) ? subtreeEnd(nodes, i) : i + 1;
  }
  return shown;
}

/** Index of the node that node i lies in, or -1. */
export function parentOf(nodes: readonly FieldNode[], i: number): number {
  const depth = nodes[i]?.depth ?? 0;
  for (let p = i - 1; p >= 0; p--) if ((nodes[p]?.depth ?? 0) < depth) return p;
  return -1;
}

/** The deepest field that has this byte. */
export function fieldAt(nodes: readonly FieldNode[], byte: number): FieldNode | undefined {
  let found: FieldNode | undefined;
  for (const node of nodes) {
    if (node.start <= byte && byte < node.end && (!found || node.depth >= found.depth)) found = node;
  }
  return found;
}

/** The node that stands for all the rows of a rows event: its cells come apart from the tree. */
export function isRowsNode(detail: Detail, node: FieldNode): boolean {
  return detail.rows !== undefined && node.path === "rows";
}

/** The cell or, between cells, the row that has this byte. */
export function cellAt(row: Row, byte: number): Cell | { path: string; start: number; end: number } {
  for (const cell of cellsOf(row)) if (cell.start <= byte && byte < cell.end) return cell;
  return { path: rowPath(row.index), start: row.start, end: row.end };
}

export function* cellsOf(row: Row): Generator<Cell> {
  for (const image of [row.before, row.after]) {
    for (const cell of image ?? []) if (cell) yield cell;
  }
}

export function rowPath(index: number): string {
  return `rows[${index}]`;
}

/** The row that a path like rows[12].after.total lies in, or -1. */
export function rowOfPath(path: string): number {
  const match = /^rows\[(\d+)\]/.exec(path);
  return match ? Number(match[1]) : -1;
}

/** The fields without fields of their own, in the order of their bytes: what the hex pane bands. */
export function leafRanges(detail: Detail): Range[] {
  const leaves: Range[] = [];
  detail.nodes.forEach((node, i) => {
    if (node.end > node.start && !hasChildren(detail.nodes, i)) leaves.push([node.start, node.end]);
  });
  return leaves.sort((a, b) => a[0] - b[0]);
}

/** How a column's value went from one image to the other. */
export type Change =
  | "same"
  | "changed"
  /** Only written: the image before does not have the column. */
  | "set";

export function changeOf(row: Row, column: number): Change {
  if (!row.before || !row.after) return "same";
  const before = row.before[column];
  const after = row.after[column];
  if (!after) return "same";
  if (!before) return "set";
  return before.kind === after.kind && before.value === after.value ? "same" : "changed";
}

/** "bigint unsigned, key" */
export function typeOf(column: Column): string {
  return column.key ? `${column.type}, key` : column.type;
}

/** What is known of the selected field or cell. */
export interface Selected {
  path: string;
  /** The whole value; undefined for a row, which has many. */
  value: string | undefined;
  /** What the value means, or its column's type. */
  note: string;
  start: number;
  end: number;
  /** The cell, its column, and the cell of the same column in the image before. */
  cell?: Cell;
  column?: Column | undefined;
  was?: Cell | undefined;
}

export function selectedField(detail: Detail, path: string, rowAt: (index: number) => Row | undefined): Selected | undefined {
  const node = detail.nodes.find((other) => other.path === path);
  if (node) return { path, value: node.value, note: node.note ?? "", start: node.start, end: node.end };
  const row = rowAt(rowOfPath(path));
  if (!row) return undefined;
  for (const image of [row.before, row.after]) {
    const at = image?.findIndex((cell) => cell?.path === path) ?? -1;
    const cell = image?.[at];
    if (!cell) continue;
    const column = detail.rows?.columns[at];
    const was = image === row.after ? (row.before?.[at] ?? undefined) : undefined;
    const value = cell.kind === "null" ? "NULL" : cell.value;
    return { path, value, note: cell.problem ?? column?.type ?? "", start: cell.start, end: cell.end, cell, column, was };
  }
  return { path, value: undefined, note: "", start: row.start, end: row.end };
}
