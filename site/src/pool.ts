// Workers that scan parts of a large file, started by the worker that owns the index and sealed as it is: from a blob:, so
// that they have its policy. What they find is only taken over where the owner would have found the same; a worker that
// dies, or can send, just finds nothing.
import type { Traffic } from "./netwatch.ts";
import type { Found, RangeMessage, RangeRequest } from "./ranges.ts";

/** What the workers are started with. */
export interface PoolStart {
  module: WebAssembly.Module;
  source: Blob;
  cores: number;
  sealed: boolean;
}

const MOST = 8;

interface Job {
  request: Extract<RangeRequest, { op: "range" }>;
  resolve(found: Found): void;
}

export class Pool {
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #jobs: Job[] = [];
  readonly #running = new Map<Worker, Job>();
  readonly #traffic = new Map<Worker, Traffic>();

  /** How many workers there are: none where one core is all, or a worker cannot start others. */
  get size(): number {
    return this.#workers.size;
  }

  /** A worker is there to take a range. */
  get ready(): boolean {
    return this.#idle.length > 0 || this.#running.size > 0;
  }

  constructor({ module, source, cores, sealed }: PoolStart, onTraffic: (traffic: Traffic) => void) {
    if (cores < 2 || typeof Worker === "undefined") return;
    const url = URL.createObjectURL(source);
    for (let i = 0; i < Math.min(cores, MOST); i++) {
      const worker = new Worker(url, { name: `binlens range ${i}` });
      this.#workers.add(worker);
      worker.onmessage = ({ data }: MessageEvent<RangeMessage>) => {
        if (data.is === "network") {
          this.#traffic.set(worker, data);
          onTraffic(this.#sum());
        } else this.#receive(worker, data);
      };
      worker.onerror = worker.onmessageerror = () => this.#drop(worker);
      worker.postMessage({ op: "ranges", module, sealed } satisfies RangeRequest);
    }
  }

  /** Has [from, to) of the file scanned. Finds nothing when no worker is left to do it. */
  scan(file: Blob, mark: Uint8Array, from: number, to: number): Promise<Found> {
    return new Promise((resolve) => {
      this.#jobs.push({ request: { op: "range", file, mark, from, to }, resolve });
      this.#next();
    });
  }

  /** Ends all workers; what was asked of them finds nothing. */
  end(): void {
    for (const worker of [...this.#workers]) this.#drop(worker);
  }

  #receive(worker: Worker, message: Exclude<RangeMessage, { is: "network" }>): void {
    if (message.is === "dead") {
      this.#drop(worker);
      return;
    }
    if (message.is === "found") {
      this.#running.get(worker)?.resolve(message.found);
      this.#running.delete(worker);
    }
    if (this.#workers.has(worker)) this.#idle.push(worker);
    this.#next();
  }

  #next(): void {
    while (this.#idle.length > 0 && this.#jobs.length > 0) {
      const [worker, job] = [this.#idle.pop()!, this.#jobs.shift()!];
      this.#running.set(worker, job);
      worker.postMessage(job.request);
    }
    if (this.#workers.size === 0) for (const { resolve } of this.#jobs.splice(0)) resolve([]);
  }

  #drop(worker: Worker): void {
    worker.terminate();
    this.#workers.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#running.get(worker)?.resolve([]);
    this.#running.delete(worker);
    this.#next();
  }

  #sum(): Traffic {
    const all = [...this.#traffic.values()];
    return { requests: all.reduce((n, one) => n + one.requests, 0), blocked: all.reduce((n, one) => n + one.blocked, 0) };
  }
}
