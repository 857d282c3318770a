// The core of the page in a second engine: Debian's Firefox, through WebDriver BiDi. The page is served by serve.go, and
// dist/binlens.html opens from a folder. `./build.sh test` builds all of them first.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";

const site = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(site);
const single = pathToFileURL(join(root, "dist", "binlens.html")).href;
const TYPES = join(root, "testdata", "mariadb", "types.binlog");

let browser;
let server;
let served = "";

before(async () => {
  server = spawn(join(root, "dist", "bin", "serve"), ["-addr", "127.0.0.1:0", "-dir", join(root, "dist", "site"), "-logs", dirname(TYPES)], { stdio: ["ignore", "pipe", "inherit"] });
  served = await new Promise((resolve, reject) => {
    server.on("error", reject);
    server.stdout.on("data", (text) => resolve(/http:\/\/\S+\//.exec(text)[0]));
  });
  browser = await puppeteer.launch({ browser: "firefox", executablePath: process.env["FIREFOX"] ?? "/usr/bin/firefox-esr", headless: true });
});
after(async () => {
  await browser?.close();
  server?.kill();
});

/** Opens an address and waits until the page is ready for a log. What it asks for behind its own address is noted. */
async function load(url, context = browser) {
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  const viewer = { page, asked: [], errors: [] };
  page.on("request", (request) => {
    if (/^(https?|wss?|ftp|file):/.test(request.url()) && request.url() !== url) viewer.asked.push(request.url());
  });
  // Firefox reports here too what a policy has stopped.
  page.on("pageerror", (error) => {
    if (!/Content-Security-Policy/.test(error.message)) viewer.errors.push(error.message);
  });
  await page.goto(url);
  await state(viewer, "empty");
  return viewer;
}

/** Waits until a question to the page, asked again and again, is answered as it should be. */
async function until(what, ask, good) {
  const end = Date.now() + 30_000;
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    if (Date.now() > end) assert.fail(`${what}: still ${JSON.stringify(answer)}`);
    await sleep(50);
  }
}

const state = ({ page }, want) =>
  until(`the state ${want}`, () => page.evaluate(() => document.querySelector("binlog-view")?.dataset.state), (is) => is === want);

/** Waits until the first element of this kind, in whatever shadow tree, shows a text. */
function shows({ page }, selector, text) {
  const ask = () => page.$$eval(`binlog-view >>> ${selector}`, (found) => (found[0]?.shadowRoot ?? found[0])?.textContent.replace(/\s+/g, " ") ?? "");
  return until(`${selector} shows ${text}`, ask, (is) => text.test(is));
}

async function click({ page }, selector, text = /(?:)/) {
  const find = async () => {
    for (const handle of await page.$$(`binlog-view >>> ${selector}`)) {
      if (text.test(await handle.evaluate((element) => element.textContent))) return handle;
    }
    return undefined;
  };
  await (await until(`${selector} ${text}`, find, Boolean)).click();
}

const openSample = async (viewer) => {
  await click(viewer, "binlog-drop >>> button", /sample/);
  await state(viewer, "done");
};

async function choose(viewer, path) {
  const input = await viewer.page.$("binlog-view >>> input[type=file]");
  await input.uploadFile(path);
  await state(viewer, "done");
}

/** Keeps what the page hands over to be saved, and returns it. */
async function saved(viewer, format) {
  await viewer.page.evaluate(() => {
    globalThis.blobs = [];
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob) => globalThis.blobs.push(blob) && createObjectURL(blob);
    HTMLAnchorElement.prototype.click = () => undefined; // nobody is here to say where to
  });
  await (await viewer.page.$("binlog-view >>> binlens-export >>> #format")).select(format);
  const ready = () => viewer.page.$eval("binlog-view >>> binlens-export >>> button.main", (button) => !button.disabled);
  await until("the preview", ready, Boolean);
  await click(viewer, "binlens-export >>> button.main");
  await shows(viewer, "binlens-export", /Saved /);
  return Buffer.from(
    await viewer.page.evaluate(async () => {
      const bytes = new Uint8Array(await globalThis.blobs.at(-1).arrayBuffer());
      let text = "";
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    }),
    "base64",
  );
}

const program = (...args) => execFileSync(join(root, "dist", "bin", "binlens"), args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

const LIST = "binlog-list >>> [role=grid]";
const SEALED = /Sealed [\d:]+ · 0 requests since(?! · \d+ stopped)/;

for (const [name, url] of [["the served page", () => served], ["the single file", () => single]]) {
  describe(name, () => {
    let viewer;
    before(async () => {
      viewer = await load(url());
      viewer.asked.length = 0; // what it is made of
    });
    after(() => viewer?.page.close());

    test("the sample opens, sealed, without a request", async () => {
      await openSample(viewer);
      await shows(viewer, LIST, /CREATE DATABASE shop/);
      await shows(viewer, "binlog-status", SEALED);
      assert.deepEqual(viewer.asked.filter((address) => !address.endsWith("/sw.js")), []);
    });

    test("a filter leaves what it names", async () => {
      await click(viewer, "binlog-toolbar >>> input");
      await viewer.page.keyboard.type("type:write ");
      await viewer.page.keyboard.press("Enter");
      const kinds = () => viewer.page.$$eval("binlog-view >>> binlog-list >>> .kind", (cells) => [...new Set(cells.map((cell) => cell.textContent.trim()))]);
      await until("only rows written", kinds, (found) => found.length > 0 && found.every((kind) => /^\+?WRITE_ROWS_EVENT/.test(kind)));
    });

    test("an event shows its fields, its rows and its bytes", async () => {
      await click(viewer, "binlog-list >>> [role=row]", /WRITE_ROWS_EVENT/);
      await shows(viewer, "binlog-detail", /WRITE_ROWS_EVENT/);
      await click(viewer, "binlog-detail >>> [role=tab]", /Rows/);
      await shows(viewer, "binlog-detail >>> [role=grid]", /\d/);
      await click(viewer, "binlog-detail >>> [role=tab]", /Fields/);
      await shows(viewer, "binlog-detail >>> [role=tree]", /table_id/);
      await shows(viewer, "binlog-hex", /[0-9a-f]{2} [0-9a-f]{2}/);
    });

    test("a log from the disk opens beside it", async () => {
      await choose(viewer, TYPES);
      await shows(viewer, "binlog-toolbar", /types\.binlog/);
      await until("its events", () => viewer.page.$eval(`binlog-view >>> ${LIST}`, (grid) => Number(grid.ariaRowCount)), (rows) => rows > 10);
      assert.deepEqual(viewer.errors, []);
    });

    test("an export has the bytes that the program prints, and Parquet is written too", async () => {
      await click(viewer, "binlog-toolbar >>> button", /Export…/);
      assert.ok((await saved(viewer, "json")).equals(program("dump", TYPES)));
      assert.ok((await saved(viewer, "sql")).equals(program("sql", TYPES)));
      const parquet = await saved(viewer, "parquet");
      assert.equal(`${parquet.subarray(0, 4)} ${parquet.subarray(-4)}`, "PAR1 PAR1");
      assert.deepEqual(viewer.errors, []);
    });
  });
}

test("a log of the site opens by its address, and the exhibits show theirs", async () => {
  const viewer = { page: await browser.newPage() };
  const log = `${served}logs/types.binlog`;
  await viewer.page.goto(`${served}open/#1&src=${encodeURIComponent(log)}`);
  await state(viewer, "done");
  await shows(viewer, "binlog-toolbar", /types\.binlog/);
  await shows(viewer, LIST, /FORMAT_DESCRIPTION_EVENT/);
  await viewer.page.goto(`${served}exhibits/`);
  await state(viewer, "done");
  await viewer.page.close();
});

test("the element in a page of another origin, under the policy that the README names", async (context) => {
  const origin = new URL(served).origin;
  const policy = `default-src 'none'; script-src ${origin} 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self' ${origin}; base-uri 'none'; form-action 'none'`;
  const embedding = createServer((request, response) => {
    if (request.url === "/types.binlog") return response.end(readFileSync(TYPES));
    response.setHeader("content-type", "text/html");
    response.setHeader("content-security-policy", policy);
    return response.end(
      `<!doctype html><title>manual</title><binlog-view src="types.binlog" filter="type:write" height="500"></binlog-view><script type="module" src="${origin}/element.js"></script>`,
    );
  });
  await new Promise((resolve) => embedding.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    embedding.close();
    embedding.closeAllConnections();
  });
  const viewer = { page: await browser.newPage(), errors: [] };
  viewer.page.on("pageerror", (error) => {
    // Firefox asks for the icon of the embedding page on its own, and that page's policy forbids it.
    if (!/favicon\.ico/.test(error.message)) viewer.errors.push(error.message);
  });
  await viewer.page.goto(`http://127.0.0.1:${embedding.address().port}/manual.html`);
  await state(viewer, "done");
  await shows(viewer, LIST, /WRITE_ROWS/);
  await shows(viewer, "binlog-status", /not sealed: this page belongs to 127\.0\.0\.1/);
  assert.deepEqual(viewer.errors, []);
  await viewer.page.close();
});

describe("the airlock", () => {
  const heard = new Set();
  const listener = createServer((request, response) => {
    heard.add(request.url.split("/")[1].replace(/\..*$/, ""));
    response.setHeader("access-control-allow-origin", "*");
    response.end();
  });
  listener.on("upgrade", (request, socket) => {
    heard.add(request.url.split("/")[1]);
    socket.destroy();
  });
  let host = "";
  let channels;
  before(async () => {
    await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
    host = `127.0.0.1:${listener.address().port}`;
    const { outputFiles } = await build({ entryPoints: [join(site, "test", "channels.ts")], format: "esm", target: "es2022", write: false });
    channels = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  });
  after(() => {
    listener.closeAllConnections();
    listener.close();
  });

  /** Tries every channel of the page, and of a worker that it starts from a blob, as it has started its own: Firefox lets no one into that. */
  async function tryAll(page) {
    heard.clear();
    await page.evaluate(channels.fromPage, host);
    await page.evaluate((source) => new Worker(URL.createObjectURL(new Blob([source]))), `(${channels.fromWorker})(${JSON.stringify(host)})`);
    await sleep(1500); // for what goes out late: prefetch, ping
    return [...heard].sort();
  }

  for (const [name, url] of [["the served page", () => served], ["the single file", () => single]]) {
    test(`${name}, sealed: nothing arrives, and what was tried is counted`, async () => {
      const viewer = await load(url());
      await openSample(viewer);
      assert.deepEqual(await tryAll(viewer.page), []);
      await shows(viewer, "binlog-status", /Sealed [\d:]+ · 0 requests since · [1-9]\d* stopped/);
      await viewer.page.close();
    });
  }

  test("the control: from a page and a worker without a policy they arrive", async () => {
    const folder = mkdtempSync(join(tmpdir(), "binlens-"));
    const file = join(folder, "open.html");
    writeFileSync(file, "<!doctype html><title>open</title><body>");
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const arrived = await tryAll(page);
    for (const channel of ["fetch", "xhr", "beacon", "websocket", "eventsource", "image", "css", "script", "iframe", "form", "font"]) {
      assert.ok(arrived.includes(channel), `${channel} is not among ${arrived.join(", ")}`);
    }
    for (const channel of ["fetch", "xhr", "websocket", "importscripts"]) assert.ok(arrived.includes(`worker-${channel}`), `worker-${channel} is not among ${arrived.join(", ")}`);
    await page.close();
    rmSync(folder, { recursive: true });
  });
});

test("without its server the served page opens the sample", async () => {
  const viewer = await load(served);
  const kept = () => viewer.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state ?? "");
  await until("the service worker", kept, (is) => is === "activated");
  server.kill();
  await new Promise((resolve) => server.once("exit", resolve));
  await viewer.page.reload();
  await state(viewer, "empty");
  await shows(viewer, "binlog-status", SEALED);
  await openSample(viewer);
  await shows(viewer, LIST, /CREATE DATABASE shop/);
  await viewer.page.close();
});
