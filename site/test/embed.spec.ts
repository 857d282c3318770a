// <binlog-view> in pages of other origins: under a strict policy, several at once, without JavaScript, in a frame.
import { readFileSync } from "node:fs";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type { BinlogViewElement, FrameMessage } from "../embed/element.d.ts";
import { Host } from "./host.ts";
import { TYPE, ordinalOf, sample } from "./logs.ts";

const rows80 = readFileSync(new URL("../../testdata/mysql/rows80.binlog", import.meta.url));
const basic = readFileSync(new URL("../../testdata/mariadb/basic.binlog", import.meta.url));

const test = base.extend<{ host: Host; errors: string[] }>({
  host: async ({}, use) => {
    const host = await new Host().listen();
    host.files.set("/rows80.binlog", { body: rows80 });
    host.files.set("/basic.binlog", { body: basic });
    host.files.set("/sample.binlog", { body: sample() });
    await use(host);
    host.close();
  },
  errors: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await use(errors);
  },
});

/** What the README tells a page's policy to allow, and nothing else. */
const policyFor = (site: string): string =>
  `default-src 'none'; script-src ${site} 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self' ${site}; base-uri 'none'; form-action 'none'`;

const done = async (view: Locator): Promise<void> => {
  await view.scrollIntoViewIfNeeded();
  await expect(view).toHaveAttribute("data-state", "done", { timeout: 30_000 });
};

const selection = (view: Locator): Promise<{ ordinal: number; path: string }> => view.evaluate((element) => (element as BinlogViewElement).selection);

test("three on a page of another origin, under a strict policy: one download, each at its place", async ({ page, host, errors, baseURL }) => {
  const site = baseURL ?? "";
  host.page(
    "/docs.html",
    `<binlog-view src="rows80.binlog" at="7:rows[0].after.total" height="500"><a href="rows80.binlog">the log</a></binlog-view>
     <binlog-view src="basic.binlog" at="@1033" height="300px" theme="dark" readonly></binlog-view>
     <binlog-view src="sample.binlog" filter="type:delete" view="tables"></binlog-view>
     <script type="module" src="${site}/element.js"></script>`,
    policyFor(site),
  );
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${host.url}/docs.html`);
  const [one, two, three] = [0, 1, 2].map((i) => page.locator("binlog-view").nth(i)) as [Locator, Locator, Locator];
  for (const view of [one, two, three]) {
    await done(view);
    await expect(view.locator("binlog-status")).toContainText(`not sealed: this page belongs to ${host.name} · reading from it`);
  }
  await expect.poll(() => selection(one)).toEqual({ ordinal: 7, path: "rows[0].after.total" });
  await expect.poll(() => selection(two)).toEqual({ ordinal: 13, path: "" });
  await expect(three.getByRole("grid", { name: "Tables" })).toBeVisible();
  await expect(three.getByRole("combobox", { name: "Filter" })).toHaveValue("type:delete");
  expect(await one.evaluate((element) => (element as HTMLElement).offsetHeight)).toBe(500);
  expect(await two.evaluate((element) => (element as HTMLElement).offsetHeight)).toBe(300);
  expect(await three.evaluate((element) => (element as HTMLElement).offsetHeight)).toBe(480);
  await expect(two).toHaveAttribute("data-theme", "dark");
  for (const name of ["element.js", "worker.js", "binlens.wasm"]) expect(asked.filter((url) => url === `${site}/${name}`)).toHaveLength(1);
  expect(asked.filter((url) => url.startsWith(site))).toHaveLength(3);
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe("body"); // none takes the keyboard of its own accord
  expect(errors).toEqual([]);
});

test("exports under the same policy; the writer of Parquet is loaded when it is wanted", async ({ page, host, errors, baseURL }) => {
  const site = baseURL ?? "";
  host.page("/docs.html", `<binlog-view src="rows80.binlog"></binlog-view><script type="module" src="${site}/element.js"></script>`, policyFor(site));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.addInitScript(() => delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker);
  await page.goto(`${host.url}/docs.html`);
  const view = page.locator("binlog-view");
  await done(view);
  await view.getByRole("button", { name: "Export…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  expect(asked).not.toContain(`${site}/parquet.js`);
  await dialog.getByLabel("As").selectOption({ label: "Parquet, one table" });
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Save…" }).click()]);
  expect(download.suggestedFilename()).toBe("rows80.binlog.shop.orders.parquet");
  expect(readFileSync(await download.path()).subarray(0, 4).toString()).toBe("PAR1");
  expect(asked.filter((url) => url === `${site}/parquet.js`)).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("one that is out of sight waits, with its link for those without JavaScript", async ({ page, host, errors, baseURL, browser }) => {
  host.page(
    "/docs.html",
    `<p>text</p><div id="far"></div><binlog-view src="basic.binlog"><a href="basic.binlog">the log</a></binlog-view>
     <link rel="stylesheet" href="far.css"><script type="module" src="${baseURL}/element.js"></script>`,
  );
  host.files.set("/far.css", { type: "text/css", body: Buffer.from("#far { height: 4000px }") });
  await page.goto(`${host.url}/docs.html`);
  const view = page.locator("binlog-view");
  await expect(view.locator("binlog-status")).toBeAttached();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))));
  expect(host.asked.filter((ask) => ask.includes("basic.binlog"))).toEqual([]);
  await expect(view.getByRole("link", { name: "the log" })).toBeHidden();
  await done(view);
  expect(errors).toEqual([]);

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${host.url}/docs.html`);
  await expect(plain.getByRole("link", { name: "the log" })).toHaveAttribute("href", "basic.binlog");
  await expect(plain.getByRole("link", { name: "the log" })).toBeVisible();
  await context.close();
});

test("a policy that forbids the worker, or the wasm: it says so, and leads to the file", async ({ page, host, baseURL }) => {
  const body = `<binlog-view src="basic.binlog"></binlog-view><script type="module" src="${baseURL}/element.js"></script>`;
  for (const [path, policy] of [
    ["/noworker.html", policyFor(baseURL ?? "").replace("worker-src blob:", "worker-src 'none'")],
    ["/nowasm.html", policyFor(baseURL ?? "").replace(" 'wasm-unsafe-eval'", "")],
  ] as const) {
    host.page(path, body, policy);
    await page.goto(host.url + path);
    const view = page.locator("binlog-view");
    await expect(view).toHaveAttribute("data-state", "lost");
    await expect(view.getByRole("alert")).toContainText("The decoder could not be started");
    await expect(view.getByRole("link", { name: /basic\.binlog$/ })).toHaveAttribute("href", `${host.url}/basic.binlog`);
  }
});

test("properties, methods and events", async ({ page, host, errors, baseURL }) => {
  host.page("/docs.html", `<binlog-view readonly></binlog-view><script type="module" src="${baseURL}/element.js"></script>`);
  await page.goto(`${host.url}/docs.html`);
  const view = page.locator("binlog-view");
  await expect(view).toHaveAttribute("data-state", "empty");
  await view.evaluate((element) => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    for (const name of ["binlog-state", "binlog-open", "binlog-select", "binlog-filter", "binlog-error"]) {
      document.addEventListener(name, (event) => heard.push(`${name} ${JSON.stringify((event as CustomEvent).detail)}`));
    }
    (element as BinlogViewElement).src = "rows80.binlog";
  });
  await expect(view).toHaveAttribute("data-state", "done");
  expect(await view.evaluate((element) => (element as BinlogViewElement).goTo("5:table_id"))).toBe(true);
  expect(await view.evaluate((element) => (element as BinlogViewElement).goTo(999))).toBe(false);
  expect(await view.evaluate((element) => (element as BinlogViewElement).goTo("@213"))).toBe(true);
  await expect.poll(() => selection(view)).toEqual({ ordinal: 2, path: "" });
  await view.evaluate((element) => void ((element as BinlogViewElement).filter = "type:update"));
  const heard = (): Promise<string[]> => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  await expect.poll(async () => (await heard()).at(-1)).toBe('binlog-filter {"filter":"type:update","matched":2,"running":false}');
  await expect.poll(heard).toContain('binlog-select {"ordinal":5,"path":"table_id"}');
  expect((await heard()).filter((line) => line.startsWith("binlog-open"))).toEqual([`binlog-open {"name":"rows80.binlog","size":${rows80.length},"host":"${host.name}"}`]);

  await view.evaluate(async (element) => {
    const bytes = await (await fetch("basic.binlog")).arrayBuffer();
    await (element as BinlogViewElement).open(bytes, { name: "given", at: "11:rows[0]", filter: "" });
  });
  await expect(view.locator("binlog-toolbar")).toContainText("given");
  await expect.poll(() => selection(view)).toMatchObject({ ordinal: 11 });
  const refused = await view.evaluate((element) => (element as BinlogViewElement).open("docs.html").catch((thrown: Error) => thrown.message));
  expect(refused).toContain("not a binary log");
  expect(await view.evaluate((element) => (element as BinlogViewElement).state)).toBe("refused");
  await expect(view.getByRole("button", { name: /Choose|Open/ })).toHaveCount(0); // it is readonly
  expect(errors).toEqual([]);
});

test("moved in the page, it keeps its log; taken out, it ends its worker", async ({ page, host, errors, baseURL }) => {
  host.page("/docs.html", `<main></main><binlog-view src="basic.binlog" at="3"></binlog-view><script type="module" src="${baseURL}/element.js"></script>`);
  await page.goto(`${host.url}/docs.html`);
  const view = page.locator("binlog-view");
  await done(view);
  expect(await view.evaluate((element) => (element as BinlogViewElement).goTo(8))).toBe(true);
  await view.evaluate((element) => document.querySelector("main")?.append(element));
  await done(view);
  await expect(view.locator("binlog-toolbar")).toContainText("basic.binlog");
  await expect.poll(() => selection(view)).toMatchObject({ ordinal: 8 });
  await view.evaluate((element) => element.remove());
  await expect.poll(() => page.workers().length).toBe(0);
  expect(errors).toEqual([]);
});

test("of many, those that are out of sight give their workers up, and come back to where they were", async ({ page, host, errors, baseURL }) => {
  const views = Array.from({ length: 7 }, (_, i) => `<binlog-view src="basic.binlog" at="${i}" height="900"></binlog-view>`).join("");
  host.page("/docs.html", `${views}<script type="module" src="${baseURL}/element.js"></script>`);
  await page.goto(`${host.url}/docs.html`);
  const view = (i: number): Locator => page.locator("binlog-view").nth(i);
  await done(view(0));
  expect(await view(0).evaluate((element) => (element as BinlogViewElement).goTo(20))).toBe(true);
  for (let i = 1; i < 7; i++) {
    await done(view(i));
    await expect.poll(() => selection(view(i))).toMatchObject({ ordinal: i });
  }
  await expect.poll(() => page.workers().length).toBe(4);
  await view(0).scrollIntoViewIfNeeded();
  await expect(view(0).getByRole("row", { selected: true })).toHaveAttribute("data-row", "20");
  await expect(view(0)).toHaveAttribute("data-state", "done");
  await expect.poll(() => page.workers().length).toBe(4);
  expect(host.asked.filter((ask) => ask.startsWith("GET /basic.binlog bytes=0-") && !/-\d+$/.test(ask))).toHaveLength(7);
  expect(errors).toEqual([]);
});

// ---- the iframe form

/** What the browser notes of a trial that the airlock is closed, and of a dialog's button in a frame. */
const EXPECTED = /Content Security Policy|autofocusing/;

/** A page that frames embed/ and notes what it is told. Its policy allows no worker and no wasm. */
function framing(host: Host, site: string, fragment: string): void {
  const script = `
    const frame = document.querySelector("iframe");
    window.told = [];
    addEventListener("message", (event) => {
      if (event.origin !== "${site}" || event.source !== frame.contentWindow) return;
      window.told.push(event.data);
    });
    window.send = async (name, message) => {
      const file = await (await fetch(name)).blob();
      frame.contentWindow.postMessage({ binlens: 1, op: "open", file, name, ...message }, "${site}");
    };`;
  host.files.set("/frame.js", { type: "text/javascript", body: Buffer.from(script) });
  const policy = `default-src 'none'; script-src 'self'; connect-src 'self'; frame-src ${site}; worker-src 'none'`;
  host.page("/docs.html", `<iframe title="A log" width="1000" height="500" src="${site}/embed/${fragment}"></iframe><script src="frame.js"></script>`, policy);
}

const told = (page: Page): Promise<FrameMessage[]> => page.evaluate(() => (window as unknown as { told: FrameMessage[] }).told);
const send = (page: Page, name: string, message: object): Promise<void> =>
  page.evaluate(([file, rest]) => (window as unknown as { send(name: string, rest: object): Promise<void> }).send(file, rest), [name, message] as const);

test("iframe: ready, open, opened; the bytes stay in a sealed document", async ({ page, host, errors, baseURL }) => {
  const site = baseURL ?? "";
  framing(host, site, `#1&parent=${host.url}`);
  await page.goto(`${host.url}/docs.html`);
  await expect.poll(() => told(page)).toEqual([{ binlens: 1, is: "ready" }]);
  const view = page.frameLocator("iframe").locator("binlog-view");
  await expect(view.locator("binlog-status")).toContainText(/Sealed \d\d:\d\d:\d\d · 0 requests since/);
  const ordinal = ordinalOf(TYPE.updateRows);
  await send(page, "sample.binlog", { at: String(ordinal) });
  await expect(view).toHaveAttribute("data-state", "done");
  await expect.poll(() => told(page)).toContainEqual({ binlens: 1, is: "opened", name: "sample.binlog", size: sample().length });
  await expect.poll(() => told(page)).toContainEqual({ binlens: 1, is: "selected", ordinal, path: "" });
  await expect(view.locator("binlog-status")).toContainText("0 requests since");
  await send(page, "docs.html", {});
  await expect.poll(async () => (await told(page)).at(-1)).toMatchObject({ is: "failed", message: expect.stringContaining("not a binary log") });
  expect(page.url()).toBe(`${host.url}/docs.html`);
  expect(errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
});

test("iframe: another origin than the one it was told of is not heard, and hears nothing", async ({ page, host, baseURL }) => {
  framing(host, baseURL ?? "", "#1&parent=https://docs.example");
  await page.goto(`${host.url}/docs.html`);
  const view = page.frameLocator("iframe").locator("binlog-view");
  await expect(view).toHaveAttribute("data-state", "empty");
  await send(page, "sample.binlog", {});
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  await expect(view).toHaveAttribute("data-state", "empty");
  expect(await told(page)).toEqual([]);
});

test("iframe: by address, not sealed, the badge names the host", async ({ page, host, errors, baseURL }) => {
  host.files.set("/basic.binlog", { body: basic, cors: true });
  framing(host, baseURL ?? "", `#1&src=${encodeURIComponent(`${host.url}/basic.binlog`)}&at=11&parent=${host.url}`);
  await page.goto(`${host.url}/docs.html`);
  const view = page.frameLocator("iframe").locator("binlog-view");
  await expect(view).toHaveAttribute("data-state", "done");
  await expect(view.locator("binlog-status")).toContainText(`Not sealed · reading from ${host.name}`);
  await expect.poll(() => told(page)).toContainEqual({ binlens: 1, is: "selected", ordinal: 11, path: "" });
  expect(errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
});
