// What the page has fetched of the open log: list rows, problems, and the rows and bytes of the shown event.
import { Chunks, type ChunkSource } from "./chunks.ts";
import type { Client } from "./client.ts";
import {
  BinlensError,
  PROBLEM_KINDS,
  type ListRow,
  type Problem,
  type ProblemKind,
  type ProblemPage,
  type ProblemRow,
  type Row,
} from "./protocol.ts";

const LIST_CHUNK = 128;
const PROBLEM_CHUNK = 128;
const ROWS_CHUNK = 50;
const BYTES_CHUNK = 1 << 14;

/** What the reader tells of what it gets. */
export interface Listener {
  changed(): void;
  /** A failure that asking again would not mend. */
  failed(error: BinlensError): void;
  rowsEnd(ordinal: number, problem: Problem): void;
  counted(page: ProblemPage): void;
}

export class Reader {
  readonly list: Chunks<ListRow>;
  readonly problems: Readonly<Record<ProblemKind, Chunks<ProblemRow>>>;
  rows: Chunks<Row>;
  bytes: Chunks<number>;

  readonly #client: () => Client;
  readonly #listener: Listener;
  /** Events of this file that are decoded although they are larger than max_event_size. */
  readonly #whole = new Set<number>();
  /** Problems are being counted; and nothing has changed since that began. */
  #counting = false;
  #counted = true;

  constructor(client: () => Client, listener: Listener) {
    this.#client = client;
    this.#listener = listener;
    this.list = this.#chunks(LIST_CHUNK, 24, (from, n) => client().page(from, n));
    this.problems = Object.fromEntries(PROBLEM_KINDS.map((kind) => [kind, this.#problemsOf(kind)])) as Record<ProblemKind, Chunks<ProblemRow>>;
    this.rows = this.#rowsOf(-1);
    this.bytes = this.#bytesOf(-1);
  }

  isWhole(ordinal: number): boolean {
    return this.#whole.has(ordinal);
  }

  setWhole(ordinal: number): void {
    this.#whole.add(ordinal);
  }

  /** Forgets everything: another file is opened. */
  reset(): void {
    this.#whole.clear();
    this.show(-1);
    this.refresh();
  }

  /** Forgets what may have changed while the file was indexed again. */
  refresh(): void {
    this.list.clear();
    this.rows.clear();
    this.bytes.clear();
    this.#forgetProblems();
  }

  /** Asks how many problems of each kind there are now; `anew` when they are not only more at the end. */
  async count(anew: boolean): Promise<void> {
    if (anew) this.#forgetProblems();
    this.#counted = false;
    if (this.#counting) return;
    this.#counting = true;
    try {
      while (!this.#counted) {
        this.#counted = true;
        this.#listener.counted(await this.#client().problems("corrupt", 0, 0));
      }
    } catch {
      // the file was closed, or the decoder died
    }
    this.#counting = false;
  }

  #forgetProblems(): void {
    for (const kind of PROBLEM_KINDS) this.problems[kind].clear();
  }

  /** Begins with the rows and bytes of another event. */
  show(ordinal: number): void {
    this.rows.clear();
    this.bytes.clear();
    this.rows = this.#rowsOf(ordinal);
    this.bytes = this.#bytesOf(ordinal);
  }

  #problemsOf(kind: ProblemKind): Chunks<ProblemRow> {
    return this.#chunks(PROBLEM_CHUNK, 8, async (from, n) => {
      const page = await this.#client().problems(kind, from, n);
      this.#listener.counted(page);
      return page.problems;
    });
  }

  #rowsOf(ordinal: number): Chunks<Row> {
    return this.#chunks(ROWS_CHUNK, 16, async (from, n) => {
      const page = await this.#client().rows(ordinal, from, n, this.isWhole(ordinal));
      if (page.problem) this.#listener.rowsEnd(ordinal, page.problem);
      return page.rows;
    });
  }

  #bytesOf(ordinal: number): Chunks<number> {
    return this.#chunks(BYTES_CHUNK, 64, (from, n) => this.#client().bytes(ordinal, from, n));
  }

  #chunks<T>(size: number, keep: number, fetch: ChunkSource<T>["fetch"]): Chunks<T> {
    const failed = (thrown: unknown): boolean => {
      const failure = BinlensError.toFailure(thrown);
      if (failure.kind === "superseded" || failure.kind === "dead") return true;
      this.#listener.failed(new BinlensError(failure));
      return false;
    };
    return new Chunks<T>({ size, keep, fetch, failed, changed: () => this.#listener.changed() });
  }
}
