// The one store: its actions change the state, and components render from it; none talks to another. There is one
// selection, {ordinal, path, range}: list, tree, rows and hex show it and set it.
//
// It is built in three layers: base-store.ts has what follows from the state and how it is shown, selecting.ts the
// selection, this file the logs, the decoder and what it tells.
import { secure, type Ground, type Seal } from "./airlock.ts";
import type { Assets, SiteLog } from "./assets.ts";
import { Client, type Event } from "./client.ts";
import { obituary } from "./format.ts";
import type { Link } from "./hash.ts";
import { find, newLog, withLogs } from "./logs.ts";
import { logAddress, nameOf, openUrl } from "./openurl.ts";
import { BinlensError, type Failure, type Progress } from "./protocol.ts";
import { Reader } from "./reader.ts";
import { giveSchemas, readSchema, type Schema } from "./schemas.ts";
import { SelectingStore } from "./selecting.ts";
import type { LogFile } from "./remote.ts";
import { sourcesOf, type Sources } from "./sources.ts";
import { START, freshLog, isOpen, type Log, type Place } from "./state.ts";
import type { SurveyProgress } from "./viewdata.ts";

/** Milliseconds of indexing before its end is guessed. */
const GUESS_AFTER = 1500;

export class Store extends SelectingStore {
  readonly reader: Reader;
  sources: Sources = sourcesOf(() => this.client);
  #client: Client | undefined;
  #sample: File | undefined;
  /** The source of the worker that writes Parquet. */
  parquet = (): Promise<Blob> => Promise.resolve(new Blob());
  /** Given by the reader, in the order in which they came. */
  schemas: readonly Schema[] = [];
  /** What the site offers beside the sample: logs, and the page that opens them, "" for none. */
  offered: { logs: readonly SiteLog[]; opener: string } = { logs: [], opener: "" };
  /** Logs may be read by their addresses: this page does not seal itself. */
  reaches = false;
  /** The address that was asked for last. */
  source = "";
  #request = new AbortController();
  #openedAt = 0;
  /** Counts what is opened, so that what comes too late is known. */
  #opening = 0;
  /** How far the index was when the decoder died: while it is made again, the list keeps its length. */
  #held: Progress | undefined;

  constructor() {
    super();
    this.reader = new Reader(() => this.client, {
      changed: () => {
        this.settleRow();
        this.changed();
      },
      failed: ({ kind, message }) => {
        // Rows that are being indexed again are asked for again at the end of it.
        if (kind !== "request" || !this.#held) this.set({ notice: message });
      },
      rowsEnd: (ordinal, rowsProblem) => {
        if (this.state.detail?.ordinal === ordinal) this.set({ rowsProblem });
      },
      counted: ({ kinds }) => {
        this.set({ kinds });
        if (kinds.unsupported > 0) this.reader.problems.unsupported.want(0, 0, kinds.unsupported);
      },
    });
  }

  /**
   * Loads everything, closes the airlock if the page is ours, starts the worker. Called again after stop(), it starts
   * the worker anew with the file that was open.
   */
  async boot(load: () => Promise<Assets>, ground: Ground): Promise<void> {
    if (this.#client) {
      this.#client.start();
      if (this.openLog) this.#enter(this.openLog);
      return;
    }
    try {
      const assets = await load();
      this.#sample = assets.sample;
      this.parquet = assets.parquet;
      this.offered = assets.offered;
      const seal = await secure(ground, (page) => this.#traffic({ page }));
      this.set({ seal });
      this.#client = new Client(assets, seal.is === "sealed", (event) => this.#hear(event));
      this.#client.start();
      if (this.state.phase === "loading") this.set({ phase: "empty" });
      if (this.openLog) this.#enter(this.openLog);
    } catch (thrown) {
      this.set({ phase: "lost", failure: BinlensError.toFailure(thrown) });
    }
  }

  stop(): void {
    this.#leave();
    this.#client?.stop();
  }

  // ---- actions: logs

  /** Adds files to the list of logs and opens the one that the address asks for, or else the first of them. */
  open(files: readonly File[], place: Place = START): Promise<void> {
    this.#request.abort();
    this.source = "";
    return this.#open(files, place, "");
  }

  /** Opens a log by its address, at a place. Again the same, it is read anew, for it may have changed. */
  async openUrl(address: string, place: Place = START): Promise<void> {
    this.#request.abort();
    const { signal } = (this.#request = new AbortController());
    try {
      const url = logAddress(address);
      this.source = url.href;
      const { file, src } = await openUrl(url, (fetching) => signal.aborted || this.set({ fetching }), signal);
      if (signal.aborted) return;
      this.set({ logs: this.state.logs.filter((log) => log.src !== src) });
      await this.#open([file], place, src);
    } catch (thrown) {
      if (!signal.aborted) this.#notFetched(address, BinlensError.toFailure(thrown));
    }
  }

  /** Stops asking for a log. */
  stopFetching(): void {
    this.#request.abort();
    this.set({ fetching: null });
  }

  /** Lets go of all logs. */
  clear(): void {
    this.stopFetching();
    this.#opening++;
    this.#client?.close();
    this.reader.reset();
    this.awaited = undefined;
    const keep = this.state.phase === "loading" || this.state.phase === "lost";
    this.set({ ...freshLog(), logs: [], log: -1, file: null, wanted: null, ...(!keep && { phase: "empty" }) });
  }

  async #open(files: readonly LogFile[], place: Place, src: string): Promise<void> {
    const opening = ++this.#opening;
    const found = (await Promise.all(files.map(newLog))).map((log) => ({ ...log, place, src }));
    if (opening === this.#opening) this.set({ fetching: null });
    const logs = withLogs(this.state.logs, found);
    const mine = withLogs([], found).map((log) => find(logs, log) ?? log);
    const wanted = mine.find((log) => log.mark === this.state.wanted?.mark);
    const log = wanted ?? mine[0];
    this.#leave();
    this.set({ logs: withLogs(this.state.logs, found) });
    if (log && opening === this.#opening) this.#enter(this.state.logs.find(({ id }) => id === log.id) ?? log);
  }

  get sampled(): boolean {
    return this.#sample !== undefined;
  }

  openSample(): void {
    if (this.#sample) void this.open([this.#sample]);
  }

  /** Opens another log of the list, where it was left. */
  switchTo(id: number): void {
    const log = this.state.logs.find((other) => other.id === id);
    if (!log || id === this.state.log) return;
    this.#leave();
    this.#enter(this.state.logs.find((other) => other.id === id) ?? log);
  }

  /** Takes a log off the list. The open one gives way to its neighbour. */
  remove(id: number): void {
    const at = this.state.logs.findIndex((log) => log.id === id);
    const logs = this.state.logs.filter((log) => log.id !== id);
    this.set({ logs });
    if (id !== this.state.log) return;
    const next = logs[Math.min(at, logs.length - 1)];
    if (next) this.#enter(next);
  }

  /** Takes the names of columns from files of SQL, for this log and for others. */
  async addSchemas(files: readonly File[]): Promise<void> {
    try {
      const more = await Promise.all(files.map(readSchema));
      const given = isOpen(this.state.phase) ? await giveSchemas(this.client, more) : [];
      this.schemas = [...this.schemas, ...(given.length > 0 ? given : more)];
      this.#renamed();
    } catch (thrown) {
      this.set({ notice: `No names were taken: ${thrown instanceof Error ? thrown.message : String(thrown)}` });
    }
  }

  /** Stops the scan; what was indexed stays. */
  cancel(): void {
    this.#client?.cancel();
  }

  /** Goes on with a scan that was stopped; what was judged by its end is judged anew. */
  goOn(): void {
    const { filter, took } = this.state;
    this.#openedAt = performance.now() - took;
    this.set({ phase: "indexing", took: 0, survey: null });
    this.client.goOn();
    if (filter !== "") this.hold(filter);
  }

  /** Indexes the open log from its beginning once more, and comes back to where the reader is. */
  again(): void {
    this.#leave();
    const { openLog } = this;
    if (openLog?.src) void this.openUrl(openLog.src, openLog.place);
    else if (openLog) this.#enter(openLog);
  }

  /** Ends a decoder that does not answer, or that is lost, and starts another one with the same file. */
  restart(): void {
    const { phase, progress, filtered } = this.state;
    const stuck = phase === "indexing" || phase === "opening";
    if (!this.#client) return;
    this.#held = progress ?? undefined;
    this.set({ hung: false, cut: stuck, phase: "opening", notice: "" });
    this.#client.restart(stuck ? (progress?.bytes ?? 0) : Infinity);
    if (!stuck && filtered?.running) this.dropFilter();
    if (phase === "lost") this.again();
    else this.#openedAgain();
  }

  /** Goes where a link points, now or when its log is opened. */
  follow(link: Link | null): void {
    if (!link) return;
    const log = this.state.logs.find(({ mark, src }) => (link.src ? src === link.src : mark === link.mark));
    if (!log && link.src && this.reaches) {
      void this.openUrl(link.src, link.place);
    } else if (!log) {
      this.set({ wanted: link });
    } else if (log.id === this.state.log) {
      this.show(link.place);
    } else {
      this.set({ logs: this.state.logs.map((other) => (other === log ? { ...log, place: link.place } : other)) });
      this.switchTo(log.id);
    }
  }

  /** Shows a place of the open log, now or when the index has come there. */
  show(place: Place): void {
    this.set({ view: place.view });
    if (place.filter !== this.state.filter) void this.setFilter(place.filter);
    this.#arrive(place);
  }

  // ---- the decoder

  /** The decoder. Throws a BinlensError while there is none. */
  get client(): Client {
    if (!this.#client) throw new BinlensError({ kind: "internal", message: "the decoder is not running" });
    return this.#client;
  }

  /** The decoder was loaded: what is lost can be started again. */
  get running(): boolean {
    return this.#client !== undefined;
  }

  // ---- inside

  /** Keeps the place of the open log. */
  #leave(): void {
    const open = this.openLog;
    if (!open || this.state.phase === "refused") return;
    this.set({ logs: this.state.logs.map((log) => (log === open ? { ...log, place: this.place } : log)) });
  }

  #enter(log: Log): void {
    const before = this.state.log;
    const { file, mark } = log;
    const { wanted } = this.state;
    const place = wanted?.mark === mark ? wanted.place : log.place;
    this.set({ log: log.id, file: { name: file.name, size: file.size } });
    if (!this.#client) return;
    if (this.state.phase === "lost") this.#client.start();
    this.reader.reset();
    this.#openedAt = performance.now();
    this.#held = undefined;
    this.aim = undefined;
    this.sources = sourcesOf(() => this.client);
    this.awaited = place === START ? undefined : place;
    this.set({ ...freshLog(), view: place.view, phase: "opening", wanted: wanted === null || wanted.mark === mark ? null : wanted });
    this.#client.open(file).then(
      (summary) => this.set({ summary }),
      (thrown: unknown) => this.#refused(log, before, thrown),
    );
    this.#nameAgain();
    if (place.filter !== "") void this.setFilter(place.filter);
  }

  /** A log that did not come. What is open stays. */
  #notFetched(address: string, failure: Failure): void {
    this.set({ fetching: null });
    const name = URL.canParse(address, document.baseURI) ? nameOf(new URL(address, document.baseURI)) : address;
    if (this.openLog) this.set({ notice: `${name} was not opened: ${failure.message}` });
    else if (this.state.phase !== "lost") this.set({ file: { name, size: 0 }, phase: "refused", failure });
  }

  /** What is no log is not kept; the one that was open before comes back. */
  #refused(log: Log, before: number, thrown: unknown): void {
    const failure = BinlensError.toFailure(thrown);
    if (failure.kind === "superseded" || failure.kind === "dead" || this.state.phase === "lost") return;
    const logs = this.state.logs.filter(({ id }) => id !== log.id);
    const back = logs.find(({ id }) => id === before) ?? logs[0];
    this.set({ logs });
    if (!back) {
      this.set({ phase: "refused", failure });
      return;
    }
    this.#enter(back);
    this.set({ notice: `${log.file.name} was not opened: ${failure.message}` });
  }

  /** Goes to a place as soon as the index has come there. */
  #arrive(place: Place): void {
    const { progress, phase } = this.state;
    const ended = phase !== "opening" && phase !== "indexing";
    this.awaited = undefined;
    if (place.offset !== undefined && (ended || place.offset < (progress?.bytes ?? 0))) void this.#goToEvent(place.offset, place.path);
    else if (place.offset === undefined && place.ordinal < (progress?.events ?? 0)) this.select(Math.max(0, place.ordinal), { path: place.path });
    else if (ended) this.select(0);
    else this.awaited = place;
  }

  async #goToEvent(offset: number, path: string): Promise<void> {
    const { client } = this;
    const ordinal = await client.at(offset).catch(() => -1);
    this.select(Math.max(0, ordinal), { path });
  }

  #hear(event: Event): void {
    switch (event.is) {
      case "ready":
        this.typeNames = event.typeNames;
        if (this.state.seal.is === "sealed" && !event.sealed) {
          this.set({ seal: { is: "broken", why: "the worker did not inherit the policy" } });
        }
        this.changed();
        return;
      case "network":
        this.#traffic({ worker: { requests: event.requests, blocked: event.blocked } });
        return;
      case "busy":
        this.set({ busy: event.busy });
        return;
      case "scan":
        this.#scanned(event);
        return;
      case "problems":
        if (this.state.progress) this.#count({ ...this.state.progress, problems: event.problems });
        return;
      case "survey":
        this.#surveyed(event.progress);
        return;
      case "filter":
        this.filterWent(event.progress, event.failure);
        return;
      case "hang":
        this.set({ hung: event.hung });
        return;
      case "dead":
        this.#died(event);
        return;
      case "lost":
        this.set({ phase: "lost", failure: { kind: "dead", message: event.message }, notice: "" });
    }
  }

  #died(event: Extract<Event, { is: "dead" }>): void {
    this.set({ notice: obituary(event.during, event.message, event.scanning), hung: false });
    if (!this.state.file || event.during === "open") return;
    this.#held = this.state.progress ?? undefined;
    this.set({ phase: "opening", cut: this.state.cut || event.scanning, survey: null });
    if (event.during === "filter") this.dropFilter();
    queueMicrotask(() => this.#openedAgain()); // the file is open in the new worker then
  }

  /** The decoder has a log that it knows nothing about but its bytes. */
  #openedAgain(): void {
    this.#nameAgain();
    this.#filterAgain();
  }

  #nameAgain(): void {
    if (this.schemas.length === 0) return;
    giveSchemas(this.client, this.schemas).then(
      (given) => {
        if (given.length === this.schemas.length) this.schemas = given;
        this.changed();
      },
      (thrown: unknown) => this.set({ notice: `The schemas were not used: ${BinlensError.toFailure(thrown).message}` }),
    );
  }

  /** Columns may have other names than before. */
  #renamed(): void {
    this.reader.refresh();
    this.retry();
    this.#filterAgain();
    this.changed();
  }

  #filterAgain(): void {
    if (this.state.asked !== "" && isOpen(this.state.phase)) void this.setFilter(this.state.asked);
  }

  #surveyed(survey: SurveyProgress): void {
    this.set({ survey });
    if (this.state.progress) this.#count({ ...this.state.progress, problems: survey.problems });
  }

  #scanned(event: Extract<Event, { is: "scan" }>): void {
    const { detailFailure } = this.state;
    const ended = event.state !== "indexing";
    const progress = { ...event.progress };
    if (this.#held && !ended) progress.events = Math.max(progress.events, this.#held.events);
    const spent = performance.now() - this.#openedAt;
    const left = ended || spent < GUESS_AFTER ? 0 : (spent / Math.max(1, progress.bytes)) * (progress.size - progress.bytes);
    this.set({ phase: event.state, summary: event.summary, took: ended ? spent : 0, left, failure: event.failure ?? null });
    this.#count(progress);
    if (this.#held && ended) {
      this.#held = undefined;
      this.reader.refresh();
      const { selection } = this.state;
      if (detailFailure?.kind === "request" && selection.ordinal < progress.events) this.load(selection.ordinal);
    }
    if (this.awaited) this.#arrive(this.awaited);
    else if (this.state.selection.ordinal < 0 && progress.events > 0) this.select(0);
  }

  /** Takes the progress; more problems than before are asked for, to know of what kinds they are. */
  #count(progress: Progress): void {
    const more = progress.problems !== (this.state.progress?.problems ?? 0);
    this.set(progress.problems === 0 ? { progress, kinds: null } : { progress });
    if (more) void this.reader.count(this.state.phase !== "indexing");
  }

  #traffic(part: Partial<Pick<Extract<Seal, { is: "sealed" }>, "page" | "worker">>): void {
    const { seal } = this.state;
    if (seal.is === "sealed") this.set({ seal: { ...seal, ...part } });
  }
}
