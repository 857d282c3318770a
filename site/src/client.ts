// The page's side of the worker: asks, keeps what is pending by id, and starts another worker when one dies.
import {
  BinlensError,
  Page,
  decodeJSON,
  decodeText,
  type Ask,
  type AskOp,
  type Detail,
  type Failure,
  type Message,
  type ProblemKind,
  type ProblemPage,
  type Request,
  type Results,
  type RowPage,
  type Summary,
} from "./protocol.ts";
import type { ExportChunk, ExportNote, ExportSpec, SchemaAnswer } from "./exportdata.ts";
import type { LogFile } from "./remote.ts";
import { Histogram } from "./viewdata.ts";
import type {
  Axis,
  CheckPage,
  Completion,
  FilterAnswer,
  RankAnswer,
  TableOrder,
  TablePage,
  Totals,
  Transaction,
  TransactionOrder,
  TransactionPage,
} from "./viewdata.ts";

/** An Ask before it has got its number. */
type Unnumbered<T extends Ask> = T extends Ask ? Omit<T, "id"> : never;

interface Pending {
  op: AskOp;
  resolve(result: Results[AskOp]): void;
  reject(error: BinlensError): void;
}

/** What the worker tells without being asked. */
export type Event =
  | Extract<Message, { is: "ready" | "scan" | "problems" | "survey" | "filter" | "dead" | "network" }>
  /** The worker has work and has not said anything for ten seconds; or it has said something again. */
  | { is: "hang"; hung: boolean }
  /** The worker died and could not be brought back. */
  | { is: "lost"; message: string }
  /** The number of answers waited for has changed to or from 0. */
  | { is: "busy"; busy: boolean };

/** Seconds without a word from a worker that has work, after which it is said to hang. */
const PATIENCE = 10;

/** A worker that dies this often while one file is open is not started again. */
const MAX_DEATHS = 5;

export class Client {
  readonly #module: WebAssembly.Module;
  readonly #source: Blob;
  readonly #sealed: boolean;
  readonly #listen: (event: Event) => void;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;
  #session = 0;
  #exports = 0;
  #file: LogFile | undefined;
  #limit = Infinity;
  #deaths = 0;
  #scanning = false;
  #busy = false;
  /** Seconds since the worker last said something; counted, so that a computer that slept does not count. */
  #silence = 0;
  #watch: ReturnType<typeof setInterval> | undefined;

  /** `sealed`: the page is, and the worker shall say whether it is too. */
  constructor(assets: { module: WebAssembly.Module; worker: Blob }, sealed: boolean, listen: (event: Event) => void) {
    this.#module = assets.module;
    this.#source = assets.worker;
    this.#sealed = sealed;
    this.#listen = listen;
  }

  /** Starts the worker; it says "ready" or "dead". Requests made before that wait in its queue. */
  start(): void {
    const url = URL.createObjectURL(this.#source);
    const worker = new Worker(url, { name: "binlens" });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      URL.revokeObjectURL(url);
      if (worker === this.#worker) this.#receive(data);
    };
    const broke = (message: string): void => {
      if (worker !== this.#worker) return;
      this.#died({ is: "dead", session: this.#session, during: "run", scanning: true, bytes: 0, message });
    };
    worker.onerror = (event) => broke(event.message || "the worker could not be started");
    worker.onmessageerror = () => broke("a message could not be read");
    this.#post({ op: "start", module: this.#module, source: this.#source, cores: navigator.hardwareConcurrency || 1, sealed: this.#sealed });
    this.#silence = 0;
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#listenFor(), 1000);
  }

  /** Ends the worker, whatever it is doing, and opens the file again in another one, up to `limit` bytes. */
  restart(limit: number): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#deaths = 0;
    this.#limit = limit;
    this.#giveUp({ kind: "dead", message: "the decoder was ended" });
    this.start();
    this.#reopen();
  }

  /** Opens a file and begins to index it. Everything asked about the file before is given up. */
  open(file: LogFile): Promise<Summary> {
    this.#file = file;
    this.#limit = Infinity;
    this.#deaths = 0;
    return this.#open();
  }

  /** `all`: whatever the filter leaves. */
  async page(from: number, n: number, all = false): Promise<Page> {
    return new Page(await this.#ask<"page">({ op: "page", from, n, all }));
  }

  async tree(ordinal: number, whole: boolean): Promise<Detail> {
    return decodeJSON<Detail>(await this.#ask<"tree">({ op: "tree", ordinal, whole }));
  }

  async rows(ordinal: number, from: number, n: number, whole: boolean): Promise<RowPage> {
    return decodeJSON<RowPage>(await this.#ask<"rows">({ op: "rows", ordinal, from, n, whole }));
  }

  async json(ordinal: number, whole: boolean): Promise<string> {
    return decodeText(await this.#ask<"json">({ op: "json", ordinal, whole }));
  }

  bytes(ordinal: number, from: number, n: number): Promise<Uint8Array> {
    return this.#ask<"bytes">({ op: "bytes", ordinal, from, n });
  }

  async transactions(order: TransactionOrder, from: number, n: number): Promise<TransactionPage> {
    return decodeJSON<TransactionPage>(await this.#ask<"transactions">({ op: "transactions", order, from, n }));
  }

  async transaction(number: number): Promise<Transaction> {
    return decodeJSON<Transaction>(await this.#ask<"transaction">({ op: "transaction", number }));
  }

  place(order: TransactionOrder, number: number): Promise<number> {
    return this.#ask<"place">({ op: "place", order, number });
  }

  async tables(order: TableOrder, from: number, n: number): Promise<TablePage> {
    return decodeJSON<TablePage>(await this.#ask<"tables">({ op: "tables", order, from, n }));
  }

  async totals(): Promise<Totals> {
    return decodeJSON<Totals>(await this.#ask<"totals">({ op: "totals" }));
  }

  async checks(from: number, n: number): Promise<CheckPage> {
    return decodeJSON<CheckPage>(await this.#ask<"checks">({ op: "checks", from, n }));
  }

  /** Of all there is when `to` is not above `from`. `matched`: only the rows that the filter leaves. */
  async timeline(axis: Axis, from: number, to: number, bins: number, matched = false): Promise<Histogram> {
    return new Histogram(await this.#ask<"timeline">({ op: "timeline", axis, from, to, bins, matched }), axis);
  }

  /** Filters the list; an empty text takes the filter away. A mistake in the text is an answer, and changes nothing. */
  filter(text: string): Promise<FilterAnswer> {
    return this.#ask<"filter">({ op: "filter", text });
  }

  rank(ordinal: number): Promise<RankAnswer> {
    return this.#ask<"rank">({ op: "rank", ordinal });
  }

  complete(text: string, cursor: number): Promise<Completion[]> {
    return this.#ask<"complete">({ op: "complete", text, cursor });
  }

  /** Begins an export, which ends those before. Returns its number. */
  async exportOpen(spec: ExportSpec): Promise<number> {
    const run = ++this.#exports;
    await this.#ask<"exportOpen">({ op: "exportOpen", run, spec });
    return run;
  }

  /** The next part of what an export writes. */
  exportNext(run: number): Promise<ExportChunk> {
    return this.#ask<"exportNext">({ op: "exportNext", run });
  }

  /** What an export leaves out, as far as it came. */
  exportNotes(run: number): Promise<ExportNote[]> {
    return this.#ask<"exportNotes">({ op: "exportNotes", run });
  }

  /** Gives SQL that names columns, in UTF-8. */
  schema(text: Uint8Array<ArrayBuffer>): Promise<SchemaAnswer> {
    return this.#ask<"schema">({ op: "schema", text });
  }

  /** Stops the filter; what it found stays. */
  stopFilter(): void {
    this.#post({ op: "stopFilter" });
  }

  async problems(kind: ProblemKind, from: number, n: number): Promise<ProblemPage> {
    return decodeJSON<ProblemPage>(await this.#ask<"problems">({ op: "problems", kind, from, n }));
  }

  /** The listed row that a byte of the file belongs to, -1 for none. */
  at(offset: number): Promise<number> {
    return this.#ask<"at">({ op: "at", offset });
  }

  /** Stops the scan; what was indexed stays. */
  cancel(): void {
    this.#post({ op: "cancel" });
  }

  /** Goes on with a scan that was stopped. */
  goOn(): void {
    this.#scanning = true;
    this.#post({ op: "goOn" });
  }

  /** Closes the file. */
  close(): void {
    this.#session++;
    this.#file = undefined;
    this.#giveUp({ kind: "superseded", message: "the file was closed" });
    this.#post({ op: "close" });
  }

  /** Ends the worker. The client can be started again. */
  stop(): void {
    this.close();
    clearInterval(this.#watch);
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** One second of waiting. */
  #listenFor(): void {
    if (this.#pending.size === 0 && !this.#scanning) return;
    if (++this.#silence === PATIENCE) this.#listen({ is: "hang", hung: true });
  }

  #heard(): void {
    if (this.#silence >= PATIENCE) this.#listen({ is: "hang", hung: false });
    this.#silence = 0;
  }

  #open(): Promise<Summary> {
    this.#session++;
    this.#scanning = false;
    this.#giveUp({ kind: "superseded", message: "another file was opened" });
    return this.#ask<"open">({ op: "open", session: this.#session, file: this.#file ?? new File([], ""), limit: this.#limit });
  }

  #ask<Op extends AskOp>(ask: Unnumbered<Extract<Ask, { op: Op }>>): Promise<Results[Op]> {
    const id = ++this.#lastId;
    return new Promise<Results[Op]>((resolve, reject) => {
      const settle = resolve as (result: Results[AskOp]) => void; // the answer is of the kind that was asked
      this.#pending.set(id, { op: ask.op, resolve: settle, reject });
      this.#tellBusy();
      this.#post({ ...ask, id } as Request);
    });
  }

  #post(request: Request): void {
    this.#worker?.postMessage(request);
  }

  #receive(message: Message): void {
    this.#heard();
    switch (message.is) {
      case "answer":
        this.#answered(this.#settle(message.id), message.result);
        return;
      case "failure":
        this.#settle(message.id)?.reject(new BinlensError(message.failure));
        return;
      case "scan":
        if (message.session !== this.#session) return;
        this.#scanning = message.state === "indexing";
        this.#listen(message);
        return;
      case "problems":
      case "survey":
      case "filter":
        if (message.session === this.#session) this.#listen(message);
        return;
      case "dead":
        this.#died(message);
        return;
      default:
        this.#listen(message);
    }
  }

  #answered(pending: Pending | undefined, result: Results[AskOp]): void {
    if (pending?.op === "open") this.#scanning = true;
    pending?.resolve(result);
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!this.#pending.delete(id)) return undefined;
    this.#tellBusy();
    return pending;
  }

  /** The parts of an export come for minutes, and nobody waits for one of them. */
  #tellBusy(): void {
    const busy = [...this.#pending.values()].some(({ op }) => op !== "exportNext");
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.#listen({ is: "busy", busy });
  }

  #giveUp(failure: Failure): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    this.#tellBusy();
    for (const pending of all) pending.reject(new BinlensError(failure));
  }

  /**
   * The worker is gone: start another one with the same module and open the same file in it. Where the program died
   * while it was indexing, the new scan ends before that place, so that what came before can still be read.
   */
  #died(message: Extract<Message, { is: "dead" }>): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#scanning = false;
    const failure: Failure = { kind: "dead", message: message.message };
    clearInterval(this.#watch);
    const lost = ++this.#deaths > MAX_DEATHS || message.during === "start" || message.during === "run";
    this.#giveUp(failure);
    this.#listen(message);
    if (!lost) this.start();
    if (lost || message.during === "open") this.#file = undefined;
    if (lost) this.#listen({ is: "lost", message: message.message });
    if (message.scanning) this.#limit = Math.min(message.bytes, this.#limit);
    this.#reopen();
  }

  #reopen(): void {
    if (!this.#file) return;
    this.#open().catch((thrown: unknown) => {
      const { kind, message: why } = BinlensError.toFailure(thrown);
      if (kind !== "superseded" && kind !== "dead") this.#listen({ is: "lost", message: why });
    });
  }
}
