// The served page without its server, installed, and under a new build; and that none of it opens the airlock again.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as plain, type BrowserContext, type Page } from "@playwright/test";
import { SAMPLE, eventsOf, sample, scratch } from "./logs.ts";
import { Viewer, expect } from "./viewer.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = scratch();
const program = join(folder, "serve");

/** A copy of the built page with a server of its own, which can be stopped, and a folder of logs. */
class Site {
  readonly dir = join(folder, `site${++Site.#made}`);
  readonly logs = join(this.dir, "..", `logs${Site.#made}`);
  url = "";
  #server: ChildProcess | undefined;
  static #made = 0;

  async start(): Promise<void> {
    cpSync(join(ROOT, "dist", "site"), this.dir, { recursive: true });
    mkdirSync(this.logs);
    writeFileSync(join(this.logs, "offered.000001"), sample());
    this.#server = spawn(program, ["-addr", "127.0.0.1:0", "-dir", this.dir, "-logs", this.logs], { stdio: ["ignore", "pipe", "inherit"] });
    this.url = await new Promise((resolve, reject) => {
      let said = "";
      this.#server?.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
      this.#server?.stdout?.on("data", (text) => {
        said += text;
        const url = /http:\/\/\S+\//.exec(said);
        if (url) resolve(url[0]);
      });
    });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.on("exit", resolve));
    server.kill();
    await ended;
  }

  /** Makes another build of it: its sample has only the first events. */
  rebuild(events: number): void {
    const end = eventsOf(sample())[events]?.offset;
    writeFileSync(join(this.dir, "sample.binlog"), sample().subarray(0, end));
    this.describe();
  }

  /** Writes sw.js for the files as they are. */
  describe(): void {
    const script = `import { writeServiceWorker } from "./site/scripts/precache.mjs"; await writeServiceWorker(${JSON.stringify(this.dir)});`;
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: ROOT });
  }
}

const test = plain.extend<{ site: Site }>({
  site: async ({}, use) => {
    const site = new Site();
    await site.start();
    await use(site);
    await site.stop();
  },
});
test.use({ serviceWorkers: "allow" });
test.beforeAll(() => {
  execFileSync("go", ["build", "-o", program, "."], { cwd: ROOT });
});

/** What the caches hold: the path of every answer, by the name of the cache. */
function cached(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const found: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      found[name] = requests.map(({ url }) => new URL(url).pathname).sort();
    }
    return found;
  });
}

/**
 * Has the browser look for a new build, from a page that is not sealed, and sooner than it does by itself: the state in
 * which the new worker ends, "" when there is none.
 */
async function update(site: Site, context: BrowserContext): Promise<string> {
  const page = await context.newPage();
  await page.goto(`${site.url}licenses.txt`);
  const state = await page.evaluate(async () => {
    const registration = await (await navigator.serviceWorker.ready).update();
    const { installing } = registration as unknown as ServiceWorkerRegistration;
    if (!installing) return "";
    return new Promise<string>((resolve) => {
      installing.onstatechange = () => {
        if (installing.state === "activated" || installing.state === "redundant") resolve(installing.state);
      };
    });
  });
  await page.close();
  return state;
}

/** Notes the address of every request of the page and of its service worker. */
function watch(context: BrowserContext): string[] {
  const urls: string[] = [];
  context.on("request", (request) => urls.push(request.url()));
  return urls;
}

const events = eventsOf(sample()).length;
const saysEvents = (n: number): string => `${n.toLocaleString("en")} events`;

test("without its server the page, the sample and a dropped log work", async ({ site, page, context }) => {
  const viewer = new Viewer(page);
  await page.goto(`${site.url}logs/offered.000001`).catch(() => undefined); // a download
  await viewer.load(`${site.url}?theme=dark`);
  await expect.poll(() => cached(page)).not.toEqual({});
  const files = readdirSync(site.dir, { withFileTypes: true }).flatMap((entry) => (entry.isFile() && entry.name !== "sw.js" ? [entry.name] : []));
  const [kept] = Object.values(await cached(page));
  expect(kept).toEqual(files.map((name) => (name === "index.html" ? "/" : `/${name}`)).sort());

  await site.stop();
  const other = await context.newPage();
  await expect(other.goto(`${site.url}logs/`)).rejects.toThrow(/ERR_CONNECTION_REFUSED/); // nothing of it is kept
  await other.close();
  await viewer.load(site.url);
  await expect(viewer.status).toContainText(/^\s*Sealed \d\d:\d\d:\d\d · 0 requests since\s*$/);
  await viewer.openSample();
  await expect(viewer.status).toContainText(saysEvents(events));
  const path = join(folder, "dropped.binlog");
  writeFileSync(path, sample().subarray(0, eventsOf(sample())[3]?.offset));
  await viewer.drop(path);
  await expect(page.locator("binlog-toolbar")).toContainText("dropped.binlog");
  await viewer.reaches("done");
  await expect(viewer.status).toContainText("3 events");
});

test("a new build takes the place of the old one, whole or not at all", async ({ site, page, context }) => {
  const viewer = new Viewer(page);
  await viewer.load(site.url);
  const [old = ""] = Object.keys(await cached(page));
  expect(await update(site, context)).toBe(""); // the same files make the same worker

  site.rebuild(5);
  writeFileSync(join(site.dir, "page.css"), "html{}"); // while it is copied to the server, one file is of another build
  await expect.poll(() => update(site, context)).toBe("redundant");
  expect(Object.keys(await cached(page))).toContain(old);

  site.describe();
  const replaced = async (): Promise<boolean> => {
    await update(site, context); // again, while what the browser has begun by itself fails with the files of before
    const names = Object.keys(await cached(page));
    return names.length === 1 && names[0] !== old;
  };
  await expect.poll(replaced, { timeout: 30_000 }).toBe(true);
  await viewer.load(site.url);
  await viewer.openSample();
  await expect(viewer.status).toContainText(saysEvents(5));

  await site.stop();
  await page.reload();
  await viewer.reaches("empty");
  await viewer.openSample();
  await expect(viewer.status).toContainText(saysEvents(5));
});

test("while the server answers, the page is the server's; the copy of it follows", async ({ site, page }) => {
  const viewer = new Viewer(page);
  await viewer.load(site.url);
  const old = Object.keys(await cached(page));
  site.rebuild(4);
  await viewer.load(site.url);
  await viewer.openSample();
  await expect(viewer.status).toContainText(saysEvents(4));
  await expect.poll(async () => Object.keys(await cached(page)), { timeout: 30_000 }).not.toEqual(expect.arrayContaining(old)); // by itself
});

test("the sealed page gets no second service worker, and asks for nothing", async ({ site, page, context }) => {
  const viewer = new Viewer(page);
  await viewer.load(site.url);
  await viewer.load(site.url); // now with the service worker between it and the server
  const asked = watch(context);
  await viewer.openSample();
  const outcome = await page.evaluate(() => navigator.serviceWorker.register("/sw.js?data", { scope: "/x/" }).then(() => "registered", () => "refused"));
  expect(outcome).toBe("refused");
  expect(await page.evaluate(() => fetch("/main.js").then(() => "answered", () => "refused"))).toBe("refused");
  await expect(viewer.status).toContainText(/ 0 requests since · 2 stopped/);
  expect(asked.filter((url) => !url.startsWith("blob:") && !url.endsWith("/sw.js"))).toEqual([]); // the browser itself looks for a newer one
});

test("the service worker listens to nothing but its own life and fetches", () => {
  const source = readFileSync(join(ROOT, "dist", "site", "sw.js"), "utf8");
  expect([...source.matchAll(/addEventListener\(["'`](\w+)/g)].map((match) => match[1])).toEqual(["install", "activate", "fetch"]);
  expect(source).not.toMatch(/\bon(message|push|sync)\b|postMessage|importScripts/);
});

test("the browser finds the page fit to be installed, sealed as it is", async ({ site, page, context }) => {
  const viewer = new Viewer(page);
  await viewer.load(site.url);
  const cdp = await context.newCDPSession(page);
  const { url, errors, data } = await cdp.send("Page.getAppManifest");
  expect([url, errors]).toEqual([`${site.url}binlens.webmanifest`, []]);
  const [handler] = JSON.parse(data ?? "").file_handlers;
  expect(handler.accept["application/x-mysql-binlog"]).toEqual(expect.arrayContaining([".binlog", ".000001", ".000299"]));
  const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  await expect(viewer.status).toContainText(/^\s*Sealed \d\d:\d\d:\d\d · 0 requests since\s*$/);
});

test("a log that the system opens with the installed page", async ({ site, page }) => {
  await page.addInitScript(() => {
    type Consumer = (launched: { files: { getFile(): Promise<File> }[] }) => void;
    const launched: { consumer?: Consumer } = {};
    Object.assign(window, { launched });
    Object.defineProperty(window, "launchQueue", { value: { setConsumer: (consumer: Consumer) => (launched.consumer = consumer) } });
  });
  const viewer = new Viewer(page);
  await viewer.load(site.url);
  await page.evaluate((bytes) => {
    const file = new File([Uint8Array.from(bytes)], "mysql-bin.000007");
    const { launched } = window as unknown as { launched: { consumer(launch: object): void } };
    launched.consumer({ files: [] }); // started without a file
    launched.consumer({ files: [{ getFile: () => Promise.resolve(file) }] });
  }, [...readFileSync(SAMPLE)]);
  await viewer.reaches("done");
  await expect(page.locator("binlog-toolbar")).toContainText("mysql-bin.000007");
  await page.evaluate(() => {
    const { launched } = window as unknown as { launched: { consumer(launch: object): void } };
    launched.consumer({ files: [{ getFile: () => Promise.reject(new DOMException("it is gone", "NotFoundError")) }] });
  });
  await expect(page.getByRole("alert")).toContainText("The file was not opened: it is gone");
  await expect(page.locator("binlog-toolbar")).toContainText("mysql-bin.000007");
});
