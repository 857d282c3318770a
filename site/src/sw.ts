// The service worker: it keeps the page for when its server cannot be reached.
//
// It answers fetch events and nothing else: it takes no messages, no pushes and no syncs, so that a sealed page cannot
// hand it anything. It never looks at what is not part of the build, /logs/ above all.
//
// A page whose server answers is loaded from there, as if this worker were not. Only a page that the server fails to give
// comes from the cache, and then all that it loads does: no page is made of two builds. The cache is filled at once with the
// files that the build has named by their hashes, or not at all, and takes the place of the one before.

/** Set by the build: the hash of all its files, and of each by its name. */
declare const BUILD: { hash: string; files: Record<string, string> };

interface ExtendableEvent extends globalThis.Event {
  waitUntil(done: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  /** Of the page that asks, and of the page that a navigation makes. */
  readonly clientId: string;
  readonly resultingClientId: string;
  respondWith(response: Promise<Response>): void;
}

interface Events {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
}

const worker = globalThis as unknown as {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<T extends keyof Events>(type: T, listener: (event: Events[T]) => void): void;
};

/** Milliseconds to wait for the server before the page comes from the cache. */
const PATIENCE = 4000;

const SCOPE = worker.registration.scope;
const PREFIX = `binlens ${SCOPE} `;
const CACHE = PREFIX + BUILD.hash;

/** The pages that came from the cache. */
const cached = new Set<string>();

worker.addEventListener("install", (event) => {
  void worker.skipWaiting(); // pages that are loaded need no worker any more
  event.waitUntil(fill());
});

worker.addEventListener("activate", (event) => event.waitUntil(removeOthers()));

worker.addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  const { origin, pathname } = new URL(request.url);
  const file = origin + pathname;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    if (file === SCOPE) event.respondWith(page(event));
  } else if (cached.has(clientId) && file.startsWith(SCOPE) && file.slice(SCOPE.length) in BUILD.files) {
    event.respondWith(kept(file));
  }
});

async function fill(): Promise<void> {
  const cache = await caches.open(CACHE);
  const put = async ([name, integrity]: [string, string]): Promise<void> => {
    const url = SCOPE + name;
    await cache.put(url, await fetch(url, { cache: "no-cache", integrity }));
  };
  await Promise.all(Object.entries(BUILD.files).map(put));
}

async function removeOthers(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
}

async function page({ request, resultingClientId }: FetchEvent): Promise<Response> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE));
  const response = await Promise.race([fetch(request), late]).catch(() => undefined);
  if (response && response.status < 500) return response;
  cached.add(resultingClientId);
  return kept(SCOPE);
}

/** A file of the build, from the cache. */
async function kept(url: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(url, { ignoreVary: true })) ?? Response.error();
}
