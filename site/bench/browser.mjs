// What the page needs to index a large log, against the same browser's raw read of the same file, in one run.
//
//   node site/bench/browser.mjs LOG [RUNS]
//
// It serves dist/site with dist/bin/serve, as build.sh has built them. CHROMIUM names the browser.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { cpus } from "node:os";
import { chromium } from "@playwright/test";

const [log, runs = "5"] = process.argv.slice(2);
if (!log) throw new Error("usage: browser.mjs LOG [RUNS]");
const size = statSync(log).size;

/** Reads the file once from front to back, as fast as the browser can; returns milliseconds. */
function readRaw() {
  const source = `onmessage = async ({ data: file }) => {
    const start = performance.now();
    const reader = file.stream().getReader({ mode: "byob" });
    let buffer = new ArrayBuffer(4 << 20);
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(buffer, 0, 4 << 20));
      if (done) break;
      buffer = value.buffer;
    }
    postMessage(performance.now() - start);
  };`;
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(document.querySelector("input").files[0]);
  });
}

/** Notes when the page takes the file, shows its first rows, and has the whole index. */
function watch() {
  const view = document.querySelector("binlog-view");
  const times = {};
  const input = view.shadowRoot.querySelector("input[type=file]") ?? document.querySelector("input[type=file]");
  return new Promise((resolve) => {
    const look = () => {
      const state = view.dataset.state;
      if (!times.start && state !== "empty") times.start = performance.now();
      if (state === "done" && times.start) return resolve({ total: performance.now() - times.start, rows: times.rows - times.start });
      if (!times.rows && times.start && deep(view, '[data-row="0"]')) times.rows = performance.now();
      requestAnimationFrame(look);
    };
    const deep = (root, selector) => {
      const found = root.querySelector(selector);
      if (found) return found;
      for (const child of root.querySelectorAll("*")) {
        const inside = child.shadowRoot && deep(child.shadowRoot, selector);
        if (inside) return inside;
      }
      return root.shadowRoot ? deep(root.shadowRoot, selector) : null;
    };
    void input;
    look();
  });
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const speed = (ms) => `${(size / ms / 1000).toFixed(0)} MB/s`;

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
  const results = { raw: [], one: [], all: [], rows: [] };
  for (let i = 0; i < Number(runs); i++) {
    results.raw.push(await raw());
    for (const mode of ["one", "all"]) {
      const { total, rows } = await index(mode);
      results[mode].push(total);
      results.rows.push(rows);
    }
    console.log(Object.entries(results).map(([name, list]) => `${name} ${list.at(-1).toFixed(0)} ms`).join(", "));
  }
  const base = median(results.raw);
  console.log(`raw read      ${speed(base)}`);
  console.log(`one worker    ${speed(median(results.one))}, ${((100 * base) / median(results.one)).toFixed(0)} % of it`);
  console.log(`${String(Math.min(cpus().length, 8)).padEnd(2)} workers    ${speed(median(results.all))}, ${((100 * base) / median(results.all)).toFixed(0)} % of it`);
  console.log(`first rows    ${median(results.rows).toFixed(0)} ms`);
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

/** The page indexes the log, with one worker or with all. */
async function index(mode) {
  const page = await browser.newPage();
  // One worker: the page is told that this machine has one core.
  if (mode === "one") await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "hardwareConcurrency", { get: () => 1 }));
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: "load" });
  await page.waitForSelector("binlog-view[data-state=empty]");
  const watching = page.evaluate(watch);
  await page.locator("input[type=file]").setInputFiles(log);
  const times = await watching;
  await page.close();
  return times;
}
