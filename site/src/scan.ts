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
  /** True when the loop shall end: cancelled, or another file was opened. */
  stopped(): boolean;
  report(progress: Progress): void;
  /** Lets waiting messages in. */
  breathe(): Promise<void>;
}

/** Indexes file[0, limit) and returns the last progress; finish() is called unless the scan was replaced. */
export async function scan(engine: Engine, file: Blob, limit: number, host: ScanHost): Promise<void> {
  const source = new Source(limit < file.size ? file.slice(0, limit) : file);
  let rested = performance.now();
  const rest = async (): Promise<void> => {
    if (performance.now() - rested < BUDGET) return;
    await host.breathe();
    rested = performance.now();
  };
  try {
    let chunk = await source.read();
    while (chunk && !host.stopped()) {
      const bytes = chunk;
      let progress = engine.call("feed", (go) => go.feed(bytes));
      const next = source.read();
      next.catch(() => undefined); // awaited below, unless the loop ends before
      while (progress.more && !host.stopped()) {
        progress = engine.call("step", (go) => go.step(BUDGET));
        host.report(progress);
        await rest();
      }
      await rest();
      chunk = await next;
    }
  } finally {
    source.end();
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
