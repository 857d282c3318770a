// The state with what follows from it and the actions that only change how it is shown.
import { selectedField, type Selected } from "./fields.ts";
import { writeLink } from "./hash.ts";
import { hostOf, type LogFile } from "./remote.ts";
import type { Reader } from "./reader.ts";
import { INITIAL, type Log, type Pane, type Place, type State, type Subject, type Tab, type Theme, type View, type Zone } from "./state.ts";

/** Milliseconds that a word of what was done stays. */
const SAID_FOR = 6000;

const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

export abstract class BaseStore {
  state: Readonly<State> = INITIAL;
  /** Names of the event types by their codes. */
  typeNames: Record<string, string> = {};
  abstract readonly reader: Reader;
  /** The page's address leads to places of its log. */
  linked = true;
  /** Where to go as soon as the index has come there. */
  protected awaited: Place | undefined;
  #saying: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  /** Calls f after every change; returns how to stop that. */
  subscribe(f: () => void): () => void {
    this.#listeners.add(f);
    return () => this.#listeners.delete(f);
  }

  protected set(patch: Partial<State>): void {
    this.state = { ...this.state, ...patch };
    this.changed();
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener();
  }

  // ---- actions

  setView(view: View): void {
    this.set({ view, pane: "list" });
  }

  setTab(tab: Tab): void {
    this.set({ tab });
  }

  setPane(pane: Pane): void {
    this.set({ pane });
  }

  setTheme(theme: Theme): void {
    this.set({ theme });
  }

  nextTheme(): void {
    this.setTheme(NEXT[this.state.theme]);
  }

  setZone(zone: Zone): void {
    this.set({ zone });
  }

  setFixed(fixed: boolean): void {
    this.set({ fixed });
  }

  /** Says in a few words what was done; it is gone after a while. */
  say(said: string): void {
    this.set({ said });
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.set({ said: "" }), SAID_FOR);
  }

  /** Tells something that stays until it is dismissed. */
  tell(notice: string): void {
    this.set({ notice });
  }

  dismiss(): void {
    this.set({ notice: "" });
  }

  // ---- what follows from the state

  /** The decoder has run. */
  get ready(): boolean {
    return Object.keys(this.typeNames).length > 0;
  }

  /** The tab that shows. */
  get tab(): Tab {
    const { tab, detail } = this.state;
    if (tab === "rows" && !detail?.rows) return "fields";
    return tab === "sql" && this.statement === undefined ? "fields" : tab;
  }

  /** The log that is open. */
  get file(): LogFile | undefined {
    return this.openLog?.file;
  }

  /** The host that the open log is read from, "" for a file of this machine. */
  get origin(): string {
    const src = this.openLog?.src;
    return src ? hostOf(src) : "";
  }

  /** Events are there that cannot be read without the server's key. */
  get encrypted(): boolean {
    const first = this.reader.problems.unsupported.at(0);
    return first?.problem.reason.startsWith("the event is encrypted") === true;
  }

  /** The text of a statement event. */
  get statement(): string | undefined {
    return this.state.detail?.nodes.find(({ path }) => path === "query")?.value;
  }

  /** The listed row whose bytes show; null while none is known. */
  get subject(): Subject | null {
    const { detail, detailFailure, selection, row } = this.state;
    if (detail) return detail;
    const listed = detailFailure ? this.reader.list.at(row) : undefined;
    return listed?.ordinal === selection.ordinal ? listed : null;
  }

  /** What is known of the selected field or cell of the shown event. */
  get selected(): Selected | undefined {
    const { detail, selection } = this.state;
    if (!detail || selection.path === "" || selection.ordinal !== detail.ordinal) return undefined;
    return selectedField(detail, selection.path, (index) => this.reader.rows.at(index));
  }

  /** The address of the selected event, "" when no log is open or the page has no such addresses. */
  get link(): string {
    return this.linked && this.openLog?.mark ? writeLink({ mark: this.openLog.mark, src: this.openLog.src, place: this.place }) : "";
  }

  get openLog(): Log | undefined {
    return this.state.logs.find(({ id }) => id === this.state.log);
  }

  protected get place(): Place {
    const { view, selection, filter } = this.state;
    return this.awaited ?? { view, ordinal: selection.ordinal, path: selection.path, filter };
  }
}
