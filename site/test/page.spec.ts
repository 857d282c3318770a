// The page around the events: panes, views, keys, the address, the list of logs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TYPE, eventsOf, ordinalOf, sample, scratch, writeDamaged, writeManyLogs, writeSilentFault, writeTruncated, writeWrongChecksum } from "./logs.ts";
import { expect, test, type Viewer } from "./viewer.ts";
import type { Locator } from "@playwright/test";

const folder = scratch();
const events = eventsOf(sample());

/** Width of the event's pane, or height of the bytes', in per cent of the panes. */
async function shares(viewer: Viewer): Promise<{ detail: number; hex: number }> {
  const box = async (name: string) => (await viewer.page.locator(name).boundingBox())!;
  const [whole, detail, hex] = [await box(".panes"), await box("binlog-detail"), await box("binlog-hex")];
  return { detail: Math.round((100 * detail.width) / whole.width), hex: Math.round((100 * hex.height) / whole.height) };
}

test("the panes are resized by the keyboard and the pointer, and remembered", async ({ viewer, page }) => {
  await viewer.openSample();
  expect(await shares(viewer)).toEqual({ detail: 43, hex: 27 });
  const upright = page.getByRole("separator", { name: "Width of the event" });
  const level = page.getByRole("separator", { name: "Height of the bytes" });
  await expect(upright).toHaveAttribute("aria-valuenow", "43");
  await upright.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(upright).toHaveAttribute("aria-valuenow", "45");
  await page.keyboard.press("End");
  expect((await shares(viewer)).detail).toBe(12);
  await page.keyboard.press("Home");
  expect((await shares(viewer)).detail).toBe(85);
  await upright.dblclick();
  expect((await shares(viewer)).detail).toBe(43);

  const main = (await page.locator(".panes").boundingBox())!;
  const line = (await level.boundingBox())!;
  await page.mouse.move(line.x + 100, line.y + line.height / 2);
  await page.mouse.down();
  await page.mouse.move(line.x + 100, main.y + main.height * 0.4, { steps: 4 });
  await page.mouse.up();
  expect((await shares(viewer)).hex).toBe(60);
  await page.reload();
  await viewer.reaches("empty");
  await viewer.openSample();
  expect(await shares(viewer)).toEqual({ detail: 43, hex: 60 });
});

test("the views are tabs with counts; the selection survives a change", async ({ viewer, page }) => {
  const path = join(folder, "damaged.binlog");
  const damaged = writeDamaged(path);
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(viewer.tab(/^Events/)).toHaveText(`Events${events.length}`);
  await expect(viewer.tab(/^Problems/)).toHaveText("Problems1");
  await viewer.goTo(5);
  await viewer.tab(/^Events/).focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await expect(viewer.tab(/^Problems/)).toBeFocused();
  const problems = page.getByRole("tree", { name: "Problems" });
  await expect(problems.getByRole("treeitem")).toHaveCount(2);
  await expect(viewer.detail).toContainText("#5 at ");
  await problems.getByRole("treeitem", { name: /claims/ }).click();
  await expect(viewer.detail).toContainText(`at ${damaged.offset.toLocaleString("en")}`);
  await expect(page.locator("binlog-hex .what")).toContainText(`1 byte at ${damaged.offset.toLocaleString("en")}`);
  await page.keyboard.press("1");
  await expect(viewer.list).toBeFocused();
  await expect(viewer.selected()).toContainText("damaged bytes");
});

test("problems by the keyboard: groups fold, one leads to its bytes", async ({ viewer, page }) => {
  const path = join(folder, "checksum.binlog");
  const event = writeWrongChecksum(path);
  await viewer.choose(path);
  await viewer.reaches("done");
  await page.keyboard.press("4");
  const problems = page.getByRole("tree", { name: "Problems" });
  await expect(problems).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(problems.getByRole("treeitem", { selected: true })).toContainText("the checksum of the bytes is");
  await expect(viewer.detail).toContainText(`at ${event.offset.toLocaleString("en")}`);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(problems.getByRole("treeitem")).toHaveCount(1);
  await expect(problems.getByRole("treeitem")).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Enter");
  await expect(problems.getByRole("treeitem")).toHaveCount(2);
});

test("a problem found only when its event is shown counts from then on", async ({ viewer, page }) => {
  const path = join(folder, "silent.binlog");
  const ordinal = writeSilentFault(path);
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(viewer.tab(/^Problems/)).toHaveText("Problems0");
  await page.keyboard.press("End");
  await expect(viewer.detail).toContainText(`#${ordinal} at `);
  await expect(viewer.tab(/^Problems/)).toHaveText("Problems1");
  await expect(viewer.status).toContainText("1 problem");
  await page.keyboard.press("4");
  await expect(page.getByRole("tree", { name: "Problems" }).getByRole("treeitem")).toHaveCount(2);
});

test.describe("keys", () => {
  test("? lists them, Escape gives the keyboard back", async ({ viewer, page }) => {
    await viewer.openSample();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keys" });
    await expect(dialog).toBeVisible();
    await expect(dialog).toContainText("go to an offset");
    await page.keyboard.press("g");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("textbox")).toHaveCount(0); // no key goes through the dialog
    await expect(viewer.list).toBeFocused();
  });

  test("panes, events, views; no key is taken from a text field", async ({ viewer, page }) => {
    await viewer.openSample();
    await page.keyboard.press("F6");
    await expect(viewer.tree).toBeFocused();
    await page.keyboard.press("F6");
    await expect(viewer.hex).toBeFocused();
    await page.keyboard.press("Shift+F6");
    await expect(viewer.tree).toBeFocused();
    await page.keyboard.press("]");
    await expect(viewer.detail).toContainText("#1 at ");
    await page.keyboard.press("[");
    await expect(viewer.detail).toContainText("#0 at ");
    await page.keyboard.press("l");
    await expect(viewer.list).toBeFocused();
    await page.keyboard.press("f");
    const box = page.getByRole("textbox", { name: "Find" });
    await expect(box).toBeFocused();
    await page.keyboard.type("d2]?");
    await expect(box).toHaveValue("d2]?");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(viewer.tab(/^Events/)).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Escape");
    await expect(viewer.hex).toBeFocused();
  });

  test("single letters can be switched off", async ({ viewer, page }) => {
    await viewer.openSample();
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("checkbox", { name: /single letter/ }).uncheck();
    await page.keyboard.press("Escape");
    await viewer.list.focus();
    await page.keyboard.press("]");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(viewer.detail).toContainText("#0 at ");
    await page.keyboard.press("ArrowDown");
    await expect(viewer.detail).toContainText("#1 at ");
    await page.keyboard.press("F6");
    await expect(viewer.tree).toBeFocused();
  });

  test("they hold on the first visit, too", async ({ viewer, page }) => {
    const dialog = page.waitForEvent("filechooser"); // the browser hands it over some time after that was asked for
    await page.keyboard.press("t");
    await expect(page.locator("binlog-view")).toHaveAttribute("data-theme", "light");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("o");
    await (await dialog).setFiles([]);
    await viewer.reaches("empty");
  });

  test("a key pressed the moment the log is there keeps the keyboard where it went", async ({ viewer, page }) => {
    await page.evaluate(() => {
      const press = (): boolean => document.dispatchEvent(new KeyboardEvent("keydown", { key: "g", bubbles: true }));
      const root = document.documentElement;
      new MutationObserver((_, watch) => {
        if (!["indexing", "done"].includes(root.dataset["state"] ?? "")) return;
        watch.disconnect();
        press();
      }).observe(root, { attributeFilter: ["data-state"] });
    });
    await page.getByRole("button", { name: "Open the sample log" }).focus();
    await page.keyboard.press("Enter");
    await viewer.reaches("done");
    await expect(page.getByLabel("Offset in the file")).toBeFocused();
    await expect(viewer.detail).toContainText("#0 at ");
    await expect(page.getByLabel("Offset in the file")).toBeFocused();
    await page.keyboard.type("#46");
    await page.keyboard.press("Enter");
    await expect(viewer.detail).toContainText("#46 at ");
  });

  test("from the largest transaction of a table to what an undo needs, without a pointer", async ({ viewer, page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const tabTo = async (what: Locator, by: "Tab" | "Shift+Tab"): Promise<void> => {
      const there = (): Promise<boolean> => what.evaluate((element) => (element.getRootNode() as ShadowRoot | Document).activeElement === element);
      for (let i = 0; i < 40 && !(await there()); i++) await page.keyboard.press(by);
      await expect(what).toBeFocused();
    };
    /** Presses ArrowDown until the row with this text is the selected one: each key when what the last one did is shown. */
    const downTo = async (selected: Locator, text: string): Promise<void> => {
      for (let is = await selected.textContent(); !is?.includes(text); is = await selected.textContent()) {
        const at = await selected.getAttribute("aria-rowindex");
        await page.keyboard.press("ArrowDown");
        await expect(selected).not.toHaveAttribute("aria-rowindex", at ?? "");
      }
    };
    await tabTo(page.getByRole("button", { name: "Open the sample log" }), "Tab");
    await page.keyboard.press("Enter");
    await viewer.reaches("done");
    await page.keyboard.press("3"); // tables
    const tables = page.getByRole("grid", { name: "Tables" });
    await expect(tables).toBeFocused();
    await downTo(tables.getByRole("row", { selected: true }), "shop.orders");
    await page.keyboard.press("Enter");
    await expect(viewer.list).toBeFocused();
    await expect(page.getByRole("combobox", { name: "Filter" })).toHaveValue("table:shop.orders");
    await page.keyboard.press("2"); // transactions, those of the table
    const transactions = page.getByRole("treegrid", { name: "Transactions" });
    await expect(transactions).toBeFocused();
    await tabTo(transactions.getByRole("button", { name: "Rows" }), "Tab");
    await page.keyboard.press("Enter");
    await tabTo(transactions, "Shift+Tab");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    const selected = transactions.getByRole("row", { selected: true });
    await downTo(selected, "UPDATE_ROWS_EVENT");
    const ordinal = /[\d,]+/.exec((await selected.textContent()) ?? "")?.[0] ?? "";
    await expect(viewer.detail).toContainText(`#${ordinal} at `);
    await page.keyboard.press("Enter");
    await expect(viewer.rows).toBeFocused(); // an event of rows opens at them
    while ((await viewer.rows.locator(".chg [aria-selected=true]").count()) === 0) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft"); // what the value was before
    const was = viewer.rows.locator(".chg [data-side=before][aria-selected=true]");
    await expect(was).toHaveCount(1);
    await page.keyboard.press("c");
    await expect(viewer.status).toContainText("copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(((await was.textContent()) ?? "").trim());
    await page.keyboard.press("b");
    await expect(viewer.hex).toBeFocused();
    await expect(page.locator("binlog-hex .what")).toContainText(".before.");
    await expect(viewer.hex.locator(".hex .cur")).toBeVisible();
  });

  test("from a log to the bytes of a value without a pointer", async ({ viewer, page }) => {
    await page.getByRole("button", { name: "Open the sample log" }).focus();
    await page.keyboard.press("Enter");
    await viewer.reaches("done");
    const update = ordinalOf(TYPE.updateRows);
    await page.keyboard.press("g");
    await page.keyboard.type(`#${update}`);
    await page.keyboard.press("Enter");
    await expect(viewer.detail).toContainText(`#${update} at `);
    await page.keyboard.press("l");
    await page.keyboard.press("Enter");
    await expect(viewer.rows).toBeFocused();
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowDown");
    await expect(page.locator("binlog-hex .what")).toContainText("rows[0].after.total = 117.47");
    await page.keyboard.press("b");
    await expect(viewer.hex).toBeFocused();
    await expect(viewer.hex.locator(".hex .cur")).toHaveText("80");
    await page.keyboard.press("Escape");
    await expect(viewer.list).toBeFocused();
  });
});

test("the clock: UTC, or the reader's, remembered", async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
  const page = await context.newPage();
  const { Viewer } = await import("./viewer.ts");
  const viewer = new Viewer(page);
  await viewer.load();
  await viewer.openSample();
  await expect(viewer.row(0)).toContainText("07:59:00");
  await expect(viewer.list).toContainText("Time (UTC)");
  await viewer.status.getByRole("button", { name: "Times: UTC" }).click();
  await expect(viewer.row(0)).toContainText("13:29:00");
  await expect(viewer.list).toContainText("Time (local)");
  await expect(viewer.detail).toContainText("2026-01-06 13:29:00 +05:30");
  await page.reload();
  await viewer.reaches("empty");
  await viewer.openSample();
  await expect(viewer.row(0)).toContainText("13:29:00");
  await context.close();
});

test.describe("the address", () => {
  test("keeps the event, the field and the view, and the same log comes back to them", async ({ viewer, page }) => {
    await viewer.openSample();
    const update = ordinalOf(TYPE.updateRows);
    await viewer.goTo(update);
    await viewer.rows.locator(".chg [data-side=after]").first().click();
    await expect(page).toHaveURL(new RegExp(`#1&log=[0-9a-f]+&at=${update}&path=rows\\[0\\]\\.after\\.total$`));
    expect(page.url()).not.toContain("sample");
    await page.reload();
    await viewer.reaches("empty");
    await expect(page.getByText(`This address points to event #${update} of a log`)).toBeVisible();
    await viewer.openSample();
    await expect(viewer.detail).toContainText(`#${update} at `);
    await expect(viewer.rows.locator("[data-side=after][aria-selected=true]")).toHaveText("117.47");
    await expect(viewer.selected()).toHaveAttribute("data-row", String(update));
  });

  test("a link to another log is kept for that log", async ({ viewer, page }) => {
    const [first, second] = [events[0]!, events[1]!];
    const other = join(folder, "other.binlog");
    writeFileSync(other, sample().subarray(0, second.offset + second.size));
    await page.goto("/#1&log=1234567&at=3");
    await page.reload();
    await viewer.reaches("empty");
    await viewer.choose(other);
    await viewer.reaches("done");
    await expect(viewer.detail).toContainText(`#0 at ${first.offset}`);
  });

  test("garbage opens the page as ever", async ({ viewer, page }) => {
    await page.goto("/#1&log=%zz&at=NaN&view=<script>");
    await page.reload();
    await viewer.reaches("empty");
    await viewer.openSample();
    await expect(viewer.detail).toContainText("#0 at ");
    await expect(viewer.tab(/^Events/)).toHaveAttribute("aria-selected", "true");
  });

  test("following a link in the open page goes there; Copy link gives one", async ({ viewer, page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await viewer.openSample();
    await page.keyboard.press("]");
    await expect(viewer.detail).toContainText("#1 at ");
    await viewer.detail.getByRole("button", { name: "Copy link" }).click();
    await expect(viewer.status).toContainText("copied a link to this event");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#1&log=[0-9a-f]+&at=1$/);
    await page.evaluate((hash) => (location.hash = hash), new URL(link).hash.replace("at=1", "at=12"));
    await expect(viewer.detail).toContainText("#12 at ");
    await expect(viewer.selected()).toHaveAttribute("data-row", "12");
  });
});

test.describe("several logs", () => {
  test("become a list in the order of their first events; each keeps its place", async ({ viewer, page }) => {
    await viewer.choose(writeManyLogs(folder));
    await viewer.reaches("done");
    const logs = page.getByRole("navigation", { name: "Logs" });
    const names = logs.locator(".log");
    await expect(names).toHaveText(["mysql-bin.000041", "mysql-bin.000042", "mysql-bin.000043"]);
    await expect(names.nth(0)).toHaveAttribute("aria-current", "true");
    await viewer.goTo(ordinalOf(TYPE.updateRows));
    await names.nth(2).click();
    await expect(page.locator("binlog-toolbar")).toContainText("mysql-bin.000043");
    await viewer.reaches("done");
    await expect(viewer.detail).toContainText("#0 at ");
    await names.nth(0).click();
    await expect(viewer.detail).toContainText(`#${ordinalOf(TYPE.updateRows)} at `);
    await expect(viewer.selected()).toHaveAttribute("data-row", String(ordinalOf(TYPE.updateRows)));
    await viewer.reaches("done");
    await logs.getByRole("button", { name: "Take mysql-bin.000041 off the list" }).click();
    await expect(names).toHaveCount(2);
    await expect(page.locator("binlog-toolbar")).toContainText("mysql-bin.000042");
  });

  test("what is no log does not take the place of one", async ({ viewer, page }) => {
    await viewer.openSample();
    await viewer.goTo(7);
    await viewer.choose({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no log\n") });
    await expect(page.getByRole("alert")).toContainText("notes.txt was not opened: this is not a binary log");
    await viewer.reaches("done");
    await expect(page.locator("binlog-toolbar")).toContainText("sample.binlog");
    await expect(viewer.detail).toContainText("#7 at ");
    await expect(page.getByRole("navigation", { name: "Logs" })).toHaveCount(0);
  });
});

test("the timeline shows nothing before there is an event, and then all of it", async ({ viewer, page }) => {
  await page.evaluate(() => {
    const said = new Set<string>();
    Object.assign(globalThis, { said });
    const look = (): void => {
      const timeline = document.querySelector("binlog-view")?.shadowRoot?.querySelector("binlens-timeline");
      said.add(timeline?.shadowRoot?.querySelector(".said")?.textContent?.trim() ?? "");
      requestAnimationFrame(look);
    };
    look();
  });
  const path = join(folder, "truncated.binlog");
  writeTruncated(path, 4);
  await viewer.choose(path);
  await expect(page.locator("binlens-timeline .said")).toHaveText(/^highest bar: [1-9]\d* events in \d+ s$/);
  const said = await page.evaluate(() => [...(globalThis as unknown as { said: Set<string> }).said]);
  for (const text of said) expect(text).toMatch(/^$|^highest bar: [1-9]/);
});

test("the selected row stays in view when the list gets lower", async ({ viewer, page }) => {
  await viewer.openSample();
  await viewer.list.focus();
  await page.keyboard.press("End");
  await expect(viewer.selected()).toHaveAttribute("data-row", String(events.length - 1));
  await page.getByRole("separator", { name: "Height of the bytes" }).focus();
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("ArrowUp");
    await expect(viewer.selected()).toBeInViewport({ ratio: 0.9 });
  }
});
