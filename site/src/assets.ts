// Everything that the page needs from its origin, loaded before the airlock closes: afterwards nothing can be.

export interface Assets {
  /** Compiled once here; a worker, and every one that takes its place, gets the compiled module. */
  module: WebAssembly.Module;
  /** The worker's source: a worker started from a blob of it inherits the page's policy. */
  worker: Blob;
  /** The source of the worker that writes Parquet. */
  parquet: Blob;
  /** The sample log's bytes. */
  sample: File;
}

/** Loads the four files that lie beside `base`. Throws an Error that names the file which could not be loaded. */
export async function loadAssets(base: URL): Promise<Assets> {
  const [module, worker, parquet, sample] = await Promise.all([
    compile(new URL("binlens.wasm", base)),
    load(new URL("worker.js", base)).then((response) => response.text()),
    load(new URL("parquet.js", base)).then((response) => response.text()),
    load(new URL("sample.binlog", base)).then((response) => response.arrayBuffer()),
  ]);
  return {
    module,
    worker: new Blob([worker], { type: "text/javascript" }),
    parquet: new Blob([parquet], { type: "text/javascript" }),
    sample: new File([sample], "sample.binlog"),
  };
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
