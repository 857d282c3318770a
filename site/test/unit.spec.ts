// What needs no browser: page bytes, the anchor, hex lines, fields, chunks, the JSON layout.
import { expect, test } from "@playwright/test";
import { Anchor } from "../src/anchor.ts";
import { Chunks } from "../src/chunks.ts";
import { changeOf, fieldAt, foldedAtFirst, rowOfPath, subtreeEnd, visibleNodes } from "../src/fields.ts";
import { columnSize, count, dateTime, duration, percent, shortSize } from "../src/format.ts";
import { byteAtColumn, hexChars, hexColumn, lineRuns, rangeAt, widthFor } from "../src/hexlines.ts";
import { breakLines, pretty } from "../src/pretty.ts";
import { BinlensError, Page, type Cell, type FieldNode, type Row, type RowPage } from "../src/protocol.ts";
import { findRow } from "../src/seek.ts";

/** A page as the worker lays it out: every column at the next multiple of 8. */
function pageBytes(rows: readonly { offset: number; text: string }[]): Uint8Array {
  const n = rows.length;
  const texts = rows.map((row) => new TextEncoder().encode(row.text));
  const starts: number[] = [];
  let at = 8;
  for (const width of [8, 8, 4, 4, 4, 1, 1, 1, 1, 4]) {
    starts.push(at);
    at = Math.ceil((at + width * (width === 4 && starts.length === 10 ? n + 1 : n)) / 8) * 8;
  }
  const bytes = new Uint8Array(at + texts.reduce((sum, text) => sum + text.length, 0));
  const view = new DataView(bytes.buffer);
  const column = (k: number): number => starts[k] ?? 0;
  view.setUint32(0, n, true);
  let end = 0;
  rows.forEach((row, i) => {
    view.setFloat64(column(0) + 8 * i, row.offset, true);
    view.setFloat64(column(1) + 8 * i, 1000 + i, true);
    view.setUint32(column(2) + 4 * i, 31, true);
    view.setUint32(column(3) + 4 * i, 1_700_000_000, true);
    view.setInt32(column(4) + 4 * i, -1, true);
    bytes[column(5) + i] = 16;
    bytes[column(6) + i] = i % 4;
    bytes[column(7) + i] = 1;
    bytes[column(8) + i] = 5;
    view.setUint32(column(9) + 4 * i, end, true);
    bytes.set(texts[i] ?? [], at + end);
    end += texts[i]?.length ?? 0;
  });
  view.setUint32(column(9) + 4 * n, end, true);
  return bytes;
}

test.describe("page bytes", () => {
  for (const n of [0, 1, 2, 3, 7, 8, 9, 100]) {
    test(`${n} rows`, () => {
      const rows = Array.from({ length: n }, (_, i) => ({ offset: 2 ** 40 + 31 * i, text: `täble ${"x".repeat(i % 5)}🐬` }));
      const page = new Page(pageBytes(rows));
      expect(page.length).toBe(n);
      rows.forEach((row, i) => {
        expect(page.at(i)).toEqual({
          ordinal: 1000 + i,
          offset: row.offset,
          size: 31,
          timestamp: 1_700_000_000,
          rows: -1,
          code: 16,
          kind: ["event", "gap", "padding", "truncated"][i % 4],
          class: 1,
          flags: 5,
          text: row.text,
        });
      });
      expect(page.at(n)).toBeUndefined();
      expect(page.at(-1)).toBeUndefined();
    });
  }

  test("bytes that do not begin at a multiple of 8", () => {
    const bytes = pageBytes([{ offset: 4, text: "a" }]);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(new Page(shifted.subarray(3)).at(0)?.text).toBe("a");
  });

  test("fewer bytes than rows", () => {
    const bytes = pageBytes([{ offset: 4, text: "abc" }, { offset: 8, text: "def" }]);
    for (const length of [0, 7, 8, 40, bytes.length - 1]) {
      expect(() => new Page(bytes.slice(0, length)), `${length} bytes`).toThrow(BinlensError);
    }
  });
});

test.describe("anchor", () => {
  const make = (total: number): Anchor => {
    const anchor = new Anchor(24);
    anchor.total = total;
    anchor.height = 500;
    return anchor;
  };

  test("a row in view stays there when the room gets smaller, one that is not is left alone", () => {
    const anchor = make(1000);
    anchor.show(999);
    anchor.resize(300, 999);
    expect([anchor.end, anchor.top]).toEqual([1000, 1000 * 24 - 300]);
    anchor.resize(500, 999);
    expect(anchor.top).toBe(1000 * 24 - 500);
    anchor.to(0);
    anchor.resize(300, 999);
    expect(anchor.top).toBe(0);
    anchor.resize(500, -1);
    expect(anchor.top).toBe(0);
    const unmeasured = make(1000);
    unmeasured.height = 0;
    unmeasured.show(500);
    unmeasured.resize(480, 500);
    expect(unmeasured.row).toBeLessThanOrEqual(500);
    expect(unmeasured.end).toBeGreaterThan(500);
  });

  test("is exact to the pixel at ten million rows", () => {
    const anchor = make(10_000_000);
    anchor.to(anchor.maxTop);
    expect(anchor.end).toBe(10_000_000);
    expect(anchor.top).toBe(10_000_000 * 24 - 500);
    for (let i = 0; i < 1000; i++) anchor.by(-7);
    expect(anchor.top).toBe(10_000_000 * 24 - 500 - 7000);
    expect([anchor.row, anchor.px]).toEqual([9_999_687, 12]);
  });

  const cases: [string, number, (anchor: Anchor) => void, [row: number, px: number]][] = [
    ["stops at the beginning", 100, (a) => a.by(-50), [0, 0]],
    ["stops at the end", 100, (a) => a.by(1e9), [79, 4]],
    ["does not move when all rows fit", 5, (a) => a.by(100), [0, 0]],
    ["reveals a row below by as little as needed", 100, (a) => a.reveal(30), [10, 4]],
    ["does not move for a row that shows", 100, (a) => a.reveal(5), [0, 0]],
    ["puts a row that is far off in the middle", 1000, (a) => a.show(500), [490, 2]],
    ["steps to the next row", 100, (a) => { a.reveal(30); a.show(31); }, [11, 4]],
  ];
  for (const [name, total, act, [row, px]] of cases) {
    test(name, () => {
      const anchor = make(total);
      act(anchor);
      expect([anchor.row, anchor.px]).toEqual([row, px]);
    });
  }
});

test.describe("hex lines", () => {
  for (const width of [8, 16, 32]) {
    test(`columns of ${width} bytes`, () => {
      for (let i = 0; i < width; i++) {
        expect(byteAtColumn(hexColumn(i), width)).toBe(i);
        expect(byteAtColumn(hexColumn(i) + 1, width)).toBe(i);
      }
      const runs = lineRuns(width, (i) => i, () => 0);
      expect(runs).toHaveLength(1);
      expect(runs[0]?.hex).toHaveLength(hexChars(width) - 1);
      expect(runs[0]?.ascii).toHaveLength(width);
    });
  }

  test("runs of alike bytes are one", () => {
    const runs = lineRuns(8, (i) => (i < 6 ? 0x41 + i : undefined), (i) => (i < 2 ? 1 : 2));
    expect(runs).toEqual([
      { mark: 1, hex: "41 42", ascii: "AB" },
      { mark: 0, hex: " ", ascii: "" },
      { mark: 2, hex: "43 44 45 46", ascii: "CDEF" },
      { mark: 0, hex: " ", ascii: "" },
      { mark: 0, hex: "     ", ascii: "  " },
    ]);
  });

  test("the width follows the room", () => {
    expect([200, 145, 100, 79, 40].map((room) => widthFor(room, 10))).toEqual([32, 32, 16, 16, 8]);
  });

  test("a byte finds its range", () => {
    const ranges = [[0, 4], [4, 5], [9, 12]] as const;
    expect([0, 3, 4, 5, 8, 9, 11, 12].map((at) => rangeAt(ranges, at))).toEqual([0, 0, 1, -1, -1, 2, 2, -1]);
  });
});

test.describe("fields", () => {
  const node = (path: string, depth: number, start: number, end: number): FieldNode => ({ path, name: path, depth, start, end, value: "" });
  const nodes = [
    node("header", 0, 0, 19),
    node("header.timestamp", 1, 0, 4),
    node("body", 0, 19, 80),
    node("list", 1, 20, 60),
    ...Array.from({ length: 30 }, (_, i) => node(`list[${i}]`, 2, 20 + i, 21 + i)),
    node("checksum", 0, 80, 84),
  ];

  test("the deepest field of a byte", () => {
    expect([0, 10, 19, 20, 49, 55, 83].map((byte) => fieldAt(nodes, byte)?.path)).toEqual([
      "header.timestamp", "header", "body", "list[0]", "list[29]", "list", "checksum",
    ]);
    expect(fieldAt(nodes, 84)).toBeUndefined();
  });

  test("long lists are folded at first", () => {
    const folded = foldedAtFirst(nodes);
    expect([...folded]).toEqual(["list"]);
    expect(visibleNodes(nodes, folded).map((i) => nodes[i]?.path)).toEqual(["header", "header.timestamp", "body", "list", "checksum"]);
    expect(visibleNodes(nodes, new Set())).toHaveLength(nodes.length);
    expect(subtreeEnd(nodes, 2)).toBe(34);
  });

  test("the row of a path", () => {
    expect(["rows[12].after.a", "rows[0]", "rows", "header", "x.rows[1]"].map(rowOfPath)).toEqual([12, 0, -1, -1, -1]);
  });

  const cell = (value: string, kind: Cell["kind"] = "text"): Cell => ({ path: "", start: 0, end: 1, value, kind });
  const changes: [Row["before"], Row["after"], string][] = [
    [[cell("a")], [cell("a")], "same"],
    [[cell("a")], [cell("b")], "changed"],
    [[cell("", "null")], [cell("", "text")], "changed"],
    [[cell("", "null")], [cell("", "null")], "same"],
    [[null], [cell("b")], "set"],
    [[cell("a")], [null], "same"],
    [undefined, [cell("b")], "same"],
    [[cell("a")], undefined, "same"],
  ];
  test("what changed", () => {
    for (const [before, after, want] of changes) {
      const row: Row = { index: 0, start: 0, end: 1, ...(before ? { before } : {}), ...(after ? { after } : {}) };
      expect(changeOf(row, 0), JSON.stringify([before, after])).toBe(want);
    }
  });
});

test("a row is found by its byte in few probes", async () => {
  // 100,000 rows of 10 to 1,000 bytes: the first half short, the second long.
  const ends: number[] = [];
  let at = 40;
  for (let i = 0; i < 100_000; i++) ends.push((at += i < 50_000 ? 10 + (i % 3) : 900 + (i % 100)));
  const row = (index: number): Row => ({ index, start: ends[index - 1] ?? 40, end: ends[index] ?? 0 });
  let probes = 0;
  const fetch = async (from: number, n: number): Promise<RowPage> => {
    probes++;
    return { from, total: ends.length, rows: Array.from({ length: n }, (_, i) => row(from + i)) };
  };
  const none = new Chunks<Row>({ size: 50, keep: 1, fetch: async () => [], changed: () => undefined, failed: () => false });
  for (const index of [0, 1, 7, 49_999, 50_000, 77_777, 99_999]) {
    probes = 0;
    const found = await findRow(row(index).start, { start: 40, end: at }, ends.length, none, fetch);
    expect(found?.index).toBe(index);
    expect(probes).toBeLessThanOrEqual(20);
  }
  expect(await findRow(at, { start: 40, end: at }, ends.length, none, fetch)).toBeUndefined();
});

test.describe("chunks", () => {
  function make(): { chunks: Chunks<number>; asked: [number, number][]; settle(): Promise<void>; length: { now: number } } {
    const asked: [number, number][] = [];
    const length = { now: 1000 };
    const chunks = new Chunks<number>({
      size: 10,
      keep: 4,
      fetch: async (from, n) => {
        asked.push([from, n]);
        return Array.from({ length: Math.max(0, Math.min(n, length.now - from)) }, (_, i) => from + i);
      },
      changed: () => undefined,
      failed: () => false,
    });
    return { chunks, asked, settle: () => new Promise((resolve) => setTimeout(resolve)), length };
  }

  test("asks for what is lacking, once", async () => {
    const { chunks, asked, settle } = make();
    chunks.want(12, 25, 1000);
    chunks.want(15, 27, 1000);
    await settle();
    expect(asked).toEqual([[10, 20]]);
    expect([chunks.at(10), chunks.at(29), chunks.at(30)]).toEqual([10, 29, undefined]);
    chunks.want(25, 35, 1000);
    await settle();
    expect(asked).toEqual([[10, 20], [30, 10]]);
  });

  test("asks again for an end that has grown", async () => {
    const { chunks, asked, settle, length } = make();
    length.now = 13;
    chunks.want(0, 20, 13);
    await settle();
    chunks.want(0, 20, 13);
    await settle();
    expect(asked).toEqual([[0, 13]]);
    length.now = 17;
    chunks.want(0, 20, 17);
    await settle();
    expect(asked.slice(1)).toEqual([[10, 7]]);
    expect(chunks.at(16)).toBe(16);
  });

  test("drops what was used longest ago", async () => {
    const { chunks, settle } = make();
    for (const first of [0, 10, 20, 30, 0, 40]) {
      chunks.want(first, first, 1000);
      await settle();
    }
    expect([0, 10, 20, 30, 40].map((i) => chunks.at(i))).toEqual([0, undefined, 20, 30, 40]);
  });

  test("forgets answers that come after clear()", async () => {
    const { chunks, settle } = make();
    chunks.want(0, 5, 1000);
    chunks.clear();
    await settle();
    expect(chunks.at(0)).toBeUndefined();
  });
});

test.describe("json", () => {
  test("is indented without a change to any value", () => {
    const json = '{"a":12.0,"b":[],"c":{},"d":[1e21,"x,{\\"y\\":1}"],"e":{"f":null}}';
    const text = pretty(json);
    expect(text).toBe(
      '{\n  "a": 12.0,\n  "b": [],\n  "c": {},\n  "d": [\n    1e21,\n    "x,{\\"y\\":1}"\n  ],\n  "e": {\n    "f": null\n  }\n}',
    );
    expect(JSON.parse(text)).toEqual(JSON.parse(json));
  });

  test("is broken at newlines and at the margin", () => {
    const text = "abc\nabcdefgh\n包丁包丁\n🎸🎸🎸";
    const starts = breakLines(text, 5);
    const lines = Array.from({ length: starts.length - 1 }, (_, i) => text.slice(starts[i], starts[i + 1]));
    expect(lines.join("")).toBe(text);
    expect(lines.map((line) => line.trim())).toEqual(["abc", "abcde", "fgh", "包丁", "包丁", "🎸", "🎸", "🎸"]);
  });
});

test("numbers, sizes and times", () => {
  expect(count(10_234_411)).toBe("10,234,411");
  expect([0, 1, 999, 1000, 9_990, 99_949, 999_499, 1_073_741_824].map(shortSize)).toEqual([
    "0 bytes", "1 byte", "999 bytes", "1.00 kB", "9.99 kB", "99.9 kB", "999 kB", "1.07 GB",
  ]);
  expect([9_999_999, 10_000_000].map(columnSize)).toEqual(["9,999,999", "10.0 MB"]);
  expect([0, 1_700_000_000].map((seconds) => dateTime(seconds))).toEqual(["no time", "2023-11-14 22:13:20 UTC"]);
  expect([140.4, 1_900].map(duration)).toEqual(["140 ms", "1.9 s"]);
  expect([percent(0, 0), percent(1, 3), percent(3, 3)]).toEqual(["0 %", "33 %", "99 %"]);
});
