// What an installed page has: it is there when its server is not, and the system opens logs with it. Only the document of a
// page of our own that names a manifest can be installed.

/** Milliseconds that a first visit waits for the service worker to have its copy of the page. */
const PATIENCE = 5000;

/**
 * Registers the service worker beside `base`, and has the browser load the manifest: both before the page is sealed, because
 * afterwards nothing can be loaded. Resolves when that is done, when it fails, and where a browser has nothing of the kind:
 * the page is the same without.
 */
export async function keepOffline(base: URL): Promise<void> {
  if (!document.querySelector('link[rel="manifest"]')) return;
  await Promise.all([manifestRead(), registered(new URL("sw.js", base))]).catch(() => undefined);
}

/** Waits for the worker of a first visit, so that what it loads is not taken for the sealed page's. */
async function registered(url: URL): Promise<void> {
  const registration = await navigator.serviceWorker?.register(url, { updateViaCache: "none" });
  const worker = registration?.installing;
  if (!worker) return;
  await new Promise<unknown>((resolve) => {
    worker.onstatechange = resolve; // installed, or failed
    setTimeout(resolve, PATIENCE);
  });
}

/** Chromium reads the manifest some time after the page is loaded; asked for the page's related apps, it reads it now. */
async function manifestRead(): Promise<void> {
  await (navigator as { getInstalledRelatedApps?(): Promise<unknown> }).getInstalledRelatedApps?.();
}

interface LaunchQueue {
  setConsumer(consumer: (launched: { files: readonly FileSystemFileHandle[] }) => void): void;
}

/** Hands over the files that the system is told to open with this page, those too that it was started with, or why it cannot. */
export function takeLaunched(open: (files: File[]) => void, fail: (why: string) => void): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files }) => {
    const why = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
    if (files.length > 0) Promise.all(files.map((handle) => handle.getFile())).then(open, (thrown: unknown) => fail(`The file was not opened: ${why(thrown)}`));
  });
}
