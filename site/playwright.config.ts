// Browser tests on Debian's Chromium. The site under test is dist/site, served by the project's own serve.go, so
// that the tests see the headers a user gets. PORT names the port; build.sh chooses a free one. With SHOTS=1 the named
// states are photographed instead: see test/shots.ts.
import { defineConfig } from "@playwright/test";

const port = Number(process.env["PORT"] ?? 8094);

export default defineConfig({
  testDir: "test",
  testMatch: process.env["SHOTS"] ? "shots.ts" : "**/*.spec.ts",
  outputDir: "../dist/test-results",
  timeout: 120_000,
  globalTimeout: 3_600_000, // whatever hangs, the run ends, and says what it was
  expect: { timeout: 20_000 }, // a state that comes is waited for, however busy the machine is
  workers: 1, // two cores: the browser and its worker fill them
  retries: 0, // a test that passes at the second try is a test that fails
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "../dist/test-results/playwright.json" }]],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    browserName: "chromium",
    headless: true,
    viewport: { width: 1280, height: 800 },
    trace: "retain-on-failure",
    serviceWorkers: "block", // a second copy of every file for every test; the tests of it allow it
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `go run . -addr 127.0.0.1:${port} -dir dist/site`,
    cwd: "..",
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
