// A window on a long sequence that lives in the worker: fetched in chunks when it is wanted, the least recently used
// chunks dropped. List rows, row images and bytes all come through here.

/** What a fetch brings: an array, a typed array, a Page. */
export interface Slab<T> {
  readonly length: number;
  at(i: number): T | undefined;
}

interface Chunk<T> {
  slab: Slab<T>;
  /** Index in the sequence of the slab's first item. */
  base: number;
  /** Length of the sequence when this chunk was fetched: a chunk at its end is fetched again when it has grown. */
  total: number;
}

export interface ChunkSource<T> {
  /** Items a chunk, and chunks kept. */
  size: number;
  keep: number;
  fetch(from: number, n: number): Promise<Slab<T>>;
  changed(): void;
  /** Returns true when the items may be asked for again at once. */
  failed(thrown: unknown): boolean;
}

export class Chunks<T> {
  readonly #source: ChunkSource<T>;
  readonly #chunks = new Map<number, Chunk<T>>(); // in the order of their use
  readonly #waiting = new Set<number>();
  #generation = 0;

  constructor(source: ChunkSource<T>) {
    this.#source = source;
  }

  /** Item i, or undefined while it is not here. */
  at(i: number): T | undefined {
    const chunk = this.#chunks.get(Math.floor(i / this.#source.size));
    return chunk?.slab.at(i - chunk.base);
  }

  /** The slabs that are here, in no order. */
  *loaded(): Generator<Slab<T>> {
    const told = new Set<Slab<T>>();
    for (const { slab } of this.#chunks.values()) {
      if (told.has(slab)) continue;
      told.add(slab);
      yield slab;
    }
  }

  /** Sees to it that the items [first, last] of a sequence that is now `total` long get here. */
  want(first: number, last: number, total: number): void {
    const { size } = this.#source;
    const end = Math.min(last, total - 1);
    let from = -1;
    let to = -1;
    for (let c = Math.floor(Math.max(0, first) / size); c * size <= end; c++) {
      this.#touch(c);
      if (this.#waiting.has(c) || !this.#lacks(c, total)) continue;
      if (from < 0) from = c;
      to = c;
    }
    if (from >= 0) void this.#fetch(from, to, total);
  }

  /** Forgets everything, answers on their way included. */
  clear(): void {
    this.#generation++;
    this.#chunks.clear();
    this.#waiting.clear();
  }

  #lacks(c: number, total: number): boolean {
    const chunk = this.#chunks.get(c);
    if (!chunk) return true;
    const end = Math.min((c + 1) * this.#source.size, total);
    return chunk.total < total && chunk.base + chunk.slab.length < end;
  }

  #touch(c: number): void {
    const chunk = this.#chunks.get(c);
    if (!chunk) return;
    this.#chunks.delete(c);
    this.#chunks.set(c, chunk);
  }

  async #fetch(from: number, to: number, total: number): Promise<void> {
    const { size, keep } = this.#source;
    const generation = this.#generation;
    for (let c = from; c <= to; c++) this.#waiting.add(c);
    let slab: Slab<T> | undefined;
    try {
      slab = await this.#source.fetch(from * size, Math.min((to + 1) * size, total) - from * size);
    } catch (thrown) {
      if (generation !== this.#generation) return;
      if (!this.#source.failed(thrown)) slab = [];
    }
    if (generation !== this.#generation) return;
    for (let c = from; c <= to; c++) {
      this.#waiting.delete(c);
      if (slab && (slab.length > 0 || !this.#chunks.has(c))) this.#chunks.set(c, { slab, base: from * size, total });
    }
    for (const c of this.#chunks.keys()) {
      if (this.#chunks.size <= keep) break;
      this.#chunks.delete(c);
    }
    this.#source.changed();
  }
}
