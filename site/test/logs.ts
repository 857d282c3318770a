// Logs for the tests, made from the sample log that the page ships: repeated, cut, damaged.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, gzipSync } from "node:zlib";

export const SAMPLE = new URL("../../testdata/sample/sample.binlog", import.meta.url).pathname;

const MAGIC = Buffer.from([0xfe, 0x62, 0x69, 0x6e]);
const HEADER = 19;

/** The codes of event types that the tests look for; rows as MariaDB writes them. */
export const TYPE = {
  query: 2,
  stop: 3,
  rotate: 4,
  formatDescription: 15,
  xid: 16,
  writeRows: 23,
  updateRows: 24,
  deleteRows: 25,
  annotateRows: 160,
  mariadbGtid: 162,
} as const;

export interface RawEvent {
  offset: number;
  size: number;
  type: number;
}

/** A folder that is gone when the process ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "binlens-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The events of a log, by their headers alone. */
export function eventsOf(log: Buffer): RawEvent[] {
  const events: RawEvent[] = [];
  for (let offset = MAGIC.length; offset + HEADER <= log.length; ) {
    const size = log.readUInt32LE(offset + 9);
    events.push({ offset, size, type: log.readUInt8(offset + 4) });
    offset += size;
  }
  return events;
}

export function sample(): Buffer {
  return readFileSync(SAMPLE);
}

/** Place in the sample's list of the nth event of a type. */
export function ordinalOf(type: number, nth = 0): number {
  const ordinals = eventsOf(sample()).flatMap((event, ordinal) => (event.type === type ? [ordinal] : []));
  const ordinal = ordinals[nth];
  if (ordinal === undefined) throw new Error(`the sample has no ${nth}th event of type ${type}`);
  return ordinal;
}

const NOT_AGAIN: ReadonlySet<number> = new Set([TYPE.formatDescription, TYPE.rotate, TYPE.stop]);

/** Writes next_position and the CRC32 of one event that ends at `end` of its file. */
function settle(event: Buffer, end: number): void {
  event.writeUInt32LE(end % 2 ** 32, 13);
  event.writeUInt32LE(crc32(event.subarray(0, event.length - 4)), event.length - 4);
}

/** The sample's events again and again, with right positions and checksums, until the log has `bytes`. Returns how many there are. */
export function writeLongLog(path: string, bytes: number): number {
  const log = sample();
  const events = eventsOf(log);
  const [first] = events;
  if (!first || first.type !== TYPE.formatDescription) throw new Error("the sample does not begin with its format description");
  const again = events.filter(({ type }) => !NOT_AGAIN.has(type));
  const file = openSync(path, "w");
  writeSync(file, log, 0, first.offset + first.size);
  let at = first.offset + first.size;
  let count = 1;
  while (at < bytes) {
    const parts: Buffer[] = [];
    for (const { offset, size } of again) {
      const event = Buffer.from(log.subarray(offset, offset + size));
      at += size;
      settle(event, at);
      parts.push(event);
      count++;
    }
    writeSync(file, Buffer.concat(parts));
  }
  closeSync(file);
  return count;
}

/** A format description without checksums and then `events` XID events of 27 bytes: the shortest way to a long list. */
export function writeManyEvents(path: string, events: number): void {
  const log = sample();
  const first = eventsOf(log)[0];
  if (!first) throw new Error("the sample is empty");
  const end = first.offset + first.size;
  const head = Buffer.from(log.subarray(0, end));
  head.writeUInt8(0, end - 5); // checksum algorithm: none
  settle(head.subarray(first.offset), end);
  const file = openSync(path, "w");
  writeSync(file, head);
  const size = HEADER + 8;
  const block = Buffer.alloc(size * 50_000);
  let at = end;
  for (let written = 0; written < events; ) {
    const n = Math.min(50_000, events - written);
    for (let i = 0; i < n; i++, written++) {
      const o = i * size;
      at += size;
      block.writeUInt32LE(1_767_690_000 + Math.floor(written / 1000), o);
      block.writeUInt8(TYPE.xid, o + 4);
      block.writeUInt32LE(1, o + 5);
      block.writeUInt32LE(size, o + 9);
      block.writeUInt32LE(at % 2 ** 32, o + 13);
      block.writeUInt16LE(0, o + 17);
      block.writeUInt32LE(written + 1, o + HEADER);
      block.writeUInt32LE(0, o + HEADER + 4);
    }
    writeSync(file, block, 0, n * size);
  }
  closeSync(file);
}

/**
 * The format description, a table map and one WRITE_ROWS event of 2 × `twice` rows: those of the sample's seventh
 * insert, which has two rows of six columns, again and again.
 */
export function writeManyRows(path: string, twice: number): void {
  const log = sample();
  const events = eventsOf(log);
  const insert = ordinalOf(TYPE.writeRows, 6);
  const [first, map, rows] = [events[0], events[insert - 1], events[insert]];
  if (!first || !map || !rows) throw new Error("the sample has no such insert");
  const start = HEADER + 8 + 1 + 1; // table id and flags, the number of columns, their bitmap
  const images = log.subarray(rows.offset + start, rows.offset + rows.size - 4);
  const large = Buffer.concat([
    log.subarray(rows.offset, rows.offset + start),
    ...Array.from({ length: twice }, () => images),
    Buffer.alloc(4),
  ]);
  large.writeUInt32LE(large.length, 9);
  const head = Buffer.from(log.subarray(0, first.offset + first.size));
  const table = Buffer.from(log.subarray(map.offset, map.offset + map.size));
  settle(table, head.length + table.length);
  settle(large, head.length + table.length + large.length);
  writeFileSync(path, Buffer.concat([head, table, large]));
}

/** Like writeManyRows, with an event of at least so many bytes. Returns how many rows it has, and its size. */
export function writeLargeRows(path: string, bytes: number): { rows: number; size: number } {
  writeManyRows(path, 1);
  const one = eventsOf(readFileSync(path))[2]?.size ?? 0;
  writeManyRows(path, 2);
  const two = eventsOf(readFileSync(path))[2]?.size ?? 0;
  const twice = Math.ceil(bytes / (two - one));
  writeManyRows(path, twice);
  return { rows: 2 * twice, size: one + (two - one) * (twice - 1) };
}

/** The sample, cut in the middle of its last event but `back`. Returns the offset and the bytes of what is left of it. */
export function writeTruncated(path: string, back: number): RawEvent {
  const log = sample();
  const event = eventsOf(log).at(-1 - back);
  if (!event) throw new Error("the sample has no such event");
  const left = Math.max(HEADER + 1, event.size >> 1);
  writeFileSync(path, log.subarray(0, event.offset + left));
  return { ...event, size: left };
}

/** The sample with the header of its middle event overwritten. Returns that event. */
export function writeDamaged(path: string): RawEvent {
  const log = sample();
  const events = eventsOf(log);
  const event = events[events.length >> 1];
  if (!event) throw new Error("the sample is empty");
  log.fill(0xa5, event.offset, event.offset + HEADER);
  writeFileSync(path, log);
  return event;
}

/** The sample with one byte of the body of its middle event flipped: the header holds, the checksum does not. */
export function writeWrongChecksum(path: string): RawEvent {
  const log = sample();
  const events = eventsOf(log);
  const event = events[events.length >> 1];
  if (!event) throw new Error("the sample is empty");
  log.writeUInt8(log.readUInt8(event.offset + event.size - 6) ^ 1, event.offset + event.size - 6);
  writeFileSync(path, log);
  return event;
}

/** The sample with markup in the statement of its first ANNOTATE_ROWS event. Returns its place in the list and the markup. */
export function writeMarkup(path: string): { ordinal: number; text: string } {
  const log = sample();
  const events = eventsOf(log);
  const ascii = ({ offset, size }: RawEvent): boolean => log.subarray(offset + HEADER, offset + size - 4).every((byte) => byte < 128);
  const ordinal = events.findIndex((event) => event.type === TYPE.annotateRows && event.size > 120 && ascii(event));
  const event = events[ordinal];
  if (!event) throw new Error("the sample has no annotated statement that is long enough");
  const text = `<img src="x" onerror="document.title='run'"><b>bold</b>`;
  log.write(text, event.offset + HEADER, "latin1");
  settle(log.subarray(event.offset, event.offset + event.size), event.offset + event.size);
  writeFileSync(path, log);
  return { ordinal, text };
}

/** The sample's first event and an XID event that is too short, with a right checksum: only decoding it shows that. Returns its place. */
export function writeSilentFault(path: string): number {
  const log = sample();
  const first = eventsOf(log)[0];
  if (!first) throw new Error("the sample is empty");
  const end = first.offset + first.size;
  const short = Buffer.alloc(HEADER + 3 + 4);
  short.writeUInt32LE(log.readUInt32LE(first.offset), 0);
  short.writeUInt8(TYPE.xid, 4);
  short.writeUInt32LE(1, 5);
  short.writeUInt32LE(short.length, 9);
  // Between the two, more events than the first page of the list has: the last one is not shown until one goes there.
  const parts = [log.subarray(0, end)];
  let at = end;
  for (let i = 0; i < 600; i++) {
    const xid = Buffer.alloc(HEADER + 8 + 4);
    short.copy(xid, 0, 0, HEADER);
    xid.writeUInt32LE(xid.length, 9);
    at += xid.length;
    settle(xid, at);
    parts.push(xid);
  }
  settle(short, at + short.length);
  writeFileSync(path, Buffer.concat([...parts, short]));
  return parts.length;
}

/** Three logs as a server leaves them one after another, an hour apart; returned in the wrong order. */
export function writeManyLogs(folder: string): string[] {
  const log = sample();
  const first = eventsOf(log)[0];
  if (!first) throw new Error("the sample is empty");
  return [43, 41, 42].map((number) => {
    const copy = Buffer.from(log);
    copy.writeUInt32LE(copy.readUInt32LE(first.offset) + 3600 * (number - 40), first.offset);
    copy.writeUInt32LE(crc32(copy.subarray(first.offset, first.offset + first.size - 4)), first.offset + first.size - 4);
    const path = join(folder, `mysql-bin.0000${number}`);
    writeFileSync(path, copy);
    return path;
  });
}

/** Files that are no binary logs, each with a word that the page must say about it. */
export const NO_LOGS: readonly { name: string; bytes: Buffer; says: RegExp }[] = [
  { name: "picture.png", bytes: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), says: /png/i },
  { name: "archive.gz", bytes: gzipSync(sample()), says: /gzip/i },
  { name: "notes.txt", bytes: Buffer.from("Dear diary, today the replica stopped again.\n"), says: /text/i },
  { name: "nothing", bytes: Buffer.alloc(0), says: /empty/i },
];
