// The keys. Those that hold everywhere carry their action, so that what the dialog lists is what happens.
import { hasModifier, isTyping } from "./element.ts";
import { offered } from "./views.ts";
import type { Store } from "./store.ts";

/** What the keys act on beside the store: the panes and the dialogs of the page. */
export interface Page {
  readonly store: Store;
  /** Single letters and digits are keys; someone who dictates may want none. */
  readonly singleKeys: boolean;
  focusPane(pane: "list" | "detail" | "hex"): void;
  nextPane(step: number): void;
  openHelp(): void;
  openExport(): void;
  openNames(): void;
  browse(): void;
  openBar(what: "go" | "find"): void;
  focusFilter(): void;
}

export interface Hotkey {
  /** As KeyboardEvent.key says. */
  key: string;
  does: string;
  /** Works without a log, too. */
  always?: true;
  run(page: Page): void;
}

const VIEW_KEYS = ["1", "2", "3", "4"];

export const HOTKEYS: readonly Hotkey[] = [
  { key: "?", does: "list the keys", always: true, run: (page) => page.openHelp() },
  { key: "o", does: "open a file", always: true, run: (page) => page.browse() },
  { key: "t", does: "theme: system, light, dark", always: true, run: ({ store }) => store.nextTheme() },
  { key: "z", does: "times in UTC, or by your clock", run: ({ store }) => store.setZone(store.state.zone === "utc" ? "local" : "utc") },
  { key: "/", does: "to the filter", run: (page) => page.focusFilter() },
  { key: "e", does: "export: SQL, undo, text, JSON, CSV, Parquet", run: (page) => page.openExport() },
  { key: "s", does: "names of columns from a schema", run: (page) => page.openNames() },
  { key: "F6", does: "next pane (Shift: the one before)", run: (page) => page.nextPane(1) },
  { key: "l", does: "to the list", run: (page) => page.focusPane("list") },
  { key: "d", does: "to the event", run: (page) => page.focusPane("detail") },
  { key: "b", does: "to the bytes", run: (page) => page.focusPane("hex") },
  { key: "[", does: "event before", run: ({ store }) => store.step(-1) },
  { key: "]", does: "next event", run: ({ store }) => store.step(1) },
  { key: "n", does: "next problem", run: ({ store }) => void store.nextProblem() },
  { key: "g", does: "go to an offset, or to an event by its number", run: (page) => page.openBar("go") },
  { key: "f", does: "find bytes or text", run: (page) => page.openBar("find") },
  { key: "c", does: "copy the value (in the bytes: the bytes, as hex)", run: ({ store }) => void store.copy("value") },
  { key: "x", does: "copy the bytes as hex", run: ({ store }) => void store.copy("hex") },
  { key: "p", does: "copy the path", run: ({ store }) => void store.copy("path") },
  { key: "y", does: "copy a link to this event", run: ({ store }) => void store.copy("link") },
];

/** The keys of single panes, for the dialog. */
export const PANE_KEYS: readonly [pane: string, keys: readonly [keys: string, does: string][]][] = [
  [
    "Filter",
    [
      ["↑ ↓", "what may stand there; earlier filters"],
      ["Tab Enter", "take it; filter"],
      ["Esc", "close, clear, back to the list"],
    ],
  ],
  [
    "Timeline",
    [
      ["← → Page Up Page Down Home End", "move; with Shift choose a part"],
      ["Enter", "filter by it"],
      ["Esc", "take it back"],
    ],
  ],
  [
    "Transactions and tables",
    [
      ["← →", "fold, unfold a transaction"],
      ["Enter", "into the event; only this table"],
    ],
  ],
  [
    "List",
    [
      ["↑ ↓ Page Up Page Down Home End", "select"],
      ["Enter", "into the event"],
    ],
  ],
  [
    "Fields and rows",
    [
      ["↑ ↓ ← →", "select, fold and unfold; before and after"],
      ["Enter", "fold, unfold, follow a reference; open a value"],
      ["Shift F10", "menu: copy, go to"],
      ["Esc", "back to the list"],
    ],
  ],
  [
    "Bytes",
    [
      ["arrows, Home End, Ctrl Home Ctrl End", "move"],
      ["Shift and these", "select bytes"],
      ["Ctrl C", "copy the selected bytes as hex"],
    ],
  ],
  [
    "Lines between panes",
    [
      ["arrows, Home End", "move the line"],
      ["Enter", "put it back"],
    ],
  ],
];

/** Runs the hotkey of a key press, if it is one. Keys typed into a field, and those with a modifier, never are. */
export function runHotkey(event: KeyboardEvent, page: Page, open: boolean): boolean {
  if (isTyping(event) || hasModifier(event) || event.defaultPrevented) return false;
  if (!page.singleKeys && event.key.length === 1) return false;
  const view = offered(page.store.state)[VIEW_KEYS.indexOf(event.key)];
  if (open && view) {
    page.store.setView(view.view);
    page.focusPane("list");
    return true;
  }
  if (event.key === "F6" && event.shiftKey && open) {
    page.nextPane(-1);
    return true;
  }
  const hotkey = HOTKEYS.find(({ key }) => key === event.key);
  if (!hotkey || (!open && !hotkey.always)) return false;
  hotkey.run(page);
  return true;
}
