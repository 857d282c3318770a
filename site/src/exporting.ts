// What can be written out of a log, where it goes, and how: an Output is asked for its parts one after the other, so that
// no more of it is in memory than was not written yet.
import type { Client } from "./client.ts";
import type { ExportChunk, ExportNote, ExportSpec, WireFormat } from "./exportdata.ts";
import { decodeJSON } from "./protocol.ts";

export type Format = Exclude<WireFormat, "tables"> | "parquet";

export interface FormatInfo {
  format: Format;
  label: string;
  /** What it is for, as one sentence. */
  about: string;
  /** What a file's name ends in. */
  ending: string;
  /** Rows of one table. */
  table?: true;
}

export const FORMATS: readonly FormatInfo[] = [
  { format: "sql", label: "SQL: what happened", about: "One statement a row, in the order of the log.", ending: ".sql" },
  { format: "undo", label: "SQL: undo", about: "Takes the changes back, from the last to the first. Read it before you run it.", ending: ".undo.sql" },
  { format: "json", label: "JSON lines", about: "One object an event, with every field and row.", ending: ".jsonl" },
  { format: "csv", label: "CSV, one table", about: "One line a row image, columns titled with their types.", ending: ".csv", table: true },
  { format: "parquet", label: "Parquet, one table", about: "The columns of the CSV with their types; dates and times stay text, for there is 0000-00-00. The preview is the CSV.", ending: ".parquet", table: true },
  { format: "text", label: "mysqlbinlog text", about: "As mysqlbinlog -vv --base64-output=decode-rows prints it.", ending: ".txt" },
  { format: "block", label: "mysqlbinlog text with BINLOG", about: "As mysqlbinlog prints it, for the mysql client.", ending: ".binlog.sql" },
  { format: "share", label: "Report without values", about: "The structure of the events for a bug report: no values, no text.", ending: ".report.jsonl" },
];

export function infoOf(format: Format): FormatInfo {
  return FORMATS.find((info) => info.format === format) ?? FORMATS[0]!;
}

/** A name for the file, after that of the log: it stays on this machine. */
export function fileName(log: string, format: Format, table: string): string {
  const info = infoOf(format);
  const of = info.table ? `.${table.replace(/[^\p{L}\p{N}._-]+/gu, "_")}` : "";
  return `${log}${of}${info.ending}`;
}

export interface Table {
  table: string;
  events: number;
}

/** What has to be known of an export while it goes on. */
export interface Watch {
  progress(done: number, total: number): void;
  /** It shall end; nothing more is asked for. */
  stopped(): boolean;
}

/** One export, from its first part on. */
export class Output {
  /** All of it was given. */
  ended = false;
  done = 0;
  total = 0;
  readonly #client: Client;
  readonly #run: number;

  private constructor(client: Client, run: number) {
    this.#client = client;
    this.#run = run;
  }

  static async open(client: Client, spec: ExportSpec): Promise<Output> {
    return new Output(client, await client.exportOpen(spec));
  }

  async next(): Promise<ExportChunk> {
    const chunk = await this.#client.exportNext(this.#run);
    this.ended = !chunk.more;
    this.done = chunk.done;
    this.total = chunk.total;
    return chunk;
  }

  notes(): Promise<ExportNote[]> {
    return this.#client.exportNotes(this.#run);
  }
}

/** Reads an output until it has so many bytes, ends, or is stopped. */
export async function readHead(output: Output, bytes: number, watch: Watch): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size < bytes && !output.ended && !watch.stopped(); ) {
    const { data, done, total } = await output.next();
    if (data.length > 0) parts.push(data);
    size += data.length;
    watch.progress(done, total);
  }
  return parts;
}

/** The tables that have row events among what is to be written, from the one that has the most down. */
export async function tablesOf(client: Client, part: Pick<ExportSpec, "from" | "to">, watch: Watch): Promise<Table[]> {
  const output = await Output.open(client, { ...part, format: "tables" });
  const parts = await readHead(output, Infinity, watch);
  return watch.stopped() ? [] : decodeJSON<Table[]>(new Uint8Array(await new Blob(parts).arrayBuffer()));
}

/** Where an export is written to. */
export interface Sink {
  write(data: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

type Picker = (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<FileSystemWritableFileStream> }>;

/** Asks where to write to; undefined when the reader wants it nowhere. Without the browser's dialog, into its downloads. */
export async function chooseSink(name: string): Promise<Sink | undefined> {
  const picker = (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  if (!picker) return new Download(name);
  try {
    const stream = await (await picker({ suggestedName: name })).createWritable();
    return { write: (data) => stream.write(data), close: () => stream.close(), abort: () => stream.abort() };
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === "AbortError") return undefined;
    return new Download(name); // the browser has the dialog and does not allow it here
  }
}

/** Collects an export in the browser's own store, which is not this page's memory, and hands it over as a download. */
class Download implements Sink {
  #blob = new Blob();
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;

  constructor(private readonly name: string) {}

  async write(data: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#parts.push(data);
    this.#size += data.length;
    if (this.#size >= GATHERED) this.#gather();
  }

  async close(): Promise<void> {
    this.#gather();
    const url = URL.createObjectURL(this.#blob);
    const link = document.createElement("a");
    link.href = url;
    link.download = this.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser has begun to copy it by then
  }

  async abort(): Promise<void> {
    this.#parts = [];
    this.#blob = new Blob();
  }

  #gather(): void {
    this.#blob = new Blob([this.#blob, ...this.#parts]);
    this.#parts = [];
    this.#size = 0;
  }
}

const GATHERED = 4 << 20;

/** Makes other bytes of those that an export gives: see parquet.ts. */
export interface Transform {
  push(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  finish(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Writes an output whose head was read before. Returns the bytes written, or undefined when it was stopped. */
export async function save(
  output: Output,
  head: readonly Uint8Array<ArrayBuffer>[],
  sink: Sink,
  transform: Transform | undefined,
  watch: Watch & { wrote(bytes: number): void },
): Promise<number | undefined> {
  let bytes = 0;
  const write = async (data: Uint8Array<ArrayBuffer>): Promise<void> => {
    if (data.length > 0) await sink.write(data);
    bytes += data.length;
    watch.wrote(bytes);
  };
  const put = async (data: Uint8Array<ArrayBuffer>): Promise<void> => write(transform ? await transform.push(data) : data);
  try {
    for (const data of head) await put(data);
    while (!output.ended && !watch.stopped()) {
      const { data, done, total } = await output.next();
      watch.progress(done, total);
      if (data.length > 0) await put(data);
    }
    if (watch.stopped()) {
      await sink.abort();
      return undefined;
    }
    if (transform) await write(await transform.finish());
    await sink.close();
    return bytes;
  } catch (thrown) {
    await sink.abort().catch(() => undefined);
    throw thrown;
  }
}
