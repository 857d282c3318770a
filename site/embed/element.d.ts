/**
 * `<binlog-view>`: a MySQL or MariaDB binary log in a page, every event, field, byte and row value.
 *
 * ```html
 * <script type="module" src="/binlens/element.js"></script>
 * <binlog-view src="shop.binlog" at="12" height="520"><a href="shop.binlog">shop.binlog</a></binlog-view>
 * ```
 *
 * element.js finds worker.js, binlens.wasm and, for exports of Parquet, parquet.js beside itself, wherever it was loaded from;
 * another origin has to send `Access-Control-Allow-Origin` with all of them. What stands inside the element shows where
 * there is no JavaScript.
 *
 * The element starts when it comes near the window. Elements of one page share the download and the compiled program; each
 * has a worker of its own, so that none waits for another's log. Where there are many, four of them run and those in sight;
 * the others come back to where they were when they are seen.
 *
 * A policy of the page (Content-Security-Policy) has to allow: `script-src` the origin of element.js and
 * `'wasm-unsafe-eval'`, `worker-src blob:`, `connect-src` the origins of element.js and of the logs. No `style-src` is
 * needed. Where workers or wasm are forbidden, the iframe form is left: see the README.
 *
 * The element does not seal a page that is not its own, and its status bar says so. It sends nothing itself: it asks for
 * the decoder and for the logs that it is given by address, and for nothing else.
 */

/** Where the element is with its log. */
export type BinlogState =
  /** Not started yet, or the decoder is being loaded. */
  | "loading"
  /** No log is open. */
  | "empty"
  | "opening"
  | "indexing"
  /** The log is indexed to its end. */
  | "done"
  /** Stopped on request; what was indexed can be used. */
  | "cancelled"
  /** The log could not be read on; what was indexed can be used. */
  | "failed"
  /** It is no binary log, or could not be had. */
  | "refused"
  /** The decoder could not be loaded, or not be brought back. */
  | "lost";

export type BinlogViewName = "events" | "transactions" | "tables" | "problems";

/** Where a log is opened; what is left out is as the element's attributes say. */
export interface OpenOptions {
  /** Name to show for bytes that have none. */
  name?: string;
  at?: string;
  filter?: string;
  view?: BinlogViewName;
}

export interface BinlogViewElement extends HTMLElement {
  /** Attribute `src`: address of the log, relative to the document. By ranges where its server has them. */
  src: string;
  /**
   * Attribute `at`: where to begin. `12` is the event #12 of the list, `@1288` the event that has byte 1288 of the log;
   * behind a colon, `12:rows[0].after.total`, a field of it by its path (the key `p` copies it). A path alone is one of the
   * first event.
   */
  at: string;
  /** Attribute `filter`: a line of the filter language, as the filter box takes it. */
  filter: string;
  /** Attribute `view`: which list shows. */
  view: BinlogViewName;
  /** Attribute `height`: a CSS length, or a number of pixels. Without it the element is 480 px high, unless styled. */
  height: string;
  /** Attribute `theme`: `system` (the default), `light` or `dark`. */
  theme: "system" | "light" | "dark";
  /** Attribute `readonly`: the reader cannot open other logs in the element. */
  readonly: boolean;

  /** Where the element is with its log. */
  readonly state: BinlogState;
  /** The selected event, -1 for none, and the path of the selected field, "" for the event as a whole. */
  readonly selection: { readonly ordinal: number; readonly path: string };

  /**
   * Opens a log in place of the one that is open: by its address, or from bytes, which stay in the page. Resolves when its
   * first bytes were read and it is being indexed; rejects with an Error in words.
   */
  open(source: string | URL | Blob | ArrayBuffer, options?: OpenOptions): Promise<void>;

  /** Selects an event, and a field of it, in the syntax of `at`. Resolves with whether it is in the index already. */
  goTo(at: string | number): Promise<boolean>;
}

/** Events of the element. They bubble, and tell places and states, never a value of the log. */
export interface BinlogViewEventMap {
  "binlog-state": CustomEvent<{ state: BinlogState }>;
  /** A log is open and is being indexed. `size` in bytes; `host` it is read from, "" for bytes and files. */
  "binlog-open": CustomEvent<{ name: string; size: number; host: string }>;
  "binlog-select": CustomEvent<{ ordinal: number; path: string }>;
  /** The filter that holds, "" for none, and how many events it leaves, null without one; again when it has come to the end. */
  "binlog-filter": CustomEvent<{ filter: string; matched: number | null; running: boolean }>;
  /** Something failed; `message` says it in words. */
  "binlog-error": CustomEvent<{ kind: string; message: string }>;
}

/** Messages between a page and the iframe form, embed/. */

/** From the frame to the page that it names with `parent`. */
export type FrameMessage =
  /** The frame listens. */
  | { binlens: 1; is: "ready" }
  /** A log was opened. */
  | { binlens: 1; is: "opened"; name: string; size: number }
  | { binlens: 1; is: "selected"; ordinal: number; path: string }
  | { binlens: 1; is: "failed"; message: string };

/** From the page to the frame. */
export type PageMessage =
  | ({ binlens: 1; op: "open"; file: Blob | ArrayBuffer } & OpenOptions)
  /** Another place of the open log. */
  | ({ binlens: 1; op: "show" } & Pick<OpenOptions, "at" | "filter" | "view">);

declare global {
  interface HTMLElementTagNameMap {
    "binlog-view": BinlogViewElement;
  }
  interface HTMLElementEventMap extends BinlogViewEventMap {}
}
