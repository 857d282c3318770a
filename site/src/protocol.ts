// What passes between the page and its worker: the one file that both sides import.
//
// Requests and answers are tagged unions. Small answers are plain objects, pages and trees and bytes travel as one
// transferred Uint8Array and are decoded on the page when they are needed. All offsets and sizes are bytes and exact
// as JS numbers (below 2^53); times are seconds since 1970 in UTC, 0 = unknown. viewdata.ts has the part of transactions,
// tables, the timeline and the filter, exportdata.ts that of exports.
import type { ExportRequest, ExportResults } from "./exportdata.ts";
import type { LogFile } from "./remote.ts";
import type { FilterProgress, SurveyProgress, ViewRequest, ViewResults } from "./viewdata.ts";

/** Why something failed. The first seven are the decoder's, the others are made on the JS side. */
export type FailureKind =
  | "not_binlog" // the file is no binary log; the message says what it looks like instead
  | "truncated" // bytes are missing
  | "corrupt" // bytes contradict the format or each other
  | "unsupported" // valid, not read here
  | "checksum" // the stored CRC does not match
  | "request" // the request makes no sense (an ordinal that is not listed)
  | "internal" // a fault of the decoder's own
  | "io" // the log could not be read (moved, changed, a folder, a server that does not answer)
  | "dead" // the wasm program ended; the client starts a new one
  | "superseded"; // a newer request of the same kind took this one's place

export interface Failure {
  kind: FailureKind;
  message: string;
  offset?: number;
  path?: string;
}

/** A Failure as an Error: what the client's promises reject with. */
export class BinlensError extends Error {
  readonly kind: FailureKind;
  readonly offset: number | undefined;
  readonly path: string | undefined;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = "BinlensError";
    this.kind = failure.kind;
    this.offset = failure.offset;
    this.path = failure.path;
  }

  /** Anything thrown, as the Failure to send or show. */
  static toFailure(thrown: unknown): Failure {
    if (thrown instanceof BinlensError) {
      const failure: Failure = { kind: thrown.kind, message: thrown.message };
      if (thrown.offset !== undefined) failure.offset = thrown.offset;
      if (thrown.path !== undefined) failure.path = thrown.path;
      return failure;
    }
    return { kind: "internal", message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

export interface Progress {
  /** Listed rows so far: events, damaged gaps, padding, a truncated tail. */
  events: number;
  /** Bytes indexed so far. */
  bytes: number;
  size: number;
  problems: number;
  /** step() has fed bytes to index. */
  more: boolean;
  /** The log is indexed. */
  done: boolean;
  /** There is a filter, which the following is about: rows found, rows looked at, rows that cannot be looked into. */
  filtered?: boolean;
  matched?: number;
  touched?: number;
  examined?: number;
  unread?: number;
}

export interface Summary {
  family: "mysql" | "mariadb" | "";
  serverVersion: string;
  binlogVersion: number;
  checksum: "CRC32" | "NONE" | "";
  /** "closed cleanly", "in use or crashed", "no end event"; "" while unknown. */
  state: string;
  firstTime: number;
  lastTime: number;
  size: number;
  events: number;
  problems: number;
}

export type RowKind = "event" | "gap" | "padding" | "truncated";

export type ProblemKind = "truncated" | "corrupt" | "unsupported" | "checksum";
export const PROBLEM_KINDS: readonly ProblemKind[] = ["corrupt", "checksum", "truncated", "unsupported"];

export interface Problem {
  kind: ProblemKind;
  offset: number;
  body_offset: number;
  path: string;
  reason: string;
}

/** A listed row with its first problem. */
export interface ProblemRow {
  ordinal: number;
  code: number;
  /** Row of the payload whose decompressed bytes the problem's offset counts; -1 for those of the file. */
  payload: number;
  problem: Problem;
}

/** How many problems there are, and some of one kind. */
export interface ProblemPage {
  /** Rows with a problem; the reasons of some may not be kept. */
  bad: number;
  kinds: Record<ProblemKind, number>;
  from: number;
  problems: ProblemRow[];
}

/** One node of the fields tree, in pre-order; the byte range is relative to the event's first byte. */
export interface FieldNode {
  path: string;
  name: string;
  depth: number;
  start: number;
  end: number;
  value: string;
  /** What the value means: flag names, a time, a type's name. */
  note?: string;
  group?: boolean;
}

export interface Column {
  name: string;
  type: string;
  key?: boolean;
  nullable?: boolean;
  numeric?: boolean;
}

export interface Detail {
  ordinal: number;
  kind: RowKind;
  type: string;
  code: number;
  class: number;
  offset: number;
  size: number;
  timestamp: number;
  server_id: number;
  next_position: number;
  title: string;
  summary: string;
  checksum?: { stored: string; ok: boolean };
  nodes: FieldNode[];
  rows?: {
    total: number;
    columns: Column[];
    names: "metadata" | "ddl" | "file" | "none";
    /** With "ddl": the event that has the statement. */
    names_at?: number;
    hasBefore: boolean;
    hasAfter: boolean;
  };
  table_map?: number;
  /** Rows that this one refers to; -1 where there is none. */
  format_description: number;
  transaction_first: number;
  transaction?: number;
  /** Larger than max_event_size: not decoded unless it is asked for whole. */
  large?: boolean;
  /** The event is inside this transaction payload, and offset counts its decompressed bytes. */
  payload?: { ordinal: number; offset: number };
  problems: Problem[];
}

export type CellKind = "null" | "number" | "text" | "time" | "hex" | "json" | "bit";

export interface Cell {
  path: string;
  start: number;
  end: number;
  value: string;
  kind: CellKind;
  problem?: string;
  /** What the event says has changed in the document, where it says only that. */
  diff?: { op: string; path: string; value?: unknown }[];
}

/** One row of a rows event. A null in an image is a column that is not in it: unknown, not NULL. */
export interface Row {
  index: number;
  start: number;
  end: number;
  before?: (Cell | null)[];
  after?: (Cell | null)[];
}

export interface RowPage {
  from: number;
  total: number;
  rows: Row[];
  problem?: Problem;
}

/** What came of the scan: it runs, it reached the end, it was cancelled, or it stopped at a fault. */
export type ScanState = "indexing" | "done" | "cancelled" | "failed";

/**
 * Page to worker. `sealed`: the worker shall find out whether it can send. `source` is what it was started from, and
 * `cores` how many it may use: with more than one it starts workers of its own for parts of a large file. `limit` stops
 * the scan after that many bytes (after a death at a certain place). `whole`: decode the event however large it is.
 */
export type Request =
  | { op: "start"; module: WebAssembly.Module; source: Blob; cores: number; sealed: boolean }
  | { op: "open"; id: number; session: number; file: LogFile; limit: number }
  | { op: "page"; id: number; from: number; n: number; all: boolean }
  | { op: "tree"; id: number; ordinal: number; whole: boolean }
  | { op: "rows"; id: number; ordinal: number; from: number; n: number; whole: boolean }
  | { op: "json"; id: number; ordinal: number; whole: boolean }
  | { op: "bytes"; id: number; ordinal: number; from: number; n: number }
  | ViewRequest
  | ExportRequest
  | { op: "stopFilter" }
  | { op: "problems"; id: number; kind: ProblemKind; from: number; n: number }
  | { op: "at"; id: number; offset: number }
  | { op: "cancel" }
  | { op: "goOn" }
  | { op: "close" };

/** The requests that are answered, each with what its answer carries. */
export interface Results extends ViewResults, ExportResults {
  open: Summary;
  page: Uint8Array<ArrayBuffer>;
  tree: Uint8Array<ArrayBuffer>;
  rows: Uint8Array<ArrayBuffer>;
  json: Uint8Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
  problems: Uint8Array<ArrayBuffer>;
  /** The listed row that a byte of the file belongs to, -1 for none. */
  at: number;
}
export type AskOp = keyof Results;
export type Ask = Extract<Request, { op: AskOp }>;

/** Worker to page. */
export type Message =
  /** The wasm runs. `sealed`: the worker itself has no way to send (it inherited the page's policy). */
  | { is: "ready"; typeNames: Record<string, string>; sealed: boolean }
  | { is: "answer"; id: number; result: Results[AskOp] }
  | { is: "failure"; id: number; failure: Failure }
  | { is: "scan"; session: number; state: ScanState; progress: Progress; summary: Summary; failure?: Failure }
  /** The second pass goes on, or has come to its end. */
  | { is: "survey"; session: number; progress: SurveyProgress }
  /** The filter goes on, has looked at everything, was stopped, or could not go on. */
  | { is: "filter"; session: number; progress: FilterProgress; failure?: Failure }
  /** Rows that were shown turned out to have problems: how many there are now. */
  | { is: "problems"; session: number; problems: number }
  /** The wasm program ended. `during`: the call it ended in. `bytes`: how far the index had come. */
  | { is: "dead"; session: number; during: string; scanning: boolean; bytes: number; message: string }
  /** Requests that left the worker, and those that its policy stopped, since it started. */
  | { is: "network"; requests: number; blocked: number };

export const FLAG_PROBLEM = 1;
export const FLAG_GROUP_FIRST = 2;
export const FLAG_GROUP_LAST = 4;
export const FLAG_IN_GROUP = 8;
export const FLAG_IN_PAYLOAD = 16;

export const ROW_KINDS: readonly RowKind[] = ["event", "gap", "padding", "truncated"];

const utf8 = new TextDecoder();

/** A page of list rows: typed-array views over the worker's bytes, the texts decoded one by one when asked for. */
export class Page {
  readonly length: number;
  readonly offset: Float64Array;
  readonly ordinal: Float64Array;
  readonly size: Uint32Array;
  readonly timestamp: Uint32Array;
  /** Rows of a rows event; -1 where there are none to count. */
  readonly rows: Int32Array;
  readonly code: Uint8Array;
  readonly kind: Uint8Array;
  readonly class: Uint8Array;
  readonly flags: Uint8Array;
  readonly #textOffset: Uint32Array;
  readonly #text: Uint8Array;

  /** Throws a BinlensError when the bytes are too short for the rows that they announce. */
  constructor(bytes: Uint8Array) {
    const buffer = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    if (buffer.length < 8) throw shortPage();
    const n = new DataView(buffer.buffer, buffer.byteOffset).getUint32(0, true);
    let at = 8;
    const take = (width: number, count: number): number => {
      const start = at;
      if (start + width * count > buffer.length) throw shortPage();
      at = Math.ceil((start + width * count) / 8) * 8;
      return buffer.byteOffset + start;
    };
    const base = buffer.buffer;
    this.length = n;
    this.offset = new Float64Array(base, take(8, n), n);
    this.ordinal = new Float64Array(base, take(8, n), n);
    this.size = new Uint32Array(base, take(4, n), n);
    this.timestamp = new Uint32Array(base, take(4, n), n);
    this.rows = new Int32Array(base, take(4, n), n);
    this.code = new Uint8Array(base, take(1, n), n);
    this.kind = new Uint8Array(base, take(1, n), n);
    this.class = new Uint8Array(base, take(1, n), n);
    this.flags = new Uint8Array(base, take(1, n), n);
    this.#textOffset = new Uint32Array(base, take(4, n + 1), n + 1);
    this.#text = buffer.subarray(at);
    if ((this.#textOffset[n] ?? 0) > this.#text.length) throw shortPage();
  }

  /** Table or summary of row i of this page. */
  text(i: number): string {
    return utf8.decode(this.#text.subarray(this.#textOffset[i] ?? 0, this.#textOffset[i + 1] ?? 0));
  }

  /** Row i of this page as one object. */
  at(i: number): ListRow | undefined {
    if (i < 0 || i >= this.length) return undefined;
    return {
      ordinal: this.ordinal[i] ?? 0,
      offset: this.offset[i] ?? 0,
      size: this.size[i] ?? 0,
      timestamp: this.timestamp[i] ?? 0,
      rows: this.rows[i] ?? -1,
      code: this.code[i] ?? 0,
      kind: ROW_KINDS[this.kind[i] ?? 0] ?? "event",
      class: this.class[i] ?? 8,
      flags: this.flags[i] ?? 0,
      text: this.text(i),
    };
  }
}

export interface ListRow {
  ordinal: number;
  offset: number;
  size: number;
  timestamp: number;
  rows: number;
  code: number;
  kind: RowKind;
  class: number;
  flags: number;
  text: string;
}

function shortPage(): BinlensError {
  return new BinlensError({ kind: "internal", message: "the decoder's page is shorter than it says" });
}

/** The worker's UTF-8 JSON as an object. The worker is part of this program, so its shape is taken on trust. */
export function decodeJSON<T>(bytes: Uint8Array): T {
  return JSON.parse(utf8.decode(bytes)) as T;
}

export function decodeText(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}
