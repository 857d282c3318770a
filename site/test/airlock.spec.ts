// The airlock: after it has closed, nothing leaves the page or its worker, whatever way is tried. The control tries the
// same ways in an unsealed copy of the same built files, where all of them arrive: so they do work.
import { createServer, type IncomingMessage, type Server } from "node:http";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { test as plain } from "@playwright/test";
import { fromPage, fromWorker } from "./channels.ts";
import { SAMPLE, TYPE, ordinalOf } from "./logs.ts";
import { Viewer, expect, test } from "./viewer.ts";

const DIST = new URL("../../dist/site/", import.meta.url).pathname;

/** A server that notes which channel reached it: the first part of the path. */
class Listener {
  readonly heard = new Set<string>();
  readonly #server: Server = createServer((request, response) => {
    this.#note(request);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("content-type", TYPES[extname(request.url ?? "")] ?? "text/plain");
    response.end("");
  });

  async listen(): Promise<string> {
    this.#server.on("upgrade", (request, socket) => {
      this.#note(request);
      socket.destroy();
    });
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #note(request: IncomingMessage): void {
    this.heard.add((request.url ?? "").split("/")[1]?.replace(/\..*$/, "") ?? "");
  }
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** The built page without any policy: no header, no meta, and the element does not seal. */
async function serveUnsealed(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const name = path === "/" ? "index.html" : path.slice(1);
    let body: Buffer;
    try {
      body = readFileSync(join(DIST, name));
    } catch {
      response.writeHead(404).end();
      return;
    }
    if (name === "index.html") {
      const html = body.toString();
      const bare = html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "").replace("<binlog-view seal>", "<binlog-view>");
      if (bare.length >= html.length - 50) throw new Error("index.html is not what this test expects");
      body = Buffer.from(bare);
    }
    response.setHeader("content-type", TYPES[extname(name)] ?? "application/octet-stream");
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** Tries every channel from the page and from the worker; returns which were tried. */
async function tryAll(viewer: Viewer, host: string): Promise<{ page: string[]; worker: string[] }> {
  const worker = await viewer.worker();
  const page = await viewer.page.evaluate(fromPage, host);
  const inWorker = await worker.evaluate(fromWorker, host);
  await viewer.page.waitForTimeout(1500); // for what goes out late: prefetch, ping
  return { page, worker: inWorker };
}

const listener = new Listener();
let host = "";
plain.use({ serviceWorkers: "allow" });
test.use({ serviceWorkers: "allow" });
test.beforeAll(async () => {
  host = await listener.listen();
});
test.afterAll(() => listener.close());
test.beforeEach(() => listener.heard.clear());

plain("sealed: nothing arrives", async ({ page }) => {
  const viewer = new Viewer(page);
  await viewer.load();
  await viewer.openSample();
  const tried = await tryAll(viewer, host);
  expect(tried.page.length).toBeGreaterThanOrEqual(13);
  expect(tried.worker.length).toBeGreaterThanOrEqual(5);
  expect([...listener.heard]).toEqual([]);
  await expect(viewer.status).toContainText(/Sealed \d\d:\d\d:\d\d · 0 requests since · [1-9]\d* stopped/);
});

plain("unsealed, the control: everything arrives", async ({ page }) => {
  const { url, server } = await serveUnsealed();
  const viewer = new Viewer(page);
  await viewer.load(url);
  await expect(viewer.status).toContainText(`not sealed: this page belongs to ${new URL(url).host}`);
  await viewer.choose(SAMPLE);
  await viewer.reaches("done");
  const tried = await tryAll(viewer, host);
  await expect.poll(() => [...tried.page, ...tried.worker].filter((name) => !listener.heard.has(name))).toEqual([]);
  server.closeAllConnections();
  server.close();
});

test("after the seal no request is made: the sample was loaded before", async ({ viewer, page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await viewer.openSample();
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await viewer.tab(/JSON/).click();
  await viewer.idle();
  expect(requests.filter((url) => !url.startsWith("blob:"))).toEqual([]);
  await expect(viewer.status).toContainText("0 requests since");
});

test("the policy of index.html is the server's", async ({ page }) => {
  const response = await page.goto("/");
  const header = response?.headers()["content-security-policy"] ?? "";
  const meta = await page.locator("meta[http-equiv=Content-Security-Policy]").first().getAttribute("content");
  expect(header.replace(/; frame-ancestors 'none'$/, "")).toBe(meta); // frame-ancestors has no effect in a meta element
});

test("the sealed page still opens, reads and decodes", async ({ viewer, page }) => {
  await viewer.openSample();
  const policies = await page.locator("meta[http-equiv=Content-Security-Policy]").evaluateAll((metas) => metas.map((meta) => (meta as HTMLMetaElement).content));
  expect(policies.at(-1)).toContain("connect-src 'none'");
  await expect(viewer.row(1)).toContainText("_EVENT");
});
