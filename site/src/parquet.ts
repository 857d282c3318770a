// A worker of its own that makes Parquet of CSV: hyparquet-writer is only evaluated when somebody wants such a file. It is
// started from a blob: and sealed like the decoder's worker, and says so before it gets any data.
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { CsvReader, type Field } from "./csvread.ts";
import { cannotFetch } from "./netwatch.ts";
import { columnOf, type ParquetColumn, type Value } from "./parquetcolumns.ts";

export type ParquetRequest = { op: "start"; sealed: boolean } | { op: "push"; csv: Uint8Array<ArrayBuffer> } | { op: "finish" };
export type ParquetAnswer = { is: "bytes"; bytes: Uint8Array<ArrayBuffer> } | { is: "failure"; message: string };

/** The part of DedicatedWorkerGlobalScope that is used here. */
interface Scope extends EventTarget {
  onmessage: ((event: MessageEvent<ParquetRequest>) => void) | null;
  postMessage(message: ParquetAnswer, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as Scope;

/** Rows of a row group at most, and characters of text in it, which bound the memory. */
const GROUP_ROWS = 65_536;
const GROUP_TEXT = 16 << 20;

class Converter {
  readonly #reader = new CsvReader();
  readonly #decoder = new TextDecoder();
  readonly #writer = new ByteWriter();
  #columns: ParquetColumn[] = [];
  #values: Value[][] = [];
  #text = 0;
  #parquet: ParquetWriter | undefined;

  push(csv: Uint8Array): void {
    for (const line of this.#reader.push(this.#decoder.decode(csv, { stream: true }))) {
      if (!this.#parquet) this.#begin(line);
      else this.#add(line);
    }
  }

  finish(): void {
    if (!this.#parquet) throw new Error("there are no rows of this table");
    if (!this.#reader.empty) throw new Error("the last row is not complete");
    this.#group();
    void this.#parquet.finish();
  }

  /** What was written since the last time. */
  taken(): Uint8Array<ArrayBuffer> {
    const bytes = this.#writer.getBytes().slice();
    this.#writer.index = 0;
    return bytes;
  }

  #begin(titles: Field[]): void {
    this.#columns = titles.map((title) => columnOf(title ?? ""));
    this.#values = this.#columns.map(() => []);
    const schema = [{ name: "rows", num_children: this.#columns.length }, ...this.#columns.map(({ element }) => element)];
    this.#parquet = new ParquetWriter({ writer: this.#writer, schema, createdBy: "binlens with hyparquet-writer" });
  }

  #add(line: Field[]): void {
    for (const [i, { value }] of this.#columns.entries()) {
      const field = line[i] ?? null;
      this.#values[i]?.push(value(field));
      this.#text += field?.length ?? 0;
    }
    if ((this.#values[0]?.length ?? 0) >= GROUP_ROWS || this.#text >= GROUP_TEXT) this.#group();
  }

  #group(): void {
    const rows = this.#values[0]?.length ?? 0;
    if (rows === 0) return;
    // No statistics: with those of long values, other readers refuse the file.
    const columnData = this.#columns.map(({ element: { name } }, i) => ({ name, data: this.#values[i] ?? [], offsetIndex: false, statistics: false }));
    void this.#parquet?.write({ columnData, rowGroupSize: rows });
    this.#values = this.#columns.map(() => []);
    this.#text = 0;
  }
}

const converter = new Converter();

async function serve(request: ParquetRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (request.op === "start" && request.sealed && !(await cannotFetch(scope))) throw new Error("its worker is not sealed");
  if (request.op === "push") converter.push(request.csv);
  if (request.op === "finish") converter.finish();
  return converter.taken();
}

scope.onmessage = ({ data }) => {
  serve(data).then(
    (bytes) => scope.postMessage({ is: "bytes", bytes }, [bytes.buffer]),
    (thrown: unknown) => scope.postMessage({ is: "failure", message: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
};
