// What needs no browser, of the page around the events: addresses, the list of logs, search, guesses, differences.
import { quoteValue, spanOfText, spanTerm, withoutSpan } from "../src/filtertext.ts";
import { expect, test } from "@playwright/test";
import { indexOfBytes, needleOf, offsetOf, search } from "../src/find.ts";
import { timeLeft } from "../src/format.ts";
import { guessOf } from "../src/guess.ts";
import { readFields, readLink, writeFields, writeLink } from "../src/hash.ts";
import { diffLines } from "../src/linediff.ts";
import { newLog, withLogs } from "../src/logs.ts";
import { readPlace } from "../src/place.ts";
import type { Cell, Column } from "../src/protocol.ts";
import { objection, type RemoteLog } from "../src/remote.ts";

test.describe("addresses", () => {
  test("a place there and back", () => {
    const link = { mark: "9f3a21c4", place: { view: "problems", ordinal: 10_234_411, path: "rows[0].after.na&me=%é", filter: "row:a=1" } } as const;
    expect(writeLink(link)).toMatch(/^#1&log=9f3a21c4&at=10234411&path=rows\[0\]\.after\.na%26me%3D%25%C3%A9&view=problems&filter=row:a%3D1$/);
    expect(readLink(writeLink(link))).toEqual(link);
  });
  test("what is at its default is left out", () => {
    expect(writeLink({ mark: "a", place: { view: "events", ordinal: 0, path: "", filter: "" } })).toBe("#1&log=a&at=0");
    expect(writeLink({ mark: "a", place: { view: "events", ordinal: -1, path: "x", filter: "" } })).toBe("#1&log=a");
  });
  test("fields to come pass through the codec", () => {
    const fields = [["q", "type:update time:14:02..14:05"], ["from", "1767690000"]] as const;
    expect([...readFields(writeFields(fields))]).toEqual(fields);
  });
  for (const [hash, what] of [
    ["", "nothing"],
    ["#", "nothing behind the sign"],
    ["#2&log=a&at=1", "another version"],
    ["#1", "no log"],
    ["#1&log=../etc&at=1", "a mark that is none"],
    ["#section", "an anchor"],
    [`#1&log=a&path=${"x".repeat(5000)}`, "too long"],
  ] as const) {
    test(`garbage: ${what}`, () => expect(readLink(hash)).toBeNull());
  }
  test("garbage in single fields is left out, the rest holds", () => {
    const place = { view: "events", ordinal: 7, path: "", filter: "" };
    expect(readLink("#1&log=a&at=7&view=nonsense&path=%E0%A4&=x&y&at2=9")).toEqual({ mark: "a", place });
    expect(readLink("#1&log=a&at=-7&path=x")).toEqual({ mark: "a", place: { view: "events", ordinal: -1, path: "", filter: "" } });
  });
});

test.describe("places in a log", () => {
  for (const [text, place] of [
    ["", { ordinal: -1, path: "" }],
    ["12", { ordinal: 12, path: "" }],
    [" #12 ", { ordinal: 12, path: "" }],
    ["@1288", { ordinal: -1, offset: 1288, path: "" }],
    ["12:rows[0].after.a:b", { ordinal: 12, path: "rows[0].after.a:b" }],
    ["@1288:table_id", { ordinal: -1, offset: 1288, path: "table_id" }],
    ["server_version", { ordinal: 0, path: "server_version" }],
    ["12x", { ordinal: 0, path: "12x" }],
  ] as const) {
    test(text || "none", () => expect(readPlace(text)).toEqual({ view: "events", filter: "", ...place }));
  }
  test("an address with the log's own in it", () => {
    const link = { mark: "", src: "https://a.example/x y?z=1&at=2#3", place: { view: "events", ordinal: 4, path: "", filter: "" } } as const;
    expect(readLink(writeLink(link))).toEqual(link);
    expect(readLink("#1&log=../etc&src=/logs/x")).toMatchObject({ mark: "", src: "/logs/x" });
  });
});

test.describe("answers of the server of a log", () => {
  const log: RemoteLog = { remote: true, name: "x", size: 100, url: "https://a.example/x", head: new Uint8Array(), etag: '"1"', modified: "then" };
  for (const [status, headers, why] of [
    [206, {}, ""],
    [206, { etag: '"1"', "last-modified": "then", "content-range": "bytes 10-19/100" }, ""],
    [206, { etag: '"2"' }, "has changed"],
    [206, { "last-modified": "now" }, "has changed"],
    [206, { "content-range": "bytes 10-19/101" }, "has changed"],
    [206, { "content-range": "bytes 0-9/100" }, "did not answer with the part"],
    [200, { etag: '"1"' }, "did not answer with the part"],
    [200, { etag: '"2"' }, "has changed"],
    [416, {}, "has changed"],
    [401, {}, "a.example wants a login first (answered 401)"],
    [404, {}, "a.example has no such file (answered 404)"],
    [502, {}, "a.example failed (answered 502)"],
  ] as const) {
    test(`${status} ${JSON.stringify(headers)}: ${why || "taken"}`, () => {
      const said = objection(log, 10, status, new Headers(headers));
      if (why === "") expect(said).toBe("");
      else expect(said).toContain(why);
    });
  }
});

test.describe("the list of logs", () => {
  const log = (name: string, time: number, position: number): File => {
    const head = Buffer.alloc(120, name);
    head.writeUInt32LE(0x6e6962fe, 0);
    head.writeUInt32LE(time, 4);
    head.writeUInt32LE(position, 17);
    return new File([head], name);
  };
  test("by time, then position, then name; the same file once", async () => {
    const files = [log("b.10", 200, 4), log("b.9", 200, 4), log("relay", 200, 2), log("first", 100, 900)];
    const logs = await Promise.all(files.map(newLog));
    expect(withLogs([], logs).map(({ file }) => file.name)).toEqual(["first", "relay", "b.9", "b.10"]);
    const again = withLogs(logs, await Promise.all([newLog(log("b.9", 200, 4))]));
    expect(again.map(({ id }) => id).sort()).toEqual(logs.map(({ id }) => id).sort());
  });
  test("the mark is of the bytes, not of the name", async () => {
    const [a, b] = [new File(["same"], "a"), new File(["same"], "b")];
    expect((await newLog(a)).mark).toBe((await newLog(b)).mark);
    expect((await newLog(a)).mark).not.toBe((await newLog(new File(["other"], "a"))).mark);
    expect(await newLog(new File([], "empty"))).toMatchObject({ time: 0, position: 0 });
  });
});

test.describe("search", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  test("a question is bytes or text", () => {
    const all = ["fa ce", "0xface", "0xfa ce", "face", '"fa ce"', "ü", "0xf", "fa"].map((question) => {
      const needle = needleOf(question)!;
      return `${needle.as} ${Buffer.from(needle.bytes).toString("hex")}`;
    });
    expect(all).toEqual(["bytes face", "bytes face", "bytes face", "text 66616365", "text 6661206365", "text c3bc", "text 307866", "text 6661"]);
    expect(needleOf("")).toBeUndefined();
  });
  test("an offset is decimal, hex, or behind the start", () => {
    expect(["1234", "1,234", "0x4d2", " +12 ", "+0xc"].map((text) => offsetOf(text, 100))).toEqual([1234, 1234, 1234, 112, 112]);
    expect(["", "-1", "0x", "12a", "1.5", "0xfffffffffffffff"].map((text) => offsetOf(text, 0))).toEqual(Array(6).fill(undefined));
  });
  test("bytes in bytes", () => {
    expect(indexOfBytes(bytes("aabaac"), bytes("aac"))).toBe(3);
    expect(indexOfBytes(bytes("aab"), bytes("aac"))).toBe(-1);
    expect(indexOfBytes(bytes("a"), bytes("aa"))).toBe(-1);
  });
  const field = (hay: string, step: number, stopAfter = Infinity) => {
    let reads = 0;
    return {
      size: hay.length,
      step,
      read: async (from: number, n: number) => (reads++, bytes(hay).subarray(from, from + n)),
      stopped: () => reads >= stopAfter,
      progress: () => undefined,
    };
  };
  for (const step of [1, 2, 3, 7, 100]) {
    test(`across reads of ${step}, and around the end`, async () => {
      const hay = "xxneedlexxxxneedlexx";
      expect(await search(field(hay, step), bytes("needle"), 0)).toBe(2);
      expect(await search(field(hay, step), bytes("needle"), 3)).toBe(12);
      expect(await search(field(hay, step), bytes("needle"), 13)).toBe(2);
      expect(await search(field(hay, step), bytes("nadel"), 5)).toBe(-1);
      expect(await search(field("xneedle", step), bytes("needle"), 2)).toBe(1); // over the place that it began at
    });
  }
  test("stops when it is told to", async () => {
    expect(await search(field("x".repeat(100) + "needle", 10, 3), bytes("needle"), 0)).toBe(-1);
  });
});

test.describe("guesses", () => {
  const guess = (value: string, kind: Cell["kind"] = "hex", name = "c"): string | undefined => {
    const column: Column = { name, type: "" };
    const it = guessOf({ path: "", start: 0, end: 0, value, kind }, column);
    return it && `${it.label} ${it.text}`;
  };
  for (const [value, want] of [
    ["6ccd780cbaba102695645b8c656024db", "UUID? 6ccd780c-baba-1026-9564-5b8c656024db"],
    ["001122334455067788990a0b0c0d0e0f", undefined],
    ["3e11fa4771ca11e19e33c80aa9429562", "UUID? 3e11fa47-71ca-11e1-9e33-c80aa9429562"],
    ["11e171ca3e11fa479e33c80aa9429562", "UUID, time swapped? 3e11fa47-71ca-11e1-9e33-c80aa9429562"],
    ["c0a80001", "IPv4? 192.168.0.1"],
    ["20010db8000000000000000000000001", "IPv6? 2001:db8::1"],
    ["fe80000000000000020c29fffe000001", "IPv6? fe80::20c:29ff:fe00:1"],
    ["00000000000000000000ffffc0a80001", "IPv4 in IPv6? ::ffff:192.168.0.1"],
    ["00", undefined],
  ] as const) {
    test(`${value}`, () => expect(guess(value)).toBe(want));
  }
  test("numbers only where the column's name says so", () => {
    expect(guess("3232235521", "number", "client_ip")).toBe("IPv4? 192.168.0.1");
    expect(guess("3232235521", "number", "total")).toBeUndefined();
    expect(guess("80", "number", "ip")).toBeUndefined();
    expect(guess("3232235521", "number", "shipping")).toBeUndefined();
  });
});

test("differences line by line", () => {
  const diff = (a: string, b: string): string[] => diffLines(a, b).map(({ mark, text }) => mark + text);
  expect(diff("a\nb\nc", "a\nb\nc")).toEqual([" a", " b", " c"]);
  expect(diff("a\nb\nc", "a\nx\nc")).toEqual([" a", "-b", "+x", " c"]);
  expect(diff("a\nb\nc\nd\ne", "a\nc\nd\nf\ne")).toEqual([" a", "-b", " c", " d", "+f", " e"]);
  expect(diff("a", "a\na")).toEqual([" a", "+a"]);
});

test("the time that is left", () => {
  expect([0, 200, 40_400, 89_000, 150_000].map(timeLeft)).toEqual(["", "about 1 s left", "about 40 s left", "about 89 s left", "about 3 min left"]);
});

test.describe("the part of the log in a filter", () => {
  const at = (iso: string): number => Date.parse(`${iso}Z`) / 1000;
  for (const [text, from, to] of [
    ["time:2026-01-02", "2026-01-02T00:00:00", "2026-01-03T00:00:00"],
    ["type:update time:2026-01-02T03:04", "2026-01-02T03:04:00", "2026-01-02T03:05:00"],
    ["time:2026-01-02T03:04..03:10 problem", "2026-01-02T03:04:00", "2026-01-02T03:11:00"],
    ["time:2026-12-31T23:50..00:10", "2026-12-31T23:50:00", "2027-01-01T00:11:00"],
    ["TIME:2024-02-28..2024-02-29", "2024-02-28T00:00:00", "2024-03-01T00:00:00"],
    ["time:2026-01-02T03:04:05..2026-01-02T03:04:05", "2026-01-02T03:04:05", "2026-01-02T03:04:06"],
  ] as const) {
    test(text, () => expect(spanOfText(text)).toEqual({ axis: "time", from: at(from), to: at(to) }));
  }
  test("offsets, with both ends included", () => expect(spanOfText("offset:4..99")).toEqual({ axis: "offset", from: 4, to: 100 }));
  test("no part where an end is open, or the term is denied or quoted", () => {
    for (const text of ["", "time:2026-01-02..", "-time:2026-01-02", '"time:2026-01-02"', "size:4..99"]) expect(spanOfText(text)).toBeNull();
  });
  test("there and back", () => {
    for (const span of [{ axis: "time", from: 1_767_690_000, to: 1_767_690_060 }, { axis: "offset", from: 0, to: 5000 }] as const) {
      expect(spanOfText(`type:rows ${spanTerm(span)}`)).toEqual(span);
      expect(withoutSpan(`type:rows ${spanTerm(span)} problem`)).toBe("type:rows problem");
    }
  });
  test("a value in quotes", () => expect(quoteValue('a "b" \\')).toBe('"a \\"b\\" \\\\"'));
});
