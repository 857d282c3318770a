// The worker's side of a log that is read by its address. The index takes one stream from its start to its end; what Go
// asks for at random is taken from what the stream has brought, or else by range requests that wait for their answer.
import { BlobReader, type ByteSource, type LogBytes } from "./logbytes.ts";
import { BinlensError } from "./protocol.ts";
import { hostOf, objection, rangeOf, type RemoteLog } from "./remote.ts";

/** Bytes that are kept of the stream, in blobs of PIECE, which the browser may put on disk. */
const KEPT = 256 << 20;
const PIECE = 4 << 20;
/** Bytes of a range request, and how many answers are kept. */
const BLOCK = 256 << 10;
const BLOCKS = 64;
/** A stream that breaks off is taken up this often before it brings anything, with a pause of milliseconds before. */
const TRIES = 4;
const PAUSE = 400;

export class RemoteBytes implements LogBytes {
  readonly size: number;
  readonly #log: RemoteLog;
  readonly #kept: Kept;
  /** Block number -> bytes, the one used last at the end. */
  readonly #blocks = new Map<number, Uint8Array>();

  constructor(log: RemoteLog) {
    this.#log = log;
    this.size = log.size;
    this.#kept = new Kept(Math.min(PIECE, log.size));
    this.#kept.add(0, log.head);
  }

  source(from: number, to: number): ByteSource {
    return new RemoteSource(this.#log, from, to, this.#kept);
  }

  read(offset: number, into: Uint8Array): number {
    const n = Math.max(0, Math.min(into.length, this.size - offset));
    for (let done = 0; done < n; ) {
      const part = this.#kept.read(offset + done, n - done) ?? this.#inBlock(offset + done, n - done);
      into.set(part, done);
      done += part.length;
    }
    return n;
  }

  #inBlock(offset: number, n: number): Uint8Array {
    const number = Math.floor(offset / BLOCK);
    const block = this.#blocks.get(number) ?? this.#request(number * BLOCK, Math.min((number + 1) * BLOCK, this.size));
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    if (this.#blocks.size > BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value ?? -1);
    const at = offset - number * BLOCK;
    return block.subarray(at, at + n);
  }

  /** One range request that waits for its answer; never empty. */
  #request(from: number, to: number): Uint8Array {
    const request = new XMLHttpRequest();
    request.open("GET", this.#log.url, false);
    request.responseType = "arraybuffer";
    request.setRequestHeader("Range", rangeOf(from, to));
    const host = hostOf(this.#log.url);
    try {
      request.send();
    } catch {
      throw new Error(`${host} could not be reached`);
    }
    const lines = request.getAllResponseHeaders().trim().split("\r\n");
    const headers = new Headers(lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
    const why = objection(this.#log, from, request.status, headers);
    if (why !== "") throw new Error(why);
    const bytes = new Uint8Array(request.response as ArrayBuffer);
    if (bytes.length !== to - from) throw new Error(`${host} sent ${bytes.length} bytes where ${to - from} were asked for`);
    return bytes;
  }
}

/** The head of a log as far as it was read in its order. */
class Kept {
  readonly #full: Blob[] = [];
  readonly #piece: Uint8Array<ArrayBuffer>;
  readonly #reader = new BlobReader();
  #end = 0;

  constructor(piece: number) {
    this.#piece = new Uint8Array(piece);
  }

  /** Keeps what follows on what is kept. */
  add(offset: number, bytes: Uint8Array): void {
    if (offset > this.#end) return;
    for (let rest = bytes.subarray(this.#end - offset); rest.length > 0 && this.#end < KEPT; ) {
      const at = this.#end % PIECE;
      const part = rest.subarray(0, PIECE - at);
      this.#piece.set(part, at);
      this.#end += part.length;
      rest = rest.subarray(part.length);
      if (this.#end % PIECE === 0) this.#full.push(new Blob([this.#piece]));
    }
  }

  /** Some of the n bytes at an offset, at least one; undefined where nothing is kept. */
  read(offset: number, n: number): Uint8Array | undefined {
    if (offset >= this.#end) return undefined;
    const number = Math.floor(offset / PIECE);
    const from = offset % PIECE;
    const to = Math.min(from + n, PIECE, this.#end - number * PIECE);
    const full = this.#full[number];
    return full ? this.#reader.read(full, from, to) : this.#piece.subarray(from, to);
  }
}

/** [from, to) of the log: what is kept, and the rest by one request, or by more where the connection breaks off. */
class RemoteSource implements ByteSource {
  readonly #log: RemoteLog;
  readonly #to: number;
  readonly #kept: Kept;
  readonly #abort = new AbortController();
  #at: number;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(log: RemoteLog, from: number, to: number, kept: Kept) {
    this.#log = log;
    this.#at = from;
    this.#to = Math.min(to, log.size);
    this.#kept = kept;
  }

  async read(): Promise<Uint8Array | null> {
    for (let tries = 1; this.#at < this.#to; tries++) {
      try {
        const bytes = await this.#next();
        this.#kept.add(this.#at, bytes);
        this.#at += bytes.length;
        return bytes;
      } catch (thrown) {
        this.#reader = undefined;
        if (thrown instanceof BinlensError || tries === TRIES || this.#abort.signal.aborted) throw this.#failure(thrown);
        await new Promise((resolve) => setTimeout(resolve, PAUSE * tries));
      }
    }
    return null;
  }

  end(): void {
    this.#abort.abort();
  }

  async #next(): Promise<Uint8Array> {
    const kept = this.#reader ? undefined : this.#kept.read(this.#at, this.#to - this.#at);
    if (kept) return kept;
    this.#reader ??= await this.#open();
    const { value } = await this.#reader.read();
    if (!value) throw new Error("the connection ended early");
    return value.subarray(0, this.#to - this.#at);
  }

  async #open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const range = rangeOf(this.#at, this.#to);
    const response = await fetch(this.#log.url, { headers: { range }, cache: "no-store", signal: this.#abort.signal });
    const why = objection(this.#log, this.#at, response.status, response.headers);
    if (why !== "" || !response.body) {
      void response.body?.cancel();
      throw new BinlensError({ kind: "io", message: why });
    }
    return response.body.getReader();
  }

  #failure(thrown: unknown): BinlensError {
    if (thrown instanceof BinlensError) return thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return new BinlensError({ kind: "io", message: `${hostOf(this.#log.url)} could not be read on: ${why}` });
  }
}
