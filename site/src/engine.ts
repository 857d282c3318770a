// The Go program in this worker: start it, call it, notice when it is dead.
//
// A Go program compiled to wasm can end while the page needs it: a panic that nobody recovered, a stack overflow
// (a trap), out of memory, os.Exit. wasm_exec then returns undefined from every exported function, or the trap comes
// out as an exception. All of these are one thing here: DeadError, after which no call is made any more.
import "wasm_exec.js";
import type { ExportNote, ExportSpec, SchemaAnswer } from "./exportdata.ts";
import { BinlensError, type Failure, type Progress, type Summary } from "./protocol.ts";
import type { Completion, FilterAnswer, RankAnswer, SurveyProgress } from "./viewdata.ts";

/** How Go reads the file at random: read() fills buffer[0..k) and returns k, or -1 when the browser could not read. */
export interface Io {
  buffer: Uint8Array<ArrayBuffer>;
  read(offset: number, n: number): number;
}

type OrFail<T> = T | { error: Failure };
type Bytes = Uint8Array<ArrayBuffer>;

/** What the wasm puts on globalThis.binlens. */
export interface Exports {
  open(req: { size: number; maxEventSize?: number }, io: Io): OrFail<Summary>;
  feed(chunk: Uint8Array): OrFail<Progress>;
  step(budgetMs: number): OrFail<Progress>;
  stepFilter(budgetMs: number): OrFail<Progress>;
  holdFilter(): OrFail<Progress>;
  finish(): OrFail<Progress>;
  goOn(): OrFail<Progress>;
  summary(): OrFail<Summary>;
  typeNames(): Record<string, string>;
  /** `all`: whatever the filter leaves. */
  page(from: number, n: number, all: boolean): OrFail<Bytes>;
  tree(ordinal: number, whole: boolean): OrFail<Bytes>;
  rows(ordinal: number, from: number, n: number, whole: boolean): OrFail<Bytes>;
  json(ordinal: number, whole: boolean): OrFail<Bytes>;
  bytes(ordinal: number, from: number, n: number): OrFail<Bytes>;
  fed(): OrFail<number>;
  mark(): OrFail<Bytes>;
  merge(mark: Uint8Array, from: number, packed: Uint8Array): OrFail<Progress>;
  rangeOpen(mark: Uint8Array, from: number, to: number): OrFail<true>;
  rangeFeed(chunk: Uint8Array): OrFail<Bytes>;
  survey(budgetMs: number): OrFail<SurveyProgress>;
  /** `order`: the place in TRANSACTION_ORDERS or TABLE_ORDERS, `axis`: in AXES. */
  transactions(order: number, from: number, n: number): OrFail<Bytes>;
  transaction(number: number): OrFail<Bytes>;
  place(order: number, number: number): OrFail<number>;
  tables(order: number, from: number, n: number): OrFail<Bytes>;
  totals(): OrFail<Bytes>;
  checks(from: number, n: number): OrFail<Bytes>;
  timeline(axis: number, from: number, to: number, bins: number, matched: boolean): OrFail<Bytes>;
  filter(text: string): OrFail<FilterAnswer>;
  rank(ordinal: number): OrFail<RankAnswer>;
  complete(text: string, cursor: number): OrFail<Completion[]>;
  exportOpen(spec: ExportSpec): OrFail<true>;
  /** Three numbers and what is written: see the export in Go. */
  exportStep(budgetMs: number, bytes: number): OrFail<Bytes>;
  exportNotes(): OrFail<ExportNote[]>;
  schema(text: Uint8Array): OrFail<SchemaAnswer>;
  progress(): OrFail<Progress>;
  problems(kind: string, from: number, n: number): OrFail<Bytes>;
  at(offset: number): OrFail<number>;
  close(): true;
  /** Bytes that the program has; they never get fewer. Not Go's: Engine adds it. */
  memory(): number;
}

interface GoProgram {
  readonly importObject: WebAssembly.Imports;
  readonly exited: boolean;
  run(instance: WebAssembly.Instance): Promise<void>;
}

interface GoGlobals {
  Go: new () => GoProgram;
  fs: { writeSync(fd: number, bytes: Uint8Array): number };
  binlens?: Exports;
  binlensReady?: () => void;
}

/** The program has ended, in the named call. */
export class DeadError extends Error {
  constructor(
    readonly during: string,
    message: string,
  ) {
    super(message);
    this.name = "DeadError";
  }
}

export class Engine {
  /** Why the last read of the file failed, set by Io.read; a failure of the call around it is then the file's. */
  readFailure = "";
  readonly #go: GoProgram;
  readonly #said: () => string;
  #dead = false;

  private constructor(go: GoProgram, said: () => string) {
    this.#go = go;
    this.#said = said;
  }

  /** Runs the compiled module; resolves when its exports are there. */
  static async start(module: WebAssembly.Module): Promise<Engine> {
    const globals = globalThis as unknown as GoGlobals;
    const said = listenToStderr(globals.fs);
    const go = new globals.Go();
    const ready = new Promise<void>((resolve) => {
      globals.binlensReady = resolve;
    });
    const instance = await WebAssembly.instantiate(module, go.importObject);
    const ended = go.run(instance).then(() => {
      throw new DeadError("start", said() || "the decoder ended while it was starting");
    });
    await Promise.race([ready, ended]);
    ended.catch(() => undefined); // a later end is noticed by the call that meets it
    const memory = instance.exports["mem"] as WebAssembly.Memory;
    globals.binlens!.memory = () => memory.buffer.byteLength;
    return new Engine(go, said);
  }

  /**
   * Calls one export. Throws a BinlensError for an answer {error}, a DeadError when the program is gone. A panic that
   * Go has recovered ("name: what") counts as gone: what the call was about is half done.
   */
  call<T>(name: string, f: (exports: Exports) => OrFail<T>): T {
    const exports = (globalThis as unknown as GoGlobals).binlens;
    if (this.#dead || this.#go.exited || !exports) throw this.#died(name, "");
    let result: OrFail<T> | undefined;
    this.readFailure = "";
    try {
      result = f(exports);
    } catch (thrown) {
      throw this.#died(name, thrown instanceof Error ? thrown.message : String(thrown));
    }
    if (result === undefined || result === null || this.#go.exited) throw this.#died(name, "");
    if (!isFail(result)) return result;
    const { error } = result;
    if (this.readFailure) throw new BinlensError({ ...error, kind: "io", message: this.readFailure });
    if (error.kind === "internal" && error.message.startsWith(`${name}: `)) throw this.#died(name, error.message.slice(name.length + 2));
    throw new BinlensError(error);
  }

  #died(during: string, reason: string): DeadError {
    this.#dead = true;
    return new DeadError(during, reason || this.#said() || "it ended without a word");
  }
}

function isFail(result: unknown): result is { error: Failure } {
  return typeof result === "object" && result !== null && "error" in result && typeof result.error === "object";
}

let write: GoGlobals["fs"]["writeSync"] | undefined;

/** Keeps the first lines that Go writes to stderr before it dies ("panic: …"); they still go to the console. */
function listenToStderr(fs: GoGlobals["fs"]): () => string {
  const decoder = new TextDecoder();
  const toConsole = (write ??= fs.writeSync.bind(fs));
  let text = "";
  fs.writeSync = (fd, bytes) => {
    if (text.length < 4000) text += decoder.decode(bytes, { stream: true });
    return toConsole(fd, bytes);
  };
  return () => /^(panic|fatal error|runtime): .*$/m.exec(text)?.[0] ?? "";
}
