// The page as the tests see it: a page object over <binlog-view>, and `test` with one.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type CDPSession, type Locator, type Page, type Worker } from "@playwright/test";
import type { AxeResults } from "axe-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export type State = "loading" | "empty" | "opening" | "indexing" | "done" | "cancelled" | "failed" | "refused" | "lost";

export class Viewer {
  readonly list: Locator;
  readonly detail: Locator;
  readonly tree: Locator;
  readonly rows: Locator;
  readonly hex: Locator;
  readonly status: Locator;

  constructor(readonly page: Page) {
    this.list = page.getByRole("grid", { name: "Events" });
    this.detail = page.locator("binlog-detail");
    this.tree = page.getByRole("tree", { name: "Fields" });
    this.rows = page.getByRole("grid", { name: "Rows" });
    this.hex = page.getByRole("group", { name: "Bytes" });
    this.status = page.locator("binlog-status");
  }

  /** Loads the page and waits until it is sealed. */
  async load(url = "/"): Promise<void> {
    await this.page.goto(url);
    await this.reaches("empty");
  }

  async reaches(...states: State[]): Promise<void> {
    await expect(this.page.locator("binlog-view")).toHaveAttribute("data-state", new RegExp(`^(${states.join("|")})$`), { timeout: 60_000 });
  }

  /** Waits until no answer is on its way. */
  async idle(): Promise<void> {
    await expect(this.page.locator("binlog-view")).not.toHaveAttribute("data-busy");
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  async openSample(): Promise<void> {
    await this.page.getByRole("button", { name: "Open the sample log" }).click();
    await this.reaches("done");
    await this.idle();
  }

  /** Gives a file to the page's own input, as its file dialog would. */
  async choose(path: string | string[] | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.page.locator("input[type=file]").setInputFiles(path);
  }

  /** Drops a file of this machine on the window, as the desktop would; `hover` looks at the page before it is let go. */
  async drop(path: string, hover: () => Promise<void> = async () => undefined): Promise<void> {
    const cdp = await this.page.context().newCDPSession(this.page);
    await drag(cdp, "dragEnter", path);
    await drag(cdp, "dragOver", path);
    await hover();
    await drag(cdp, "drop", path);
    await cdp.detach();
  }

  row(ordinal: number): Locator {
    return this.list.locator(`[data-row="${ordinal}"]`);
  }

  /** Selects an event: by pages until it shows, then by a click. */
  async goTo(ordinal: number): Promise<void> {
    const back = this.page.getByRole("button", { name: "Back to the list" });
    if (await back.isVisible()) await back.click();
    await this.list.focus();
    await this.page.keyboard.press("Home");
    while ((await this.row(ordinal).count()) === 0) await this.page.keyboard.press("PageDown");
    await this.row(ordinal).click();
    await expect(this.detail).toContainText(`#${ordinal.toLocaleString("en")} at `);
    await this.idle();
  }

  selected(): Locator {
    return this.list.getByRole("row", { selected: true });
  }

  tab(name: RegExp): Locator {
    return this.page.getByRole("tab", { name });
  }

  /** The one worker of the page; waits for it. */
  async worker(): Promise<Worker> {
    await expect.poll(() => this.page.workers().length, { timeout: 30_000 }).toBe(1); // one that has ended is listed until its thread is gone
    const [worker] = this.page.workers();
    if (!worker) throw new Error("there is no worker");
    return worker;
  }
}

function drag(cdp: CDPSession, type: "dragEnter" | "dragOver" | "drop", path: string): Promise<unknown> {
  return cdp.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data: { items: [], files: [path], dragOperationsMask: 1 } });
}

/** `viewer`: the loaded page. A test fails on any error that the page throws. */
export const test = base.extend<{ viewer: Viewer }>({
  viewer: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    const viewer = new Viewer(page);
    await viewer.load();
    await use(viewer);
    expect(errors).toEqual([]);
  },
});

/** What axe has against the page as it is. */
export async function audit(viewer: Viewer): Promise<string[]> {
  await viewer.page.evaluate(axe);
  const results = await viewer.page.evaluate(() => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run({ preload: false, resultTypes: ["violations"] });
  });
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}

export { expect };
