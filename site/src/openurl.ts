// Opening a log by its address. One request for all of it, as a range, tells whether the server knows ranges: with them
// only the head is taken here, and the worker reads the rest; without, the log is read as a stream into a file of the
// browser's. What goes wrong is said in words.
import { BinlensError } from "./protocol.ts";
import { answered, contentRange, hostOf, type LogFile, type RemoteLog } from "./remote.ts";

/** Bytes of the head, from which a log is opened: its mark, its kind and its first events. */
const HEAD = 64 << 10;
/** Bytes that are put into a blob at a time. */
const PIECE = 4 << 20;

export interface Fetching {
  readonly name: string;
  readonly host: string;
  /** How much of a log has come that is read whole, and its size, 0 while unknown. */
  readonly bytes: number;
  readonly size: number;
}

/** A log with the address that it was found at, behind all redirections. */
export interface Found {
  file: LogFile;
  src: string;
}

/** The address as one of http or https; throws a BinlensError for any other. */
export function logAddress(text: string): URL {
  const url = URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI) : undefined;
  if (url?.username || url?.password) throw failed("no browser reads an address that has a user name or a password in it");
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw failed(`${text} is no address of http or https`);
}

/** The name of the file at an address. */
export function nameOf(url: URL): string {
  const last = url.pathname.split("/").pop() ?? "";
  try {
    return decodeURIComponent(last) || url.host;
  } catch {
    return last;
  }
}

/** Finds out how a log can be read, and reads it whole where it must be. Throws a BinlensError. */
export async function openUrl(url: URL, told: (fetching: Fetching) => void, signal: AbortSignal): Promise<Found> {
  const name = nameOf(url);
  const fetching = { name, host: url.host, bytes: 0, size: 0 };
  told(fetching);
  const response = await ask(url, signal);
  const { status, headers, body } = response;
  if (status === 416) return { file: new File([], name), src: response.url }; // no byte to ask for: it is empty
  if (!response.ok || !body) throw failed(`${hostOf(response.url || url.href)} ${answered(status)}`);
  const size = contentRange(headers)?.size ?? Number(headers.get("content-length") ?? 0);
  if (status !== 206 || !(size > 0)) {
    const file = await readWhole(body, name, (bytes) => told({ ...fetching, bytes, size }));
    return { file, src: response.url };
  }
  const head = await readHead(body);
  const log: RemoteLog = {
    remote: true,
    name,
    size,
    url: response.url,
    head,
    etag: headers.get("etag") ?? "",
    modified: headers.get("last-modified") ?? "",
  };
  return { file: log, src: log.url };
}

async function ask(url: URL, signal: AbortSignal): Promise<Response> {
  let forbidden = false;
  const onViolation = (event: SecurityPolicyViolationEvent): void => {
    forbidden ||= event.effectiveDirective === "connect-src";
  };
  document.addEventListener("securitypolicyviolation", onViolation);
  try {
    return await fetch(url, { headers: { range: "bytes=0-" }, cache: "no-store", signal });
  } catch {
    if (signal.aborted) throw new BinlensError({ kind: "superseded", message: "another log was opened" });
    await new Promise((resolve) => setTimeout(resolve)); // the policy's word comes after the failure
    throw failed(forbidden ? `the policy of this page does not allow it to read from ${url.origin} (connect-src)` : await whyNot(url));
  } finally {
    document.removeEventListener("securitypolicyviolation", onViolation);
  }
}

/** Why a request got no answer: a browser does not say, but what it lets through shows it. */
async function whyNot(url: URL): Promise<string> {
  if (location.protocol === "https:" && url.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(url.host)) {
    return `a page that was loaded by https may not read from ${url.origin}, which is http`;
  }
  if (!navigator.onLine) return `${url.host} could not be reached: this machine is offline`;
  const answers = await fetch(url, { method: "HEAD", mode: "no-cors", cache: "no-store" }).then(
    () => true,
    () => false,
  );
  if (url.origin !== location.origin && answers) {
    return (
      `${url.host} is there, but does not let pages of ${location.origin} read it. It would have to answer with the header ` +
      `Access-Control-Allow-Origin: ${location.origin} (CORS). Or download the log, and open the file`
    );
  }
  return `${url.host} could not be reached: no such server, no connection, or it refuses other sites`;
}

async function readHead(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(HEAD);
  const reader = body.getReader();
  let length = 0;
  while (length < HEAD) {
    const { value, done } = await reader.read().catch((thrown: unknown) => {
      throw brokeOff(length, thrown);
    });
    if (done) break;
    const part = value.subarray(0, HEAD - length);
    head.set(part, length);
    length += part.length;
  }
  void reader.cancel().catch(() => undefined);
  return head.slice(0, length);
}

async function readWhole(body: ReadableStream<Uint8Array>, name: string, told: (bytes: number) => void): Promise<File> {
  const blobs: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let loose = 0;
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read().catch((thrown: unknown) => {
      throw brokeOff(bytes, thrown);
    });
    if (value) parts.push(value as Uint8Array<ArrayBuffer>);
    bytes += value?.length ?? 0;
    loose += value?.length ?? 0;
    if (done || loose >= PIECE) {
      blobs.push(new Blob(parts));
      parts = [];
      loose = 0;
      told(bytes);
    }
    if (done) return new File(blobs, name);
  }
}

function brokeOff(bytes: number, thrown: unknown): BinlensError {
  return failed(`the connection broke off after ${bytes} bytes: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
}

function failed(message: string): BinlensError {
  return new BinlensError({ kind: "io", message });
}
