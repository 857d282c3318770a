// What passes between the page and its worker when something is written out of the log, or names are taken in.

/** The decoder's own formats; "tables" is the list of the tables that have row events, as JSON. */
export type WireFormat = "sql" | "undo" | "text" | "block" | "json" | "csv" | "share" | "tables";

/** What is written. Without `from` and `to`: what the filter leaves. */
export interface ExportSpec {
  format: WireFormat;
  /** Ordinals: the first, and the one behind the last. */
  from?: number;
  to?: number;
  /** Of "csv": schema.table as the log has it. */
  table?: string;
  /** Of "share": names of schemas, tables and columns are kept. */
  keepNames?: boolean;
}

/** A part of what is written. It may be empty while there is more: "undo" goes over the events once before. */
export interface ExportChunk {
  data: Uint8Array<ArrayBuffer>;
  /** Listed rows gone through, of how many; "undo" counts each twice. */
  done: number;
  total: number;
  more: boolean;
}

/** One reason why an export does not say all. */
export interface ExportNote {
  /** Something is left out; otherwise it may not be what it seems. */
  lost: boolean;
  reason: string;
  count: number;
  /** Row of the log where it holds first. */
  first: number;
}

export interface SchemaAnswer {
  /** Tables of all schemas that were given. */
  tables: number;
  /** Clauses that were skipped; offsets in bytes. */
  warnings: { offset: number; reason: string }[];
}

/** `run` numbers the exports: one that was opened ends those before. */
export type ExportRequest =
  | { op: "exportOpen"; id: number; run: number; spec: ExportSpec }
  | { op: "exportNext"; id: number; run: number }
  | { op: "exportNotes"; id: number; run: number }
  | { op: "schema"; id: number; text: Uint8Array<ArrayBuffer> };

export interface ExportResults {
  exportOpen: true;
  exportNext: ExportChunk;
  exportNotes: ExportNote[];
  schema: SchemaAnswer;
}
