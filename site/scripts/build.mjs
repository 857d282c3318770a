// Builds the page from site/src into dist/site, or, as `build.mjs single`, the one-file page dist/binlens.html.
// build.sh runs it after it has put binlens.wasm into dist/site. The same sources give the same bytes.
//
//   dist/site/index.html, *.css, *.svg   copied from site/src (tokens.css is part of element.js)
//   dist/site/element.js, element.d.ts   <binlog-view>, bundled from src/binlog-view.ts, with its types
//   dist/site/main.js                    bundled from src/main.ts: what index.html loads; it takes element.js from beside itself
//   dist/site/embed.js                   bundled from src/frame.ts: the same for embed/
//   dist/site/open/, embed/              from site/pages: the page that opens logs by their addresses, and the iframe form
//   dist/site/manual.txt                 README.md
//   dist/site/exhibits/                  from site/exhibits, with the logs of testdata that it shows
//   dist/site/worker.js                  bundled from src/worker.ts with Go's wasm_exec.js in it, as a classic script: the
//                                        page starts it from a blob, because only then it inherits the page's policy
//   dist/site/parquet.js                 bundled from src/parquet.ts: another worker's source, started when it is needed
//   dist/site/sample.binlog              from testdata/sample
//   dist/site/licenses.txt               of everything that is part of the page
//   dist/site/binlens.webmanifest, sw.js what makes it a page that can be installed and works offline: see precache.mjs
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { minify } from "terser";
import { writeManifest, writeServiceWorker } from "./precache.mjs";

const site = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(site);
const src = join(site, "src");
const out = join(root, "dist", "site");

const go = (...args) => execFileSync("go", args, { cwd: root, encoding: "utf8", env: { ...process.env, GOOS: "js", GOARCH: "wasm" } }).trim();

/** What both forms of the page are bundled with. */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  charset: "utf8",
  target: ["es2022"],
  legalComments: "none", // licenses.txt has them all
  logLevel: "warning",
};

async function bundle(entry, plugins = []) {
  const entryPoints = [join(src, entry)];
  const result = await build({ ...common, entryPoints, format: "esm", write: false, plugins: [cssText, ...plugins] });
  return dense(result, true);
}

/**
 * Makes a bundle smaller than esbuild does, by 2 %, and takes out the indentation of the templates, which is all that is left
 * of lines in a minified script: HTML and CSS do without it.
 */
async function dense({ outputFiles: [bundle] }, module = false) {
  const { code } = await minify(bundle.text, { module, ecma: 2022 });
  return code.replace(/\n[ \t]+/g, "\n").replace(/([;{])\n/g, "$1");
}

async function bundleWorker() {
  const wasmExec = ["lib/wasm", "misc/wasm"].map((dir) => join(go("env", "GOROOT"), dir, "wasm_exec.js")).find(existsSync);
  if (!wasmExec) throw new Error("no wasm_exec.js in GOROOT");
  const result = await build({ ...common, entryPoints: [join(src, "worker.ts")], format: "iife", alias: { "wasm_exec.js": wasmExec }, write: false });
  return dense(result);
}

/** Parts of hyparquet-writer that the page has no use for, a quarter of it. */
const unused = {
  name: "unused",
  setup(bundle) {
    const names =
      "BloomBuilder deltaBinaryPack deltaByteArray deltaLengthByteArray geospatialStatistics geojsonToWkb writeByteStreamSplit " +
      "autoDetectShredding encodeVariantColumn normalizeShreddingConfig";
    const contents = ["export const writeBlooms = () => {};", ...names.split(" ").map((name) => `export const ${name} = undefined;`)].join("\n");
    const filter = /[\\/]hyparquet-writer[\\/]src[\\/](bloom|delta|geospatial|splitstream|variant|wkb)\.js$/;
    bundle.onLoad({ filter }, () => ({ contents }));
  },
};

async function bundleParquet() {
  const result = await build({ ...common, entryPoints: [join(src, "parquet.ts")], format: "iife", plugins: [unused], write: false });
  return dense(result);
}

/** The licences of what the page is made of: this project, the Go runtime, Go modules in the wasm, npm packages in the bundle. */
function licenses() {
  const parts = [["binlens", root], ["The Go standard library and runtime", go("env", "GOROOT")]];
  for (const line of go("list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./wasm").split("\n")) {
    const [name, dir] = line.split("\t");
    if (dir && !parts.some(([known]) => known === name)) parts.push([name, dir]);
  }
  for (const name of ["lit", "lit-html", "lit-element", "@lit/reactive-element", "hyparquet", "hyparquet-writer"]) {
    const dir = join(site, "node_modules", name);
    parts.push([`${name} ${JSON.parse(readFileSync(join(dir, "package.json"), "utf8")).version}`, dir]);
  }
  return parts
    .map(([name, dir]) => {
      const file = readdirSync(dir).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
      if (!file) throw new Error(`${name} has no licence file`);
      return `${name}\n${"=".repeat(name.length)}\n\n${readFileSync(join(dir, file), "utf8").trim()}\n`;
    })
    .join("\n\n");
}

async function buildSite() {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "element.js"), await bundle("binlog-view.ts"));
  writeFileSync(join(out, "main.js"), await bundle("main.ts", [besideElement]));
  writeFileSync(join(out, "embed.js"), await bundle("frame.ts", [besideElement]));
  cpSync(join(site, "embed", "element.d.ts"), join(out, "element.d.ts"));
  cpSync(join(site, "pages"), out, { recursive: true });
  cpSync(join(root, "README.md"), join(out, "manual.txt"));
  buildExhibits();
  for (const entry of readdirSync(src)) {
    if (extname(entry) === ".html") cpSync(join(src, entry), join(out, entry));
    if (extname(entry) === ".css" && entry !== "tokens.css") writeFileSync(join(out, entry), await minifyCss(join(src, entry)));
  }
  writeFileSync(join(out, "worker.js"), await bundleWorker());
  writeFileSync(join(out, "parquet.js"), await bundleParquet());
  cpSync(join(root, "testdata", "sample", "sample.binlog"), join(out, "sample.binlog"));
  writeFileSync(join(out, "licenses.txt"), licenses());
  writeManifest(out);
  await writeServiceWorker(out); // the last: it names all the others
}

/** The exhibits, each log of testdata that they show beside them. */
function buildExhibits() {
  const folder = join(out, "exhibits");
  cpSync(join(site, "exhibits"), folder, { recursive: true });
  const page = readFileSync(join(folder, "index.html"), "utf8");
  for (const [, name] of page.matchAll(/<binlog-view [^>]*src="([\w.]+)"/g)) {
    const log = ["mysql", "mariadb", "sample"].map((dir) => join(root, "testdata", dir, name)).find(existsSync);
    if (!log) throw new Error(`the exhibits show ${name}, which is not in testdata`);
    cpSync(log, join(folder, name));
  }
}

async function minifyCss(path) {
  return (await build({ ...common, entryPoints: [path], write: false })).outputFiles[0].text;
}

/** A style sheet that a component imports is its text: it goes into a shadow root, not into the document. */
const cssText = {
  name: "css-text",
  setup(bundle) {
    bundle.onLoad({ filter: /\.css$/ }, async (args) => ({ contents: await minifyCss(args.path), loader: "text" }));
  },
};

/** The element is not bundled a second time, but taken from element.js. */
const besideElement = {
  name: "beside-element",
  setup(bundle) {
    bundle.onResolve({ filter: /\/binlog-view\.ts$/ }, () => ({ path: "./element.js", external: true }));
  },
};

/** Swaps how the page gets its assets: from elements of the document instead of the network. */
const inlineAssets = {
  name: "inline-assets",
  setup(bundle) {
    bundle.onResolve({ filter: /\/assets\.ts$/ }, (args) =>
      args.importer.startsWith(src) ? { path: join(site, "scripts", "inline_assets.ts") } : undefined,
    );
  },
};

/**
 * The whole product as one file that opens from a folder: no request is left to make, so connect-src is 'none' from the
 * first byte, and the policy names its scripts and styles by their hashes.
 */
async function buildSingle() {
  const read = (name) => readFileSync(join(out, name));
  const main = await bundle("main.ts", [inlineAssets]);
  const script = escapeScript(main);
  let html = read("index.html").toString("utf8");
  const styles = [];
  html = html.replace(/<link rel="stylesheet" href="\.?\/?([\w.-]+\.css)"\s*\/?>/g, (_, name) => {
    const css = read(name).toString("utf8").trim();
    if (/<\/style/i.test(css)) throw new Error(`${name} would end its element`);
    styles.push(hash(css));
    return `<style>${css}</style>`;
  });
  html = html.replace(/<link rel="(?:manifest|modulepreload|preload)"[^>]*>\n?/g, "");
  const embedded = [
    element("binlens-wasm", "application/octet-stream", gzipSync(read("binlens.wasm"), { level: 9 }).toString("base64")),
    element("binlens-sample", "application/octet-stream", gzipSync(read("sample.binlog"), { level: 9 }).toString("base64")),
    element("binlens-worker", "text/plain", escapeScript(read("worker.js").toString("utf8"))),
    element("binlens-parquet", "text/plain", escapeScript(read("parquet.js").toString("utf8"))),
    element("binlens-licenses", "text/plain", escapeScript(read("licenses.txt").toString("utf8"))),
  ].join("\n");
  const tag = /<script type="module" src="\.?\/?main\.js"><\/script>/;
  if (!tag.test(html)) throw new Error("index.html does not load main.js as it is expected to");
  html = html.replace(tag, "");
  html = html.replace("</body>", () => `${embedded}\n<script type="module">${script}</script>\n</body>`);
  const policy =
    `default-src 'none'; script-src '${hash(script)}' 'wasm-unsafe-eval'; connect-src 'none'; ` +
    `style-src ${styles.length ? styles.map((s) => `'${s}'`).join(" ") : "'none'"}; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  const meta = /(<meta http-equiv="Content-Security-Policy" content=")[^"]*"/;
  if (!meta.test(html)) throw new Error("index.html has no policy");
  html = html.replace(meta, (_, start) => `${start}${policy}"`);
  const left = html.replace(/<script[^>]*>[\s\S]*?<\/script>/g, "").match(/(?:src|href)="(?!data:|#|https:\/\/)[^"]+"/);
  if (left) throw new Error(`the single file still refers to ${left[0]}`);
  writeFileSync(join(root, "dist", "binlens.html"), html);
}

const element = (id, type, text) => `<script type="${type}" id="${id}">${text}</script>`;
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/**
 * Keeps source text from ending the element that it stands in, or from hiding its end (a comment's start followed by a
 * script's). In strings, templates and regular expressions, the only places where these can stand, the meaning stays.
 */
const escapeScript = (text) => text.trim().replace(/<(\/script|!--)/gi, "<\\$1");

const what = process.argv[2] ?? "site";
if (what === "site") await buildSite();
else if (what === "single") await buildSingle();
else throw new Error(`build.mjs: what is ${what}?`);
