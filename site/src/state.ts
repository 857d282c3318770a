// What the page knows and shows: the one state that every component renders from. store.ts has the actions that change it.
import type { Seal } from "./airlock.ts";
import type { Range } from "./fields.ts";
import type { Fetching } from "./openurl.ts";
import type { Link } from "./hash.ts";
import type { Detail, Failure, Problem, ProblemKind, Progress, Summary } from "./protocol.ts";
import type { LogFile } from "./remote.ts";
import type { FilterAnswer, FilterProgress, SurveyProgress } from "./viewdata.ts";

export type Phase =
  | "loading" // the page is not sealed yet; a file may already be waiting
  | "empty" // nothing is open
  | "opening" // the first bytes are looked at
  | "indexing"
  | "done"
  | "cancelled" // what was indexed stays usable
  | "failed" // the scan stopped at a fault; what was indexed stays usable
  | "refused" // not a binary log
  | "lost"; // the decoder could not be loaded, or not be brought back

/** A log is open, wholly or in part. */
export function isOpen(phase: Phase): boolean {
  return phase === "opening" || phase === "indexing" || phase === "done" || phase === "cancelled" || phase === "failed";
}

export interface Selection {
  /** The selected event, -1 for none. */
  readonly ordinal: number;
  /** Path of the selected field or cell, "" for the event as a whole. */
  readonly path: string;
  /** The selected bytes, relative to the event's first byte: those of the field, or some that were chosen by hand. */
  readonly range: Range | null;
}

export const VIEWS = ["events", "transactions", "tables", "problems"] as const;
export type View = (typeof VIEWS)[number];
export type Tab = "fields" | "rows" | "sql" | "json";
export type Theme = "system" | "light" | "dark";
/** The clock that times are shown in. */
export type Zone = "utc" | "local";
/** Which pane shows where there is room for one. */
export type Pane = "list" | "detail" | "hex";

/** Where someone is in a log: what a link keeps, and what a log keeps while another one is open. */
export interface Place {
  readonly view: View;
  readonly ordinal: number;
  readonly path: string;
  /** The filter that holds, "" for none. */
  readonly filter: string;
  /** The byte of the log whose event is meant, where its ordinal is not known. */
  readonly offset?: number;
}

/** One log of the list of logs. */
export interface Log {
  readonly id: number;
  readonly file: LogFile;
  /** The address that it was found at, "" for a file of this machine. */
  readonly src: string;
  /** Tells logs apart by their first bytes, without their names. */
  readonly mark: string;
  /** Time and next_position of the first event, by which logs are ordered; 0 where there is none. */
  readonly time: number;
  readonly position: number;
  /** Where it was left. */
  readonly place: Place;
}

export interface State {
  phase: Phase;
  seal: Seal;
  file: { name: string; size: number } | null;
  /** The log that is being asked for by its address. */
  fetching: Fetching | null;
  /** The logs at hand, in the order of their first events, and the id of the one that is open. */
  logs: readonly Log[];
  log: number;
  summary: Summary | null;
  progress: Progress | null;
  /** Milliseconds that the index took; 0 while it is not complete. */
  took: number;
  /** Milliseconds that the index will still take at the pace so far; 0 while that is not known. */
  left: number;
  /** No other log is opened here than those that the page chooses. */
  fixed: boolean;
  /** Why the file was refused, the scan stopped or the decoder is lost. */
  failure: Failure | null;
  /** The scan ended before the place where the decoder died. */
  cut: boolean;
  /** The decoder has not answered for a while. */
  hung: boolean;
  /** Something that happened and that is over: shown until it is dismissed. */
  notice: string;
  /** What was just done, in a few words: "copied 8 bytes". */
  said: string;
  /** Problems of each kind, as far as they are known. */
  kinds: Readonly<Record<ProblemKind, number>> | null;
  /** How far the second pass is; null before it begins. */
  survey: SurveyProgress | null;
  /** The filter that was asked for last, what the decoder said of it, and the one that holds. */
  asked: string;
  answer: FilterAnswer | null;
  filter: string;
  /** What the filter that holds has found; null without one. */
  filtered: FilterProgress | null;
  selection: Selection;
  /** The list's row of the selected event, or the first one after it where it is not in the list; -1 while unknown. */
  row: number;
  /** The selected event is not in the list: the filter leaves it out, or has not come to it. */
  hidden: boolean;
  /** The event that is shown; for a moment still the one before the selected. */
  detail: Detail | null;
  detailFailure: Failure | null;
  /** Where the rows of the shown event cannot be read on. */
  rowsProblem: Problem | null;
  view: View;
  /** The preferred tab; an event without it shows its fields instead. */
  tab: Tab;
  pane: Pane;
  theme: Theme;
  zone: Zone;
  /** Answers are waited for. */
  busy: boolean;
  /** The place that the address names, while the log it belongs to is not open. */
  wanted: Link | null;
}

/** The bytes that the hex pane shows: those of one listed row. */
export interface Subject {
  ordinal: number;
  offset: number;
  size: number;
}

export const NOTHING: Selection = { ordinal: -1, path: "", range: null };
export const START: Place = { view: "events", ordinal: -1, path: "", filter: "" };

/** The part of the state that belongs to one log, when it is opened. */
export function freshLog() {
  return {
    summary: null,
    progress: null,
    took: 0,
    left: 0,
    failure: null,
    cut: false,
    hung: false,
    notice: "",
    said: "",
    kinds: null,
    survey: null,
    asked: "",
    answer: null,
    filter: "",
    filtered: null,
    selection: NOTHING,
    row: -1,
    hidden: false,
    detail: null,
    detailFailure: null,
    rowsProblem: null,
    view: "events",
    pane: "list",
  } satisfies Partial<State>;
}

export const INITIAL: State = {
  ...freshLog(),
  phase: "loading",
  seal: { is: "open" },
  file: null,
  fetching: null,
  fixed: false,
  logs: [],
  log: -1,
  tab: "rows",
  theme: "system",
  zone: "utc",
  busy: false,
  wanted: null,
};
