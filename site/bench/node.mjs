// Runs the page's decoder under Node over a log: every event to JSON, or index and CRC alone. Prints one line of JSON:
// {"seconds": …, "processor": …, "events": …}, both times in seconds and without what node and the module take to start.
//
//   node site/bench/node.mjs json|index FILE
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import path from "node:path";

const [what, file] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "../..");
const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
createRequire(import.meta.url)(path.join(goroot, "lib/wasm/wasm_exec.js"));

const CHUNK = 1 << 20;
const go = new globalThis.Go();
const module = await WebAssembly.compile(readFileSync(path.join(root, "dist/site/binlens.wasm")));
const ready = new Promise((resolve) => (globalThis.binlensReady = resolve));
void go.run(await WebAssembly.instantiate(module, go.importObject));
await ready;

/** The answer of an export; throws what it says went wrong. */
function ask(answer) {
  if (answer?.error) throw new Error(answer.error.message);
  return answer;
}

const { binlens } = globalThis;
const fd = openSync(file, "r");
const { size } = fstatSync(fd);
const io = { buffer: new Uint8Array(CHUNK), read: (at, n) => readSync(fd, io.buffer, 0, Math.min(n, CHUNK), at) };
const chunk = new Uint8Array(CHUNK);
const start = performance.now();
const startUsage = process.cpuUsage();
/** Every event to JSON as the page exports it, about so many bytes at a time. */
function exported() {
  ask(binlens.exportOpen({ format: "json" }));
  for (let more = true; more; ) {
    const step = ask(binlens.exportStep(1000, CHUNK));
    more = new Float64Array(step.buffer, 0, 3)[2] === 1;
  }
}
ask(binlens.open({ size }, io));
let done = 0;
for (let at = 0; at < size; ) {
  const n = readSync(fd, chunk, 0, CHUNK, at);
  at += n;
  let progress = ask(binlens.feed(chunk.subarray(0, n)));
  if (at === size) progress = ask(binlens.finish());
  while (progress.more) progress = ask(binlens.step(1000));
  if (at === size) done = progress.events;
}
if (what === "json") exported();
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(startUsage);
closeSync(fd);
console.log(JSON.stringify({ seconds, processor: (user + system) / 1e6, events: done }));
process.exit(0);
