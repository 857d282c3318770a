// The scan of a file into the Go index: from its first byte to its last, and of a large file, with more than one core, in
// ranges that other workers look through ahead of the index.
//
// Go copies what it is fed at once, so the next read is under way while Go indexes. Between steps the loop lets a
// macrotask pass, so that cancel, pages and details get through.
import type { Engine } from "./engine.ts";
import type { Pool } from "./pool.ts";
import { FileBytes, type ByteSource, type LogBytes } from "./logbytes.ts";
import type { Progress } from "./protocol.ts";
import type { Found } from "./ranges.ts";

/** Milliseconds of Go at a stretch: a quarter of what a page may take to answer while indexing goes on. */
const BUDGET = 4;
/** Bytes of a range. */
const RANGE = 16 << 20;
/** The smallest file that is worth the start of more workers. */
export const LARGE = 64 << 20;

export interface ScanHost {
  /** True when the loop shall end. */
  stopped(): boolean;
  report(progress: Progress): void;
  /** Lets waiting messages in. */
  breathe(): Promise<void>;
}

/** Feeds the log up to `limit` to the index, from where that stands, step by step, until its end or until the host stops it. */
export async function scan(engine: Engine, log: LogBytes, limit: number, host: ScanHost): Promise<void> {
  const sequence = new Sequence(engine, log, limit, host);
  try {
    await sequence.forward(Infinity);
  } finally {
    sequence.end();
  }
}

/**
 * Does the same with a pool, which it ends. The ranges are handed out in their order, with the state that the index is in;
 * what is found in one is taken over where the index arrives at it, and everything else is scanned here.
 */
export async function scanRanges(engine: Engine, file: Blob, limit: number, host: ScanHost, pool: Pool): Promise<void> {
  const end = Math.min(limit, file.size);
  const sequence = new Sequence(engine, new FileBytes(file), end, host);
  const waiting: { to: number; mark: Uint8Array; found: Promise<Found> }[] = [];
  let next = 0;
  let fruitless = 0;
  try {
    while (!host.stopped() && sequence.more) {
      const ahead = pool.size + 2;
      const mark = pool.ready && fruitless < 2 * ahead ? engine.call("mark", (go) => go.mark()) : new Uint8Array();
      for (next = Math.max(next, sequence.at); mark.length > 0 && waiting.length < ahead && next < end; next += RANGE) {
        const to = Math.min(next + RANGE, end);
        waiting.push({ to, mark, found: pool.scan(file, mark, next, to) });
      }
      const range = waiting.shift();
      if (!range) {
        await sequence.forward(sequence.at + RANGE / 4);
        continue;
      }
      const from = sequence.at;
      const merged = await sequence.merge(range.mark, await range.found);
      await sequence.forward(range.to);
      fruitless = merged * 2 < sequence.at - from ? fruitless + 1 : 0;
    }
  } finally {
    pool.end();
    sequence.end();
  }
}

/** Says that no more bytes come, and indexes what is left of those that came. Returns the last progress. */
export async function finish(engine: Engine, host: ScanHost): Promise<Progress> {
  const progress = engine.call("finish", (go) => go.finish());
  return stepThrough(engine, progress, host, new Pace(host));
}

async function stepThrough(engine: Engine, from: Progress, host: ScanHost, pace: Pace): Promise<Progress> {
  let progress = from;
  while (progress.more && !progress.done && !host.stopped()) {
    progress = engine.call("step", (go) => go.step(BUDGET));
    host.report(progress);
    await pace.rest();
  }
  return progress;
}

/** The log up to `end`, read from wherever the index is to be fed next. */
class Sequence {
  /** How far the log is indexed. */
  at: number;
  /** The file has more bytes to be fed. */
  more = true;
  readonly #engine: Engine;
  readonly #log: LogBytes;
  readonly #end: number;
  readonly #host: ScanHost;
  readonly #pace: Pace;
  #source: ByteSource | undefined;
  #next: Promise<Uint8Array | null> | undefined;

  constructor(engine: Engine, log: LogBytes, end: number, host: ScanHost) {
    this.#engine = engine;
    this.#log = log;
    this.#end = end;
    this.#host = host;
    this.#pace = new Pace(host);
    this.at = engine.call("progress", (go) => go.progress()).bytes;
  }

  /** Feeds and indexes until the index is at `to` or further, the file is at its end or the host stops it. */
  async forward(to: number): Promise<void> {
    while (this.at < to && !this.#host.stopped()) {
      const chunk = await (this.#next ?? this.#open().read());
      this.#next = undefined;
      if (!chunk) {
        this.more = false;
        return;
      }
      const progress = this.#engine.call("feed", (go) => go.feed(chunk));
      this.#next = this.#source!.read();
      this.#next.catch(() => undefined); // awaited by the next turn, unless there is none
      this.at = (await stepThrough(this.#engine, progress, this.#host, this.#pace)).bytes;
      await this.#pace.rest();
    }
  }

  /** Takes over what was found in a range; what of it does not fit is scanned. Returns how many bytes were taken over. */
  async merge(mark: Uint8Array, found: Found): Promise<number> {
    let merged = 0;
    for (const { from, to, packed } of found) {
      while (this.at < to && this.more && !this.#host.stopped()) {
        const before = this.at;
        const progress = this.#engine.call("merge", (go) => go.merge(mark, from, packed));
        if (progress.bytes === before) {
          await this.forward(before + 1);
          continue;
        }
        this.#close(); // it is behind what was taken over
        this.at = progress.bytes;
        merged += this.at - before;
        this.#host.report(progress.filtered ? this.#engine.call("filter", (go) => go.stepFilter(BUDGET)) : progress);
        await this.#pace.rest();
      }
    }
    return merged;
  }

  end(): void {
    this.#close();
  }

  #open(): ByteSource {
    if (this.#source) return this.#source;
    const fed = this.#engine.call("fed", (go) => go.fed());
    this.#source = this.#log.source(fed, this.#end);
    return this.#source;
  }

  #close(): void {
    this.#source?.end();
    this.#source = this.#next = undefined;
  }
}

/** Lets messages in when Go has run for a while. */
class Pace {
  readonly #host: ScanHost;
  #rested = performance.now();

  constructor(host: ScanHost) {
    this.#host = host;
  }

  async rest(): Promise<void> {
    if (performance.now() - this.#rested < BUDGET) return;
    await this.#host.breathe();
    this.#rested = performance.now();
  }
}
