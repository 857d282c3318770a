// What every state must hold: axe finds nothing, nothing jumps, no information by colour alone.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE, TYPE, ordinalOf, scratch, writeDamaged, writeLongLog, writeManyLogs, writeMarkup, writeTruncated } from "./logs.ts";
import { audit, expect, test, type Viewer } from "./viewer.ts";

const folder = scratch();

/** A log that takes a while to index, made once. */
function longLog(): string {
  const path = join(folder, "mysql-bin.000099");
  if (!existsSync(path)) writeLongLog(path, 400_000_000);
  return path;
}

const STATES: readonly [name: string, reach: (viewer: Viewer) => Promise<void>][] = [
  ["empty", async () => undefined],
  ["full, fields", async (viewer) => viewer.openSample()],
  [
    "full, rows of an update",
    async (viewer) => {
      await viewer.openSample();
      await viewer.goTo(ordinalOf(TYPE.updateRows));
      await viewer.rows.locator(".chg [data-side=after]").first().click();
    },
  ],
  [
    "full, JSON",
    async (viewer) => {
      await viewer.openSample();
      await viewer.tab(/JSON/).click();
      await viewer.idle();
    },
  ],
  [
    "filtered, transactions",
    async (viewer) => {
      await viewer.openSample();
      await viewer.page.getByRole("combobox", { name: "Filter" }).fill("table:shop.orders");
      await viewer.page.keyboard.press("Enter");
      await viewer.tab(/^Transactions/).click();
      await viewer.idle();
      await viewer.page.keyboard.press("ArrowRight");
      await viewer.idle();
    },
  ],
  [
    "a filter with a mistake",
    async (viewer) => {
      await viewer.openSample();
      await viewer.page.getByRole("combobox", { name: "Filter" }).fill("tabel:shop.orders");
      await viewer.page.keyboard.press("Enter");
      await expect(viewer.page.getByRole("combobox", { name: "Filter" })).toHaveAttribute("aria-invalid", "true");
    },
  ],
  [
    "tables",
    async (viewer) => {
      await viewer.openSample();
      await viewer.tab(/^Tables/).click();
      await viewer.idle();
    },
  ],
  [
    "cancelled",
    async (viewer) => {
      await viewer.choose(longLog());
      await viewer.reaches("indexing");
      await viewer.page.getByRole("button", { name: "Cancel" }).click();
      await viewer.reaches("cancelled");
    },
  ],
  [
    "lost",
    async (viewer) => {
      await viewer.openSample();
      await (await viewer.worker()).evaluate(() => {
        const { binlens } = globalThis as unknown as { binlens: { tree(ordinal: number): unknown } };
        binlens.tree = () => {
          throw new RangeError("WebAssembly.Memory.grow(): Unable to grow instance memory");
        };
      });
      await viewer.page.keyboard.press("]");
      await expect(viewer.page.getByRole("alert").first()).toBeVisible();
      await viewer.reaches("done");
      await viewer.idle();
    },
  ],
  [
    "no binary log",
    async (viewer) => {
      await viewer.choose({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no log\n") });
      await viewer.reaches("refused");
    },
  ],
  [
    "damaged",
    async (viewer) => {
      const path = join(folder, "damaged.binlog");
      writeDamaged(path);
      await viewer.choose(path);
      await viewer.reaches("done");
      await viewer.status.getByRole("button", { name: /problems?$/ }).click();
      await viewer.idle();
    },
  ],
];

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    for (const [name, reach] of STATES) {
      test(`axe: ${name}`, async ({ viewer }) => {
        await reach(viewer);
        expect(await audit(viewer)).toEqual([]);
      });
    }
    test("axe: what opens beside and over the events", async ({ viewer, page }) => {
      const clean = async (what: string): Promise<void> => expect(await audit(viewer), what).toEqual([]);
      const path = join(folder, "cut.binlog");
      writeTruncated(path, 4);
      await viewer.choose([...writeManyLogs(folder), path]);
      await viewer.reaches("done");
      await clean("several logs");
      await page.getByRole("navigation", { name: "Logs" }).getByRole("button", { name: "cut.binlog", exact: true }).click();
      await viewer.reaches("done");
      await viewer.idle();
      await clean("a cut log");
      await page.keyboard.press("4");
      await page.keyboard.press("ArrowDown");
      await viewer.idle();
      await clean("problems");
      await page.keyboard.press("?");
      await clean("keys");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Shift+F10");
      await page.keyboard.press("Escape");
      await page.keyboard.press("f");
      await page.keyboard.type("nothing");
      await page.keyboard.press("Enter");
      await clean("find");
      await page.keyboard.press("Escape");
      await page.keyboard.press("1");
      await viewer.goTo(ordinalOf(TYPE.query, 1));
      await viewer.list.press("Shift+F10");
      await expect(page.getByRole("menu")).toBeVisible();
      await clean("menu");
      await page.keyboard.press("Escape");
      await viewer.tab(/SQL/).click();
      await clean("SQL");
    });
    test("axe: an update of a document", async ({ viewer }) => {
      await viewer.choose(new URL("../../testdata/mysql/documents80.binlog", import.meta.url).pathname);
      await viewer.reaches("done");
      await viewer.list.getByRole("row", { name: /PARTIAL_UPDATE_ROWS_EVENT/ }).first().click();
      await viewer.idle();
      await viewer.rows.locator(".chg [data-side=after]").filter({ hasText: "{" }).first().click();
      await viewer.idle();
      expect(await audit(viewer)).toEqual([]);
    });
    test("axe: narrow", async ({ viewer, page }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await viewer.openSample();
      expect(await audit(viewer)).toEqual([]);
      await viewer.row(1).click();
      await viewer.idle();
      expect(await audit(viewer)).toEqual([]);
      await page.getByRole("button", { name: "Bytes ›" }).click();
      await viewer.idle();
      expect(await audit(viewer)).toEqual([]);
    });
  });
}

test("at 200 % nothing is cut off sideways, and every pane can be reached", async ({ viewer, page }) => {
  await page.setViewportSize({ width: 640, height: 400 }); // 1280 × 800 at 200 %
  const fits = async (): Promise<void> => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
  await fits();
  await viewer.openSample();
  await fits();
  await page.keyboard.press("Enter");
  await expect(viewer.tree).toBeFocused();
  await fits();
  await page.keyboard.press("b");
  await expect(viewer.hex).toBeFocused();
  await fits();
  const visible = (await viewer.hex.boundingBox())!;
  expect(visible.height).toBeGreaterThan(150);
});

test("without colours of its own the page still shows what is selected, chosen and changed", async ({ viewer, page }) => {
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await viewer.openSample();
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await expect(viewer.selected()).toHaveCSS("outline-style", "solid");
  const changed = viewer.rows.locator(".chg").first();
  await expect(changed.locator("[data-side=before]")).toHaveCSS("text-decoration-line", "line-through");
  const underline = (tab: RegExp): Promise<string> => viewer.tab(tab).evaluate((button) => getComputedStyle(button).borderBottomColor);
  expect(await underline(/^Rows/)).not.toBe(await underline(/Fields/));
  expect(await underline(/^Events/)).not.toBe(await underline(/^Problems/));
  const running = await page.evaluate(() => document.getAnimations().length);
  expect(running).toBe(0);
});

test("nothing jumps while a log comes in", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/");
  await expect(page.locator("binlog-view")).toHaveAttribute("data-state", "empty");
  await page.locator("input[type=file]").setInputFiles(SAMPLE);
  await expect(page.locator("binlog-view")).toHaveAttribute("data-state", "done");
  await expect(page.locator("binlog-view")).not.toHaveAttribute("data-busy");
  await page.waitForTimeout(300);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01);
});

test("what is decoded is never taken as HTML", async ({ viewer, page }) => {
  const path = join(folder, "markup.binlog");
  const { ordinal, text } = writeMarkup(path);
  await viewer.choose(path);
  await viewer.reaches("done");
  await viewer.goTo(ordinal);
  await expect(viewer.selected()).toContainText(text);
  await viewer.tab(/Fields/).click();
  await viewer.tree.getByRole("treeitem").filter({ hasText: text }).first().click();
  await expect(page.getByRole("region", { name: "Whole value" })).toContainText(text);
  await viewer.tab(/JSON/).click();
  await viewer.idle();
  await expect(page.locator("img")).toHaveCount(0); // locators look into shadow roots too
  expect(await page.title()).toMatch(/^binlens/);
});
