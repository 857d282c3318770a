// The elements of the views, each alone on a page, with the data of the real worker.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { build } from "esbuild";
import type { Client } from "../src/client.ts";
import type { Span } from "../src/viewdata.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const here = new URL(".", import.meta.url).pathname;

interface Mounted {
  mount(name: string, height: number): Promise<void>;
  heard: { name: string; detail: unknown }[];
  client: Client;
}

let script = "";
base.beforeAll(async () => {
  const result = await build({
    entryPoints: [`${here}elements-page.ts`],
    bundle: true,
    format: "esm",
    target: "es2022",
    loader: { ".css": "text" },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    write: false,
  });
  script = result.outputFiles[0]?.text ?? "";
});

/** Under the policy of the site: what it forbids fails the test as an error of the page. */
const test = base.extend<{ open: (name: string, height: number) => Promise<void> }>({
  open: async ({ page, request }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    const policy = (await request.get("/")).headers()["content-security-policy"] ?? "";
    const body = `<!doctype html><html lang="en"><title>elements</title><main></main><script type="module" src="/elements.js"></script></html>`;
    await page.route("**/elements.html", (route) => route.fulfill({ body, contentType: "text/html", headers: { "content-security-policy": policy } }));
    await page.route("**/elements.js", (route) => route.fulfill({ body: script, contentType: "text/javascript" }));
    await page.goto("/elements.html");
    await expect(page.locator("html")).toHaveAttribute("data-ready", "");
    await use((name, height) => page.evaluate(([what, high]) => (window as unknown as Mounted).mount(what, high), [name, height] as const));
    expect(errors).toEqual([]);
  },
});

function heard<T>(page: Page, name: string): Promise<T[]> {
  return page.evaluate((wanted) => (window as unknown as Mounted).heard.filter((one) => one.name === wanted).map(({ detail }) => detail as never), name);
}

async function audit(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run({ preload: false, resultTypes: ["violations"], rules: { "page-has-heading-one": { enabled: false } } });
  });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}

const numberOf = (text: string | null): number => Number((text ?? "").replace(/\D/g, ""));

test("timeline: what it says adds up to the log", async ({ page, open }) => {
  await open("timeline", 104);
  for (const axis of ["time", "file"]) {
    await page.getByRole("button", { name: axis, exact: true }).click();
    const table = page.locator("binlens-timeline-table table");
    await expect(table.locator("caption")).toContainText(axis);
    const sums = await table.locator("tbody tr").evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].map((cell) => Number((cell.textContent ?? "").replace(/\D/g, "")))),
    );
    const sum = (column: number): number => sums.reduce((all, row) => all + (row[column] ?? 0), 0);
    const { events, size } = await page.evaluate(async () => {
      const { client } = window as unknown as Mounted;
      const { types } = await client.totals();
      return { events: types.reduce((all, type) => all + type.events, 0), size: types.reduce((all, type) => all + type.bytes, 0) };
    });
    expect(events).toBeGreaterThan(100);
    expect(sum(0)).toBe(events);
    expect(sum(1)).toBe(size);
    expect(sums.map((row) => row.slice(2).reduce((all, n) => all + n, 0))).toEqual(sums.map((row) => row[0]));
  }
});

test("timeline: the pointer chooses a part, a double click all", async ({ page, open }) => {
  await open("timeline", 104);
  const chart = page.getByRole("slider", { name: "Timeline" });
  await expect(page.locator("binlens-timeline canvas")).toBeVisible();
  const box = await chart.boundingBox();
  if (!box) throw new Error("no box");
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 });
  await page.mouse.up();
  const [span] = await heard<Span>(page, "range");
  const all = await page.evaluate(() => (window as unknown as Mounted).client.timeline("time", 0, 0, 100));
  expect(span?.axis).toBe("time");
  const share = (at: number): number => (at - all.from) / (all.bins * all.width);
  expect(share(span?.from ?? 0)).toBeCloseTo(0.25, 1);
  expect(share(span?.to ?? 0)).toBeCloseTo(0.5, 1);
  await chart.dblclick();
  expect((await heard<Span | null>(page, "range")).at(-1)).toBeNull();
});

test("timeline: the keys choose a part", async ({ page, open }) => {
  await open("timeline", 104);
  const chart = page.getByRole("slider", { name: "Timeline" });
  await expect(page.locator("binlens-timeline canvas")).toBeVisible();
  await chart.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuenow", "1");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(chart).toHaveAttribute("aria-valuetext", /event/);
  await page.keyboard.press("Enter");
  const [span] = await heard<Span>(page, "range");
  const width = await chart.evaluate((element) => Math.floor(element.clientWidth / 7));
  const h = await page.evaluate((bins) => (window as unknown as Mounted).client.timeline("time", 0, 0, bins), width);
  expect(span).toEqual({ axis: "time", from: h.from + h.width, to: h.from + 4 * h.width });
});

test("transactions: in the order of a column, and open to their events", async ({ page, open }) => {
  await open("transactions", 500);
  const grid = page.getByRole("treegrid", { name: "Transactions" });
  const numbers = (): Promise<number[]> =>
    grid.locator("[data-number]").evaluateAll((rows) => rows.slice(0, 10).map((row) => Number((row as HTMLElement).dataset["number"])));
  await expect.poll(async () => (await numbers()).length).toBe(10);
  for (const [column, order] of [["Bytes", "bytes"], ["Rows", "rows"], ["Events", "events"], ["Lasted", "duration"], ["#", "number"]] as const) {
    await grid.getByRole("button", { name: column }).click();
    await expect(grid.getByRole("columnheader", { name: column })).toHaveAttribute("aria-sort", order === "number" ? "ascending" : "descending");
    await grid.press("Home");
    const page10 = await page.evaluate((by) => (window as unknown as Mounted).client.transactions(by, 0, 10), order);
    await expect.poll(numbers).toEqual(page10.transactions.map(({ number }) => number));
    if (order === "bytes") expect(page10.transactions.map(({ bytes }) => bytes)).toEqual(page10.transactions.map(({ bytes }) => bytes).sort((a, b) => b - a));
  }
  await grid.press("Home");
  const [first] = (await page.evaluate(() => (window as unknown as Mounted).client.transactions("number", 0, 1))).transactions;
  await grid.press("ArrowRight");
  await expect(grid.locator("[aria-level='2']")).toHaveCount(first?.events ?? 0);
  await grid.press("ArrowDown");
  expect((await heard<{ ordinal: number }>(page, "pick")).at(-1)).toEqual({ ordinal: first?.first });
  await grid.press("ArrowLeft");
  await grid.press("ArrowLeft");
  await expect(grid.locator("[aria-level='2']")).toHaveCount(0);
});

test("tables: what happened to each, and only one of them", async ({ page, open }) => {
  await open("tables", 500);
  const grid = page.getByRole("grid", { name: "Tables" });
  const { tables } = await page.evaluate(() => (window as unknown as Mounted).client.tables("bytes", 0, 3));
  const row = grid.getByRole("row").nth(1);
  await expect(row).toContainText(`${tables[0]?.schema}.${tables[0]?.table}`);
  expect(numberOf(await row.getByRole("gridcell").nth(2).textContent())).toBe(tables[0]?.bytes);
  await row.getByRole("button").click();
  expect(await heard(page, "filter")).toEqual([{ term: `table:${tables[0]?.schema}.${tables[0]?.table}` }]);
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  expect((await heard(page, "pick")).at(-1)).toEqual({ ordinal: tables[1]?.event });
  await expect(page.getByRole("region", { name: "Totals" })).toContainText("TABLE_MAP_EVENT");
});

test.describe("filter", () => {
  test.beforeEach(async ({ page, open }) => {
    await open("filter", 32);
    const known = await page.evaluate(() =>
      (window as unknown as Mounted).client.complete("", 0).then(
        () => true,
        () => false,
      ),
    );
    test.skip(!known, "skipped: this decoder has no filter");
  });

  test("completes with the keys", async ({ page }) => {
    const box = page.getByRole("combobox", { name: "Filter" });
    await box.click();
    await box.pressSequentially("ta");
    await expect(page.getByRole("option")).not.toHaveCount(0);
    await page.keyboard.press("Tab");
    await expect(box).toHaveValue("table:");
    await expect(page.getByRole("option").first()).toContainText(".");
    await page.keyboard.press("ArrowDown");
    await expect(box).toHaveAttribute("aria-activedescendant", "o0");
    const name = await page.getByRole("option").first().locator("span").first().textContent();
    await page.keyboard.press("Enter");
    await expect(box).toHaveValue(`table:${name}`);
    expect(await heard(page, "filter")).toContainEqual({ text: `table:${name}` });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(box).toHaveValue("");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("option").first()).toContainText(`table:${name}`);
  });

  test("a mistake is shown at its place", async ({ page }) => {
    const box = page.getByRole("combobox", { name: "Filter" });
    await box.fill("type:update tabel:x");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toContainText("table");
    await expect(page.locator("binlens-filter .error").first()).toHaveText(/tabel/);
    const [shown, plain] = await page.locator("binlens-filter").evaluate((element) => {
      const root = element.shadowRoot;
      const text = root?.querySelector<HTMLElement>(".shown");
      const probe = document.createElement("span");
      probe.className = "mono";
      probe.textContent = text?.textContent ?? "";
      text?.parentElement?.append(probe);
      return [(text?.offsetWidth ?? 0) - 10, probe.offsetWidth];
    });
    expect(shown).toBe(plain); // letter upon letter
    expect(await audit(page)).toEqual([]);
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const [name, height] of [["timeline", 104], ["transactions", 400], ["tables", 500], ["filter", 32]] as const) {
    test(`axe: ${name}, ${colorScheme}`, async ({ page, open }) => {
      await page.emulateMedia({ colorScheme });
      await open(name, height);
      await page.waitForTimeout(300);
      expect(await audit(page)).toEqual([]);
      if (process.env["ELEMENT_SHOTS"]) await page.screenshot({ path: `${process.env["ELEMENT_SHOTS"]}/${name}-${colorScheme}.png`, clip: { x: 0, y: 0, width: 1280, height: Math.max(200, height) } });
    });
  }
}
