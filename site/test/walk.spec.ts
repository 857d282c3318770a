// Going through a log: list, tree, rows, JSON and bytes show one selection and set it, by mouse and by keyboard.
import { hexColumn } from "../src/hexlines.ts";
import { TYPE, eventsOf, ordinalOf, sample } from "./logs.ts";
import { expect, test, type Viewer } from "./viewer.ts";

const events = eventsOf(sample());

test.beforeEach(async ({ viewer }) => {
  await viewer.openSample();
});

function hexOf(offset: number, n: number): string {
  return sample().subarray(offset, offset + n).toString("hex").replace(/..(?=.)/g, "$& ");
}

/** The marked bytes, without the gaps between groups of eight. */
async function marked(viewer: Viewer): Promise<string> {
  const parts = await viewer.hex.locator(".hex .sel, .hex .cur").allTextContents();
  return parts.join(" ").replace(/\s+/g, " ").trim();
}

test("every event of the list, in order", async ({ viewer, page }) => {
  for (const ordinal of [0, 1, 5]) {
    const row = viewer.row(ordinal);
    await expect(row).toContainText(events[ordinal]!.offset.toLocaleString("en"));
    await expect(row).toContainText(events[ordinal]!.size.toLocaleString("en"));
  }
  await page.keyboard.press("End");
  await expect(viewer.selected()).toContainText(events.at(-1)!.offset.toLocaleString("en"));
});

test("the list by the keyboard", async ({ viewer, page }) => {
  const at = (ordinal: number): Promise<void> => expect(viewer.selected()).toHaveAttribute("data-row", String(ordinal));
  await expect(viewer.list).toBeFocused(); // opening a log puts the keyboard here
  await at(0);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await at(2);
  await page.keyboard.press("ArrowUp");
  await at(1);
  await page.keyboard.press("PageDown");
  const page1 = Number(await viewer.selected().getAttribute("data-row"));
  expect(page1).toBeGreaterThan(10);
  await page.keyboard.press("PageUp");
  await at(1);
  await page.keyboard.press("End");
  await at(events.length - 1);
  await page.keyboard.press("ArrowDown");
  await at(events.length - 1);
  await page.keyboard.press("Home");
  await at(0);
  await expect(viewer.list).toHaveAttribute("aria-activedescendant", "r0");
});

test("Enter goes into the event, Escape back to the list", async ({ viewer, page }) => {
  await page.keyboard.press("Enter");
  await expect(viewer.tree).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(viewer.list).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(viewer.selected()).toHaveAttribute("data-row", "1");
  await viewer.hex.focus();
  await page.keyboard.press("Escape");
  await expect(viewer.list).toBeFocused();
});

test("a click on a row shows the event", async ({ viewer }) => {
  await viewer.row(3).click();
  await expect(viewer.selected()).toHaveAttribute("data-row", "3");
  await expect(viewer.detail).toContainText(`#3 at ${events[3]!.offset.toLocaleString("en")}`);
  await viewer.idle();
  await expect(viewer.hex.locator(".line").first()).toContainText(hexOf(events[3]!.offset, 2));
});

test("the fields of the format description, each with its bytes", async ({ viewer, page }) => {
  const event = events[0]!;
  const field = (name: string): ReturnType<Viewer["tree"]["locator"]> => viewer.tree.getByRole("treeitem").filter({ hasText: name }).first();
  const expected: [RegExp, number, number][] = [
    [/server_id/, 5, 4],
    [/(event_)?size/, 9, 4],
    [/binlog_version/, 19, 2],
  ];
  for (const [name, start, size] of expected) {
    await viewer.tree.getByRole("treeitem").filter({ hasText: name }).first().click();
    await expect.poll(() => marked(viewer), { message: String(name) }).toBe(hexOf(event.offset + start, size));
  }
  await expect(field("binlog_version")).toContainText("4");
  await expect(page.locator("binlog-hex .what")).toContainText("2 bytes at 23");
});

test("the tree by the keyboard", async ({ viewer, page }) => {
  const active = viewer.tree.locator(".at");
  const items = viewer.tree.getByRole("treeitem");
  await viewer.tree.getByRole("treeitem", { name: "post_header_lengths" }).click();
  await expect(active).toHaveAttribute("aria-expanded", "false"); // a long list is folded at first
  const folded = await items.count();
  await page.keyboard.press("ArrowRight");
  await expect(active).toHaveAttribute("aria-expanded", "true");
  expect(await items.count()).toBeGreaterThan(folded);
  await page.keyboard.press("ArrowRight");
  await expect(active).toHaveAttribute("aria-level", "2");
  await expect(active).toContainText("START_EVENT_V3");
  await page.keyboard.press("ArrowLeft");
  await expect(active).toHaveAttribute("aria-level", "1");
  await page.keyboard.press("Enter");
  await expect(active).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Home");
  await expect(active).toContainText("timestamp");
  await page.keyboard.press("End");
  await expect(active).toContainText(/checksum/);
  await expect.poll(() => marked(viewer)).toBe(hexOf(events[0]!.offset + events[0]!.size - 4, 4));
});

test("a click on a byte selects its field, and the arrow keys go on from there", async ({ viewer, page }) => {
  // Byte 4 + 9 of the file, the first of the first event's size, stands at +13 in the first line.
  const line = viewer.hex.locator(".line .hex").first();
  const box = (await line.boundingBox())!;
  const characters = (await line.textContent())!.length;
  await page.mouse.click(box.x + ((hexColumn(4 + 9) + 0.7) / characters) * box.width, box.y + box.height / 2);
  const selected = viewer.tree.getByRole("treeitem", { selected: true });
  await expect(selected).toContainText("size");
  await expect.poll(() => marked(viewer)).toBe(hexOf(4 + 9, 4));
  await expect(viewer.hex).toBeFocused();
  for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
  await expect(selected).toContainText("next_position");
  await expect.poll(() => marked(viewer)).toBe(hexOf(4 + 13, 4));
  await page.keyboard.press("Control+End");
  await expect(selected).toContainText("checksum");
  await page.keyboard.press("Control+Home");
  await expect(selected).toContainText("timestamp");
});

test("an update: before and after, what changed, and the bytes of a cell both ways", async ({ viewer, page }) => {
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await expect(viewer.tab(/^Rows/)).toHaveAttribute("aria-selected", "true");
  await expect(viewer.rows.getByRole("columnheader")).toHaveText(["Column", "Type", "Before", "After"]);
  const changed = viewer.rows.locator(".chg").first();
  await expect(changed).toBeVisible();
  await expect(changed.getByRole("rowheader")).toContainText(/▸.*\(changed\)/);
  const before = changed.locator("[data-side=before]");
  const after = changed.locator("[data-side=after]");
  expect(await before.textContent()).not.toBe(await after.textContent());
  await expect(before).toHaveCSS("text-decoration-line", "line-through");
  expect(Number(await after.evaluate((cell) => getComputedStyle(cell).fontWeight))).toBeGreaterThan(600);

  await after.click();
  await expect(after).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("binlog-hex .what")).toContainText(/^rows\[0\]\.after\.\w+ = /);
  await expect.poll(async () => (await marked(viewer)).length).toBeGreaterThan(1);

  // From the byte back to the cell: go to another field first, then to the byte by the keyboard.
  const path = /^\S+/.exec((await page.locator("binlog-hex .what").textContent())!.trim())![0];
  await viewer.hex.focus();
  await page.keyboard.press("Control+End");
  await expect(viewer.tab(/Fields/)).toHaveAttribute("aria-selected", "true");
  await expect(viewer.tree.getByRole("treeitem", { selected: true })).toContainText("checksum");
  for (let i = 0; i < 2000; i++) {
    await page.keyboard.press("ArrowLeft");
    await page.waitForTimeout(5);
    if ((await page.locator("binlog-hex .what").textContent())!.includes(path)) break;
  }
  await expect(viewer.tab(/^Rows/)).toHaveAttribute("aria-selected", "true");
  await expect(viewer.rows.locator("[data-side=after][aria-selected=true]")).toHaveText((await after.textContent())!);
});

test("the rows by the keyboard", async ({ viewer, page }) => {
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await page.keyboard.press("Enter");
  await expect(viewer.rows).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(viewer.rows.locator("[data-side=after][aria-selected=true]")).toHaveCount(1);
  await page.keyboard.press("ArrowLeft");
  await expect(viewer.rows.locator("[data-side=before][aria-selected=true]")).toHaveCount(1);
  await page.keyboard.press("Home");
  await expect(viewer.rows.getByRole("gridcell", { selected: true })).toContainText("row 1 of");
});

test("NULL is not what is missing from an image", async ({ viewer }) => {
  await viewer.goTo(ordinalOf(TYPE.writeRows));
  await expect(viewer.rows.getByRole("columnheader")).toHaveText(["Column", "Type", "After"]);
  await viewer.goTo(ordinalOf(TYPE.deleteRows));
  await expect(viewer.rows.getByRole("columnheader")).toHaveText(["Column", "Type", "Before"]);
  await expect(viewer.rows.getByRole("rowheader").first()).not.toContainText("@1");
});

test("the tabs by the keyboard", async ({ viewer, page }) => {
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await viewer.tab(/^Rows/).focus();
  await page.keyboard.press("ArrowRight");
  await expect(viewer.tab(/JSON/)).toBeFocused();
  await expect(viewer.tab(/JSON/)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowRight");
  await expect(viewer.tab(/Fields/)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(viewer.tab(/JSON/)).toBeFocused();
});

test("the JSON of an event is the public one", async ({ viewer, page }) => {
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  const ordinal = Number(await viewer.selected().getAttribute("data-row"));
  await viewer.tab(/JSON/).click();
  const json = page.getByRole("group", { name: "Event as JSON" });
  await expect(json.locator(".line").nth(1)).toHaveText(`  "ordinal": ${ordinal},`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as file" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe(`event-${ordinal}.json`);
  const chunks: Buffer[] = [];
  for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
  const event = JSON.parse(Buffer.concat(chunks).toString()) as { ordinal: number; offset: number; size: number; data: { rows: unknown[] } };
  expect(event).toMatchObject({ ordinal, offset: events[ordinal]!.offset, size: events[ordinal]!.size });
  expect(event.data.rows[0]).toHaveProperty("before");
  expect(event.data.rows[0]).toHaveProperty("after");
});

test("the chosen tab holds from event to event", async ({ viewer, page }) => {
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await viewer.tab(/Fields/).click();
  await viewer.goTo(ordinalOf(TYPE.updateRows, 1));
  await expect(viewer.tab(/Fields/)).toHaveAttribute("aria-selected", "true");
  await viewer.tab(/^Rows/).click();
  await viewer.list.focus();
  await page.keyboard.press("Home");
  await expect(viewer.tab(/Fields/)).toHaveAttribute("aria-selected", "true");
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await expect(viewer.tab(/^Rows/)).toHaveAttribute("aria-selected", "true");
});

test("a long value shows whole below", async ({ viewer, page }) => {
  await viewer.goTo(ordinalOf(TYPE.query, 1));
  await viewer.tree.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp"); // the statement lies before the checksum
  const whole = page.getByRole("region", { name: "Whole value" });
  await expect(whole).toContainText(/\d+ characters/);
  await expect(whole.locator("pre")).toContainText(/^CREATE TABLE customers[\s\S]*ENGINE=InnoDB/);
});

test("a narrow window shows one pane and the way back", async ({ viewer, page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await expect(viewer.list).toBeVisible();
  await expect(viewer.detail).toBeHidden();
  await viewer.row(2).click();
  await expect(viewer.detail).toBeVisible();
  await expect(viewer.hex).toBeHidden();
  await expect(viewer.list).toBeHidden();
  await page.getByRole("button", { name: "Bytes ›" }).click();
  await expect(viewer.hex).toBeFocused();
  await expect(viewer.detail).toBeHidden();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(360);
  await page.getByRole("button", { name: "Back to the event" }).click();
  await expect(viewer.tree).toBeFocused();
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect(viewer.list).toBeVisible();
  await expect(viewer.list).toBeFocused();
  await expect(viewer.selected()).toHaveAttribute("data-row", "2");
});

test("the theme is switched and remembered", async ({ viewer, page }) => {
  const ground = (): Promise<string> => page.locator("binlog-view").evaluate((view) => getComputedStyle(view).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.locator("binlog-view")).toHaveAttribute("data-theme", "dark");
  expect(await ground()).not.toBe(light);
  await page.reload();
  await viewer.reaches("empty");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
