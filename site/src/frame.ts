// The iframe form, embed/: <binlog-view> in a document of its own, for pages whose policy forbids workers or wasm.
//
// The fragment names the page that may speak to it, and what to show:
//
//	embed/#1&parent=https://docs.example&at=12            bytes come by message; the document seals itself before that
//	embed/#1&src=https://docs.example/shop.binlog&at=12   the log is read by its address; not sealed
//
// Messages are taken from the window around alone, and only where its origin is the one that `parent` names; answers go to
// that origin alone. The types are in site/embed/element.d.ts.
import type { FrameMessage, PageMessage } from "../embed/element.d.ts";
import type { BinlogView } from "./binlog-view.ts";
import "./binlog-view.ts";
import { readFields } from "./hash.ts";

const fields = readFields(location.hash);
const parentOrigin = fields.get("parent") ?? "";
const src = fields.get("src") ?? "";

const view = document.createElement("binlog-view") as BinlogView;
view.framed = true;
view.readonly = true;
view.seal = src === "";
view.network = src !== "";
for (const name of ["src", "at", "filter", "view", "theme"] as const) {
  const value = fields.get(name);
  if (value) view.setAttribute(name, value);
}

function tell(message: FrameMessage): void {
  if (parentOrigin !== "") parent.postMessage(message, parentOrigin);
}

function isPageMessage(data: unknown): data is PageMessage {
  return typeof data === "object" && data !== null && "binlens" in data && data.binlens === 1 && "op" in data;
}

async function receive(message: PageMessage): Promise<void> {
  const { at = "", filter = "", view: shown = "events" } = message;
  if (message.op === "show") {
    Object.assign(view, { at, filter, view: shown });
    return;
  }
  if (message.op !== "open" || !(message.file instanceof Blob || message.file instanceof ArrayBuffer)) return;
  await view.open(message.file, { at, filter, view: shown, ...(message.name !== undefined && { name: String(message.name) }) });
}

function listen(): void {
  addEventListener("message", (event: MessageEvent<unknown>) => {
    if (event.source !== parent || event.origin !== parentOrigin || !isPageMessage(event.data)) return;
    receive(event.data).catch(() => undefined); // told as binlog-error
  });
  tell({ binlens: 1, is: "ready" });
}

view.addEventListener("binlog-open", ({ detail: { name, size } }) => tell({ binlens: 1, is: "opened", name, size }));
view.addEventListener("binlog-select", ({ detail: { ordinal, path } }) => tell({ binlens: 1, is: "selected", ordinal, path }));
view.addEventListener("binlog-error", ({ detail: { message } }) => tell({ binlens: 1, is: "failed", message }));
// Bytes are asked for only when the airlock is closed.
view.addEventListener("binlog-state", ({ detail: { state } }) => state === "empty" && listen(), { once: true });
document.body.append(view);
