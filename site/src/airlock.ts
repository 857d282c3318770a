// The airlock: privacy that can be seen.
//
// The page loads all it needs, then takes away its own means of sending: a Content-Security-Policy that only ever
// narrows is put into the document's head, and the worker is started from a blob:, so that it inherits the policy (a
// worker loaded by its address would not). Then both are asked whether they can still fetch, and their traffic is
// counted from that moment on. What this does not stop is told in the README: a navigation, a new window, a name
// looked up by <link rel=preconnect> or by WebRTC.
//
// Only a page of our own is sealed (the attribute `seal`). In someone else's page the policy would stop that page.
import { cannotFetch, watchTraffic, type Traffic } from "./netwatch.ts";

/** What is left to a sealed page: run the code that is there, start blob: workers, show data: images. */
const SEALED =
  "default-src 'none'; connect-src 'none'; script-src 'wasm-unsafe-eval'; worker-src blob:; img-src data:; " +
  "style-src 'none'; font-src 'none'; media-src 'none'; object-src 'none'; frame-src 'none'; child-src 'none'; " +
  "manifest-src 'none'; base-uri 'none'; form-action 'none'";

export type Seal =
  /** Still loading. */
  | { is: "open" }
  | { is: "sealed"; at: Date; page: Traffic; worker: Traffic }
  /** Our page, which reads logs by their addresses and therefore does not seal itself. */
  | { is: "network" }
  /** Not our page: nothing was sealed, and it is said whose page it is. */
  | { is: "foreign"; host: string }
  /** The browser did not take the policy; the page says so and claims nothing. */
  | { is: "broken"; why: string };

/**
 * Seals this document. onTraffic is called with the page's counts from then on. Resolves with "sealed" only after a
 * trial showed that the page cannot fetch any more.
 */
export async function sealPage(onTraffic: (traffic: Traffic) => void): Promise<Seal> {
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = SEALED;
  document.head.append(meta);
  if (!(await cannotFetch(window))) return { is: "broken", why: "the browser did not take the policy" };
  const at = new Date();
  watchTraffic(window, onTraffic);
  return { is: "sealed", at, page: none(), worker: none() };
}

/** Whose the page is: ours, to be sealed; ours, to read logs by their addresses; or someone else's, which is left as it is. */
export type Ground = "sealed" | "network" | "foreign";

export async function secure(ground: Ground, onTraffic: (traffic: Traffic) => void): Promise<Seal> {
  if (ground === "sealed") return sealPage(onTraffic);
  return ground === "network" ? { is: "network" } : { is: "foreign", host: location.host || location.protocol };
}

/** Requests and stopped attempts of page and worker together. */
export function traffic(seal: Extract<Seal, { is: "sealed" }>): Traffic {
  return {
    requests: seal.page.requests + seal.worker.requests,
    blocked: seal.page.blocked + seal.worker.blocked,
  };
}

function none(): Traffic {
  return { requests: 0, blocked: 0 };
}
