// How a log gets in, and what the page says of files that are damaged or no logs at all.
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { NO_LOGS, SAMPLE, eventsOf, sample, scratch, writeDamaged, writeTruncated, writeWrongChecksum } from "./logs.ts";
import { expect, test } from "./viewer.ts";

const folder = scratch();
const events = eventsOf(sample()).length;

test("the first visit: what it is, how a file gets in, what does not get out", async ({ viewer, page }) => {
  await expect(page.getByRole("heading", { name: "Drop a MySQL or MariaDB binary log here" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Choose a file…" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Open the sample log" })).toBeEnabled();
  await expect(page.getByText("Nothing is uploaded.")).toBeVisible();
  await expect(viewer.status).toContainText(/^\s*Sealed \d\d:\d\d:\d\d · 0 requests since\s*$/);
});

test("the sample opens", async ({ viewer }) => {
  await viewer.openSample();
  await expect(viewer.status).toContainText(`${events.toLocaleString("en")} events`);
  await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
  await expect(viewer.selected()).toHaveAttribute("data-row", "0");
  await expect(viewer.page.locator("binlog-toolbar")).toContainText(/sample\.binlog.*MariaDB 10\.\d+.*CRC32/);
});

test("a file chosen in the dialog opens, and another one after it", async ({ viewer }) => {
  await viewer.choose(SAMPLE);
  await viewer.reaches("done");
  await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
  const other = join(folder, "mysql-bin.000042");
  writeFileSync(other, sample().subarray(0, eventsOf(sample())[3]?.offset));
  await viewer.choose(other);
  await expect(viewer.page.locator("binlog-toolbar")).toContainText("mysql-bin.000042");
  await viewer.reaches("done");
  await expect(viewer.status).toContainText("3 events");
  await expect(viewer.list).toHaveAttribute("aria-rowcount", "4");
});

test("the button opens the dialog", async ({ viewer, page }) => {
  const dialog = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file…" }).click();
  await (await dialog).setFiles(SAMPLE);
  await viewer.reaches("done");
});

test("a file dropped from the desktop opens", async ({ viewer, page }) => {
  const over = page.getByText("Drop it: it stays in this page");
  await expect(over).toBeHidden();
  await viewer.drop(SAMPLE, () => expect(over).toBeVisible());
  await viewer.reaches("done");
  await expect(over).toBeHidden();
  await expect(page.locator("binlog-toolbar")).toContainText(basename(SAMPLE));
});

test("a file dropped while another is open takes its place", async ({ viewer, page }) => {
  await viewer.openSample();
  const path = join(folder, "second.binlog");
  writeFileSync(path, sample());
  await viewer.drop(path);
  await expect(page.locator("binlog-toolbar")).toContainText("second.binlog");
  await viewer.reaches("done");
  await expect(viewer.row(0)).toContainText("FORMAT_DESCRIPTION_EVENT");
});

test("a file that comes before the decoder is loaded opens when it is", async ({ page }) => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  await page.route("**/binlens.wasm", async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto("/");
  await page.locator("input[type=file]").setInputFiles(SAMPLE);
  await expect(page.getByText("sample.binlog opens as soon as the decoder is loaded")).toBeVisible();
  go();
  await expect(page.locator("binlog-view")).toHaveAttribute("data-state", "done");
});

test("a decoder that cannot be loaded is said", async ({ page }) => {
  await page.route("**/binlens.wasm", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/");
  await expect(page.locator("binlog-view")).toHaveAttribute("data-state", "lost");
  await expect(page.getByRole("alert")).toContainText("binlens.wasm could not be loaded: the server answered 503");
  await expect(page.getByRole("button", { name: "Load the page again" })).toBeVisible();
});

for (const { name, bytes, says } of NO_LOGS) {
  test(`no binary log: ${name}`, async ({ viewer, page }) => {
    await viewer.choose({ name, mimeType: "", buffer: bytes });
    await viewer.reaches("refused");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText(`${name} is not a binary log`);
    await expect(alert).toContainText(says);
    await expect(page.getByRole("button", { name: "Choose another file…" })).toBeVisible();
    await viewer.openSample();
  });
}

test("a truncated log: what is there shows, the tail is named", async ({ viewer }) => {
  const path = join(folder, "truncated.binlog");
  const tail = writeTruncated(path, 4);
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(viewer.status).toContainText("1 problem");
  await viewer.list.focus();
  await viewer.page.keyboard.press("End");
  const last = viewer.selected();
  await expect(last).toContainText("truncated tail");
  await expect(last).toContainText(tail.offset.toLocaleString("en"));
  await expect(last).toContainText(tail.size.toLocaleString("en"));
  await expect(last.getByTitle("has problems")).toHaveText("!");
  await expect(viewer.detail.getByRole("list", { name: "Problems" })).toContainText("truncated");
  await viewer.idle();
  await expect(viewer.hex).toContainText(sample().subarray(tail.offset, tail.offset + 3).toString("hex").replace(/..(?=.)/g, "$& "));
});

test("damage in the middle: the bytes are listed, and the log goes on behind them", async ({ viewer, page }) => {
  const path = join(folder, "damaged.binlog");
  const damaged = writeDamaged(path);
  await viewer.choose(path);
  await viewer.reaches("done");
  await expect(viewer.status).toContainText(/[1-9]\d* problems?/);
  await viewer.status.getByRole("button", { name: /problems?$/ }).click();
  await expect(viewer.selected()).toContainText("damaged bytes");
  await expect(viewer.selected()).toContainText(damaged.offset.toLocaleString("en"));
  await viewer.list.focus();
  await page.keyboard.press("ArrowDown");
  await expect(viewer.selected()).toContainText((damaged.offset + damaged.size).toLocaleString("en"));
  await expect(viewer.selected()).toContainText("_EVENT");
});

test("a wrong checksum: the event is decoded all the same, with its problem", async ({ viewer }) => {
  const path = join(folder, "checksum.binlog");
  const event = writeWrongChecksum(path);
  await viewer.choose(path);
  await viewer.reaches("done");
  await viewer.status.getByRole("button", { name: /problems?$/ }).click();
  await expect(viewer.selected()).toContainText(event.offset.toLocaleString("en"));
  await expect(viewer.detail).toContainText("CRC does not match");
  await expect(viewer.detail.getByRole("list", { name: "Problems" })).toContainText("checksum");
  await viewer.tab(/Fields/).click();
  await expect(viewer.tree.getByRole("treeitem").first()).toBeVisible();
});

test("a log with nothing behind its first bytes", async ({ viewer, page }) => {
  await viewer.choose({ name: "empty.binlog", mimeType: "", buffer: Buffer.from([0xfe, 0x62, 0x69, 0x6e]) });
  await viewer.reaches("done");
  await expect(page.getByText("No event: nothing follows the first bytes of this log.")).toBeVisible();
});
