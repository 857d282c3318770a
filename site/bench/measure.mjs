// What browser.mjs has the page do and measure. These functions run in the page, and see nothing from outside of themselves.

/** Reads the file once from front to back, as fast as the browser can; returns milliseconds. */
export function readRaw() {
  const source = `onmessage = async ({ data: file }) => {
    const start = performance.now();
    const reader = file.stream().getReader({ mode: "byob" });
    let buffer = new ArrayBuffer(4 << 20);
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(buffer, 0, 4 << 20));
      if (done) break;
      buffer = value.buffer;
    }
    postMessage(performance.now() - start);
  };`;
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(document.querySelector("input").files[0]);
  });
}

/** Waits for the index; returns milliseconds from the file's arrival to the first rows on screen and to the whole index. */
export function watch() {
  const view = document.querySelector("binlog-view");
  const times = {};
  const deep = (root, selector) => {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const child of root.querySelectorAll("*")) {
      const inside = child.shadowRoot && deep(child.shadowRoot, selector);
      if (inside) return inside;
    }
    return root.shadowRoot ? deep(root.shadowRoot, selector) : null;
  };
  return new Promise((resolve) => {
    const look = () => {
      const { state } = view.dataset;
      if (!times.start && state !== "empty") times.start = performance.now();
      if (!times.rows && times.start && deep(view, '[data-row="0"]')) times.rows = performance.now();
      if (state === "done" && times.start) resolve({ total: performance.now() - times.start, rows: times.rows - times.start });
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** While the log is indexed: how long a page of 100 rows and an event take to come, each from anywhere in what is indexed. */
export async function ask() {
  const { store } = document.querySelector("binlog-view");
  const times = { page: [], detail: [] };
  const timed = async (list, request) => {
    const start = performance.now();
    await request.then(() => list.push(performance.now() - start), () => undefined); // superseded by one of the page's own
  };
  for (;;) {
    const { phase, progress } = store.state;
    if (phase === "done") return times;
    const events = progress?.events ?? 0;
    if (phase === "indexing" && events > 1000) {
      await timed(times.page, store.client.page(Math.floor(Math.random() * (events - 100)), 100));
      await timed(times.detail, store.client.tree(Math.floor(Math.random() * events), false));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Filters the whole log; returns milliseconds and how many rows are left. */
export async function filter(text) {
  const { store } = document.querySelector("binlog-view");
  const start = performance.now();
  await store.setFilter(text);
  while (store.state.filtered?.running) await new Promise((resolve) => setTimeout(resolve, 2));
  const ms = performance.now() - start;
  const { matched } = store.state.filtered;
  await store.setFilter("");
  return { ms, matched };
}

/**
 * Notes of each frame, until stopFrames() is called, which returns them, how long after the one before it came, and how long
 * the page was at work for it: from the first event that it brought, or the frame's own start, until it is laid out and painted.
 */
export function frames() {
  const times = { every: [], work: [] };
  const painted = new MessageChannel();
  let last = performance.now();
  let began = 0;
  let going = true;
  const begin = () => void (began ||= performance.now());
  for (const type of ["wheel", "scroll"]) addEventListener(type, begin, { capture: true, passive: true });
  painted.port1.onmessage = () => {
    times.work.push(performance.now() - began);
    began = 0;
  };
  const look = () => {
    begin();
    const now = performance.now();
    times.every.push(now - last);
    last = now;
    painted.port2.postMessage(0);
    if (going) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  globalThis.stopFrames = () => {
    going = false;
    return { every: times.every.slice(2), work: times.work.slice(2) };
  };
}

/** In the worker: notes how long the calls take that index, the collector's work in them included. */
export function timeCalls() {
  const { binlens } = globalThis;
  globalThis.calls = [];
  for (const name of ["feed", "step", "merge", "mark", "finish"]) {
    const call = binlens[name];
    binlens[name] = (...args) => {
      const start = performance.now();
      const answer = call(...args);
      globalThis.calls.push(performance.now() - start);
      return answer;
    };
  }
}
