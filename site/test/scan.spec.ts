// The scan: usable while it runs, cancelled half-way, ten million events, and a decoder that dies.
import { join } from "node:path";
import { scratch, writeLongLog, writeManyEvents, writeManyRows } from "./logs.ts";
import { expect, hurry, slowDown, test, type Viewer } from "./viewer.ts";

const folder = scratch();
const LONG = join(folder, "long.binlog");
const MANY = join(folder, "many.binlog");
const TEN_MILLION = 10_000_000;

test.describe("a long log", () => {
  let events = 0;
  test.beforeAll(() => {
    events = writeLongLog(LONG, 400_000_000);
  });

  test("can be read while it is indexed, and is complete in the end", async ({ viewer, page }) => {
    const worker = await viewer.worker();
    await slowDown(worker, 100_000_000);
    await viewer.choose(LONG);
    await viewer.reaches("indexing");
    await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
    await expect(page.getByRole("progressbar", { name: "Indexing" })).toBeVisible();
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowDown");
    await expect(viewer.selected()).toHaveAttribute("data-row", "5");
    await expect(viewer.detail).toContainText("#5 at ");
    await expect(page.locator("binlog-view")).toHaveAttribute("data-state", "indexing"); // all of that while it ran
    await hurry(worker);
    await viewer.reaches("done");
    await expect(viewer.status).toContainText(`${events.toLocaleString("en")} events`);
    await expect(viewer.selected()).toHaveAttribute("data-row", "5");
    await page.keyboard.press("End");
    await expect(viewer.selected()).toHaveAttribute("data-row", String(events - 1));
    await expect(viewer.detail).toContainText(`#${(events - 1).toLocaleString("en")} at `);
  });

  test("cancelled half-way, what was indexed stays usable", async ({ viewer, page }) => {
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 1 }));
    await viewer.load();
    await viewer.choose(LONG);
    await viewer.reaches("indexing");
    await page.getByRole("button", { name: "Cancel" }).click();
    await viewer.reaches("cancelled");
    const told = await viewer.status.locator(".progress").textContent();
    const listed = Number(/([\d,]+) events/.exec(told ?? "")?.[1]?.replaceAll(",", ""));
    expect(listed).toBeGreaterThan(0);
    expect(listed).toBeLessThan(events);
    expect(told).toMatch(/stopped at [\d.]+ [kM]B of 400 MB/);
    await expect(page.getByRole("button", { name: "Cancel" })).toBeHidden();
    await viewer.list.focus();
    await page.keyboard.press("End");
    await expect(viewer.selected()).toHaveAttribute("data-row", String(listed - 1));
    await expect(viewer.detail).toContainText(`#${(listed - 1).toLocaleString("en")} at `);
    await page.keyboard.press("Home");
    await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
  });

  test("another file may be opened in the middle of it", async ({ viewer }) => {
    await viewer.choose(LONG);
    await viewer.reaches("indexing");
    await viewer.choose({ name: "short.binlog", mimeType: "", buffer: Buffer.from([0xfe, 0x62, 0x69, 0x6e]) });
    await viewer.reaches("done");
    await expect(viewer.page.locator("binlog-toolbar")).toContainText("short.binlog");
    await expect(viewer.status).toContainText("0 events");
  });

  test("a program that traps while it indexes is started again, and the log shows up to there", async ({ viewer, page }) => {
    const worker = await viewer.worker();
    await worker.evaluate(() => {
      const { binlens } = globalThis as unknown as { binlens: Record<"step" | "merge", (...args: unknown[]) => unknown> };
      let calls = 0;
      for (const name of ["step", "merge"] as const) {
        const call = binlens[name].bind(binlens);
        binlens[name] = (...args) => {
          if (++calls > 20) throw new WebAssembly.RuntimeError("unreachable");
          return call(...args);
        };
      }
    });
    await viewer.choose(LONG);
    await expect(page.getByRole("alert")).toContainText(/The decoder stopped \((step|merge): unreachable\) and was started again\./);
    await viewer.reaches("cancelled");
    await viewer.list.focus();
    await page.keyboard.press("End");
    await expect(viewer.detail).toContainText(/#[\d,]+ at [\d,]+/);
    await page.getByRole("alert").getByRole("button", { name: "Dismiss" }).click();
    await expect(page.getByRole("alert")).toBeHidden();
    expect(await (await viewer.worker()).evaluate(() => typeof globalThis)).toBe("object");
  });
});

test("workers that scan ranges and die leave the index complete", async ({ viewer, page }) => {
  const path = join(folder, "ranges.binlog");
  const events = writeLongLog(path, 200_000_000);
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 3 }));
  await viewer.load();
  const worker = await viewer.worker();
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { Worker: typeof Worker; binlens: { merge(...args: unknown[]): unknown }; started: number; merges: number };
    Object.assign(scope, { started: 0, merges: 0 });
    const merge = scope.binlens.merge.bind(scope.binlens);
    scope.binlens.merge = (...args) => {
      scope.merges++;
      return merge(...args);
    };
    scope.Worker = new Proxy(Worker, {
      construct(target, args: ConstructorParameters<typeof Worker>) {
        const worker = new target(...args);
        const number = ++scope.started;
        const post = worker.postMessage.bind(worker);
        let ranges = 0;
        worker.postMessage = (message: { op: string }) => {
          post(message);
          if (message.op === "range" && ++ranges === number) worker.dispatchEvent(new Event("error"));
        };
        return worker;
      },
    });
  });
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(viewer.status).toContainText(`${events.toLocaleString("en")} events`);
  await expect(viewer.status).not.toContainText("problem");
  const { started, merges } = await worker.evaluate(() => {
    const { started, merges } = globalThis as unknown as { started: number; merges: number };
    return { started, merges };
  });
  expect(started).toBe(3);
  expect(merges).toBeGreaterThan(0);
});

test.describe("ten million events", () => {
  test.beforeAll(() => {
    test.setTimeout(120_000);
    writeManyEvents(MANY, TEN_MILLION);
  });

  const last = TEN_MILLION; // the format description is number 0
  const top = (viewer: Viewer): Promise<number> =>
    viewer.list.evaluate((list) => {
      const head = list.querySelector(".head")!.getBoundingClientRect().bottom;
      const rows = [...list.querySelectorAll<HTMLElement>("[data-row]")];
      return Number(rows.find((row) => row.getBoundingClientRect().bottom > head + 1)?.dataset["row"]);
    });

  test("keys, wheel and scrollbar land on the exact rows", async ({ viewer, page }) => {
    test.setTimeout(180_000);
    await viewer.choose(MANY);
    await viewer.reaches("done");
    await expect(viewer.status).toContainText("10,000,001 events");
    await expect(viewer.list).toHaveAttribute("aria-rowcount", "10000002");

    await page.keyboard.press("End");
    await expect(viewer.selected()).toHaveAttribute("data-row", String(last));
    await expect(viewer.selected()).toContainText("10,000,000");
    await expect(viewer.selected()).toContainText("XID_EVENT");
    const box = (await viewer.list.boundingBox())!;
    const row = (await viewer.selected().boundingBox())!;
    expect(Math.abs(row.y + row.height - (box.y + box.height))).toBeLessThanOrEqual(1);

    const fits = Math.floor((box.height - 28) / 24);
    await page.keyboard.press("PageUp");
    await expect(viewer.selected()).toHaveAttribute("data-row", String(last - (fits - 1)));
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowUp");
    await expect(viewer.selected()).toHaveAttribute("data-row", String(last - (fits - 1) - 3));

    // A notch of the wheel is as many pixels here as anywhere.
    const before = await top(viewer);
    await page.mouse.move(box.x + 200, box.y + 300);
    await page.mouse.wheel(0, -240);
    await expect.poll(() => top(viewer)).toBe(before - 10);
    for (let i = 0; i < 10; i++) await page.mouse.wheel(0, 24);
    await expect.poll(() => top(viewer)).toBe(before);

    // The thumb in the middle is the middle of the log.
    await viewer.list.evaluate((list) => (list.scrollTop = (list.scrollHeight - list.clientHeight) / 2));
    await expect.poll(() => top(viewer)).toBeGreaterThan(TEN_MILLION * 0.4999);
    expect(await top(viewer)).toBeLessThan(TEN_MILLION * 0.5001);
    const middle = await top(viewer);
    await page.mouse.wheel(0, 24);
    await expect.poll(() => top(viewer)).toBe(middle + 1);
    await expect(viewer.row(middle + 1)).toContainText("XID_EVENT");

    await page.keyboard.press("Home");
    await expect(viewer.selected()).toHaveAttribute("data-row", "0");
    expect(await top(viewer)).toBe(0);
    await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
  });
});

test("an event of 200,000 rows: every one can be reached, from the rows and from the bytes", async ({ viewer, page }) => {
  const path = join(folder, "rows.binlog");
  writeManyRows(path, 100_000);
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(viewer.status).not.toContainText("problem");
  await viewer.goTo(2);
  await expect(viewer.tab(/^Rows/)).toHaveText("Rows 200,000");
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  const what = page.locator("binlog-hex .what");
  await expect(what).toContainText("rows[199999].after.");
  await expect(viewer.rows).toContainText("row 200,000 of 200,000");
  await page.keyboard.press("Home");
  await expect(viewer.rows.getByRole("gridcell", { selected: true })).toContainText("row 1 of 200,000");

  await viewer.hex.focus();
  await page.keyboard.press("Control+End"); // the checksum
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft");
  await expect(what).toContainText("rows[199999].after.");
  await expect(viewer.rows.getByRole("gridcell", { selected: true })).toHaveCount(1);
  // Somewhere in the middle, where no row has been loaded.
  await viewer.hex.evaluate((hex) => (hex.scrollTop = hex.scrollHeight / 2));
  await viewer.idle();
  const box = (await viewer.hex.boundingBox())!;
  await page.mouse.click(box.x + 300, box.y + box.height / 2);
  await expect(what).toContainText(/rows\[(9\d|10\d)\d{3}\]/);
  await expect(viewer.rows.getByRole("gridcell", { selected: true })).toHaveCount(1);
});

test("a program that is gone when an event is asked for is started again, with the file kept", async ({ viewer, page }) => {
  await viewer.openSample();
  await (await viewer.worker()).evaluate(() => {
    const { binlens } = globalThis as unknown as { binlens: { tree(ordinal: number): unknown } };
    binlens.tree = () => undefined; // what wasm_exec returns from every call of a program that has ended
  });
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("alert").filter({ hasText: "started again" })).toContainText("Your file was kept");
  await viewer.reaches("done");
  await page.keyboard.press("ArrowDown");
  await expect(viewer.selected()).toHaveAttribute("data-row", "2");
  await expect(viewer.detail).toContainText("#2 at ");
  await expect(page.locator("binlog-toolbar")).toContainText("sample.binlog");
});

test("a file that changes under the reader is said", async ({ viewer }) => {
  await viewer.openSample();
  const worker = await viewer.worker();
  await worker.evaluate(() => {
    Blob.prototype.stream = () =>
      new ReadableStream({
        type: "bytes",
        pull: (controller) => controller.error(new DOMException("The requested file could not be read", "NotReadableError")),
      });
  });
  await viewer.choose({ name: "moved.binlog", mimeType: "", buffer: Buffer.from([0xfe, 0x62, 0x69, 0x6e, 0, 0, 0, 0]) });
  await viewer.reaches("failed");
  await expect(viewer.status).toContainText("the browser could not read the file: The requested file could not be read");
});
