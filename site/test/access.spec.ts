// What every state must hold: axe finds nothing, nothing jumps, no information by colour alone.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import { SAMPLE, TYPE, ordinalOf, scratch, writeDamaged, writeMarkup } from "./logs.ts";
import { expect, test, type Viewer } from "./viewer.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = scratch();

async function audit(viewer: Viewer): Promise<string[]> {
  await viewer.page.evaluate(axe);
  const results = await viewer.page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run({ preload: false, resultTypes: ["violations"] });
  });
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
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
    test("axe: narrow", async ({ viewer, page }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await viewer.openSample();
      expect(await audit(viewer)).toEqual([]);
      await viewer.row(1).click();
      await viewer.idle();
      expect(await audit(viewer)).toEqual([]);
    });
  });
}

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
