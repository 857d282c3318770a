// The page's side of the worker that makes Parquet of CSV.
import type { Transform } from "./exporting.ts";
import type { ParquetAnswer, ParquetRequest } from "./parquet.ts";

export class ParquetTransform implements Transform {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Starts the worker. `sealed`: it must not be able to send. */
  static async start(source: Blob, sealed: boolean): Promise<ParquetTransform> {
    const url = URL.createObjectURL(source);
    const transform = new ParquetTransform(new Worker(url, { name: "binlens parquet" }));
    try {
      await transform.#ask({ op: "start", sealed });
    } finally {
      URL.revokeObjectURL(url);
    }
    return transform;
  }

  push(csv: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    return this.#ask({ op: "push", csv });
  }

  finish(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#ask({ op: "finish" });
  }

  stop(): void {
    this.#worker.terminate();
  }

  #ask(request: ParquetRequest): Promise<Uint8Array<ArrayBuffer>> {
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }: MessageEvent<ParquetAnswer>) => {
        if (data.is === "bytes") resolve(data.bytes);
        else reject(new Error(data.message));
      };
      this.#worker.onerror = (event) => reject(new Error(event.message || "the Parquet writer could not be started"));
      this.#worker.postMessage(request);
    });
  }
}
