// The event's fields, rows and bytes: copying, references, guesses, documents; the bytes by hand and by search.
import { join } from "node:path";
import { hexColumn } from "../src/hexlines.ts";
import { TYPE, eventsOf, ordinalOf, sample } from "./logs.ts";
import { expect, test, type Viewer } from "./viewer.ts";

const MYSQL = new URL("../../testdata/mysql/", import.meta.url).pathname;
const events = eventsOf(sample());

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
});

const clipboard = (viewer: Viewer): Promise<string> => viewer.page.evaluate(() => navigator.clipboard.readText());
const what = (viewer: Viewer) => viewer.page.locator("binlog-hex .what");

/** The place of byte i of the first line of the hex pane. */
async function spot(viewer: Viewer, i: number): Promise<{ x: number; y: number }> {
  const line = viewer.hex.locator(".line .hex").first();
  const box = (await line.boundingBox())!;
  const characters = (await line.textContent())!.length;
  return { x: box.x + ((hexColumn(i) + 0.7) / characters) * box.width, y: box.y + box.height / 2 };
}

test("copying by key and by menu: value, path, bytes", async ({ viewer, page }) => {
  await viewer.openSample();
  await viewer.tree.getByRole("treeitem").filter({ hasText: "server_version" }).click();
  await page.keyboard.press("c");
  await expect(viewer.status).toContainText("copied the value");
  expect(await clipboard(viewer)).toMatch(/^10\.11\.\d+-MariaDB/);
  await page.keyboard.press("p");
  await expect.poll(() => clipboard(viewer)).toBe("server_version");
  await viewer.tree.getByRole("treeitem").filter({ hasText: "binlog_version" }).click();
  await page.keyboard.press("x");
  await expect.poll(() => clipboard(viewer)).toBe("0400");

  await page.keyboard.press("Shift+F10");
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => clipboard(viewer)).toBe("BAA=");
  await expect(menu).toHaveCount(0);
  await expect(viewer.tree).toBeFocused();
  await viewer.tree.getByRole("treeitem").filter({ hasText: "server_id" }).click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Copy path" }).click();
  await expect.poll(() => clipboard(viewer)).toBe("server_id");
});

test("references lead to their events", async ({ viewer, page }) => {
  await viewer.openSample();
  const update = ordinalOf(TYPE.updateRows);
  await viewer.goTo(update);
  const go = (name: string) => viewer.detail.getByRole("button", { name: `→ ${name}` }).click();
  await go("table map");
  await expect(viewer.selected()).toContainText("TABLE_MAP_EVENT");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(update - 1));
  await go("next event");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(update));
  await go("transaction");
  await expect(viewer.selected()).toContainText("MARIADB_GTID_EVENT");
  await go("format description");
  await expect(viewer.selected()).toHaveAttribute("data-row", "0");
  await viewer.goTo(update);
  await viewer.tab(/Fields/).click();
  await viewer.tree.getByRole("treeitem").filter({ hasText: "table_id" }).first().click();
  await page.keyboard.press("Enter");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(update - 1));
});

test("the statement has a tab of its own", async ({ viewer, page }) => {
  await viewer.openSample();
  await viewer.goTo(ordinalOf(TYPE.query, 1));
  await viewer.tab(/SQL/).click();
  const sql = page.getByRole("group", { name: "Statement" });
  await expect(sql).toHaveText(/^CREATE TABLE customers \([\s\S]*ENGINE=InnoDB/);
  await page.locator("binlog-sql").getByRole("button", { name: "Copy" }).click();
  expect(await clipboard(viewer)).toBe(await sql.textContent());
});

test("a document in an update: indented, and what has changed", async ({ viewer, page }) => {
  await viewer.choose(join(MYSQL, "documents80.binlog"));
  await viewer.reaches("done");
  const update = viewer.list.getByRole("row", { name: /PARTIAL_UPDATE_ROWS_EVENT/ }).first();
  await expect(update).toBeVisible();
  await update.click();
  await viewer.idle();
  await viewer.rows.locator(".chg [data-side=after]").filter({ hasText: "{" }).first().click();
  const whole = page.getByRole("region", { name: "Whole value" });
  await expect(whole.getByRole("button", { name: "changes" })).toHaveAttribute("aria-pressed", "true");
  await expect(whole).toContainText(/Partial update in the log:\s*(replace|insert|remove) \$/);
  await expect(whole.locator("ins, del")).not.toHaveCount(0);
  await whole.getByRole("button", { name: "indented" }).click();
  await expect(whole.locator("pre")).toContainText(/^\{\n {2}"/);
});

test("what is under the pointer; bytes selected by dragging and by keys are copied", async ({ viewer, page }) => {
  await viewer.openSample();
  const point = await spot(viewer, 4 + 5); // server_id: byte 5 of the event at 4
  await page.mouse.move(point.x, point.y);
  await expect(what(viewer)).toContainText("server_id = 1 · 4 bytes at 9");
  const [from, to] = [await spot(viewer, 4 + 6), await spot(viewer, 4 + 10)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(2, 2);
  await expect(what(viewer)).toContainText("5 bytes at 10");
  await page.keyboard.press("Control+c");
  await expect.poll(() => clipboard(viewer)).toBe(sample().subarray(10, 15).toString("hex"));

  await page.keyboard.press("Control+Home");
  for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowRight");
  await expect(what(viewer)).toContainText("4 bytes at 4");
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Copy bytes as base64" }).click();
  await expect.poll(() => clipboard(viewer)).toBe(sample().subarray(4, 8).toString("base64"));
  await page.keyboard.press("ArrowRight");
  await expect(what(viewer)).toContainText("type_code");
});

test("to an offset of the file, decimal and hex, and behind the event's start", async ({ viewer, page }) => {
  await viewer.openSample();
  const target = events[30]!;
  await page.keyboard.press("g");
  const box = page.getByRole("textbox", { name: "Offset in the file" });
  await box.fill((target.offset + 9).toLocaleString("en"));
  await page.keyboard.press("Enter");
  await expect(viewer.selected()).toHaveAttribute("data-row", "30");
  await expect(what(viewer)).toContainText("event_size = ");
  await page.keyboard.press("g");
  await box.fill("+4");
  await page.keyboard.press("Enter");
  await expect(what(viewer)).toContainText("type_code = ");
  await page.keyboard.press("g");
  await box.fill(`0x${events[12]!.offset.toString(16)}`);
  await page.keyboard.press("Enter");
  await expect(viewer.selected()).toHaveAttribute("data-row", "12");
  await page.keyboard.press("g");
  await box.fill("#700");
  await page.keyboard.press("Enter");
  await expect(viewer.selected()).toHaveAttribute("data-row", "700");
  await page.keyboard.press("g");
  await box.fill("somewhere");
  await page.keyboard.press("Enter");
  await expect(page.locator("binlog-hexbar")).toContainText("an offset is a number");
  await box.fill("99999999");
  await page.keyboard.press("Enter");
  await expect(viewer.status).toContainText("nothing is listed at offset 99,999,999");
});

test("bytes and text are found in the event, and in the whole file", async ({ viewer, page }) => {
  await viewer.openSample();
  const log = sample();
  await viewer.goTo(ordinalOf(TYPE.query, 1));
  const event = events[ordinalOf(TYPE.query, 1)]!;
  await page.keyboard.press("f");
  const box = page.getByRole("textbox", { name: "Find" });
  await box.fill("customers");
  await page.keyboard.press("Enter");
  const first = log.indexOf("customers", event.offset);
  await expect(what(viewer).or(page.locator("#told"))).toContainText(`at ${first.toLocaleString("en")}`);
  await box.fill("no such words");
  await page.keyboard.press("Enter");
  await expect(page.locator("binlog-hexbar")).toContainText("these letters are not in the event");

  await page.getByRole("checkbox", { name: "whole file" }).check();
  const needle = log.subarray(events[500]!.offset, events[500]!.offset + 19); // a header: it is there once
  await box.fill(needle.toString("hex").replace(/../g, "$& "));
  await box.press("Enter");
  await expect(viewer.selected()).toHaveAttribute("data-row", "500");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(viewer.hex).toBeFocused();
  await expect(what(viewer)).toContainText(`19 bytes at ${events[500]!.offset.toLocaleString("en")}`);
});
