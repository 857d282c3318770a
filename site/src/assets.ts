// Everything that the page needs from its origin, loaded before the airlock closes: afterwards nothing can be.

export interface Assets {
  /** Compiled once here; a worker, and every one that takes its place, gets the compiled module. */
  module: WebAssembly.Module;
  /** The worker's source: a worker started from a blob of it inherits the page's policy. */
  worker: Blob;
  /** The source of the worker that writes Parquet, loaded when it is asked for first. */
  parquet(): Promise<Blob>;
  /** The sample log; only a page of our own offers it. */
  sample?: File;
  /** Logs that the site has, and the address of the page that opens them, "" where there is none. */
  offered: { logs: readonly SiteLog[]; opener: string };
}

/** A log of the listing that a site has at logs/. */
export interface SiteLog {
  name: string;
  /** Bytes. */
  size: number;
  url: string;
}

/** Loads the decoder, which lies beside `base`. Throws an Error that names the file which could not be loaded. */
export async function loadAssets(base: URL): Promise<Assets> {
  const [module, worker] = await Promise.all([
    compile(new URL("binlens.wasm", base)),
    load(new URL("worker.js", base)).then((response) => response.text()),
  ]);
  return { module, worker: scriptOf(worker), parquet: later(new URL("parquet.js", base)), offered: { logs: [], opener: "" } };
}

/** A script that is loaded once, when it is wanted; after a failure it is loaded again. */
function later(url: URL): () => Promise<Blob> {
  let loaded: Promise<Blob> | undefined;
  const attempt = async (): Promise<Blob> => {
    try {
      return scriptOf(await (await load(url)).text());
    } catch (thrown) {
      loaded = undefined;
      throw thrown;
    }
  };
  return () => (loaded ??= attempt());
}

const scriptOf = (source: string): Blob => new Blob([source], { type: "text/javascript" });

/** The same, and what a page of our own offers: the sample, and the logs of the site. */
export async function loadPage(base: URL): Promise<Assets> {
  const [assets, sample, logs] = await Promise.all([
    loadAssets(base),
    load(new URL("sample.binlog", base)).then((response) => response.arrayBuffer()),
    listLogs(new URL("logs/", base)),
  ]);
  return { ...assets, sample: new File([sample], "sample.binlog"), offered: { logs, opener: new URL("open/", base).href } };
}

/** The listing of a site that has one; any other answer is that of a site without. */
async function listLogs(base: URL): Promise<SiteLog[]> {
  try {
    const response = await fetch(base);
    if (!response.ok || response.headers.get("content-type") !== "application/json") return [];
    const list = (await response.json()) as unknown;
    if (!Array.isArray(list)) return [];
    return list.flatMap((log: Partial<SiteLog> | null) =>
      typeof log?.name === "string" && typeof log.size === "number"
        ? [{ name: log.name, size: log.size, url: new URL(encodeURIComponent(log.name), base).href }]
        : [],
    );
  } catch {
    return [];
  }
}

async function compile(url: URL): Promise<WebAssembly.Module> {
  const response = await load(url);
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function load(url: URL): Promise<Response> {
  const name = url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
  let response: Response;
  try {
    response = await fetch(url);
  } catch (thrown) {
    throw new Error(`${name} could not be loaded: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  if (!response.ok) throw new Error(`${name} could not be loaded: the server answered ${response.status}`);
  return response;
}
