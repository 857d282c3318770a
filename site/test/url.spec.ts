// Logs that are opened by their address: with ranges and without, from this site and from others, changed and refused.
import { basename } from "node:path";
import { crc32 } from "node:zlib";
import { test as base } from "@playwright/test";
import { Host } from "./host.ts";
import { TYPE, eventsOf, ordinalOf, sample } from "./logs.ts";
import { Viewer, expect, test as plain } from "./viewer.ts";

const events = eventsOf(sample()).length;

const test = base.extend<{ host: Host; viewer: Viewer; openLog: (url: string) => Promise<void> }>({
  host: async ({}, use) => {
    const host = await new Host().listen();
    await use(host);
    host.close();
  },
  viewer: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await use(new Viewer(page));
    expect(errors).toEqual([]);
  },
  openLog: async ({ viewer, page }, use) => {
    await use(async (url) => {
      await viewer.load("/open/");
      await page.getByRole("textbox", { name: "Address of a log" }).fill(url);
      await page.getByRole("button", { name: "Open", exact: true }).click();
    });
  },
});

test("by ranges: indexed to the end, an event in the middle, and the badge names the host", async ({ host, viewer, openLog, page }) => {
  host.files.set("/logs/shop%20bin.000007", { body: sample(), cors: true, etag: '"1"' });
  await openLog(`${host.url}/logs/shop%20bin.000007?x=1`);
  await viewer.reaches("done");
  await expect(page.locator("binlog-toolbar")).toContainText("shop bin.000007");
  await expect(viewer.status).toContainText(`Not sealed · reading from ${host.name}`);
  await expect(viewer.status).toContainText(`${events.toLocaleString("en")} events`);
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await expect(viewer.detail).toContainText("UPDATE_ROWS_EVENT");
  expect(host.asked[0]).toBe("GET /logs/shop%20bin.000007 bytes=0-");
  expect(host.asked.slice(1).every((ask) => /^GET .* bytes=\d+-\d+$/.test(ask))).toBe(true);
});

test("the address brings back the log and the place", async ({ host, viewer, openLog, page, context }) => {
  host.files.set("/a.binlog", { body: sample(), cors: true });
  await openLog(`${host.url}/a.binlog`);
  await viewer.reaches("done");
  const ordinal = ordinalOf(TYPE.writeRows);
  await viewer.goTo(ordinal);
  await expect.poll(() => page.url()).toContain(`&at=${ordinal}`);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.locator("binlog-detail")).toContainText(`#${ordinal.toLocaleString("en")} at `);
});

test("a server without ranges is read as a stream", async ({ host, viewer, openLog }) => {
  host.files.set("/a.binlog", { body: sample(), cors: true, ranges: false });
  await openLog(`${host.url}/a.binlog`);
  await viewer.reaches("done");
  await expect(viewer.status).toContainText(`reading from ${host.name}`);
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  expect(host.asked).toEqual(["GET /a.binlog bytes=0-"]);
});

test("a connection that breaks off is taken up where it broke", async ({ host, viewer, openLog }) => {
  host.files.set("/a.binlog", { body: sample(), cors: true, etag: '"1"', cut: 100_000 });
  await openLog(`${host.url}/a.binlog`);
  await viewer.reaches("done");
  await expect(viewer.status).toContainText(`${events.toLocaleString("en")} events`);
  expect(host.asked.filter((ask) => /bytes=[1-9]\d*-\d+$/.test(ask)).length).toBeGreaterThan(1);
});

for (const [name, file, says] of [
  ["404", { status: 404, cors: true }, /has no such file \(answered 404\)/],
  ["403", { status: 403, cors: true }, /does not permit it \(answered 403\)/],
  ["500", { status: 503, cors: true }, /failed \(answered 503\)/],
  ["CORS refused", { cors: false }, /is there, but does not let pages of http:\/\/127\.0\.0\.1:\d+ read it.*Access-Control-Allow-Origin.*CORS/],
] as const) {
  test(`what went wrong, in words: ${name}`, async ({ host, viewer, openLog, page }) => {
    host.files.set("/bin.000001", { body: sample(), ...file });
    await openLog(`${host.url}/bin.000001`);
    await viewer.reaches("refused");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("bin.000001 could not be opened");
    await expect(alert).toContainText(says);
    await expect(page.getByRole("textbox", { name: "Address of a log" })).toBeVisible();
  });
}

test("what went wrong, in words: nobody there, and what is no address", async ({ host, viewer, openLog, page }) => {
  host.close();
  await openLog(`${host.url}/bin.000001`);
  await viewer.reaches("refused");
  await expect(page.getByRole("alert")).toContainText(`${host.name} could not be reached`);
  await page.getByRole("textbox", { name: "Address of a log" }).fill("ftp://127.0.0.1/x");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("is no address of http or https");
});

test("no binary log at an address", async ({ host, viewer, openLog, page }) => {
  host.files.set("/notes.txt", { body: Buffer.from("Dear diary, today the replica stopped again.\n"), cors: true });
  await openLog(`${host.url}/notes.txt`);
  await viewer.reaches("refused");
  await expect(page.getByRole("alert")).toContainText("notes.txt is not a binary log");
});

/** The sample's first event and then the second again and again, made longer by `more` bytes: a log of `size` bytes that takes no room. */
function sparse(size: number, more = 0): { size: number; read(from: number, to: number): Buffer } {
  const log = sample();
  const [first, second] = eventsOf(log);
  if (!first || !second) throw new Error("the sample is empty");
  const head = log.subarray(0, second.offset);
  const event = Buffer.concat([log.subarray(second.offset, second.offset + second.size), Buffer.alloc(more)]);
  event.writeUInt32LE(event.length, 9);
  event.writeUInt32LE(crc32(event.subarray(0, -4)), event.length - 4);
  return {
    size: head.length + Math.floor((size - head.length) / event.length) * event.length,
    read(from, to) {
      const part = Buffer.alloc(to - from);
      for (let at = from; at < to; ) {
        const [source, offset] = at < head.length ? [head, at] : [event, (at - head.length) % event.length];
        at += source.copy(part, at - from, offset, offset + to - at);
      }
      return part;
    },
  };
}

test("a log of 1 GiB: rows and details long before it is read, and Cancel ends the reading", async ({ host, viewer, openLog, page }) => {
  host.files.set("/big.binlog", { body: sparse(1 << 30), cors: true, etag: '"1"' });
  await openLog(`${host.url}/big.binlog`);
  await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
  await viewer.list.focus();
  await page.keyboard.press("PageDown");
  await expect(viewer.detail).toContainText(/#[1-9]\d* at /);
  await page.getByRole("button", { name: "Cancel" }).click();
  await viewer.reaches("cancelled");
  expect(host.sent).toBeLessThan(900 << 20);
  await viewer.goTo(3);
});

for (const exposed of [true, false]) {
  test(`a log that changes while it is read, its ETag ${exposed ? "seen" : "hidden"}`, async ({ host, viewer, openLog, page }) => {
    const then = { etag: '"2"', headers: { "last-modified": "Fri, 02 Jan 2026 03:04:06 GMT" } };
    const now = { etag: '"1"', headers: { "last-modified": "Fri, 02 Jan 2026 03:04:05 GMT" } };
    host.files.set("/a.binlog", { body: sample(), cors: true, exposed, ...now, cut: 100_000, then });
    await openLog(`${host.url}/a.binlog`);
    await viewer.reaches("failed");
    await expect(page.locator("binlog-banner")).toContainText(`the log has changed at ${host.name} since it was opened`);
    await page.getByRole("button", { name: "Read it again" }).click();
    await viewer.reaches("done");
    await expect(viewer.status).toContainText(`${events.toLocaleString("en")} events`);
  });
}

test("what is not kept is read by ranges, and a change of it is noticed", async ({ host, viewer, openLog, page }) => {
  const body = sparse(300 << 20, 1 << 20);
  host.files.set("/big.binlog", { body, cors: true, etag: '"1"' });
  await openLog(`${host.url}/big.binlog`);
  await viewer.reaches("done");
  await viewer.list.focus();
  await page.keyboard.press("End");
  await expect(viewer.detail).toContainText("GTID_LIST_EVENT");
  expect(host.asked.some((ask) => /^GET \/big\.binlog bytes=31\d{7}-31\d{7}$/.test(ask))).toBe(true);
  host.files.set("/big.binlog", { body, cors: true, etag: '"2"' });
  await page.keyboard.press("g");
  await page.locator("binlog-hex input[type=text]").fill("270,800,000");
  await page.keyboard.press("Enter");
  await expect(page.getByText(`the log has changed at ${host.name}`).first()).toBeVisible();
});

test("files of this machine are not for this page", async ({ viewer, page }) => {
  await viewer.load("/open/");
  await expect(viewer.status).toContainText("Not sealed: this page reads logs by their addresses");
  await viewer.choose({ name: "x.binlog", mimeType: "", buffer: sample() });
  await expect(page.getByRole("alert")).toContainText("open files of this machine on the page that is");
  await page.getByRole("link", { name: "the page that seals itself" }).click();
  await viewer.reaches("empty");
  await expect(viewer.status).toContainText("Sealed");
});

plain("the sealed page leads to it, and lists no logs where the site has none", async ({ viewer, page }) => {
  await expect(page.getByRole("region", { name: "Logs of this site" })).toHaveCount(0);
  await page.getByRole("link", { name: "Open a log by its address" }).click();
  await expect(page).toHaveURL(/\/open\/$/);
  await viewer.reaches("empty");
});

test("logs of the site are listed before the page seals itself, and open by their address", async ({ viewer, page, baseURL }) => {
  const listing = [{ name: "bin 1.log", size: sample().length, modified: "2026-01-02T03:04:05Z" }, { name: 7 }];
  await page.route("**/logs/", (route) => route.fulfill({ json: listing }));
  await page.route("**/logs/bin%201.log", (route) => route.fulfill({ body: sample(), contentType: "application/octet-stream" }));
  await viewer.load();
  await expect(viewer.status).toContainText(/Sealed .* 0 requests since/);
  const list = page.getByRole("region", { name: "Logs of this site" });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("link", { name: "bin 1.log" }).click();
  await viewer.reaches("done");
  expect(basename(new URL(page.url()).pathname)).toBe("open");
  await expect(viewer.status).toContainText(`reading from ${new URL(baseURL ?? "").host}`);
});
