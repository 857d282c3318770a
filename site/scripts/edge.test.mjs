// Holds the Cloudflare Worker of dist/edge against serve.go: the same request gets the same status, body and headers
// from both. workerd runs offline, inside miniflare. `./build.sh test` builds both first.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const edge = join(root, "dist", "edge");
const config = JSON.parse(readFileSync(join(edge, "wrangler.json"), "utf8"));

/** What each way of serving adds of its own, and what says only how the bytes travelled. */
const apart = ["accept-ranges", "allow", "cf-cache-status", "connection", "content-length", "date", "etag", "last-modified", "mf-content-encoding", "transfer-encoding", "vary"];

const requests = [
  { path: "/", status: 200 },
  { path: "/?theme=dark", status: 200 },
  { path: "/main.js", status: 200 },
  { path: "/element.js", status: 200 },
  { path: "/element.d.ts", status: 200 },
  { path: "/manual.txt", status: 200 },
  ...["/open/", "/embed/", "/exhibits/"].flatMap((path) => [
    { path, status: 200 },
    { method: "HEAD", path, status: 200 },
    { path: path.slice(0, -1), status: 307 },
    { path: `${path}index.html`, status: 307 },
  ]),
  { path: "/exhibits/rows80.binlog", status: 200 },
  { path: "/exhibits/exhibits.css", status: 200 },
  { path: "/worker.js", status: 200 },
  { path: "/parquet.js", status: 200 },
  { path: "/binlens.wasm", status: 200 },
  { path: "/sample.binlog", status: 200 },
  { path: "/licenses.txt", status: 200 },
  { path: "/sw.js", status: 200 },
  { path: "/binlens.webmanifest", status: 200 },
  { method: "HEAD", path: "/", status: 200 },
  { method: "HEAD", path: "/binlens.wasm", status: 200 },
  { path: "/index.html", status: 307 },
  { path: "/nothing", status: 404 },
  { path: "/nothing/at/all.js", status: 404 },
  { path: "/_headers", status: 404 },
  { path: "/exhibits/..%2fmain.js", status: 404 },
  { path: "/.git/config", status: 404 },
  { method: "HEAD", path: "/nothing", status: 404 },
  { method: "POST", path: "/", status: 405, body: "x" },
  { method: "POST", path: "/upload", status: 405, body: "x" },
  { method: "DELETE", path: "/main.js", status: 405 },
];

const init = ({ method = "GET", body, headers = {} }) => ({ method, body, headers: { "accept-encoding": "identity", ...headers }, redirect: "manual" });

async function read(response) {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !apart.includes(name)));
  let bytes = Buffer.from(await response.arrayBuffer());
  const [, boundary] = /boundary=(\w+)/.exec(headers["content-type"] ?? "") ?? [];
  if (boundary) { // random
    headers["content-type"] = headers["content-type"].replace(boundary, "B");
    bytes = Buffer.from(bytes.toString("latin1").replaceAll(boundary, "B"), "latin1");
  }
  const body = bytes.length > 200 ? `${bytes.length} bytes, ${createHash("sha256").update(bytes).digest("hex")}` : bytes.toString("base64");
  return { status: response.status, headers, body, etag: response.headers.get("etag"), allow: response.headers.get("allow") };
}

function startWorker(aheadOfAssets, more = {}) {
  const module = (type, name) => ({ type, path: join(edge, name) });
  return new Miniflare({
    cf: false,
    modulesRoot: edge,
    modules: [module("ESModule", config.main), module("ESModule", "runtime.mjs"), module("ESModule", "wasm_exec.js"), module("CompiledWasm", "app.wasm")],
    compatibilityDate: config.compatibility_date,
    ...more,
    assets: {
      directory: join(edge, config.assets.directory),
      binding: config.assets.binding,
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: aheadOfAssets },
      assetConfig: { html_handling: config.assets.html_handling, not_found_handling: config.assets.not_found_handling },
    },
  });
}

let local = "";
let server;
const logs = mkdtempSync(join(tmpdir(), "binlens-logs-"));

/** Logs that both offer: a folder here, a bucket at the edge. */
const offered = {
  "bin.000001": Buffer.concat([Buffer.from("fe62696e", "hex"), Buffer.alloc(200_000, "0123456789")]),
  "bin.000002": Buffer.from("fe62696e00", "hex"),
  "a b%é.log": Buffer.from("fe62696e01", "hex"),
  "a+b&c=d;e?f#g..h ": Buffer.from("fe62696e02", "hex"),
  "日本-\u{1f5c4}.000001": Buffer.from("fe62696e03", "hex"),
  [`${"l".repeat(254)}g`]: Buffer.from("fe62696e04", "hex"),
  empty: Buffer.alloc(0),
};

before(async () => {
  for (const [name, bytes] of Object.entries(offered)) writeFileSync(join(logs, name), bytes);
  const program = join(root, "dist", "bin", "serve");
  assert.ok(existsSync(program), `${program} is not built: run ./build.sh test`);
  server = spawn(program, ["-addr", "127.0.0.1:0", "-dir", join(root, "dist", "site"), "-logs", logs], { stdio: ["ignore", "pipe", "inherit"] });
  local = await new Promise((resolve, reject) => {
    let said = "";
    server.on("exit", (code) => reject(new Error(`serve.go ended with ${code}`)));
    server.stdout.on("data", (text) => {
      said += text;
      const url = /http:\/\/\S+(?=\/ )/.exec(said);
      if (url) resolve(url[0]);
    });
  });
  server.removeAllListeners("exit");
});
after(() => {
  server?.kill();
  rmSync(logs, { recursive: true });
});

for (const [name, aheadOfAssets] of [["files from the assets layer", false], ["every request through the Go handler", true]]) {
  describe(name, () => {
    let worker;
    before(() => {
      worker = startWorker(aheadOfAssets);
    });
    after(() => worker.dispose());
    for (const request of requests) {
      test(`${request.method ?? "GET"} ${request.path}`, async () => {
        const want = await read(await fetch(local + request.path, init(request)));
        const got = await read(await worker.dispatchFetch(`https://binlens.example${request.path}`, init(request)));
        assert.equal(want.status, request.status);
        assert.equal(got.status, request.status);
        assert.match(got.headers["content-security-policy"], /^default-src 'none';/);
        if (aheadOfAssets) {
          assert.equal(got.etag, want.etag);
          assert.equal(got.allow, want.allow);
        } else if (request.status === 405 || request.status === 307) {
          // The layer answers these in its own words for a path that has a file: no body, and a type of none or of the file.
          delete got.headers["content-type"];
          delete want.headers["content-type"];
          got.body = want.body = "";
        }
        assert.deepEqual(got.headers, want.headers);
        assert.equal(got.body, want.body);
      });
    }
  });
}

test("the Go handler answers ranges and conditions at the edge as it does here", async () => {
  const worker = startWorker(true);
  try {
    const etag = (await fetch(`${local}/sample.binlog`)).headers.get("etag");
    for (const [headers, status] of [[{ range: "bytes=0-3" }, 206], [{ range: "bytes=9999999-" }, 416], [{ "if-none-match": etag }, 304]]) {
      const want = await read(await fetch(`${local}/sample.binlog`, init({ headers })));
      const got = await read(await worker.dispatchFetch("https://binlens.example/sample.binlog", init({ headers })));
      assert.equal(want.status, status);
      assert.deepEqual([got.status, got.headers, got.body], [want.status, want.headers, want.body]);
    }
  } finally {
    await worker.dispose();
  }
});

describe("logs from a bucket at the edge as from a folder here", () => {
  let worker;
  before(async () => {
    worker = startWorker(false, { r2Buckets: { LOGS: "logs" } });
    const bucket = await worker.getR2Bucket("LOGS");
    for (const [name, bytes] of Object.entries(offered)) await bucket.put(name, new Uint8Array(bytes).buffer);
    for (const name of [".hidden", "folder/inner", "folder/", "a\\b", "..", "../up", "a\u0001b", "a\u007fb", "m".repeat(256)]) await bucket.put(name, "secret");
  });
  after(() => worker.dispose());

  const asked = [
    { path: "/logs/bin.000001", status: 200 },
    { method: "HEAD", path: "/logs/bin.000001", status: 200 },
    { method: "HEAD", path: "/logs/bin.000001", headers: { range: "bytes=0-3" }, status: 206 },
    { path: "/logs/bin.000002?x=1", status: 200 },
    { path: "/logs/a%20b%25%C3%A9.log", status: 200 },
    ...["a%2Bb%26c%3Dd%3Be%3Ff%23g..h%20", "%E6%97%A5%E6%9C%AC-%F0%9F%97%84.000001", `${"l".repeat(254)}g`, "empty"].flatMap((key) => [
      { path: `/logs/${key}`, status: 200 },
      { method: "HEAD", path: `/logs/${key}`, status: 200 },
      { path: `/logs/${key}`, headers: { range: "bytes=0-" }, any: true },
    ]),
    ...["0-3", "4-4", "199990-", "-7", "-0", "-999999", "0-", "100000-150000", "0-999999", "200003-200003", "200004-", "5-3", "x", "0-1,5-6", " 0-3"].map((range) => ({ path: "/logs/bin.000001", headers: { range: `bytes=${range}` }, any: true })),
    { path: "/logs/bin.000001", headers: { range: "bytes=9999999-" }, status: 416 },
    { path: "/logs/bin.000001", headers: { range: "bytes=0-3", "if-range": '"other"' }, status: 200 },
    { path: "/logs/bin.000001", headers: { "if-none-match": '"other"' }, status: 200 },
    { path: "/logs/bin.000001", headers: { "if-match": '"other"' }, status: 412 },
    { path: "/logs/bin.000001", headers: { "if-match": "*" }, status: 200 },
    { path: "/logs/bin.000001", headers: { "if-none-match": "*" }, status: 304 },
    { path: "/logs/bin.000001", headers: { "if-none-match": 'W/"a", "b"', range: "bytes=1-2" }, status: 206 },
    { path: "/logs/bin.000001", headers: { range: "items=0-3" }, any: true },
    { path: "/logs/bin.000001", headers: { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" }, status: 304 },
    { path: "/logs/bin.000001", headers: { "if-modified-since": "Thu, 01 Jan 1998 00:00:00 GMT" }, status: 200 },
    { path: "/logs/bin.000001", headers: { "if-unmodified-since": "Thu, 01 Jan 1998 00:00:00 GMT" }, status: 412 },
    { path: "/logs/bin.000001", headers: { range: "bytes=0-3", "if-range": "Thu, 01 Jan 1998 00:00:00 GMT" }, status: 200 },
    { method: "HEAD", path: "/logs/", status: 200, any: true },
    ...["/logs/nothing", "/logs/.hidden", "/logs/%2E%2E%2Fup", "/logs/..%5Cup", "/logs/folder%2Finner", "/logs/folder%2F", "/logs/a%01b", "/logs/a%7Fb", "/logs/C:%5Cx", `/logs/${"m".repeat(256)}`, "/logs/folder/inner", "/logs/folder", "/logs/a%5Cb", "/logs/..%2Fmain.js", "/logs/bin.000001/", "/logs//bin.000001", "/logs/%00", "/logs/%FF", `/logs/${"a".repeat(300)}`, "/logs"].map(
      (path) => ({ path, status: 404 }),
    ),
    { method: "PUT", path: "/logs/bin.000001", body: "x", status: 405 },
    { method: "POST", path: "/logs/", body: "x", status: 405 },
    { method: "DELETE", path: "/logs/bin.000001", status: 405 },
  ];
  for (const request of asked) {
    test(`${request.method ?? "GET"} ${request.path.slice(0, 40)} ${JSON.stringify(request.headers ?? {})}`, async () => {
      const want = await read(await fetch(local + request.path, init(request)));
      const got = await read(await worker.dispatchFetch(`https://binlens.example${request.path}`, init(request)));
      if (!request.any) assert.equal(want.status, request.status);
      assert.deepEqual([got.status, got.headers, got.body], [want.status, want.headers, want.body]);
    });
  }

  test("the listing, and a log that did not change", async () => {
    const sizes = async (response) => (await response.json()).map(({ name, size }) => [name, size]);
    const want = await sizes(await fetch(`${local}/logs/`));
    assert.deepEqual(await sizes(await worker.dispatchFetch("https://binlens.example/logs/")), want);
    assert.deepEqual(want, Object.keys(offered).sort().map((name) => [name, offered[name].length]));
    for (const ask of [(path, headers) => fetch(local + path, { headers }), (path, headers) => worker.dispatchFetch(`https://binlens.example${path}`, { headers })]) {
      const etag = (await ask("/logs/bin.000001", {})).headers.get("etag");
      assert.equal((await ask("/logs/bin.000001", { "if-none-match": etag })).status, 304);
      assert.equal((await ask("/logs/bin.000001", { range: "bytes=0-3", "if-range": etag })).status, 206);
    }
  });
});
