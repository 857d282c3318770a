// Stands in for src/assets.ts in the single-file page, where nothing may be fetched: the assets are elements of the
// document itself, put there by build.mjs.
import type { Assets } from "../src/assets.ts";

export async function loadPage(): Promise<Assets> {
  const wasm = new Response(inflate("binlens-wasm"), { headers: { "content-type": "application/wasm" } });
  const sample = new Response(inflate("binlens-sample"));
  return {
    module: await WebAssembly.compileStreaming(wasm),
    worker: new Blob([text("binlens-worker")], { type: "text/javascript" }),
    parquet: () => Promise.resolve(new Blob([text("binlens-parquet")], { type: "text/javascript" })),
    sample: new File([await sample.arrayBuffer()], "sample.binlog"),
    offered: { logs: [], opener: "" },
  };
}

export const loadAssets = loadPage;

/** Unpacks the gzipped base64 of an element and lets the element go: the page has no second use for its megabytes. */
function inflate(id: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const packed = atob(text(id));
  document.getElementById(id)?.remove();
  const bytes = Uint8Array.from(packed, (unit) => unit.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

function text(id: string): string {
  const found = document.getElementById(id)?.textContent;
  if (!found) throw new Error(`${id} is missing: this copy of the page is not complete`);
  return found;
}
