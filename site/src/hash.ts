// The state that stands in the address, behind "#": which log by its mark, which event and field, which view. Never the
// file's name.
//
//	#1&log=9f3a21c4&at=123&path=rows[0].after.total&view=problems&filter=type:update
//
// On the page that opens logs by their address, that stands there too, as src.
//
// The version comes first. Whatever is not understood is left out, so that an old, a newer or a mangled link still opens.
import { START, VIEWS, type Place } from "./state.ts";

const VERSION = "1";
/** Longer addresses are not read. */
const MAX = 4000;

export interface Link {
  /** Empty where `src` says which log is meant. */
  mark: string;
  /** The address of the log, "" for a file. */
  src?: string;
  place: Place;
}

/** The fields of an address; none when it is of another version, or no address of ours. */
export function readFields(hash: string): Map<string, string> {
  const fields = new Map<string, string>();
  if (hash.length > MAX) return fields;
  const [version, ...parts] = hash.replace(/^#/, "").split("&");
  if (version !== VERSION) return fields;
  for (const part of parts) {
    const at = part.indexOf("=");
    if (at <= 0) continue;
    try {
      fields.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)));
    } catch {
      // no UTF-8 behind the percent signs
    }
  }
  return fields;
}

/** Fields as an address, those that are empty left out. */
export function writeFields(fields: Iterable<readonly [name: string, value: string]>): string {
  let hash = `#${VERSION}`;
  for (const [name, value] of fields) {
    if (value !== "") hash += `&${name}=${encodeURIComponent(value).replace(/%(5B|5D|2C|3A|2F)/g, decodeURIComponent)}`;
  }
  return hash;
}

/** What an address points to; null when it points nowhere. */
export function readLink(hash: string): Link | null {
  const fields = readFields(hash);
  const log = fields.get("log") ?? "";
  const mark = /^[0-9a-f]{1,16}$/.test(log) ? log : "";
  const src = fields.get("src") ?? "";
  if (mark === "" && src === "") return null;
  const at = fields.get("at") ?? "";
  const view = fields.get("view") ?? "";
  const ordinal = /^\d{1,15}$/.test(at) ? Number(at) : START.ordinal;
  return {
    mark,
    ...(src !== "" && { src }),
    place: {
      view: VIEWS.find((known) => known === view) ?? START.view,
      ordinal,
      path: ordinal < 0 ? START.path : (fields.get("path") ?? START.path),
      filter: fields.get("filter") ?? START.filter,
    },
  };
}

export function writeLink({ mark, src = "", place }: Link): string {
  return writeFields([
    ["src", src],
    ["log", mark],
    ["at", place.ordinal < 0 ? "" : String(place.ordinal)],
    ["path", place.ordinal < 0 ? "" : place.path],
    ["view", place.view === START.view ? "" : place.view],
    ["filter", place.filter],
  ]);
}
