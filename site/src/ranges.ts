// A worker that scans parts of a file for the worker that owns the index: see pool.ts, which starts it, and the decoder's
// Range. It holds no log, only one part at a time.
import { Engine } from "./engine.ts";
import { cannotFetch, watchTraffic, type Traffic } from "./netwatch.ts";
import { Source } from "./source.ts";

/** Entries of events that lie in a row. */
export interface Piece {
  /** Where the first of them starts in the file, and the last ends. */
  from: number;
  to: number;
  packed: Uint8Array<ArrayBuffer>;
}
export type Found = Piece[];

export type RangeRequest =
  | { op: "ranges"; module: WebAssembly.Module; sealed: boolean }
  | { op: "range"; file: Blob; mark: Uint8Array; from: number; to: number };

export type RangeMessage =
  | { is: "idle" }
  | { is: "found"; found: Found }
  /** The program ended, or the worker can send although it must not. */
  | { is: "dead" }
  | ({ is: "network" } & Traffic);

export interface RangeScope extends EventTarget {
  postMessage(message: RangeMessage, transfer?: Transferable[]): void;
}

/** How far behind its end a range is read for its last event. */
const BEYOND = 1 << 20;
const HEAD = 24;

/** Gets ready to scan ranges. Returns what to do with the messages from then on. */
export function serveRanges(scope: RangeScope, module: WebAssembly.Module, probe: boolean): (request: RangeRequest) => void {
  let engine: Engine | undefined;
  const start = async (): Promise<void> => {
    const [started, sealed] = await Promise.all([Engine.start(module), probe ? cannotFetch(scope as unknown as Parameters<typeof cannotFetch>[0]) : true]);
    if (!sealed) throw new Error("not sealed");
    engine = started;
    watchTraffic(scope, (traffic) => scope.postMessage({ is: "network", ...traffic }));
    scope.postMessage({ is: "idle" });
  };
  const dead = (): void => scope.postMessage({ is: "dead" });
  start().catch(dead);
  return (request) => {
    if (request.op !== "range" || !engine) return;
    scanRange(engine, request)
      .then((found) => scope.postMessage({ is: "found", found }, found.map(({ packed }) => packed.buffer)))
      .catch(dead);
  };
}

async function scanRange(engine: Engine, { file, mark, from, to }: Extract<RangeRequest, { op: "range" }>): Promise<Found> {
  engine.call("rangeOpen", (go) => go.rangeOpen(mark, from, to));
  const source = new Source(file.slice(from, Math.min(to + BEYOND, file.size)));
  const found: Found = [];
  try {
    for (let chunk = await source.read(); chunk; ) {
      const bytes = chunk;
      const answer = engine.call("rangeFeed", (go) => go.rangeFeed(bytes));
      const head = new DataView(answer.buffer);
      if (answer.length > HEAD) found.push({ from: head.getFloat64(0, true), to: head.getFloat64(8, true), packed: answer.subarray(HEAD) });
      if (head.getFloat64(16, true) !== 0) break;
      chunk = await source.read();
    }
  } finally {
    source.end();
  }
  return found;
}
