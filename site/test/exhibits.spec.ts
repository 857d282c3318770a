// The page of exhibits: each view at the place that its text tells of, and the whole without a fault of access.
import { expect, test } from "@playwright/test";
import { Viewer, audit } from "./viewer.ts";

/** Event and path of each exhibit in its order, and what its event says of itself. */
const EXHIBITS: readonly [ordinal: number, path: string, says: string][] = [
  [0, "event_size", "FORMAT_DESCRIPTION_EVENT"],
  [0, "post_header_lengths.GTID_EVENT", "FORMAT_DESCRIPTION_EVENT"],
  [13, "", "MARIADB_GTID_EVENT 0-1-4"],
  [5, "optional_metadata.column_name", "TABLE_MAP_EVENT"],
  [7, "rows[0].after.total", "UPDATE_ROWS_EVENT"],
  [2, "original_commit_timestamp", "GTID_EVENT"],
  [10, "commit_group_ticket", "ANONYMOUS_GTID_EVENT"],
  [2, "uncompressed_size", "TRANSACTION_PAYLOAD_EVENT"],
  [8, "", "truncated tail"],
];

for (const { width, colorScheme } of [
  { width: 1280, colorScheme: "light" },
  { width: 400, colorScheme: "dark" },
] as const) {
  test(`each at its place, and axe: ${width} px, ${colorScheme}`, async ({ page }) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/exhibits/");
    const views = page.locator("binlog-view");
    await expect(views).toHaveCount(EXHIBITS.length);
    for (const [i, [ordinal, path, says]] of EXHIBITS.entries()) {
      const view = views.nth(i);
      await view.scrollIntoViewIfNeeded();
      await expect(view).toHaveAttribute("data-state", "done", { timeout: 30_000 });
      await expect.poll(() => view.evaluate((element) => (element as HTMLElementTagNameMap["binlog-view"]).selection)).toEqual({ ordinal, path });
      await expect(view.locator("binlog-detail")).toContainText(says);
      if (path !== "") await expect(view.locator("binlog-detail")).toBeVisible();
    }
    await expect(page.locator("[data-busy]")).toHaveCount(0);
    expect(await audit(new Viewer(page))).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(errors).toEqual([]);
  });
}

test("its links lead to what is there", async ({ page, request }) => {
  await page.goto("/exhibits/");
  const links = await page.locator("a").evaluateAll((all) => [...new Set(all.map((link) => (link as HTMLAnchorElement).href))]);
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) expect((await request.get(link)).status(), link).toBe(200);
});
