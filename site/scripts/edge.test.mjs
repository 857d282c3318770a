// Holds the Cloudflare Worker of dist/edge against serve.go: the same request gets the same status, body and headers
// from both. workerd runs offline, inside miniflare. `./build.sh test` builds both first.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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
  { path: "/worker.js", status: 200 },
  { path: "/binlens.wasm", status: 200 },
  { path: "/sample.binlog", status: 200 },
  { path: "/licenses.txt", status: 200 },
  { method: "HEAD", path: "/", status: 200 },
  { method: "HEAD", path: "/binlens.wasm", status: 200 },
  { path: "/index.html", status: 307 },
  { path: "/nothing", status: 404 },
  { path: "/nothing/at/all.js", status: 404 },
  { path: "/_headers", status: 404 },
  { path: "/.git/config", status: 404 },
  { method: "HEAD", path: "/nothing", status: 404 },
  { method: "POST", path: "/", status: 405, body: "x" },
  { method: "POST", path: "/upload", status: 405, body: "x" },
  { method: "DELETE", path: "/main.js", status: 405 },
];

const init = ({ method = "GET", body, headers = {} }) => ({ method, body, headers: { "accept-encoding": "identity", ...headers }, redirect: "manual" });

async function read(response) {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !apart.includes(name)));
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()).toString("base64"), etag: response.headers.get("etag"), allow: response.headers.get("allow") };
}

function startWorker(aheadOfAssets) {
  const module = (type, name) => ({ type, path: join(edge, name) });
  return new Miniflare({
    cf: false,
    modulesRoot: edge,
    modules: [module("ESModule", config.main), module("ESModule", "runtime.mjs"), module("ESModule", "wasm_exec.js"), module("CompiledWasm", "app.wasm")],
    compatibilityDate: config.compatibility_date,
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

before(async () => {
  const program = join(root, "dist", "bin", "serve");
  assert.ok(existsSync(program), `${program} is not built: run ./build.sh test`);
  server = spawn(program, ["-addr", "127.0.0.1:0", "-dir", join(root, "dist", "site")], { stdio: ["ignore", "pipe", "inherit"] });
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
after(() => server?.kill());

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
