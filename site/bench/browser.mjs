// What the page needs to index and search a large log, against the same browser's raw read of the same file, in one run.
//
//   node site/bench/browser.mjs LOG [RUNS]
//
// LOG is that of biglog, whose tables and texts are searched for. It serves dist/site with dist/bin/serve, as build.sh has built
// them. CHROMIUM names the browser.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { cpus } from "node:os";
import { chromium } from "@playwright/test";
import { ask, filter, frames, readRaw, timeCalls, watch } from "./measure.mjs";

const [log, runs = "5"] = process.argv.slice(2);
if (!log) throw new Error("usage: browser.mjs LOG [RUNS]");
const size = statSync(log).size;
const PATIENCE = { timeout: 180_000 };
const FILTERS = { "column predicate": "row:@2=7", text: '"customer orders_7"', "table, from the index alone": "table:shop.orders_7" };

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
const server = spawn("dist/bin/serve", ["-addr", `127.0.0.1:${port}`, "-dir", "dist/site"], { stdio: "inherit" });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const times = { raw: [], one: [], all: [], rows: [] };
  for (let i = 0; i < Number(runs); i++) {
    times.raw.push(await raw());
    for (const mode of ["one", "all"]) {
      const { total, rows } = await index(mode);
      times[mode].push(total);
      times.rows.push(rows);
    }
    console.log(Object.entries(times).map(([name, list]) => `${name} ${list.at(-1).toFixed(0)} ms`).join(", "));
  }
  const base = median(times.raw);
  const workers = Math.min(cpus().length, 8);
  const speed = (ms) => [`${(size / ms / 1000).toFixed(0)} MB/s`, `${((100 * base) / ms).toFixed(0)} %`];
  print([
    ["", "measured", "of the raw read", "bar"],
    ["raw read", ...speed(base), ""],
    ["index and CRC, one worker", ...speed(median(times.one)), "40 %"],
    [`index and CRC, ${workers} beside it`, ...speed(median(times.all)), "60 %"],
    ["first rows on screen", ms(median(times.rows)), "", "300 ms"],
    ...(await use(speed)),
  ]);
} finally {
  await browser.close();
  server.kill();
}

async function raw() {
  const page = await browser.newPage();
  await page.goto("about:blank");
  await page.setContent("<input type=file>");
  await page.setInputFiles("input", log);
  const ms = await page.evaluate(readRaw);
  await page.close();
  return ms;
}

/** A page that has loaded. One worker: it is told that this machine has one core. */
async function load(mode) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  if (mode === "one") await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 1 }));
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: "load" });
  await page.waitForSelector("binlog-view[data-state=empty]");
  return page;
}

/** The page indexes the log, with one worker or with all. */
async function index(mode) {
  const page = await load(mode);
  const watching = page.evaluate(watch);
  await page.locator("input[type=file]").setInputFiles(log);
  const times = await watching;
  await page.close();
  return times;
}

/** The page is used while it indexes and afterwards; returns lines of the table. */
async function use(speed) {
  const page = await load("all");
  const worker = page.workers()[0];
  const memory = () => worker.evaluate(() => globalThis.binlens.memory());
  const base = await memory();
  await worker.evaluate(timeCalls);
  const asking = page.evaluate(ask);
  await page.locator("input[type=file]").setInputFiles(log);
  const { page: pages, detail } = await asking;
  const indexed = (await memory()) - base;
  const calls = await worker.evaluate(() => globalThis.calls);
  const events = await page.evaluate(() => document.querySelector("binlog-view").store.state.progress.events);
  const filters = [];
  for (const [name, text] of Object.entries(FILTERS)) {
    const { ms, matched } = await page.evaluate(filter, text);
    filters.push([`filter: ${name} (${matched} rows)`, ...speed(ms), ""]);
  }
  await page.waitForFunction(() => document.querySelector("binlog-view").store.state.survey?.done, undefined, PATIENCE);
  const all = (await memory()) - base;
  const scrolled = await scroll(page);
  await page.close();
  const per = (bytes) => [`${(bytes / 2 ** 20).toFixed(0)} MiB`, `${(bytes / events).toFixed(1)} B an event`, `${((24 * events) / 2 ** 20 + 64).toFixed(0)} MiB`];
  return [
    [`page of 100 rows while indexing, p50 of ${pages.length}`, ms(quantile(pages, 0.5)), "", ""],
    ["page of 100 rows while indexing, p95", ms(quantile(pages, 0.95)), "", "16 ms"],
    [`an event while indexing, p50 of ${detail.length}`, ms(quantile(detail, 0.5)), "", ""],
    ["an event while indexing, p95", ms(quantile(detail, 0.95)), "", "16 ms"],
    [`a call that indexes, with what is collected, p99 of ${calls.length}`, ms(quantile(calls, 0.99)), "", ""],
    ["the longest of them", ms(Math.max(...calls)), "", ""],
    ...filters,
    [`memory above the base, ${events} events indexed`, ...per(indexed)],
    ["the same when all was filtered and counted", ...per(all)],
    [`work for a frame while scrolling, p95 of ${scrolled.work.length}`, ms(quantile(scrolled.work, 0.95)), "", "16 ms"],
    ["from frame to frame, p50: 16.7 ms at 60 Hz", ms(quantile(scrolled.every, 0.5)), "", ""],
    ["from frame to frame, p95", ms(quantile(scrolled.every, 0.95)), "", ""],
  ];
}

/** Scrolls by wheel, and by the thumb across the whole log; returns the times of the frames. */
async function scroll(page) {
  const list = page.getByRole("grid", { name: "Events" });
  const box = await list.boundingBox();
  await page.mouse.move(box.x + 200, box.y + box.height / 2);
  await page.evaluate(frames);
  for (let i = 0; i < 200; i++) await page.mouse.wheel(0, i % 50 < 40 ? 120 : -240);
  for (let i = 0; i < 60; i++) {
    await list.evaluate((grid, at) => {
      grid.scrollTop = at * (grid.scrollHeight - grid.clientHeight);
      return new Promise((resolve) => requestAnimationFrame(resolve));
    }, i / 60);
  }
  return page.evaluate(() => globalThis.stopFrames());
}

function quantile(list, q) {
  return [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))] ?? NaN;
}

function median(list) {
  return quantile(list, 0.5);
}

function ms(time) {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}

/** Lines as a table of Markdown; the first is its head. */
function print(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const row = (line) => `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(" | ")} |`;
  const [head, ...rest] = lines;
  console.log([row(head), `|${widths.map((width, column) => "-".repeat(width + 1) + (column === 0 ? "-" : ":")).join("|")}|`, ...rest.map(row)].join("\n"));
}
