// Places as the attribute `at` and goTo() take them:
//
//	12                         the event #12 of the list
//	@1288                      the event that has byte 1288 of the log, as mysqlbinlog's "# at 1288"
//	12:rows[0].after.total     a field of it, by its path
//	server_version             a field of the first event
import { START, type Place } from "./state.ts";

/** The place that a text names. A text that names none is the first event. */
export function readPlace(text: string): Place {
  const [, offset, ordinal, path = ""] = /^\s*(?:(?:@(\d{1,15})|#?(\d{1,15}))(?::|\s*$))?(.*)$/s.exec(text) ?? [];
  if (offset !== undefined) return { ...START, offset: Number(offset), path };
  if (ordinal !== undefined) return { ...START, ordinal: Number(ordinal), path };
  return path === "" ? START : { ...START, ordinal: 0, path };
}
