// Counts what leaves a page or a worker, and what its policy stopped. Both sides of the airlock use it.

export interface Traffic {
  /** Requests that went out. */
  requests: number;
  /** Attempts that the Content-Security-Policy stopped. */
  blocked: number;
}

/** The part of Window and WorkerGlobalScope that is needed here. */
type Scope = Pick<EventTarget, "addEventListener">;

/** Frames are reported by their origin alone, and listed as resources by their whole address. */
const FRAMES = /^(frame|child|object|fenced-frame)-src/;
const FRAME_TYPES = new Set(["iframe", "frame", "object", "embed"]);

/**
 * Watches from now on; onChange gets the counts after every change. Addresses without a network behind them (blob:,
 * data:) do not count, and an attempt that was stopped is not a request although the browser lists it as a resource.
 */
export function watchTraffic(scope: Scope, onChange: (traffic: Traffic) => void): void {
  const since = performance.now();
  const seen = new Map<string, number>();
  // An attempt is reported once for each policy that stops it, so what counts is the most that any one has stopped.
  const stopped = new Map<string, Map<string, number>>();

  const tell = (): void => {
    let requests = 0;
    for (const [key, count] of seen) if (!stopped.has(key)) requests += count;
    let blocked = 0;
    for (const byPolicy of stopped.values()) blocked += Math.max(...byPolicy.values());
    onChange({ requests, blocked });
  };
  scope.addEventListener("securitypolicyviolation", (event) => {
    const violation = event as SecurityPolicyViolationEvent;
    if (violation.disposition !== "enforce" || isTrial(violation)) return;
    const key = keyOf(violation.blockedURI, FRAMES.test(violation.effectiveDirective));
    const byPolicy = stopped.get(key) ?? new Map<string, number>();
    stopped.set(key, bump(byPolicy, violation.originalPolicy));
    tell();
  });
  if (typeof PerformanceObserver === "undefined") return;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      if (entry.startTime < since || !/^(https?|wss?|ftp):/i.test(entry.name)) continue;
      bump(seen, keyOf(entry.name, FRAME_TYPES.has(entry.initiatorType)));
    }
    tell();
  }).observe({ type: "resource" });
}

/** Milliseconds to wait for the browser's word that its policy stopped the trial below. */
const PATIENCE = 10_000;

/** What the trial asks for. No one else asks for it, so that its reports are known whenever they come. */
const TRIAL = globalThis.origin === "null" ? "data:," : `${globalThis.origin}/?sealed`;

/**
 * Tries whether this scope can fetch from its own origin, which the page's first policy allows and the sealed one does
 * not: the trial of a sealed scope never leaves the browser. That it fails proves nothing, since the server may be away:
 * the browser must say that the policy stopped it.
 */
export async function cannotFetch(scope: Scope): Promise<boolean> {
  const stopped = new Promise<boolean>((resolve) => {
    scope.addEventListener("securitypolicyviolation", (event) => {
      if (isTrial(event as SecurityPolicyViolationEvent)) resolve(true);
    });
    setTimeout(() => resolve(false), PATIENCE);
  });
  try {
    await fetch(TRIAL, { method: "HEAD" });
    return false;
  } catch {
    return stopped;
  }
}

/** An address of the kind data: is reported without what follows; it leads nowhere, so that none of them counts. */
function isTrial({ blockedURI }: SecurityPolicyViolationEvent): boolean {
  return blockedURI === TRIAL || blockedURI.startsWith("data");
}

function bump(counts: Map<string, number>, key: string): Map<string, number> {
  return counts.set(key, (counts.get(key) ?? 0) + 1);
}

function keyOf(url: string, frame: boolean): string {
  if (!frame) return url.replace(/#.*$/, "");
  return `frame ${URL.canParse(url) ? new URL(url).origin : url}`;
}
