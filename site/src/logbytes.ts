// A log as the worker reads it, whether it is a file of this machine or is read by its address: in its order for the
// index, and at random for Go.
import { Source } from "./source.ts";

/** The bytes of a part of a log in their order. */
export interface ByteSource {
  /** The next bytes, valid until the next read; null at the end. */
  read(): Promise<Uint8Array | null>;
  end(): void;
}

export interface LogBytes {
  /** Bytes. */
  readonly size: number;
  source(from: number, to: number): ByteSource;
  /** Fills `into` from an offset on, before it returns; returns how many bytes there were. Throws an Error in words. */
  read(offset: number, into: Uint8Array): number;
}

interface SyncReader {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
declare const FileReaderSync: new () => SyncReader;

/** Reads from blobs at once. */
export class BlobReader {
  readonly #reader = new FileReaderSync();

  read(blob: Blob, from: number, to: number): Uint8Array {
    return new Uint8Array(this.#reader.readAsArrayBuffer(blob.slice(from, to)));
  }
}

/** A file of this machine. */
export class FileBytes implements LogBytes {
  readonly size: number;
  readonly #file: Blob;
  readonly #reader = new BlobReader();

  constructor(file: Blob) {
    this.#file = file;
    this.size = file.size;
  }

  source(from: number, to: number): ByteSource {
    return new Source(this.#file.slice(from, to));
  }

  read(offset: number, into: Uint8Array): number {
    try {
      const part = this.#reader.read(this.#file, offset, offset + into.length);
      into.set(part);
      return part.length;
    } catch (thrown) {
      throw new Error(`the browser could not read the file: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
}
