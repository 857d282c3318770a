// What can happen to a log and to the decoder: every state says what happened and what can be done.
import { join } from "node:path";
import { scratch, writeDamaged, writeLargeRows, writeLongLog, writeTruncated } from "./logs.ts";
import { Viewer, expect, test } from "./viewer.ts";
import { test as plain } from "@playwright/test";

const folder = scratch();
const MYSQL = new URL("../../testdata/mysql/", import.meta.url).pathname;

/** Lines of advice above the list. */
const banner = (viewer: Viewer) => viewer.page.locator("binlog-banner");

test.describe("a log that takes a while", () => {
  const path = join(folder, "long.binlog");
  let events = 0;
  test.beforeAll(() => {
    events = writeLongLog(path, 150_000_000);
  });

  test("bytes, events and the time that is left; stopped, it can be indexed after all, at the same place", async ({ viewer, page }) => {
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 1 }));
    await viewer.load();
    const worker = await viewer.worker();
    await worker.evaluate(() => {
      const { binlens } = globalThis as unknown as { binlens: { step(budget: number): unknown } };
      const step = binlens.step.bind(binlens);
      binlens.step = (budget) => {
        for (const until = performance.now() + 12; performance.now() < until; );
        return step(budget);
      };
    });
    await viewer.choose(path);
    await viewer.reaches("indexing");
    await expect(viewer.status).toContainText(/\d+ % · [\d.]+ [kM]B of 150 MB · [\d,]+ events · about \d+ s left/);
    await page.keyboard.press("]");
    await expect(viewer.detail).toContainText("#1 at ");
    await page.getByRole("button", { name: "Cancel" }).click();
    await viewer.reaches("cancelled");
    await expect(banner(viewer)).toContainText(/Indexing was stopped at [\d.]+ [kM]B of 150 MB\. What is listed can be used\./);
    await worker.evaluate(() => {
      const { binlens } = globalThis as unknown as { binlens: { step(budget: number): unknown } };
      const slow = binlens.step;
      binlens.step = (budget) => slow(budget * 40); // it goes on in the same program
    });
    await banner(viewer).getByRole("button", { name: "Go on" }).click();
    await viewer.reaches("done");
    await expect(viewer.list).toBeFocused(); // the button that had the keyboard is gone
    await expect(viewer.status).toContainText(`${events.toLocaleString("en")} events`);
    await expect(viewer.detail).toContainText("#1 at ");
    await expect(banner(viewer)).toHaveText("");
  });
});

test("damage: the way to the problems, until it is dismissed", async ({ viewer, page }) => {
  const path = join(folder, "damaged.binlog");
  writeDamaged(path);
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(banner(viewer)).toContainText("1 place of this log is damaged.");
  await banner(viewer).getByRole("button", { name: "Show the problems" }).click();
  await expect(page.getByRole("tree", { name: "Problems" })).toBeVisible();
  await expect(banner(viewer)).toHaveText("");
  await viewer.tab(/^Events/).click();
  await banner(viewer).getByRole("button", { name: "Dismiss" }).click();
  await expect(banner(viewer)).toHaveText("");
});

test("a cut log says so", async ({ viewer }) => {
  const path = join(folder, "cut.binlog");
  writeTruncated(path, 4);
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(banner(viewer)).toContainText("This log ends inside an event: it was cut off, or is still being written.");
});

test("an encrypted log is named, with the way out", async ({ viewer, page }) => {
  await viewer.choose({ name: "mysql-bin.000009", mimeType: "", buffer: Buffer.concat([Buffer.from("fd62696e01", "hex"), Buffer.alloc(600, 7)]) });
  await viewer.reaches("refused");
  await expect(page.getByRole("alert")).toContainText(/encrypted MySQL binary log.*--read-from-remote-server/);
});

plain("a decoder that does not answer is said, and started again with the file", async ({ page }) => {
  await page.clock.install();
  const viewer = new Viewer(page);
  await viewer.load();
  await viewer.openSample();
  const worker = await viewer.worker();
  await worker.evaluate(() => {
    const { binlens } = globalThis as unknown as { binlens: { tree(ordinal: number): unknown } };
    binlens.tree = () => {
      for (const until = performance.now() + 60_000; performance.now() < until; );
      return undefined;
    };
  });
  await page.keyboard.press("]");
  await page.clock.runFor(9_000);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.clock.runFor(3_000);
  await expect(page.getByRole("alert")).toContainText("has not answered for ten seconds");
  await page.getByRole("button", { name: "Start the decoder again" }).click();
  await viewer.reaches("done");
  await expect(page.getByText("has not answered")).toHaveCount(0);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(viewer.detail).toContainText("#1 at ");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.locator("binlog-toolbar")).toContainText("sample.binlog");
});

test("no more memory: said as that", async ({ viewer, page }) => {
  await viewer.openSample();
  await (await viewer.worker()).evaluate(() => {
    const { binlens } = globalThis as unknown as { binlens: { tree(ordinal: number): unknown } };
    binlens.tree = () => {
      throw new RangeError("WebAssembly.Memory.grow(): Unable to grow instance memory");
    };
  });
  await page.keyboard.press("]");
  await expect(page.getByRole("alert").filter({ hasText: "started again" })).toContainText("The decoder had no more memory (tree) and was started again. Your file was kept");
  await viewer.reaches("done");
});

test("a decoder that dies again and again is given up; it can be started again, and the file is still there", async ({ viewer, page }) => {
  await viewer.openSample();
  for (let deaths = 0; deaths < 6; deaths++) {
    const worker = await viewer.worker();
    await worker.evaluate(() => {
      const { binlens } = globalThis as unknown as { binlens: { tree(ordinal: number): unknown } };
      binlens.tree = () => {
        throw new WebAssembly.RuntimeError("unreachable");
      };
    });
    await page.keyboard.press("]");
    await expect.poll(() => page.workers().includes(worker)).toBe(false);
    if (deaths < 5) await viewer.reaches("done");
  }
  await viewer.reaches("lost");
  await expect(page.getByRole("alert")).toContainText("The decoder stopped again and again");
  await expect(page.getByRole("button", { name: "Load the page again" })).toBeVisible();
  await page.getByRole("button", { name: "Start the decoder again" }).click();
  await viewer.reaches("done");
  await viewer.row(2).click();
  await expect(viewer.detail).toContainText("#2 at ");
});

test("an event larger than max_event_size is decoded when it is asked for", async ({ viewer, page }) => {
  const path = join(folder, "large.binlog");
  const { rows, size } = writeLargeRows(path, 17 << 20);
  await viewer.choose(path);
  await viewer.reaches("done");
  await viewer.row(2).click();
  await expect(viewer.detail).toContainText("is larger than max_event_size (16777216): not decoded unless asked for");
  await expect(viewer.tab(/^Rows/)).toHaveCount(0);
  await page.getByRole("button", { name: `Decode all ${size.toLocaleString("en")} bytes` }).click();
  await expect(viewer.tab(/^Rows/)).toHaveText(`Rows ${rows.toLocaleString("en")}`);
  await viewer.tab(/^Rows/).click();
  await viewer.rows.focus();
  await page.keyboard.press("End");
  await expect(page.locator("binlog-hex .what")).toContainText(`rows[${rows - 1}].after.`);
});

test("events inside a transaction payload: their own rows, bytes and offsets", async ({ viewer, page }) => {
  await viewer.choose(join(MYSQL, "payload80.binlog"));
  await viewer.reaches("done");
  const payload = viewer.list.getByRole("row", { name: /TRANSACTION_PAYLOAD_EVENT/ }).first();
  await payload.click();
  const ordinal = Number(await payload.getAttribute("data-row"));
  const inside = viewer.row(ordinal + 1);
  await expect(inside).toContainText("+0");
  await inside.click();
  await expect(viewer.detail).toContainText(`#${ordinal + 1} at 0 inside the payload #${ordinal} at `);
  await expect(page.locator("binlog-hexbar")).toContainText(`payload #${ordinal}, decompressed`);
  await viewer.idle();
  await expect(viewer.hex.locator(".line").first()).toContainText(/^0000000000/);
  await viewer.hex.focus();
  await page.keyboard.press("Control+Home");
  await expect(page.locator("binlog-hex .what")).toContainText("timestamp = ");
  await page.keyboard.press("g");
  await page.getByRole("textbox").fill("0x4");
  await page.keyboard.press("Enter");
  await expect(page.locator("binlog-hex .what")).toContainText("type_code = ");
  await page.keyboard.press("g");
  await page.getByRole("textbox").fill("99999999");
  await page.keyboard.press("Enter");
  await expect(page.locator("binlog-hexbar")).toContainText("that is outside this event");
  await page.keyboard.press("Escape");
  await viewer.detail.getByRole("button", { name: "payload around it" }).click();
  await expect(viewer.selected()).toHaveAttribute("data-row", String(ordinal));
});
