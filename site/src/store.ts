// The one store: what is open, what is selected, how far the index is. Components render from `state` and call the
// actions; none talks to another. There is one selection, {ordinal, path, range}: list, tree, rows and hex show it and
// set it.
import { foreignPage, sealPage, type Seal } from "./airlock.ts";
import type { Assets } from "./assets.ts";
import { Chunks, type ChunkSource } from "./chunks.ts";
import { Client, type Event } from "./client.ts";
import { cellAt, fieldAt, isRowsNode, selectedField, type Range, type Selected } from "./fields.ts";
import { BinlensError, type Detail, type Failure, type ListRow, type Problem, type Progress, type Row, type Summary } from "./protocol.ts";
import { findProblem, findRow } from "./seek.ts";

export type Phase =
  | "loading" // the page is not sealed yet; a file may already be waiting
  | "empty" // nothing is open
  | "opening" // the first bytes are looked at
  | "indexing"
  | "done"
  | "cancelled" // what was indexed stays usable
  | "failed" // the scan stopped at a fault; what was indexed stays usable
  | "refused" // not a binary log
  | "lost"; // the decoder could not be loaded, or not be brought back

export interface Selection {
  /** The selected event, -1 for none. */
  readonly ordinal: number;
  /** Path of the selected field or cell, "" for the event as a whole. */
  readonly path: string;
  /** Its bytes, relative to the event's first byte. */
  readonly range: Range | null;
}

export type Tab = "fields" | "rows" | "json";
export type Theme = "system" | "light" | "dark";

export interface State {
  phase: Phase;
  seal: Seal;
  file: { name: string; size: number } | null;
  summary: Summary | null;
  progress: Progress | null;
  /** Milliseconds that the index took; 0 while it is not complete. */
  took: number;
  /** Why the file was refused, the scan stopped or the decoder is lost. */
  failure: Failure | null;
  /** Something that happened and that is over: shown until it is dismissed. */
  notice: string;
  selection: Selection;
  /** The event that is shown; for a moment still the one before the selected. */
  detail: Detail | null;
  detailFailure: Failure | null;
  /** Where the rows of the shown event cannot be read on. */
  rowsProblem: Problem | null;
  /** The preferred tab; an event without rows shows its fields instead. */
  tab: Tab;
  /** Which pane shows where there is room for one. */
  pane: "list" | "detail";
  theme: Theme;
  /** Answers are waited for. */
  busy: boolean;
}

/** The bytes that the hex pane shows: those of one listed row. */
export interface Subject {
  ordinal: number;
  offset: number;
  size: number;
}

const NOTHING: Selection = { ordinal: -1, path: "", range: null };
const ROWS_CHUNK = 50;
const BYTES_CHUNK = 1 << 14;

function nothingOpen(): Pick<State, "file" | "summary" | "progress" | "took" | "failure" | "notice" | "selection" | "detail" | "detailFailure" | "rowsProblem" | "pane"> {
  return {
    file: null,
    summary: null,
    progress: null,
    took: 0,
    failure: null,
    notice: "",
    selection: NOTHING,
    detail: null,
    detailFailure: null,
    rowsProblem: null,
    pane: "list",
  };
}

export class Store {
  state: Readonly<State> = { ...nothingOpen(), phase: "loading", seal: { is: "open" }, tab: "rows", theme: "system", busy: false };
  /** Names of the event types by their codes. */
  typeNames: Record<string, string> = {};
  readonly list: Chunks<ListRow>;
  rows: Chunks<Row>;
  bytes: Chunks<number>;

  readonly #listeners = new Set<() => void>();
  #client: Client | undefined;
  #sample: File | undefined;
  /** The file that is open, or that waits until the decoder is loaded. */
  #file: File | undefined;
  #openedAt = 0;
  /** How far the index was when the decoder died: while it is made again, the list keeps its length. */
  #held: Progress | undefined;
  /** Events of this file that are decoded although they are larger than max_event_size. */
  readonly #whole = new Set<number>();
  #seeking = 0;

  constructor() {
    this.list = this.#chunks(128, 24, (from, n) => this.#need().page(from, n));
    this.rows = this.#rowsOf(-1);
    this.bytes = this.#bytesOf(-1);
  }

  /** Calls f after every change; returns how to stop that. */
  subscribe(f: () => void): () => void {
    this.#listeners.add(f);
    return () => this.#listeners.delete(f);
  }

  /**
   * Loads everything, closes the airlock if the page is ours, starts the worker. Called again after stop(), it starts
   * the worker anew with the file that was open.
   */
  async boot(load: () => Promise<Assets>, own: boolean): Promise<void> {
    if (this.#client) {
      this.#client.start();
      if (this.#file) this.open(this.#file);
      return;
    }
    try {
      const assets = await load();
      this.#sample = assets.sample;
      const seal = own ? await sealPage((page) => this.#traffic({ page })) : foreignPage();
      this.#set({ seal });
      this.#client = new Client(assets, seal.is === "sealed", (event) => this.#hear(event));
      this.#client.start();
      this.#set({ phase: "empty" });
      if (this.#file) this.open(this.#file);
    } catch (thrown) {
      this.#set({ phase: "lost", failure: BinlensError.toFailure(thrown) });
    }
  }

  stop(): void {
    this.#client?.stop();
  }

  // ---- actions: files

  open(file: File): void {
    this.#file = file;
    if (!this.#client) {
      this.#set({ file: { name: file.name, size: file.size } });
      return;
    }
    this.list.clear();
    this.#show(null);
    this.#openedAt = performance.now();
    this.#held = undefined;
    this.#whole.clear();
    this.#set({ ...nothingOpen(), phase: "opening", file: { name: file.name, size: file.size } });
    this.#client.open(file).then(
      (summary) => this.#set({ summary }),
      (thrown: unknown) => this.#refused(thrown),
    );
  }

  openSample(): void {
    if (this.#sample) this.open(this.#sample);
  }

  /** Stops the scan; what was indexed stays. */
  cancel(): void {
    this.#client?.cancel();
  }

  // ---- actions: the selection

  /** Selects a listed row. */
  select(ordinal: number): void {
    const events = this.state.progress?.events ?? 0;
    if (!this.#client || ordinal < 0 || ordinal >= events || ordinal === this.state.selection.ordinal) return;
    this.#seeking++;
    this.#set({ selection: { ordinal, path: "", range: null }, detailFailure: null });
    this.#load(ordinal);
  }

  /** Selects a field, a cell or a row of the shown event. */
  selectField(field: { path: string; start: number; end: number }): void {
    if (!this.subject) return;
    this.#seeking++;
    this.#set({ selection: { ordinal: this.subject.ordinal, path: field.path, range: [field.start, field.end] } });
  }

  /** Selects the deepest field that has this byte of the shown event, and shows the tab that it is on. */
  async selectByte(byte: number): Promise<void> {
    const { detail } = this.state;
    const node = detail && fieldAt(detail.nodes, byte);
    if (!detail || !node) return;
    if (!isRowsNode(detail, node) || !detail.rows) {
      this.#set({ tab: "fields" });
      this.selectField(node);
      return;
    }
    const seek = ++this.#seeking;
    const { total } = detail.rows;
    const row = await findRow(byte, node, total, this.rows, (from, n) =>
      this.#need().rows(detail.ordinal, from, n, this.#whole.has(detail.ordinal)),
    );
    if (seek !== this.#seeking || this.state.detail !== detail) return;
    if (row) this.#set({ tab: "rows" });
    this.selectField(row ? cellAt(row, byte) : node);
  }

  /** Selects the next listed row that has a problem, from the first one again after the last. */
  async nextProblem(): Promise<void> {
    const { progress, selection } = this.state;
    if (!this.#client || !progress?.problems) return;
    const seek = ++this.#seeking;
    const found = await findProblem(selection.ordinal + 1, progress.events, {
      page: (from, n) => this.#need().page(from, n),
      stopped: () => seek !== this.#seeking,
    });
    if (seek === this.#seeking && found >= 0) this.select(found);
  }

  // ---- actions: how it is shown

  setTab(tab: Tab): void {
    this.#set({ tab });
  }

  setPane(pane: State["pane"]): void {
    this.#set({ pane });
  }

  setTheme(theme: Theme): void {
    this.#set({ theme });
  }

  dismiss(): void {
    this.#set({ notice: "" });
  }

  // ---- what follows from the state

  /** The tab that shows. */
  get tab(): Tab {
    return this.state.tab === "rows" && !this.state.detail?.rows ? "fields" : this.state.tab;
  }

  /** The listed row whose bytes show; null while none is known. */
  get subject(): Subject | null {
    const { detail, detailFailure, selection } = this.state;
    if (detail) return detail;
    return detailFailure ? (this.list.at(selection.ordinal) ?? null) : null;
  }

  /** What is known of the selected field or cell of the shown event. */
  get selected(): Selected | undefined {
    const { detail, selection } = this.state;
    if (!detail || selection.path === "" || selection.ordinal !== detail.ordinal) return undefined;
    return selectedField(detail, selection.path, (index) => this.rows.at(index));
  }

  json(ordinal: number): Promise<string> {
    return this.#need().json(ordinal, this.#whole.has(ordinal));
  }

  /** Decodes an event that is larger than max_event_size. */
  decodeWhole(ordinal: number): void {
    this.#whole.add(ordinal);
    this.#load(ordinal);
  }

  // ---- inside

  #set(patch: Partial<State>): void {
    this.state = { ...this.state, ...patch };
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #need(): Client {
    if (!this.#client) throw new BinlensError({ kind: "internal", message: "the decoder is not running" });
    return this.#client;
  }

  /** Asks for an event and shows it, if it is still the selected one when it comes. */
  #load(ordinal: number): void {
    const current = (): boolean => this.state.selection.ordinal === ordinal;
    this.#need().tree(ordinal, this.#whole.has(ordinal)).then(
      (detail) => {
        if (current()) this.#show(detail);
      },
      (thrown: unknown) => {
        const failure = BinlensError.toFailure(thrown);
        if (!current() || failure.kind === "superseded") return;
        this.#show(null, ordinal);
        this.#set({ detailFailure: failure });
      },
    );
  }

  /** Shows an event, or none; `ordinal` is the row whose bytes can be asked for all the same. */
  #show(detail: Detail | null, ordinal = detail?.ordinal ?? -1): void {
    this.rows.clear();
    this.bytes.clear();
    this.rows = this.#rowsOf(ordinal);
    this.bytes = this.#bytesOf(ordinal);
    this.#set({ detail, detailFailure: null, rowsProblem: null });
  }

  #rowsOf(ordinal: number): Chunks<Row> {
    return this.#chunks(ROWS_CHUNK, 16, async (from, n) => {
      const page = await this.#need().rows(ordinal, from, n, this.#whole.has(ordinal));
      if (page.problem && this.state.detail?.ordinal === ordinal) this.#set({ rowsProblem: page.problem });
      return page.rows;
    });
  }

  #bytesOf(ordinal: number): Chunks<number> {
    return this.#chunks(BYTES_CHUNK, 64, (from, n) => this.#need().bytes(ordinal, from, n));
  }

  #chunks<T>(size: number, keep: number, fetch: ChunkSource<T>["fetch"]): Chunks<T> {
    const failed = (thrown: unknown): boolean => {
      const failure = BinlensError.toFailure(thrown);
      if (failure.kind === "superseded" || failure.kind === "dead") return true;
      // Rows that are being indexed again are asked for again at the end of it.
      if (failure.kind !== "request" || !this.#held) this.#set({ notice: failure.message });
      return false;
    };
    return new Chunks<T>({ size, keep, fetch, failed, changed: () => this.#changed() });
  }

  #refused(thrown: unknown): void {
    const failure = BinlensError.toFailure(thrown);
    if (failure.kind === "superseded" || this.state.phase === "lost") return;
    this.#set({ phase: "refused", failure });
  }

  #hear(event: Event): void {
    switch (event.is) {
      case "ready":
        this.typeNames = event.typeNames;
        if (this.state.seal.is === "sealed" && !event.sealed) {
          this.#set({ seal: { is: "broken", why: "the worker did not inherit the policy" } });
        }
        this.#changed();
        return;
      case "network":
        this.#traffic({ worker: { requests: event.requests, blocked: event.blocked } });
        return;
      case "busy":
        this.#set({ busy: event.busy });
        return;
      case "scan":
        this.#scanned(event);
        return;
      case "dead":
        this.#set({ notice: obituary(event.during, event.message, event.scanning) });
        if (!this.state.file || event.during === "open") return;
        this.#held = this.state.progress ?? undefined;
        this.#set({ phase: "opening" });
        return;
      case "lost":
        this.#set({ phase: "lost", failure: { kind: "dead", message: event.message } });
    }
  }

  #scanned(event: Extract<Event, { is: "scan" }>): void {
    const { selection, detailFailure } = this.state;
    const ended = event.state !== "indexing";
    const progress = { ...event.progress };
    if (this.#held && !ended) progress.events = Math.max(progress.events, this.#held.events);
    const took = ended ? performance.now() - this.#openedAt : 0;
    this.#set({ phase: event.state, progress, summary: event.summary, took, failure: event.failure ?? null });
    if (this.#held && ended) {
      this.#held = undefined;
      this.list.clear();
      this.bytes.clear();
      this.rows.clear();
      if (detailFailure?.kind === "request" && selection.ordinal < progress.events) this.#load(selection.ordinal);
    }
    if (this.state.selection.ordinal < 0 && progress.events > 0) this.select(0);
  }

  #traffic(part: Partial<Pick<Extract<Seal, { is: "sealed" }>, "page" | "worker">>): void {
    const { seal } = this.state;
    if (seal.is === "sealed") this.#set({ seal: { ...seal, ...part } });
  }
}

function obituary(during: string, message: string, scanning: boolean): string {
  const kept = scanning ? "The log is shown up to the place where that happened." : "Your file was kept and is being indexed again.";
  return `The decoder stopped (${during}: ${message}) and was started again. ${kept}`;
}
