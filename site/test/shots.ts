// Pictures of the page's named states to look at, light, dark and in forced colours: dist/shots/NAME-light.png. They assert
// nothing.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { TYPE, ordinalOf, scratch, writeDamaged, writeLongLog, writeManyLogs, writeTruncated } from "./logs.ts";
import { test, type Viewer } from "./viewer.ts";

const OUT = new URL("../../dist/shots/", import.meta.url).pathname;
mkdirSync(OUT, { recursive: true });
const folder = scratch();

const WIDE = { width: 1440, height: 860 };
const NARROW = { width: 360, height: 640 };

interface Shot {
  size?: { width: number; height: number };
  reach(viewer: Viewer): Promise<void>;
}

async function update(viewer: Viewer): Promise<void> {
  await viewer.openSample();
  await viewer.goTo(ordinalOf(TYPE.updateRows));
  await viewer.rows.locator(".chg [data-side=after]").first().click();
  await viewer.idle();
}

/** A log that takes some seconds to index, made once. */
function longLog(): string {
  const path = join(folder, "mysql-bin.000099");
  if (!existsSync(path)) writeLongLog(path, 600_000_000);
  return path;
}

const SHOTS: Readonly<Record<string, Shot>> = {
  empty: { reach: async () => undefined },
  "empty-narrow": { size: NARROW, reach: async () => undefined },
  fields: { reach: async (viewer) => viewer.openSample() },
  rows: { reach: update },
  document: {
    reach: async (viewer) => {
      await viewer.choose(new URL("../../testdata/mysql/documents80.binlog", import.meta.url).pathname);
      await viewer.reaches("done");
      await viewer.list.getByRole("row", { name: /PARTIAL_UPDATE_ROWS_EVENT/ }).first().click();
      await viewer.idle();
      await viewer.rows.locator(".chg [data-side=after]").filter({ hasText: "{" }).first().click();
      await viewer.idle();
    },
  },
  payload: {
    reach: async (viewer) => {
      await viewer.choose(new URL("../../testdata/mysql/payload80.binlog", import.meta.url).pathname);
      await viewer.reaches("done");
      await viewer.list.getByRole("row", { name: /WRITE_ROWS/ }).first().click();
      await viewer.idle();
    },
  },
  lost: {
    reach: async (viewer) => {
      await viewer.openSample();
      await (await viewer.worker()).evaluate(() => {
        const { binlens } = globalThis as unknown as { binlens: { tree(ordinal: number): unknown } };
        binlens.tree = () => {
          throw new RangeError("WebAssembly.Memory.grow(): Unable to grow instance memory");
        };
      });
      await viewer.page.keyboard.press("]");
      await viewer.reaches("done");
      await viewer.idle();
    },
  },
  filtered: {
    reach: async (viewer) => {
      await update(viewer);
      await viewer.page.getByRole("combobox", { name: "Filter" }).fill("type:update,insert row:total>50");
      await viewer.page.getByRole("combobox", { name: "Filter" }).press("Enter");
      await viewer.idle();
    },
  },
  mistaken: {
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.page.getByRole("combobox", { name: "Filter" }).fill("type:update tabel:shop.orders");
      await viewer.page.getByRole("combobox", { name: "Filter" }).press("Enter");
    },
  },
  transactions: {
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.tab(/^Transactions/).click();
      await viewer.page.getByRole("treegrid").getByRole("columnheader", { name: /^Bytes/ }).click();
      await viewer.page.keyboard.press("ArrowRight");
      await viewer.idle();
    },
  },
  tables: {
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.tab(/^Tables/).click();
      await viewer.idle();
    },
  },
  sql: {
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.goTo(ordinalOf(TYPE.query, 1));
      await viewer.tab(/SQL/).click();
      await viewer.idle();
    },
  },
  loading: {
    reach: async (viewer) => {
      await viewer.choose(longLog());
      await viewer.reaches("indexing");
      await viewer.page.waitForTimeout(1800);
    },
  },
  cancelled: {
    reach: async (viewer) => {
      await viewer.choose(longLog());
      await viewer.reaches("indexing");
      await viewer.page.getByRole("button", { name: "Cancel" }).click();
      await viewer.reaches("cancelled");
    },
  },
  problems: {
    reach: async (viewer) => {
      const path = join(folder, "damaged.binlog");
      writeDamaged(path);
      await viewer.choose(path);
      await viewer.reaches("done");
      await viewer.page.getByRole("tab", { name: /^Problems/ }).click();
      await viewer.page.getByRole("treeitem").nth(1).click();
      await viewer.idle();
    },
  },
  damaged: {
    reach: async (viewer) => {
      const path = join(folder, "truncated.binlog");
      writeTruncated(path, 4);
      await viewer.choose(path);
      await viewer.reaches("done");
      await viewer.page.keyboard.press("End");
      await viewer.idle();
    },
  },
  logs: {
    reach: async (viewer) => {
      await viewer.choose(writeManyLogs(folder));
      await viewer.reaches("done");
      await viewer.idle();
    },
  },
  refused: {
    reach: async (viewer) => {
      await viewer.choose({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no log\n") });
      await viewer.reaches("refused");
    },
  },
  keys: {
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.page.keyboard.press("?");
    },
  },
  menu: {
    reach: async (viewer) => {
      await update(viewer);
      await viewer.rows.locator(".chg [data-side=after]").first().click({ button: "right" });
    },
  },
  find: {
    reach: async (viewer) => {
      await update(viewer);
      await viewer.page.keyboard.press("f");
      await viewer.page.keyboard.type("carl");
    },
  },
  "narrow-list": { size: NARROW, reach: async (viewer) => viewer.openSample() },
  "narrow-transactions": {
    size: NARROW,
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.tab(/^Transactions/).click();
      await viewer.idle();
    },
  },
  "narrow-rows": {
    size: NARROW,
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.goTo(ordinalOf(TYPE.updateRows));
    },
  },
  "narrow-bytes": {
    size: NARROW,
    reach: async (viewer) => {
      await viewer.openSample();
      await viewer.goTo(ordinalOf(TYPE.updateRows));
      await viewer.page.getByRole("button", { name: "Bytes ›" }).click();
      await viewer.idle();
    },
  },
};

const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  forced: { colorScheme: "dark", contextOptions: { forcedColors: "active" } },
} as const;

for (const [look, options] of Object.entries(LOOKS)) {
  test.describe(look, () => {
    test.use(options);
    for (const [name, { size = WIDE, reach }] of Object.entries(SHOTS)) {
      test(name, async ({ viewer, page }) => {
        await page.setViewportSize(size);
        await reach(viewer);
        await page.mouse.move(2, 2);
        await page.screenshot({ path: join(OUT, `${name}-${look}.png`) });
      });
    }
  });
}
