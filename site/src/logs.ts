// The list of logs at hand: their order, and what tells them apart without their names.
import { isRemote, type LogFile } from "./remote.ts";
import { START, type Log } from "./state.ts";

/** Bytes at the head of a file that its mark is made of: the format description, and mostly what follows it. */
const HEAD = 512;
const MAGIC = 0x6e6962fe;

let lastId = 0;

/** Looks at the head of a log; one that cannot be read has no mark. */
export async function newLog(file: LogFile): Promise<Log> {
  const log = { id: ++lastId, file, src: "", mark: "", time: 0, position: 0, place: START };
  let head: Uint8Array;
  try {
    head = isRemote(file) ? file.head.subarray(0, HEAD) : new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  } catch {
    return log; // opening it will say why
  }
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const event = head.byteLength >= 23 && view.getUint32(0, true) === MAGIC;
  return {
    ...log,
    mark: fnv1a(head).toString(16),
    time: event ? view.getUint32(4, true) : 0,
    position: event ? view.getUint32(17, true) : 0,
  };
}

/** Logs with others added, in the order of their first events; a file that is there already stays where it was left. */
export function withLogs(logs: readonly Log[], more: readonly Log[]): Log[] {
  const all = [...logs];
  for (const log of more) if (!find(all, log)) all.push(log);
  return all.sort((a, b) => a.time - b.time || a.position - b.position || byName.compare(a.file.name, b.file.name));
}

/** The entry for the same file, if it is there. */
export function find(logs: readonly Log[], { file, mark, src }: Log): Log | undefined {
  return logs.find((other) => other.mark === mark && other.file.size === file.size && other.file.name === file.name && other.src === src);
}

const byName = new Intl.Collator("en", { numeric: true });

/** The 32-bit FNV-1a hash. */
function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
