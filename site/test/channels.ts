// Every way out of a page and out of a worker that a browser offers, each tried once against `host`; the path names the
// channel. These functions run in the browser: they may use nothing from outside themselves.

/** Tries every channel of a document. Resolves with the names of those that were tried. */
export async function fromPage(host: string): Promise<string[]> {
  const url = (name: string, ext = ""): string => `http://${host}/${name}${ext}/${ext ? `x${ext}` : ""}`;
  const file = (name: string, ext: string): string => `http://${host}/${name}${ext}`;
  const add = <T extends keyof HTMLElementTagNameMap>(tag: T, set: (element: HTMLElementTagNameMap[T]) => void, parent: Node = document.body): void => {
    const element = document.createElement(tag);
    set(element);
    parent.appendChild(element);
  };
  const link = (rel: string, href: string, as = ""): void =>
    add("link", (element) => Object.assign(element, { rel, href, ...(as ? { as } : {}) }), document.head);
  const frame = document.createElement("iframe");
  frame.name = "sink";
  document.body.append(frame);

  const channels: Record<string, () => unknown> = {
    fetch: () => fetch(url("fetch")),
    keepalive: () => fetch(url("keepalive"), { method: "POST", body: "x", keepalive: true, mode: "no-cors" }),
    xhr: () => {
      const request = new XMLHttpRequest();
      request.open("GET", url("xhr"));
      request.send();
    },
    beacon: () => navigator.sendBeacon(url("beacon"), "x"),
    websocket: () => new WebSocket(`ws://${host}/websocket/`),
    eventsource: () => new EventSource(url("eventsource")),
    image: () => (new Image().src = file("image", ".svg")),
    css: () => link("stylesheet", file("css", ".css")),
    background: () => add("div", (element) => element.style.setProperty("background-image", `url(${file("background", ".svg")})`)),
    inlinestyle: () => add("style", (element) => (element.textContent = `@import url(${file("inlinestyle", ".css")});`), document.head),
    prefetch: () => link("prefetch", file("prefetch", ".js")),
    preload: () => link("preload", file("preload", ".js"), "script"),
    modulepreload: () => link("modulepreload", file("modulepreload", ".js")),
    script: () => add("script", (element) => (element.src = file("script", ".js"))),
    import: () => import(/* @vite-ignore */ file("import", ".js")),
    iframe: () => add("iframe", (element) => (element.src = file("iframe", ".html"))),
    object: () => add("object", (element) => (element.data = file("object", ".html"))),
    embed: () => add("embed", (element) => (element.src = file("embed", ".html"))),
    video: () => add("video", (element) => (element.src = url("video"))),
    audio: () => add("audio", (element) => (element.src = url("audio"))),
    font: () => new FontFace("x", `url(${url("font")})`).load(),
    form: () =>
      add("form", (element) => {
        Object.assign(element, { action: url("form"), method: "post", target: "sink" });
        setTimeout(() => element.submit());
      }),
    ping: () =>
      add("a", (element) => {
        Object.assign(element, { href: "#ping", ping: url("ping") });
        setTimeout(() => element.click());
      }),
    cache: () => caches.open("x").then((cache) => cache.add(url("cache"))),
    blobworker: () => new Worker(URL.createObjectURL(new Blob([`fetch("${url("blobworker")}")`]))),
  };
  for (const attempt of Object.values(channels)) {
    try {
      const result = attempt();
      if (result instanceof Promise) await result.catch(() => undefined);
    } catch {
      // refused at once
    }
  }
  return Object.keys(channels);
}

/** Tries every channel of a worker. */
export async function fromWorker(host: string): Promise<string[]> {
  const url = (name: string): string => `http://${host}/worker-${name}/`;
  const scope = globalThis as unknown as { importScripts(url: string): void; fonts?: FontFaceSet };
  const channels: Record<string, () => unknown> = {
    fetch: () => fetch(url("fetch")),
    xhr: () => {
      const request = new XMLHttpRequest();
      request.open("GET", url("xhr"));
      request.send();
    },
    websocket: () => new WebSocket(`ws://${host}/worker-websocket/`),
    eventsource: () => new EventSource(url("eventsource")),
    importscripts: () => scope.importScripts(`http://${host}/worker-importscripts.js`),
    import: () => import(/* @vite-ignore */ `http://${host}/worker-import.js`),
    font: () => new FontFace("x", `url(${url("font")})`).load(),
    cache: () => caches.open("y").then((cache) => cache.add(url("cache"))),
    nested: () => new Worker(URL.createObjectURL(new Blob([`fetch("${url("nested")}")`]))),
  };
  for (const attempt of Object.values(channels)) {
    try {
      const result = attempt();
      if (result instanceof Promise) await result.catch(() => undefined);
    } catch {
      // refused at once
    }
  }
  return Object.keys(channels).map((name) => `worker-${name}`);
}
