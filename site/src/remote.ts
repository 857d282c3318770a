// A log that is read by its address, as the page and the worker pass it on, and what its server's answers mean.
//
// Every answer is held against what the first one said: its ETag, its Last-Modified and the whole size, as far as the
// server lets a page see them. That finds a changed log as If-Range would, and unlike that header it needs no
// permission of another origin's server, and brings no whole log where a part was asked for.

export interface RemoteLog {
  readonly remote: true;
  /** The last part of its address. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Where it was found in the end, behind all redirections. */
  readonly url: string;
  /** The first bytes. */
  readonly head: Uint8Array<ArrayBuffer>;
  /** What the server called this version, "" for what it did not say. */
  readonly etag: string;
  readonly modified: string;
}

export type LogFile = File | RemoteLog;

export function isRemote(file: Blob | RemoteLog): file is RemoteLog {
  return "remote" in file;
}

export function hostOf(url: string): string {
  const { host, protocol } = new URL(url);
  return host || protocol;
}

/** The value of a Range header for [from, to). */
export function rangeOf(from: number, to: number): string {
  return `bytes=${from}-${to - 1}`;
}

/** The first byte and the whole size that a Content-Range tells, if it may be seen. */
export function contentRange(headers: Headers): { from: number; size: number } | undefined {
  const [, from, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  return from === undefined || size === undefined ? undefined : { from: Number(from), size: Number(size) };
}

/** Why an answer is not the part [from, …) of the log that was opened, in words; "" when it is. */
export function objection(log: RemoteLog, from: number, status: number, headers: Headers): string {
  const host = hostOf(log.url);
  if (status !== 206 && status !== 200 && status !== 416) return `${host} ${answered(status)}`;
  const part = contentRange(headers);
  const other = (name: string, known: string): boolean => known !== "" && (headers.get(name) ?? known) !== known;
  const changed = status === 416 || other("etag", log.etag) || other("last-modified", log.modified) || (part && part.size !== log.size);
  if (changed) return `the log has changed at ${host} since it was opened: open it again to read it as it is now`;
  if (status === 200 || (part && part.from !== from)) return `${host} did not answer with the part that was asked for`;
  return "";
}

/** [from, to) of a log, for a search. Throws an Error in words. */
export async function readPart(log: LogFile, from: number, to: number): Promise<Uint8Array> {
  if (!isRemote(log)) return new Uint8Array(await log.slice(from, to).arrayBuffer());
  if (from >= to) return new Uint8Array();
  const response = await fetch(log.url, { headers: { range: rangeOf(from, Math.min(to, log.size)) }, cache: "no-store" });
  const why = objection(log, from, response.status, response.headers);
  if (why !== "") throw new Error(why);
  return new Uint8Array(await response.arrayBuffer());
}

/** An HTTP status as the end of a sentence that begins with the server's name. */
export function answered(status: number): string {
  const said = `answered ${status}`;
  switch (status) {
    case 401:
    case 407:
      return `wants a login first (${said})`;
    case 403:
      return `does not permit it (${said})`;
    case 404:
    case 410:
      return `has no such file (${said})`;
    case 429:
      return `asks for fewer requests (${said})`;
    default:
      return status >= 500 ? `failed (${said})` : said;
  }
}
