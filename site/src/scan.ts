// The sequential read of a file, from its first byte to its last, into the Go index.
//
// Reads go through blob.stream() with a BYOB reader into one buffer that is used again and again (a default reader
// where BYOB is missing). Go copies what it is fed at once, so the next read is under way while Go indexes. Between
// steps the loop lets a macrotask pass, so that cancel, pages and details get through.
import type { Engine } from "./engine.ts";
import { BinlensError, type Progress } from "./protocol.ts";

/** One read; Go is fed with what came of it. */
const CHUNK = 1 << 20;
/** Milliseconds of Go at a stretch: half of what a page may take to answer while indexing goes on. */
const BUDGET = 8;

export interface ScanHost {
  /** True when the loop shall end. */
  stopped(): boolean;
  report(progress: Progress): void;
  /** Lets waiting messages in. */
  breathe(): Promise<void>;
}

/** Feeds file[0, limit) to the index, step by step, until its end or until the host stops it. */
export async function scan(engine: Engine, file: Blob, limit: number, host: ScanHost): Promise<void> {
  const source = new Source(limit < file.size ? file.slice(0, limit) : file);
  const pace = new Pace(host);
  try {
    let chunk = await source.read();
    while (chunk && !host.stopped()) {
      const bytes = chunk;
      const progress = engine.call("feed", (go) => go.feed(bytes));
      const next = source.read();
      next.catch(() => undefined); // awaited below, unless the loop ends before
      await stepThrough(engine, progress, host, pace);
      await pace.rest();
      chunk = await next;
    }
  } finally {
    source.end();
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

class Source {
  readonly #byob: ReadableStreamBYOBReader | undefined;
  readonly #plain: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  #buffer = new ArrayBuffer(CHUNK);

  constructor(file: Blob) {
    const stream = file.stream();
    try {
      this.#byob = stream.getReader({ mode: "byob" });
    } catch {
      this.#plain = stream.getReader();
    }
  }

  /** The next bytes, valid until the next read; null at the end of the file. */
  async read(): Promise<Uint8Array | null> {
    try {
      if (this.#plain) return (await this.#plain.read()).value ?? null;
      const { value, done } = await this.#byob!.read(new Uint8Array(this.#buffer, 0, CHUNK));
      if (value) this.#buffer = value.buffer;
      return done ? null : (value ?? null);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new BinlensError({ kind: "io", message: `the browser could not read the file: ${why}` });
    }
  }

  end(): void {
    void (this.#byob ?? this.#plain)?.cancel().catch(() => undefined);
  }
}
