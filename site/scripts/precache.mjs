// What makes the page one that can be installed and that works without its server: the manifest, and the service worker with
// the list of the files that it keeps.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const src = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");

/** Chromium takes at most 300 file name extensions, and no patterns: .binlog, and the numbers that a server begins with. */
const EXTENSIONS = [".binlog", ...Array.from({ length: 299 }, (_, i) => `.${String(i + 1).padStart(6, "0")}`)];

/** The icons stand in the manifest itself: a browser asks for them when it needs them, and that may be after the seal. */
export function writeManifest(dir) {
  const icon = (name, sizes, type) => ({ src: `data:${type};base64,${readFileSync(join(src, name), "base64")}`, sizes, type, purpose: "any maskable" });
  const manifest = {
    name: "binlens",
    short_name: "binlens",
    description: "Reads MySQL and MariaDB binary logs. Nothing is uploaded.",
    start_url: "./",
    scope: "./",
    display: "standalone",
    background_color: "#fbfbfa",
    theme_color: "#fbfbfa",
    categories: ["developer", "utilities"],
    icons: [icon("icon-192.png", "192x192", "image/png"), icon("icon-512.png", "512x512", "image/png"), icon("icon.svg", "any", "image/svg+xml")],
    file_handlers: [{ action: "./", accept: { "application/x-mysql-binlog": EXTENSIONS } }],
    launch_handler: { client_mode: "focus-existing" }, // a page that is open takes the file without being loaded again
  };
  writeFileSync(join(dir, "binlens.webmanifest"), `${JSON.stringify(manifest)}\n`);
}

/**
 * Writes dir/sw.js for the files that lie in dir, not in folders below it; index.html is kept as the folder's own address.
 * The same files give the same worker.
 */
export async function writeServiceWorker(dir) {
  const files = {};
  const entries = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== "sw.js");
  for (const { name } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    files[name === "index.html" ? "" : name] = `sha256-${digest(readFileSync(join(dir, name)), "base64")}`;
  }
  const hash = digest(JSON.stringify(files), "hex").slice(0, 16);
  await build({
    entryPoints: [join(src, "sw.ts")],
    outfile: join(dir, "sw.js"),
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022"],
    logLevel: "warning",
    define: { BUILD: JSON.stringify({ hash, files }) },
  });
}

const digest = (bytes, encoding) => createHash("sha256").update(bytes).digest(encoding);
