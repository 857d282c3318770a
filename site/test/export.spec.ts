// The export dialog: what it writes is what the program for the terminal prints; and the schema that names columns.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { CsvReader, type Field } from "../src/csvread.ts";
import { SAMPLE, TYPE, ordinalOf, scratch, writeLongLog, writeRowsOf, writeTruncated } from "./logs.ts";
import { audit, expect, test, type Viewer } from "./viewer.ts";

const folder = scratch();
const program = new URL("../../dist/bin/binlens", import.meta.url).pathname;
const logs = new URL("../../testdata/mariadb/", import.meta.url).pathname;

test.beforeEach(async ({ viewer }) => {
  // Where the browser has a dialog for files, nobody is here to answer it.
  await viewer.page.evaluate(() => delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker);
});

/** What the program prints; an export that is not complete ends it with an error. */
function printed(...args: string[]): Buffer {
  try {
    return execFileSync(program, args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (thrown) {
    const { stdout } = thrown as { stdout?: Buffer };
    if (!stdout?.length) throw thrown;
    return stdout;
  }
}

const dialog = (page: Page): Locator => page.getByRole("dialog", { name: "Export" });
const preview = (page: Page): Locator => dialog(page).getByRole("region", { name: "Preview" });
const save = (page: Page): Locator => dialog(page).getByRole("button", { name: "Save…" });

async function open(viewer: Viewer, path: string): Promise<void> {
  await viewer.choose(path);
  await viewer.reaches("done");
  await viewer.idle();
}

async function choose(page: Page, format: string): Promise<void> {
  await dialog(page).getByLabel("As").selectOption({ label: format });
  await expect(save(page)).toBeEnabled();
}

/** Saves, and returns the file's name and bytes. */
async function saved(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 20_000 }), save(page).click()]);
  const bytes = readFileSync(await download.path());
  await expect(dialog(page).getByText(/^Saved /)).toBeVisible();
  return { name: download.suggestedFilename(), bytes };
}

const FORMATS: readonly [label: string, ending: string, args: string[]][] = [
  ["SQL: what happened", ".sql", ["sql"]],
  ["SQL: undo", ".undo.sql", ["undo"]],
  ["JSON lines", ".jsonl", ["dump"]],
  ["mysqlbinlog text", ".txt", ["text"]],
  ["mysqlbinlog text with BINLOG", ".binlog.sql", ["text", "-blocks"]],
  ["Report without values", ".report.jsonl", ["share"]],
];

for (const [name, path] of [["sample.binlog", SAMPLE], ["types_nolog.binlog", join(logs, "types_nolog.binlog")]] as const) {
  test(`every format of ${name} is what the program prints`, async ({ viewer, page }) => {
    await open(viewer, path);
    await page.getByRole("button", { name: "Export…" }).click();
    for (const [label, ending, args] of FORMATS) {
      await choose(page, label);
      const want = printed(...args, path);
      const { name: file, bytes } = await saved(page);
      expect(file).toBe(name + ending);
      expect(bytes.equals(want), `${label}: ${bytes.length} bytes, not the ${want.length} of the program`).toBe(true);
    }
  });
}

test("with a filter: what it leaves, and nothing else", async ({ viewer, page }) => {
  await open(viewer, SAMPLE);
  const filter = "table:shop.orders type:update";
  await page.getByRole("combobox", { name: "Filter" }).fill(filter);
  await page.keyboard.press("Enter");
  await expect(viewer.tab(/^Events/)).toHaveText(/ of /);
  await viewer.list.focus();
  await page.keyboard.press("e");
  await expect(dialog(page).getByRole("radio", { name: /^what the filter leaves, \d+ of \d+ events$/ })).toBeChecked();
  for (const [label, , [command = "", ...rest]] of FORMATS) {
    await choose(page, label);
    const want = printed(command, ...rest, "-filter", filter, SAMPLE);
    const { bytes } = await saved(page);
    expect(bytes.equals(want), label).toBe(true);
  }
});

test("one event, and its transaction", async ({ viewer, page }) => {
  await open(viewer, SAMPLE);
  const ordinal = ordinalOf(TYPE.updateRows);
  await viewer.goTo(ordinal);
  await page.keyboard.press("e");
  await dialog(page).getByRole("radio", { name: `event #${ordinal}` }).check();
  await choose(page, "SQL: undo");
  expect((await saved(page)).bytes.toString()).toBe(printed("undo", "-from", `${ordinal}`, "-to", `${ordinal + 1}`, SAMPLE).toString());
  const transaction = dialog(page).getByRole("radio", { name: /^its transaction, \d+ events$/ });
  const events = Number(/\d+/.exec((await transaction.locator("..").textContent()) ?? "")?.[0]);
  await transaction.check();
  await choose(page, "JSON lines");
  const lines = (await saved(page)).bytes.toString().trimEnd().split("\n").map((line) => JSON.parse(line) as { ordinal: number });
  expect(lines).toHaveLength(events);
  expect(lines.map((line) => line.ordinal)).toContain(ordinal);
  expect(new Set(lines.map((line) => (line as { transaction?: number }).transaction)).size).toBe(1);
});

/** Everything of a CSV: titles, and lines. */
function csv(bytes: Buffer): { titles: string[]; lines: Field[][] } {
  const reader = new CsvReader();
  const [titles = [], ...lines] = reader.push(bytes.toString());
  expect(reader.empty).toBe(true);
  return { titles: titles.map((title) => title ?? ""), lines };
}

/** The rows of a Parquet file; decimals as the integers that they are stored as, which the reader would make doubles of. */
async function rowsOf(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  for (const element of metadata.schema) {
    if (element.converted_type !== "DECIMAL") continue;
    delete element.converted_type;
    delete element.logical_type;
  }
  return parquetReadObjects({ file, metadata, utf8: false });
}

/** A decimal of its unscaled integer, or of that as 16 bytes, the highest first. */
function decimal(value: bigint | Uint8Array, scale: number): string {
  const whole = value instanceof Uint8Array ? BigInt.asIntN(128, BigInt(`0x${Buffer.from(value).toString("hex")}`)) : value;
  const digits = (whole < 0n ? -whole : whole).toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${whole < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ""}`;
}

/** A value of Parquet as the CSV writes it. */
function asField(value: unknown, title: string): Field {
  const type = title.slice(title.lastIndexOf(":") + 1);
  if (value === null || value === undefined) return null;
  const scale = /^decimal\((?:\d|[12]\d|3[0-8]),(\d+)\)/.exec(type)?.[1];
  if (scale !== undefined) return decimal(value as bigint | Uint8Array, Number(scale));
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace("T", " ");
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString("hex")}`;
  return String(value);
}

test("CSV and Parquet have the same rows of each table", async ({ viewer, page }) => {
  const path = join(logs, "types.binlog");
  await open(viewer, path);
  await page.keyboard.press("e");
  await choose(page, "CSV, one table");
  const tables = await dialog(page).getByLabel("Table").locator("option").evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(tables.length).toBeGreaterThan(5);
  let values = 0;
  for (const table of tables.filter((name) => /integers|decimals|floats|years|dates|binaries|odd/.test(name))) {
    await choose(page, "CSV, one table");
    await dialog(page).getByLabel("Table").selectOption(table);
    await expect(save(page)).toBeEnabled();
    const text = await saved(page);
    expect(text.name).toBe(`types.binlog.${table.replace(" `", "_")}.csv`);
    expect(text.bytes.equals(printed("csv", "-table", table, path)), table).toBe(true);
    await choose(page, "Parquet, one table");
    const { bytes } = await saved(page);
    const { titles, lines } = csv(text.bytes);
    const rows = await rowsOf(bytes);
    expect(rows).toHaveLength(lines.length);
    for (const [i, line] of lines.entries()) {
      for (const [k, title] of titles.entries()) {
        const name = title.startsWith("_") ? title : title.slice(0, title.lastIndexOf(":"));
        expect(same(asField(rows[i]?.[name], title), line[k] ?? null, title), `${table} row ${i} ${title}: ${String(rows[i]?.[name])}, not ${line[k]}`).toBe(true);
        values++;
      }
    }
  }
  expect(values).toBeGreaterThan(600);
});

/** Floating-point numbers are the same by their value: there are many ways to print one. */
function same(got: Field, want: Field, title: string): boolean {
  if (got === want) return true;
  if (got === null || want === null) return false;
  const type = title.slice(title.lastIndexOf(":") + 1);
  if (/^float/.test(type)) return Math.fround(Number(got)) === Math.fround(Number(want));
  return /^(double|year)/.test(type) && Number(got) === Number(want);
}

test("undo says what it cannot take back before it is saved", async ({ viewer, page }) => {
  const path = join(folder, "cut.binlog");
  writeTruncated(path, 4);
  await open(viewer, path);
  await page.keyboard.press("e");
  await choose(page, "SQL: undo");
  await expect(dialog(page).getByText("This undo is not complete.")).toBeVisible();
  const remarks = await dialog(page).getByRole("list", { name: "Remarks" }).getByRole("listitem").allTextContents();
  const head = printed("undo", path).toString().split("\n").filter((line) => line.startsWith("-- NOT UNDONE: "));
  expect(remarks.filter((remark) => !remark.startsWith("caution"))).toHaveLength(head.length);
  expect(head.length).toBeGreaterThan(1);
  for (const remark of remarks) expect(head.join("\n") + remark).toContain(remark.replace(/^caution: /, "").replace(/ \(.*$/, ""));
  await expect(preview(page)).toContainText("THIS SCRIPT IS NOT COMPLETE");
});

test("the preview is the beginning of the file; copied, all of it", async ({ viewer, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(viewer, SAMPLE);
  await page.keyboard.press("e");
  await choose(page, "mysqlbinlog text");
  const want = printed("text", SAMPLE).toString();
  const shown = ((await preview(page).textContent()) ?? "").split("\n");
  expect(shown.at(-1)).toBe("…");
  expect(shown.length).toBeGreaterThan(100);
  expect(want.startsWith(shown.slice(0, -1).join("\n"))).toBe(true);
  await dialog(page).getByRole("button", { name: "Copy" }).click();
  await expect(dialog(page).getByText(/^Copied [\d,]+ bytes\.$/)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(want);
});

test("a large export: in parts into the chosen file, and cancelled without a trace", async ({ viewer, page }) => {
  const path = join(folder, "long.binlog");
  writeLongLog(path, 8 << 20);
  // A file of the browser's dialog that remembers what it was given, and can be slow.
  await page.evaluate(() => {
    const file = { name: "", parts: 0, bytes: 0, largest: 0, ended: "", hold: false };
    Object.assign(window, {
      file,
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        Object.assign(file, { name: suggestedName, parts: 0, bytes: 0, largest: 0, ended: "" });
        const write = async (data: Uint8Array): Promise<void> => {
          file.parts++;
          file.bytes += data.length;
          file.largest = Math.max(file.largest, data.length);
          while (file.hold && file.parts > 3 && file.ended === "") await new Promise((resolve) => setTimeout(resolve, 10));
        };
        return { createWritable: async () => ({ write, close: async () => void (file.ended = "closed"), abort: async () => void (file.ended = "aborted") }) };
      },
    });
  });
  type Saved = { name: string; parts: number; bytes: number; largest: number; ended: string; hold: boolean };
  const file = (): Promise<Saved> => page.evaluate(() => (window as unknown as { file: Saved }).file);
  const hold = (on: boolean): Promise<unknown> => page.evaluate((to) => ((window as unknown as { file: Saved }).file.hold = to), on);
  await open(viewer, path);
  await page.keyboard.press("e");
  await choose(page, "SQL: what happened");
  await hold(true);
  await save(page).click();
  await expect.poll(async () => (await file()).parts).toBeGreaterThan(3);
  await expect(dialog(page).getByText(/ % · [\d,]+ of [\d,]+ events · .* written/)).toBeVisible();
  await page.keyboard.press("Escape");
  await hold(false);
  await expect.poll(async () => (await file()).ended).toBe("aborted");
  await expect(dialog(page).getByText("Cancelled: nothing was saved.")).toBeVisible();
  await save(page).click();
  await expect(dialog(page).getByText(/^Saved /)).toBeVisible({ timeout: 50_000 });
  const { name, bytes, parts, largest, ended } = await file();
  expect({ name, ended, bytes }).toEqual({ name: "long.binlog.sql", ended: "closed", bytes: printed("sql", path).length });
  expect(parts).toBeGreaterThan(20);
  expect(largest).toBeLessThan(1 << 20);
  await expect(viewer.status).toContainText("0 requests since"); // and all that without a request
});

test("by the keyboard alone, and without a fault that axe finds", async ({ viewer, page }) => {
  await open(viewer, SAMPLE);
  await page.keyboard.press("e");
  await expect(dialog(page).getByLabel("As")).toBeFocused();
  await expect(save(page)).toBeEnabled();
  expect(await audit(viewer)).toEqual([]);
  await page.keyboard.type("undo"); // does nothing to the page behind; the formats begin with SQL
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+Tab");
  await expect(dialog(page).getByRole("radio", { name: /^the whole log/ })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(dialog(page).getByRole("radio", { name: /^event #/ })).toBeChecked();
  await expect(save(page)).toBeEnabled();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await save(page).focus();
      await page.keyboard.press("Enter");
    })(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^sample\.binlog\./);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(viewer.list).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Export…" }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expect(save(page)).toBeEnabled();
  expect(await audit(viewer)).toEqual([]);
});

test("a schema names columns: dropped, pasted, kept for the next log", async ({ viewer, page }) => {
  const bare = join(folder, "bare.binlog");
  writeRowsOf(bare, join(logs, "types_nolog.binlog"), 32); // of the table years, without its DDL
  await open(viewer, bare);
  await viewer.goTo(2);
  await expect(viewer.detail).toContainText("no column names in this log");
  const sql = join(folder, "shop.sql");
  writeFileSync(sql, "USE `types`;\nCREATE TABLE `years` (`id` int unsigned NOT NULL, `founded` year, `i` int, `closed` year, `iu` int unsigned, PRIMARY KEY (`id`));\n");
  await viewer.drop(sql);
  const names = page.getByRole("dialog", { name: "Names of columns" });
  await expect(names.getByRole("listitem")).toHaveText(/^\s*shop\.sql: 1 table is named now\s*$/);
  expect(await audit(viewer)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(viewer.detail).toContainText("column names from your schema");
  await expect(viewer.rows.getByText("founded", { exact: true }).first()).toBeVisible();

  const next = join(folder, "next.binlog");
  writeRowsOf(next, join(logs, "types_nolog.binlog"), 32);
  await viewer.choose(next);
  await expect(page.locator("binlog-toolbar")).toContainText("next.binlog");
  await viewer.reaches("done");
  await viewer.idle();
  await viewer.goTo(2);
  await expect(viewer.detail).toContainText("column names from your schema");

  await viewer.detail.getByRole("button", { name: "Names…" }).click();
  await names.getByLabel("SQL").fill("CREATE TABLE types.years (id INT, a VARCHAR(10));\nCREATE TABLE odd (a INT FROBNICATE (1, 2), b INT);");
  await names.getByRole("button", { name: "Take these names" }).click();
  await expect(names.getByRole("listitem")).toHaveCount(2);
  await expect(names.getByRole("listitem").nth(1)).toContainText(/pasted 1: \d tables are named now; \d clauses? (was|were) skipped\s*at byte \d+:/);
  await page.setViewportSize({ width: 360, height: 740 });
  const [outer, inner] = [await names.boundingBox(), await names.getByRole("button", { name: "Take these names" }).boundingBox()];
  expect(inner!.x + inner!.width, "inside the padding of the dialog").toBeLessThanOrEqual(outer!.x + outer!.width - 20);
  await page.keyboard.press("Escape");
  // The schema that does not fit is a problem, and its names are not used.
  await expect(viewer.detail.getByRole("list", { name: "Problems" })).toContainText("the schema given does not fit the table");
  await expect(viewer.detail).toContainText("no column names in this log");
});
