// A web server of another origin, for logs and for pages that embed the element: it notes what is asked of it, and behaves
// as a test wants.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Served {
  type?: string;
  /** What it holds, or how many bytes and how to read some of them. */
  body: Buffer | { size: number; read(from: number, to: number): Buffer };
  /** Answers ranges; it does unless told otherwise. */
  ranges?: boolean;
  /** Pages of other origins may read it. */
  cors?: boolean;
  /** They may see its ETag and the whole size, too. */
  exposed?: boolean;
  etag?: string;
  status?: number;
  headers?: Record<string, string>;
  /** A part of it that is asked for is cut off behind so many bytes, once; then `then` takes its place. */
  cut?: number;
  then?: Partial<Served>;
}

const PIECE = 1 << 16;

export class Host {
  readonly files = new Map<string, Served>();
  /** "GET /path bytes=0-" of every request. */
  readonly asked: string[] = [];
  /** Bytes sent by now. */
  sent = 0;
  url = "";
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  get name(): string {
    return new URL(this.url).host;
  }

  /** A page, with a policy or without. */
  page(path: string, body: string, policy = ""): void {
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>a page</title><body><h1>A page</h1>${body}</body></html>`;
    this.files.set(path, { type: "text/html", body: Buffer.from(html), headers: policy === "" ? {} : { "content-security-policy": policy } });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const { range, ...others } = request.headers;
    this.asked.push(`${request.method} ${path}${range ? ` ${range}` : ""}`);
    const file = this.files.get(path);
    if (!file) {
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
      return;
    }
    const { ranges = true, cors = false, exposed = true, etag = "", status = 0, type = "application/octet-stream", headers = {} } = file;
    for (const [name, value] of Object.entries({ "content-type": type, ...headers })) response.setHeader(name, value);
    if (etag) response.setHeader("etag", etag);
    if (cors && others.origin) response.setHeader("access-control-allow-origin", others.origin);
    if (cors && exposed) response.setHeader("access-control-expose-headers", "ETag, Content-Range");
    const size = "size" in file.body ? file.body.size : file.body.length;
    const [, first = "0", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const part = ranges && range !== undefined && status === 0;
    const from = part ? Number(first) : 0;
    const to = part && last !== "" ? Math.min(Number(last) + 1, size) : size;
    if (part && from >= size) {
      response.setHeader("content-range", `bytes */${size}`);
      response.writeHead(416).end();
      return;
    }
    if (part) response.setHeader("content-range", `bytes ${from}-${to - 1}/${size}`);
    response.setHeader("content-length", to - from);
    response.writeHead(status || (part ? 206 : 200));
    if (request.method === "HEAD") response.end();
    else await this.#send(response, file, from, to, part && last !== "");
  }

  async #send(response: ServerResponse, file: Served, from: number, to: number, bounded: boolean): Promise<void> {
    const { body } = file;
    for (let at = from; at < to && !response.destroyed; at += PIECE) {
      const end = Math.min(at + PIECE, to);
      if (bounded && file.cut !== undefined && end > file.cut) {
        delete file.cut;
        Object.assign(file, file.then);
        response.destroy();
        return;
      }
      this.sent += end - at;
      const more = response.write("size" in body ? body.read(at, end) : body.subarray(at, end));
      if (!more) await drained(response);
    }
    response.end();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const on = (): void => {
      response.off("drain", on).off("close", on);
      resolve();
    };
    response.on("drain", on).on("close", on);
  });
}
