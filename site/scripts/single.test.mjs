// Opens dist/binlens.html as a person does: from a folder, with no server anywhere. `./build.sh test` builds it first.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const file = join(root, "dist", "binlens.html");
const html = readFileSync(file, "utf8");
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args });
});
after(() => browser?.close());

/** Opens the file; whatever is asked of any address but the file itself is an outgoing request. */
async function open() {
  const page = await browser.newPage();
  const outgoing = [];
  const errors = [];
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && request.url() !== pathToFileURL(file).href) outgoing.push(request.url());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(pathToFileURL(file).href);
  return { page, outgoing, errors };
}

/** Waits until the event list shows a row with this text. */
const shows = (page, text) => page.getByRole("grid", { name: "Events" }).getByText(text).first().waitFor();

test("its policy allows no connection from the first byte", () => {
  const policies = [...html.matchAll(/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/g)].map((match) => match[1]);
  assert.equal(policies.length, 1);
  assert.match(policies[0], /^default-src 'none';.* connect-src 'none';/);
  assert.doesNotMatch(policies[0], /unsafe-inline|'unsafe-eval'|https?:|\*/);
  assert.ok(html.indexOf("Content-Security-Policy") < html.indexOf("<script"), "the policy stands before the first script");
});

test("it refers to no other file", () => {
  const markup = html.replace(/<script[^>]*>[\s\S]*?<\/script>/g, "").replace(/<style>[\s\S]*?<\/style>/g, "");
  assert.deepEqual([...markup.matchAll(/(?:src|href)="(?!data:|#)[^"]*"/g)].map((match) => match[0]), []);
});

test("it carries the licences of what is in it", () => {
  for (const name of ["binlens", "Go standard library", "lit 3.", "hyparquet-writer 0."]) assert.ok(html.includes(name), name);
});

test("the sample log opens, sealed, without a request", async () => {
  const { page, outgoing, errors } = await open();
  await page.getByRole("button", { name: /sample/i }).click();
  await shows(page, "CREATE DATABASE shop");
  await page.getByText(/^Sealed [\d:]+ · 0 requests since$/).waitFor(); // its own trials are no attempts that were stopped
  assert.deepEqual(outgoing, []);
  assert.deepEqual(errors, []);
  await page.close();
});

test("it writes Parquet, with what it carries", async () => {
  const { page, outgoing, errors } = await open();
  await page.evaluate(() => delete window.showSaveFilePicker); // nobody is here to answer the browser's dialog
  await page.getByRole("button", { name: /sample/i }).click();
  await shows(page, "CREATE DATABASE shop");
  await page.getByRole("button", { name: "Export…" }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByLabel("As").selectOption("parquet");
  const save = dialog.getByRole("button", { name: "Save…", disabled: false });
  await save.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), save.click()]);
  const bytes = readFileSync(await download.path());
  assert.equal(bytes.subarray(0, 4).toString(), "PAR1");
  assert.equal(bytes.subarray(-4).toString(), "PAR1");
  assert.ok(bytes.length > 1000, `${bytes.length} bytes`);
  assert.deepEqual(outgoing, []);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a log from the disk opens, and a fetch that the page tries does not leave it", async () => {
  let arrived = 0;
  const server = createServer((_, response) => {
    arrived++;
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${server.address().port}/`;
    const { page, errors } = await open();
    await page.getByRole("button", { name: /sample/i }).waitFor();
    await page.locator('input[type="file"]').setInputFiles(join(root, "testdata", "mariadb", "types.binlog"));
    await shows(page, "CREATE DATABASE types");
    assert.deepEqual(errors, []);

    assert.equal(await page.evaluate((to) => fetch(to).then(() => "went out", () => "refused"), url), "refused");
    assert.equal(arrived, 0);
    const control = await browser.newPage(); // the server is there, and would have been reached
    assert.equal((await control.goto(url)).status(), 200);
    assert.ok(arrived >= 1);
    await control.close();
    await page.close();
  } finally {
    server.close();
    server.closeAllConnections(); // one that a failed test left open would keep this process alive
  }
});
