// The filter in the page: from the box, the timeline, the views and the buttons; what the list shows and where it leads.
import type { Locator, Page } from "@playwright/test";
import { TYPE, eventsOf, sample } from "./logs.ts";
import { audit, expect, test, type Viewer } from "./viewer.ts";

const events = eventsOf(sample());

test.beforeEach(async ({ viewer }) => {
  await viewer.openSample();
});

const box = (page: Page): Locator => page.getByRole("combobox", { name: "Filter" });

/** Types a filter and waits until it holds and has looked at everything; returns how many rows it leaves. */
async function filter(viewer: Viewer, text: string): Promise<number> {
  await box(viewer.page).fill(text);
  await box(viewer.page).press("Enter");
  return left(viewer);
}

async function left(viewer: Viewer): Promise<number> {
  await expect(viewer.tab(/^Events/)).toHaveText(new RegExp(` of ${events.length}$`));
  await expect(viewer.list).toHaveAttribute("aria-busy", "false");
  await viewer.idle();
  return Number((await viewer.list.getAttribute("aria-rowcount")) ?? 0) - 1;
}

test("by a table: only its rows, with their own numbers, to the last", async ({ viewer, page }) => {
  const n = await filter(viewer, "table:shop.orders type:rows");
  expect(n).toBeGreaterThan(1);
  expect(n).toBeLessThan(events.length);
  await expect(viewer.row(0)).toContainText("shop.orders");
  await viewer.list.focus();
  await page.keyboard.press("End");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(n - 1));
  await expect(viewer.detail.getByRole("heading")).toContainText("shop.orders");
  await expect(viewer.status).toContainText(`row ${n} of ${n}`);
  const ordinal = Number((await viewer.selected().locator(".ord").textContent())?.replaceAll(",", ""));
  expect(ordinal).toBeGreaterThan(n - 1);
  await expect(viewer.detail).toContainText(`#${ordinal} at ${events[ordinal]!.offset.toLocaleString("en")}`);
  // Without the filter the same event is selected, at its own row.
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(viewer.tab(/^Events/)).toHaveText(`Events${events.length}`);
  await expect(viewer.selected()).toHaveAttribute("data-row", String(ordinal));
});

test("an event that the filter leaves out stays open, and that is said", async ({ viewer, page }) => {
  await viewer.goTo(1);
  await filter(viewer, "type:rows");
  await expect(viewer.selected()).toHaveCount(0);
  await expect(viewer.status).toContainText("the selected event is hidden by the filter");
  await expect(viewer.detail).toContainText("#1 at ");
  await viewer.list.focus();
  await page.keyboard.press("ArrowDown");
  await expect(viewer.selected()).toHaveAttribute("data-row", "0");
  await page.keyboard.press("]");
  await expect(viewer.selected()).toHaveAttribute("data-row", "1");
});

test("by time, with the timeline; a double click takes it back", async ({ viewer, page }) => {
  const chart = page.getByRole("slider", { name: "Timeline" });
  await expect(page.locator("binlens-timeline canvas")).toBeVisible();
  const { x, y, width } = (await chart.boundingBox())!;
  await page.mouse.move(x + width * 0.3, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.7, y + 20, { steps: 5 });
  await page.mouse.up();
  await expect(box(page)).toHaveValue(/^time:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\.\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  expect(await left(viewer)).toBeLessThan(events.length);
  await expect(page.locator("binlens-timeline .brush")).toBeVisible();
  const brush = (await page.locator("binlens-timeline .brush").boundingBox())!;
  expect(brush.x).toBeGreaterThan(x + width * 0.27);
  expect(brush.x + brush.width).toBeLessThan(x + width * 0.73);
  await chart.dblclick();
  await expect(box(page)).toHaveValue("");
  await expect(viewer.tab(/^Events/)).toHaveText(`Events${events.length}`);
});

test("the timeline shows what the filter leaves in front of the whole log", async ({ viewer, page }) => {
  const table = page.locator("binlens-timeline-table table");
  const sums = (): Promise<number[]> =>
    table.locator("tbody tr").evaluateAll((rows) =>
      [0, 1].map((column) => rows.reduce((all, row) => all + Number(row.querySelectorAll("td")[column]?.textContent?.replaceAll(",", "")), 0)),
    );
  const pixels = (): Promise<string> => page.locator("binlens-timeline canvas").evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const whole = await pixels();
  const n = await filter(viewer, "table:shop.orders type:rows");
  await expect(table.locator("caption")).toContainText("that the filter leaves");
  await expect(table.locator("thead")).toContainText("Of all events");
  await expect.poll(sums).toEqual([n, events.length]);
  expect(await pixels()).not.toBe(whole);
  const chart = page.getByRole("slider", { name: "Timeline" });
  await chart.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End"); // all of it
  await expect(chart).toHaveAttribute("aria-valuetext", new RegExp(`: ${n} of ${events.length} events, `));
  await page.keyboard.press("Escape");
  await filter(viewer, "type:ddl -type:ddl"); // nothing
  await expect.poll(sums).toEqual([0, events.length]);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(table.locator("caption")).toContainText("of the log");
  await expect.poll(pixels).toBe(whole);
});

test("by the life of a row, from its button", async ({ viewer, page }) => {
  await filter(viewer, "table:shop.orders type:update");
  await viewer.list.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await viewer.idle();
  const chips = viewer.detail.getByRole("group", { name: "Filter and go to" });
  await chips.getByRole("button", { name: /^life of row/ }).click();
  await expect(box(page)).toHaveValue(/^table:shop\.orders row:id=\d+$/);
  const n = await left(viewer);
  expect(n).toBeGreaterThan(0);
  await expect(viewer.selected()).toHaveCount(1); // the event that it was asked from is in it
  await chips.getByRole("button", { name: "this transaction" }).click();
  await expect(box(page)).toHaveValue(/ trx:\d+$/);
  expect(await left(viewer)).toBeLessThanOrEqual(n);
});

test("a mistake is underlined where it is, and changes nothing", async ({ viewer, page }) => {
  const n = await filter(viewer, "type:rows");
  await box(page).fill("type:rows size:~5");
  await expect(page.getByRole("alert")).toContainText("this comparison is for row: only");
  await expect(page.locator("binlens-filter .under .error")).toHaveText("~5");
  await expect(box(page)).toHaveAttribute("aria-invalid", "true");
  expect(await left(viewer)).toBe(n);
  expect(await audit(viewer)).toEqual([]);
});

test("transactions: the largest, its events, and into one of them", async ({ viewer, page }) => {
  await page.keyboard.press("2");
  const grid = page.getByRole("treegrid", { name: "Transactions" });
  await expect(grid).toBeFocused();
  await expect(viewer.tab(/^Transactions/)).toHaveText(/^Transactions\d+$/);
  await grid.getByRole("button", { name: "Bytes" }).click();
  await grid.focus();
  await page.keyboard.press("Home");
  const selected = grid.getByRole("row", { selected: true });
  await expect(selected).toHaveAttribute("aria-expanded", "false"); // it has come
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(selected).toContainText(/_EVENT/);
  const ordinal = await selected.textContent();
  const number = /[\d,]+/.exec(ordinal ?? "")?.[0] ?? "";
  await expect(viewer.detail).toContainText(`#${number} at `);
  expect(await audit(viewer)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(viewer.detail.locator(":focus").first()).toBeVisible();
  await page.keyboard.press("1"); // the selection survives
  await expect(viewer.selected().locator(".ord")).toHaveText(number);
});

test("transactions: those of which the filter leaves events", async ({ viewer, page }) => {
  await filter(viewer, "type:delete");
  const told = /^Transactions(\d+) of (\d+)$/;
  await expect(viewer.tab(/^Transactions/)).toHaveText(told);
  const [, left = "0", all = "0"] = told.exec((await viewer.tab(/^Transactions/).textContent()) ?? "") ?? [];
  let gtid = 0;
  const deleting = new Set<number>();
  for (const { type } of events) {
    if (type === TYPE.mariadbGtid) gtid++;
    if (type === TYPE.deleteRows) deleting.add(gtid);
  }
  expect(Number(left)).toBe(deleting.size);
  expect(Number(all)).toBeGreaterThan(Number(left));
  await viewer.tab(/^Transactions/).click();
  const grid = page.getByRole("treegrid", { name: "Transactions" });
  await expect(grid).toHaveAttribute("aria-rowcount", String(Number(left) + 1));
  await grid.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(grid.getByText("DELETE_ROWS_EVENT_V1")).toBeVisible(); // unfolded it has all its events
  await expect(grid.getByText("XID_EVENT")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(viewer.tab(/^Transactions/)).toHaveText(`Transactions${all}`);
  await expect(grid).toHaveAttribute("aria-rowcount", String(Number(all) + 1));
});

test("transactions: the list begins at the one of the selected event", async ({ viewer, page }) => {
  await page.keyboard.press("End");
  await viewer.idle();
  await page.keyboard.press("ArrowUp");
  await expect(viewer.detail).toContainText(`#${events.length - 2} at `);
  await viewer.detail.getByRole("button", { name: "this transaction" }).click();
  const number = (await box(page).inputValue()).replace("trx:", "");
  await page.keyboard.press("2");
  const grid = page.getByRole("treegrid", { name: "Transactions" });
  await expect(grid.getByRole("row", { selected: true })).toHaveAttribute("data-number", number);
});

test("tables: only one of them", async ({ viewer, page }) => {
  await page.keyboard.press("3");
  const grid = page.getByRole("grid", { name: "Tables" });
  await expect(grid).toBeFocused();
  await expect(grid.locator("[data-line]").first()).toContainText(".");
  expect(await audit(viewer)).toEqual([]);
  await page.keyboard.press("Home");
  const name = (await grid.getByRole("row", { selected: true }).locator(".name").textContent()) ?? "";
  await page.keyboard.press("Enter");
  await expect(box(page)).toHaveValue(`table:${name}`);
  expect(await left(viewer)).toBeGreaterThan(0);
  await expect(viewer.list).toBeFocused();
});

test("the filter survives in the address, with the event", async ({ viewer, page }) => {
  const n = await filter(viewer, "type:rows");
  await viewer.list.focus();
  await page.keyboard.press("End");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(n - 1));
  await expect(page).toHaveURL(/&at=[1-9]\d*&(.*&)?filter=type:rows$/); // the selected event stands in it too
  await page.goto("about:blank");
  await page.goBack();
  await viewer.reaches("empty");
  await viewer.openSample();
  await expect(box(page)).toHaveValue("type:rows");
  expect(await left(viewer)).toBe(n);
  await expect(viewer.selected()).toHaveAttribute("data-row", String(n - 1));
});

test("another worker gets the filter again; one that died of it does not", async ({ viewer, page }) => {
  const n = await filter(viewer, "type:rows");
  await (await viewer.worker()).evaluate(() => {
    const { binlens } = globalThis as unknown as { binlens: { tree(ordinal: number): unknown } };
    binlens.tree = () => undefined;
  });
  await viewer.list.focus();
  await page.keyboard.press("End");
  await expect(page.getByRole("alert").filter({ hasText: "started again" })).toBeVisible();
  await viewer.reaches("done");
  await expect(box(page)).toHaveValue("type:rows");
  expect(await left(viewer)).toBe(n);
  await page.getByRole("alert").getByRole("button", { name: "Dismiss" }).click();
  await (await viewer.worker()).evaluate(() => {
    const { binlens } = globalThis as unknown as { binlens: { filter(text: string): unknown } };
    binlens.filter = () => undefined;
  });
  await box(page).fill("type:update");
  await expect(page.getByRole("alert").filter({ hasText: "started again" })).toBeVisible();
  await viewer.reaches("done");
  await expect(box(page)).toHaveValue("");
  await expect(viewer.tab(/^Events/)).toHaveText(`Events${events.length}`);
});

test("by the keyboard: / to the box, Escape out of it", async ({ viewer, page }) => {
  await page.keyboard.press("/");
  await expect(box(page)).toBeFocused();
  await page.keyboard.type("ty");
  await expect(page.getByRole("option", { name: /type:/ })).toBeVisible();
  expect(await audit(viewer)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(box(page)).toHaveValue("type:");
  await page.keyboard.press("Escape"); // the options
  await expect(page.getByRole("option")).toHaveCount(0);
  await page.keyboard.press("Escape"); // the text
  await expect(box(page)).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(viewer.list).toBeFocused();
});

test("a narrow window: the filter and the timeline above the list", async ({ viewer, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await filter(viewer, "type:rows");
  await expect(box(page)).toBeInViewport({ ratio: 1 });
  await expect(viewer.row(0)).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await audit(viewer)).toEqual([]);
});
