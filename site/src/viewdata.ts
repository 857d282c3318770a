// What the views of transactions and tables, the timeline and the filter box are made of: the requests, and the answers
// as the worker sends them. protocol.ts takes the requests into its own.
import { BinlensError } from "./protocol.ts";

/** Times are seconds UTC, sizes bytes. Keys of what is not known are missing. */
export interface Transaction {
  /** From 1 on, as they begin in the log. */
  number: number;
  gtid?: string;
  state: "open" | "committed" | "rolled back" | "prepared" | "implicit";
  /** Ordinals of the first and the last event. */
  first: number;
  last: number;
  offset: number;
  events: number;
  bytes: number;
  /** Changed; missing until the survey has counted them, and where they cannot be counted. */
  rows?: number;
  start: number;
  end: number;
  server?: number;
  thread?: number;
  /** At most 20 names; `more` says how many there are beside them. */
  tables: string[];
  more?: number;
  /** What does not hold of what the transaction says of itself. */
  checks?: string[];
}

export interface TransactionPage {
  total: number;
  from: number;
  transactions: Transaction[];
}

/** What transactions can be ordered by; all but the first from the largest down. The places are the decoder's numbers. */
export const TRANSACTION_ORDERS = ["number", "bytes", "rows", "duration", "events"] as const;
export type TransactionOrder = (typeof TRANSACTION_ORDERS)[number];

export interface Table {
  schema: string;
  table: string;
  /** Different table maps. */
  versions: number;
  /** Row events, and their bytes. */
  events: number;
  bytes: number;
  inserted: number;
  updated: number;
  deleted: number;
  /** Row events whose rows could not be counted. */
  uncounted: number;
  /** Times of the first and the last row event, 0 for none. */
  first: number;
  last: number;
  /** Ordinal of the first row event, -1 for a table of which there are only table maps. */
  event: number;
}

export interface TablePage {
  total: number;
  from: number;
  tables: Table[];
}

export const TABLE_ORDERS = ["name", "bytes", "rows", "events", "last"] as const;
export type TableOrder = (typeof TABLE_ORDERS)[number];

export interface Totals {
  types: { code: number; type: string; events: number; bytes: number }[];
  /** Of the first 255 servers of a log. */
  servers: { server_id: number; events: number; bytes: number }[];
}

/** A check of a transaction that failed. */
export interface Check {
  ordinal: number;
  transaction: number;
  text: string;
}

export interface CheckPage {
  total: number;
  from: number;
  checks: Check[];
}

/** How far the second pass is: the one that counts rows and checks transactions. */
export interface SurveyProgress {
  rows: number;
  total: number;
  /** Failed checks. */
  checks: number;
  transactions: number;
  tables: number;
  problems: number;
  more: boolean;
  done: boolean;
}

export const AXES = ["time", "offset"] as const;
export type Axis = (typeof AXES)[number];

/** A part of the log: seconds UTC or bytes of the file, `to` not included. */
export interface Span {
  axis: Axis;
  from: number;
  to: number;
}

/** What became of a filter's text; places are UTF-16 units of it. */
export interface FilterAnswer {
  ok: boolean;
  start: number;
  end: number;
  message: string;
  /** What could stand there; may be empty. */
  expected: string;
}

/** What the rows of the list are while there is a filter. */
export interface FilterProgress {
  matched: number;
  /** Rows looked at, from the first on. */
  examined: number;
  total: number;
  /** Rows that could not be looked into, and are left out. */
  unread: number;
  /** Transactions that have rows of the list. */
  touched: number;
  running: boolean;
}

/** Where an event stands in the filtered list: as many rows are before it, and whether it is in it. */
export interface RankAnswer {
  row: number;
  exact: boolean;
}

/** What may take the place of text[start, end). */
export interface Completion {
  start: number;
  end: number;
  text: string;
  note: string;
}

export type ViewRequest =
  | { op: "transactions"; id: number; order: TransactionOrder; from: number; n: number }
  | { op: "transaction"; id: number; number: number }
  | { op: "place"; id: number; order: TransactionOrder; number: number }
  | { op: "tables"; id: number; order: TableOrder; from: number; n: number }
  | { op: "totals"; id: number }
  | { op: "checks"; id: number; from: number; n: number }
  | { op: "timeline"; id: number; axis: Axis; from: number; to: number; bins: number; matched: boolean }
  | { op: "filter"; id: number; text: string }
  | { op: "rank"; id: number; ordinal: number }
  | { op: "complete"; id: number; text: string; cursor: number };

type Bytes = Uint8Array<ArrayBuffer>;

export interface ViewResults {
  transactions: Bytes;
  transaction: Bytes;
  /** -1 when the transaction is nowhere in the order. */
  place: number;
  tables: Bytes;
  totals: Bytes;
  checks: Bytes;
  timeline: Bytes;
  filter: FilterAnswer;
  rank: RankAnswer;
  complete: Completion[];
}

/** The classes of events, in the decoder's order. */
export const CLASSES = ["control", "transaction", "query", "DDL", "table map", "insert", "update", "delete", "other", "damage"] as const;

/** A histogram of the log: rows and bytes by bin and class. */
export class Histogram {
  readonly bins: number;
  readonly classes: number;
  readonly from: number;
  /** Of a bin, in the axis's unit. */
  readonly width: number;
  /** Rows outside of the bins, and those without a time. */
  readonly outside: number;
  readonly rows: Uint32Array;
  readonly bytes: Float64Array;
  /** Over time: rows with a time before that of the row before, and by how many seconds at most. */
  readonly back: number;
  readonly backBy: number;

  /** Throws a BinlensError when the bytes are too short for the bins that they announce. */
  constructor(answer: Uint8Array, readonly axis: Axis) {
    const buffer = answer.byteOffset % 8 === 0 ? answer : answer.slice();
    if (buffer.length < 32) throw shortHistogram();
    const head = new DataView(buffer.buffer, buffer.byteOffset);
    this.bins = head.getUint32(0, true);
    this.classes = head.getUint32(4, true);
    this.from = head.getFloat64(8, true);
    this.width = head.getFloat64(16, true);
    this.outside = head.getFloat64(24, true);
    const cells = this.bins * this.classes;
    const behind = Math.ceil((32 + 4 * cells) / 8) * 8;
    if (behind + 8 * cells + 16 > buffer.length) throw shortHistogram();
    this.rows = new Uint32Array(buffer.buffer, buffer.byteOffset + 32, cells);
    this.bytes = new Float64Array(buffer.buffer, buffer.byteOffset + behind, cells);
    this.back = head.getFloat64(behind + 8 * cells, true);
    this.backBy = head.getFloat64(behind + 8 * cells + 8, true);
  }

  /** No row is in it, and none outside. */
  get empty(): boolean {
    return this.outside === 0 && this.rows.every((n) => n === 0);
  }

  /** End of the last bin. */
  get to(): number {
    return this.from + this.bins * this.width;
  }
}

function shortHistogram(): BinlensError {
  return new BinlensError({ kind: "internal", message: "the decoder's timeline is shorter than it says" });
}
