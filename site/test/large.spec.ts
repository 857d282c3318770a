// A log as large as servers leave them: 1 GiB, more than ten million events. It is made once, by the decoder's own generator,
// and kept in dist/; what it holds is known from there.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statfsSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { expect, hurry, opened, slowDown, test, type Viewer } from "./viewer.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const BIG = `${ROOT}dist/bench/big.binlog`;
const SPACE = 4 * 2 ** 30;
/** The most that an index may take: 24 bytes a row, and what is beside it. */
const BESIDE = 64 * 2 ** 20;
const PATIENCE = { timeout: 90_000 };

interface Facts {
  bytes: number;
  events: number;
  /** Events in front of the first transaction. */
  head: number;
  transactions: number;
  start: number;
  perSecond: number;
  tables: { transactions: number; rows: number }[];
}
let facts: Facts;
/** GTID_EVENT, BEGIN, TABLE_MAP_EVENT, WRITE_ROWS_EVENT, XID_EVENT */
const OF_TRANSACTION = 5;

test.describe.configure({ timeout: 300_000 });
test.use({ trace: "off" });

test.beforeAll(() => {
  mkdirSync(`${ROOT}dist/bench`, { recursive: true });
  const { bavail, bsize } = statfsSync(`${ROOT}dist/bench`);
  test.skip(!existsSync(BIG) && bavail * bsize < SPACE, "skipped: less than 4 GiB of disk for a log of 1 GiB");
  facts = JSON.parse(execFileSync("go", ["run", "./decoder/internal/logtest/biglog", "-out", BIG], { cwd: ROOT, encoding: "utf8" })) as Facts;
  expect(facts.bytes).toBeGreaterThanOrEqual(2 ** 30);
  expect(facts.events).toBeGreaterThan(10_000_000);
});

const n = (number: number): string => number.toLocaleString("en");
const box = (page: Page): Locator => page.getByRole("combobox", { name: "Filter" });
const found = (page: Page): Locator => page.locator("binlens-filter .state");
const table = (number: number): { transactions: number; rows: number } => facts.tables[number]!;

async function filter(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await box(page).press("Enter");
}

/** The filter has looked at the whole log and leaves so many events. */
async function leaves(viewer: Viewer, matched: number): Promise<void> {
  await expect(found(viewer.page)).toHaveText(`${n(matched)} of ${n(facts.events)}`, PATIENCE);
  await expect(viewer.list).toHaveAttribute("aria-rowcount", String(matched + 1));
}

async function indexed(viewer: Viewer): Promise<void> {
  await expect(viewer.page.locator("binlog-view")).toHaveAttribute("data-state", "done", PATIENCE);
  await expect(viewer.status).toContainText(`${n(facts.events)} events`);
  await expect(viewer.status).not.toContainText("problem");
}

/** Selects the last row of the list, which is this event. */
async function end(viewer: Viewer, row: number, ordinal: number): Promise<void> {
  await viewer.list.focus();
  await viewer.page.keyboard.press("End");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(row));
  await expect(viewer.detail).toContainText(`#${n(ordinal)} at `);
}

test("1 GiB: read and filtered while it is indexed; by table, time and value; to the end", async ({ viewer, page }) => {
  const worker = await viewer.worker();
  await slowDown(worker, facts.bytes / 2);
  await viewer.choose(BIG);
  await viewer.reaches("indexing");
  await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowDown");
  await expect(viewer.detail).toContainText("#5 at ");
  await filter(page, "table:shop.orders_3 type:rows");
  await expect(viewer.row(0)).toContainText("shop.orders_3");
  await expect(found(page)).toHaveText(/^[1-9][\d,]* of /);
  await expect(page.locator("binlog-view")).toHaveAttribute("data-state", "indexing"); // all of that while it ran
  await hurry(worker);
  await indexed(viewer);
  await leaves(viewer, table(3).transactions);
  await filter(page, "table:shop.orders_3");
  await leaves(viewer, 2 * table(3).transactions);

  // 100 seconds of it, which are transactions 50,000 to 99,999.
  await filter(page, `time:${facts.start + 100}..${facts.start + 199}`);
  await leaves(viewer, 100 * facts.perSecond * OF_TRANSACTION);
  await end(viewer, 100 * facts.perSecond * OF_TRANSACTION - 1, facts.head + 200 * facts.perSecond * OF_TRANSACTION - 1);

  await filter(page, "row:@1=1234567");
  await leaves(viewer, 1);
  await end(viewer, 0, facts.head + 1_234_567 * OF_TRANSACTION + 3);
  await filter(page, "");
  await expect(viewer.tab(/^Events/)).toHaveText(`Events${n(facts.events)}`);
  await end(viewer, facts.events - 1, facts.events - 1);
  await expect(viewer.selected()).toContainText("XID_EVENT");
});

test("cancelled half-way: what is listed can be used, and indexing goes on from there", async ({ viewer, page }) => {
  const worker = await viewer.worker();
  await slowDown(worker, facts.bytes / 2);
  await viewer.choose(BIG);
  await expect.poll(async () => Number(await page.getByRole("progressbar", { name: "Indexing" }).getAttribute("aria-valuenow")), PATIENCE).toBeGreaterThanOrEqual(50);
  await page.getByRole("button", { name: "Cancel" }).click();
  await viewer.reaches("cancelled");
  await expect(page.locator("binlog-banner")).toContainText(/Indexing was stopped at [\d.]+ [MG]B of 1\.07 GB\. What is listed can be used\./);
  const told = /stopped at .* · ([\d,]+) events/.exec((await viewer.status.locator(".progress").textContent()) ?? "")?.[1];
  const listed = Number(told?.replaceAll(",", ""));
  expect(listed).toBeGreaterThan(facts.events * 0.49);
  expect(listed).toBeLessThan(facts.events);
  await end(viewer, listed - 1, listed - 1);
  await filter(page, `time:${facts.start + 100}..${facts.start + 199}`);
  await expect(found(page)).toHaveText(`${n(100 * facts.perSecond * OF_TRANSACTION)} of ${n(listed)}`);
  await filter(page, "type:xid");
  await expect(found(page)).toHaveText(new RegExp(`^${n(Math.floor((listed - facts.head) / OF_TRANSACTION))} of ${n(listed)}$`));

  await page.getByRole("button", { name: "Go on" }).click();
  await viewer.reaches("indexing");
  expect(Number(await page.getByRole("progressbar", { name: "Indexing" }).getAttribute("aria-valuenow"))).toBeGreaterThanOrEqual(50);
  expect(await opened(worker)).toBe(1);
  await hurry(worker);
  await indexed(viewer);
  await leaves(viewer, facts.transactions);
  expect(await opened(worker)).toBe(1);
});

test("a filter that reads the whole log is stopped, says how far it came, and begins again; opened again and again without more memory", async ({ viewer, page }) => {
  const worker = await viewer.worker();
  const memory = (): Promise<number> => worker.evaluate(() => (globalThis as unknown as { binlens: { memory(): number } }).binlens.memory());
  const base = await memory();
  const most = base + 24 * facts.events + BESIDE;
  const openings: number[] = [];
  const open = async (): Promise<void> => {
    await viewer.choose(BIG);
    await viewer.reaches("indexing");
    await indexed(viewer);
    openings.push(await memory());
  };
  await open();
  await filter(page, "row:@2=7");
  await expect(found(page)).toHaveText(/^[1-9][\d,]* of .* · \d+ %$/);
  await page.locator("binlens-filter").getByRole("button", { name: "stop" }).click();
  await expect(found(page)).toHaveText(/^[\d,]+ of [\d,]+ · stopped at \d+ %$/);
  const some = Number((await viewer.list.getAttribute("aria-rowcount")) ?? 0) - 1;
  expect(some).toBeLessThan(table(7).transactions);
  await viewer.list.focus();
  await page.keyboard.press("End");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(some - 1));
  await expect(viewer.selected()).toContainText("shop.orders_7");
  await box(page).press("Enter");
  await leaves(viewer, table(7).transactions);

  for (let i = 0; i < 2; i++) await open();
  for (const bytes of openings) expect(bytes).toBeLessThanOrEqual(most);
  expect(Math.max(...openings.slice(2))).toBeLessThanOrEqual(openings[1]! + BESIDE / 2); // garbage comes and goes
  await viewer.choose({ name: "short.binlog", mimeType: "", buffer: Buffer.from([0xfe, 0x62, 0x69, 0x6e]) });
  await expect(page.locator("binlog-toolbar")).toContainText("short.binlog");
  await viewer.reaches("done");
  expect(await memory()).toBeLessThan(2 * base); // that of the large log is given back
});
