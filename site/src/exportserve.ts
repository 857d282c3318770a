// The worker's part of an export: it runs when the page asks for the next part, in steps, so that other requests get
// through and nothing piles up that the page has not written yet.
import type { Engine } from "./engine.ts";
import { BinlensError } from "./protocol.ts";
import type { ExportChunk, ExportRequest, ExportResults } from "./exportdata.ts";

/** Milliseconds of Go at a stretch, and in all for one part. */
const BUDGET = 8;
const PART_TIME = 100;
/** Bytes of one part. An event is never divided: a large one makes a larger part. */
const PART = 256 << 10;
const HEAD = 24;

export class ExportServer {
  #run = 0;

  /** Answers at once what can be. */
  answer(go: Engine, ask: Exclude<ExportRequest, { op: "exportNext" }>): ExportResults[keyof ExportResults] {
    switch (ask.op) {
      case "exportOpen":
        this.#run = ask.run;
        return go.call("exportOpen", (b) => b.exportOpen(ask.spec));
      case "exportNotes":
        this.#check(ask.run);
        return go.call("exportNotes", (b) => b.exportNotes());
      case "schema":
        return go.call("schema", (b) => b.schema(ask.text));
    }
  }

  /** Goes on until there is a part, or until it has taken long. */
  async next(go: Engine, run: number, breathe: () => Promise<void>): Promise<ExportChunk> {
    const parts: Uint8Array[] = [];
    const until = performance.now() + PART_TIME;
    let size = 0;
    for (;;) {
      this.#check(run);
      const step = go.call("exportStep", (b) => b.exportStep(BUDGET, PART));
      const [done = 0, total = 0, more = 0] = new Float64Array(step.buffer, 0, HEAD / 8);
      parts.push(step.subarray(HEAD));
      size += step.length - HEAD;
      if (more === 0 || size >= PART || performance.now() >= until) return { data: joined(parts, size), done, total, more: more === 1 };
      await breathe();
    }
  }

  #check(run: number): void {
    if (run !== this.#run) throw new BinlensError({ kind: "superseded", message: "another export took its place" });
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
