// The worker: owns the Go program and the open file, answers requests, runs the scan.
//
// Messages are queued and served in a macrotask of their own, so that of several waiting requests for a view only the
// latest is computed; the others are answered "superseded". The scan, what goes on behind it, and the queue take turns.
import { answerView } from "./answers.ts";
import { background, filterProgress } from "./background.ts";
import { DeadError, Engine, type Io } from "./engine.ts";
import { ExportServer } from "./exportserve.ts";
import { FileBytes, type LogBytes } from "./logbytes.ts";
import { cannotFetch, watchTraffic, type Traffic } from "./netwatch.ts";
import { BinlensError } from "./protocol.ts";
import type { Ask, Failure, Message, Progress, Request, Results, ScanState, Summary } from "./protocol.ts";
import { Pool, type PoolStart } from "./pool.ts";
import { isRemote, type LogFile } from "./remote.ts";
import { RemoteBytes } from "./remotebytes.ts";
import { serveRanges, type RangeRequest, type RangeScope } from "./ranges.ts";
import { LARGE, finish, scan, scanRanges, type ScanHost } from "./scan.ts";
import type { FilterAnswer, FilterProgress } from "./viewdata.ts";

/** The part of DedicatedWorkerGlobalScope that is used here. */
interface Scope extends EventTarget {
  onmessage: ((event: MessageEvent<Request | Extract<RangeRequest, { op: "ranges" }>>) => void) | null;
  postMessage(message: Message, transfer?: Transferable[]): void;
}
const scope = globalThis as unknown as Scope;

/** Milliseconds between two progress messages. */
const REPORT_EVERY = 50;
/** Milliseconds after which a log that is read from afar is said to be read on, although nothing came. */
const PULSE = 3000;
const IO_BUFFER = 1 << 20;
/** The calls that the scan makes; a death in any other is the fault of one request. */
const SCAN_CALLS = ["feed", "step", "fed", "mark", "merge", "finish", "summary", "goOn"];
/** A program with more memory than this is not used for another file: it never gives memory back. */
const SPENT = 64 << 20;
/** Requests of which a newer one takes the place. */
const LATEST: readonly Ask["op"][] = ["page", "tree", "transactions", "tables", "timeline", "filter", "complete"];

interface Session {
  id: number;
  file: LogFile;
  log: LogBytes;
  limit: number;
  state: ScanState;
  cancelled: boolean;
  progress: Progress;
  /** There is a filter that has not been stopped. */
  filtering: boolean;
  /** Something goes on behind the index. */
  working: boolean;
}

let engine: Engine | undefined;
let session: Session | undefined;
const exports = new ExportServer();
let poolStart: PoolStart | undefined;
let reported = 0;
const ioBuffer = new Uint8Array(IO_BUFFER);
const queue: Ask[] = [];

// A macrotask that no timer clamps.
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(0);
  });
}

scope.onmessage = ({ data }) => {
  switch (data.op) {
    case "start":
      void start(data);
      return;
    case "ranges": // this worker is one that scans parts of a file
      scope.onmessage = toRanges(serveRanges(scope as unknown as RangeScope, data.module, data.sealed));
      return;
    case "cancel":
      if (session) session.cancelled = true;
      return;
    case "goOn":
      ifAlive(goOn);
      return;
    case "stopFilter":
      ifAlive(stopFilter);
      return;
    case "close":
      queue.length = 0; // the page has given up what it asked for
      close();
      return;
    default:
      enqueue(data);
  }
};

function toRanges(serve: (request: RangeRequest) => void): (event: MessageEvent) => void {
  return ({ data }: MessageEvent<RangeRequest>) => serve(data);
}

async function start(as: PoolStart): Promise<void> {
  try {
    const [started, sealed] = await Promise.all([Engine.start(as.module), as.sealed ? cannotFetch(scope) : false]);
    engine = started;
    poolStart = as;
    watchTraffic(scope, (counts) => {
      traffic.own = counts;
      tellTraffic();
    });
    scope.postMessage({ is: "ready", typeNames: started.call("typeNames", (go) => go.typeNames()), sealed });
    drain();
  } catch (thrown) {
    die(thrown instanceof DeadError ? thrown : new DeadError("start", BinlensError.toFailure(thrown).message));
  }
}

/** Requests of this worker, of the workers that it has started for the file, and of those before. */
const traffic = { own: none(), pool: none(), before: none() };

function none(): Traffic {
  return { requests: 0, blocked: 0 };
}

function tellTraffic(): void {
  const { own, pool, before } = traffic;
  scope.postMessage({ is: "network", requests: own.requests + pool.requests + before.requests, blocked: own.blocked + pool.blocked + before.blocked });
}

function startPool(as: PoolStart): Pool {
  traffic.before = { requests: traffic.before.requests + traffic.pool.requests, blocked: traffic.before.blocked + traffic.pool.blocked };
  traffic.pool = none();
  return new Pool(as, (counts) => {
    traffic.pool = counts;
    tellTraffic();
  });
}

/** Puts a request in line; a waiting request for a view gives way to a newer one. */
function enqueue(ask: Ask): void {
  if (LATEST.includes(ask.op)) {
    const older = queue.findIndex((other) => other.op === ask.op);
    if (older >= 0) {
      const [gone] = queue.splice(older, 1);
      if (gone) fail(gone.id, { kind: "superseded", message: "a newer request took its place" });
    }
  }
  queue.push(ask);
  if (queue.length === 1) void macrotask().then(drain);
}

function drain(): void {
  while (engine && queue.length > 0) serve(engine, queue.shift()!); // what comes before the program runs is served when it does
}

function serve(engine: Engine, ask: Ask): void {
  try {
    if (ask.op === "open") {
      if (engine.call("memory", (b) => b.memory()) > SPENT) void renew(ask);
      else answer(ask.id, open(engine, ask));
      return;
    }
    if (ask.op === "exportNext") {
      void exportNext(engine, ask);
      return;
    }
    const result = resultOf(engine, ask);
    answer(ask.id, result, result instanceof Uint8Array ? [result.buffer] : []);
    if (ask.op === "page" || ask.op === "tree" || ask.op === "rows") recount(engine);
    if (ask.op === "filter" && (result as FilterAnswer).ok) startFilter(engine, ask.text);
  } catch (thrown) {
    if (thrown instanceof DeadError) die(thrown);
    else fail(ask.id, BinlensError.toFailure(thrown));
  }
}

/** Opens a file in a new program, which takes the place of this one. */
async function renew(ask: Extract<Ask, { op: "open" }>): Promise<void> {
  close();
  engine = undefined;
  queue.unshift(ask);
  try {
    engine = await Engine.start(poolStart!.module);
    drain();
  } catch (thrown) {
    die(new DeadError("renew", BinlensError.toFailure(thrown).message));
  }
}

/** Does what is not answered, and tells when the program dies of it. */
function ifAlive(f: (go: Engine) => void): void {
  try {
    if (engine) f(engine);
  } catch (thrown) {
    die(thrown instanceof DeadError ? thrown : new DeadError("filter", BinlensError.toFailure(thrown).message));
  }
}

async function exportNext(go: Engine, { id, run }: Extract<Ask, { op: "exportNext" }>): Promise<void> {
  try {
    const chunk = await exports.next(go, run, breathe);
    answer(id, chunk, [chunk.data.buffer]);
  } catch (thrown) {
    if (thrown instanceof DeadError) die(thrown);
    else fail(id, BinlensError.toFailure(thrown));
  }
}

async function breathe(): Promise<void> {
  await macrotask();
  drain();
}

/** Tells how many problems there are when an answer has brought more of them to light; the scan tells of its own accord. */
function recount(go: Engine): void {
  if (!session || session.state === "indexing") return;
  const { problems } = go.call("progress", (b) => b.progress());
  if (problems === session.progress.problems) return;
  session.progress = { ...session.progress, problems };
  scope.postMessage({ is: "problems", session: session.id, problems });
}

function resultOf(go: Engine, ask: Exclude<Ask, { op: "open" | "exportNext" }>): Results[keyof Results] {
  switch (ask.op) {
    case "page":
      return go.call("page", (b) => b.page(ask.from, ask.n, ask.all));
    case "tree":
      return go.call("tree", (b) => b.tree(ask.ordinal, ask.whole));
    case "rows":
      return go.call("rows", (b) => b.rows(ask.ordinal, ask.from, ask.n, ask.whole));
    case "json":
      return go.call("json", (b) => b.json(ask.ordinal, ask.whole));
    case "bytes":
      return go.call("bytes", (b) => b.bytes(ask.ordinal, ask.from, ask.n));
    case "problems":
      return go.call("problems", (b) => b.problems(ask.kind, ask.from, ask.n));
    case "at":
      return go.call("at", (b) => b.at(ask.offset));
    case "exportOpen":
    case "exportNotes":
    case "schema":
      return exports.answer(go, ask);
    default:
      return answerView(go, ask);
  }
}

function open(go: Engine, ask: Extract<Ask, { op: "open" }>): Summary {
  close();
  const { file } = ask;
  const log = isRemote(file) ? new RemoteBytes(file) : new FileBytes(file);
  const summary = go.call("open", (b) => b.open({ size: file.size }, ioOf(go, log)));
  const progress: Progress = { events: 0, bytes: 0, size: file.size, problems: 0, more: false, done: false };
  const { session: id, limit } = ask;
  const mine: Session = { id, file, log, limit, state: "indexing", cancelled: false, progress, filtering: false, working: false };
  session = mine;
  reported = 0;
  void index(go, mine);
  return summary;
}

/** Goes on with a scan that was cancelled. */
function goOn(go: Engine): void {
  if (!session?.cancelled || session.state !== "cancelled") return;
  session.filtering = go.call("goOn", (b) => b.goOn()).filtered === true;
  session.state = "indexing";
  session.cancelled = false;
  void index(go, session);
}

/** Runs the scan of one file and tells how it ended. What was indexed before a fault stays usable. */
async function index(go: Engine, mine: Session): Promise<void> {
  const { file, log, limit } = mine;
  const replaced = (): boolean => session !== mine;
  const host = (stopped: () => boolean): ScanHost => ({
    stopped,
    report: (progress) => {
      mine.progress = progress;
      if (progress.events > 0 && performance.now() - reported >= REPORT_EVERY) report(go, mine);
    },
    breathe,
  });
  const pulse = isRemote(file) ? setInterval(() => !replaced() && report(go, mine), PULSE) : undefined;
  try {
    await macrotask(); // the answer to "open" goes first
    const stop = host(() => mine.cancelled || replaced());
    const large = !isRemote(file) && Math.min(limit, file.size) - mine.progress.bytes >= LARGE;
    const failure = await failureOf(
      large && poolStart ? scanRanges(go, file, limit, stop, startPool(poolStart)) : scan(go, log, limit, stop),
    );
    clearInterval(pulse);
    if (replaced()) return;
    mine.progress = await finish(go, host(replaced));
    if (replaced()) return;
    if (failure) mine.state = "failed";
    else mine.state = mine.cancelled || limit < file.size ? "cancelled" : "done";
    report(go, mine, failure);
    void work(go, mine);
  } catch (thrown) {
    if (!replaced()) die(thrown instanceof DeadError ? thrown : new DeadError("finish", BinlensError.toFailure(thrown).message));
  } finally {
    clearInterval(pulse);
  }
}

/** Runs what goes on behind the index, once that is complete. What stops the filter is told; the survey goes on then. */
async function work(go: Engine, mine: Session): Promise<void> {
  if (mine.working || mine.state === "indexing") return;
  mine.working = true;
  const stopped = (): boolean => session !== mine || mine.state === "indexing";
  const tell = (progress: FilterProgress, failure?: Failure): void => {
    mine.filtering = progress.running;
    tellFilter(mine, progress, failure);
  };
  try {
    await background(go, {
      stopped,
      filtering: () => mine.filtering,
      filtered: tell,
      surveyed: (progress) => scope.postMessage({ is: "survey", session: mine.id, progress }),
      breathe,
    });
    mine.working = false;
  } catch (thrown) {
    mine.working = false;
    if (stopped()) return;
    const failure = BinlensError.toFailure(thrown);
    if (failure.kind === "io" && !mine.filtering) {
      mine.working = false; // the log cannot be read just now: who asks for a part of it is told
      return;
    }
    if (thrown instanceof DeadError || !mine.filtering) {
      die(new DeadError(mine.filtering ? "filter" : "survey", failure.message)); // of no fault of the scan's
      return;
    }
    tell({ matched: 0, examined: 0, total: mine.progress.events, unread: 0, touched: 0, running: false }, failure);
    void work(go, mine);
  }
}

function startFilter(go: Engine, text: string): void {
  if (!session) return;
  session.filtering = text.trim() !== "";
  void work(go, session);
}

/** What was found stays. */
function stopFilter(go: Engine): void {
  if (!session?.filtering) return;
  session.filtering = false;
  const found = filterProgress(go.call("holdFilter", (b) => b.holdFilter()));
  if (found) tellFilter(session, { ...found, running: false });
}

function tellFilter(mine: Session, progress: FilterProgress, failure?: Failure): void {
  scope.postMessage({ is: "filter", session: mine.id, progress, ...(failure && { failure }) });
}

/** What stopped the scan before its end, if anything did; a dead program is thrown on. */
async function failureOf(scanning: Promise<void>): Promise<Failure | undefined> {
  try {
    await scanning;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DeadError) throw thrown;
    return BinlensError.toFailure(thrown);
  }
}

function report(go: Engine, mine: Session, failure?: Failure): void {
  reported = performance.now();
  const summary = go.call("summary", (b) => b.summary());
  const message: Message = { is: "scan", session: mine.id, state: mine.state, progress: mine.progress, summary };
  scope.postMessage(failure ? { ...message, failure } : message);
  const filter = filterProgress(mine.progress);
  if (filter) tellFilter(mine, { ...filter, running: filter.running && mine.filtering });
}

function close(): void {
  if (!session || !engine) return;
  session = undefined;
  try {
    engine.call("close", (b) => b.close());
  } catch (thrown) {
    if (thrown instanceof DeadError) die(thrown);
  }
}

/** Random access for Go: one persistent buffer, filled before the read returns. */
function ioOf(go: Engine, log: LogBytes): Io {
  return {
    buffer: ioBuffer,
    read(offset, n) {
      try {
        return log.read(offset, ioBuffer.subarray(0, n));
      } catch (thrown) {
        go.readFailure = thrown instanceof Error ? thrown.message : String(thrown);
        return -1;
      }
    },
  };
}

function answer(id: number, result: Results[keyof Results], transfer: Transferable[] = []): void {
  scope.postMessage({ is: "answer", id, result }, transfer);
}

function fail(id: number, failure: Failure): void {
  scope.postMessage({ is: "failure", id, failure });
}

/** Tells the page that this worker is of no more use; the page ends it and starts another. */
function die(error: DeadError): void {
  scope.postMessage({
    is: "dead",
    session: session?.id ?? 0,
    during: error.during,
    scanning: SCAN_CALLS.includes(error.during),
    bytes: session?.progress.bytes ?? 0,
    message: error.message,
  });
  session = undefined;
  engine = undefined;
}
