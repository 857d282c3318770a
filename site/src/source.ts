// The bytes of a file in their order: blob.stream() with a BYOB reader into one buffer that is used again and again, or a
// default reader where BYOB is missing.
import { BinlensError } from "./protocol.ts";

/** One read. */
const CHUNK = 1 << 20;

export class Source {
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
