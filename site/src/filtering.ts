// What the list's rows are: all events, or those that the filter leaves; and which of them is the selected event.
import { BaseStore } from "./base-store.ts";
import type { Client } from "./client.ts";
import { spanTerm, withTerm, withoutSpan } from "./filtertext.ts";
import { BinlensError, type Failure } from "./protocol.ts";
import type { FilterProgress, Span } from "./viewdata.ts";

export abstract class FilteringStore extends BaseStore {
  /** The decoder. Throws a BinlensError while there is none. */
  abstract readonly client: Client;
  abstract readonly running: boolean;
  /** A row that is to be selected as soon as it is known which event it is; -1 for none. */
  protected rowAwaited = -1;
  #asking = 0;
  #ranking = 0;

  /** Rows of the list. */
  get listed(): number {
    const { filtered, progress } = this.state;
    return filtered ? filtered.matched : (progress?.events ?? 0);
  }

  /** Filters the list; an empty text takes the filter away. A text with a mistake leaves the filter that holds. */
  async setFilter(text: string): Promise<void> {
    const asking = ++this.#asking;
    this.set({ asked: text });
    try {
      const answer = await this.client.filter(text);
      if (asking !== this.#asking) return;
      this.set({ answer });
      if (answer.ok) this.#hold(text.trim());
    } catch (thrown) {
      const { kind, message } = BinlensError.toFailure(thrown);
      if (asking === this.#asking && kind !== "superseded" && kind !== "dead") this.set({ notice: `The list was not filtered: ${message}` });
    }
  }

  /** Puts a term into the filter, in the place of the one of the same name, and shows the events that it leaves. */
  addTerm(term: string): void {
    this.filterBy(withTerm(this.state.filter, term));
  }

  /** Filters, and shows the events that are left. */
  filterBy(text: string): void {
    this.setView("events");
    void this.setFilter(text);
  }

  /** Filters by a part of the log; null: by none. */
  setSpan(span: Span | null): void {
    const rest = withoutSpan(this.state.filter);
    void this.setFilter(span ? withTerm(rest, spanTerm(span)) : rest);
  }

  /** Stops the filter; what it found stays. */
  stopFilter(): void {
    this.client.stopFilter();
  }

  // ---- inside

  /** Forgets the filter, which the decoder has forgotten as well. */
  protected dropFilter(): void {
    this.#asking++;
    this.reader.list.clear();
    this.set({ asked: "", answer: null, filter: "", filtered: null });
    this.locate();
  }

  protected filterWent(progress: FilterProgress, failure: Failure | undefined): void {
    const { filter, filtered, selection } = this.state;
    if (filter === "") return;
    this.set({ filtered: progress });
    if (failure) this.set({ notice: `The filter could not go on: ${failure.message}` });
    const passed = (filtered?.examined ?? 0) <= selection.ordinal && progress.examined > selection.ordinal;
    if (passed) this.locate(); // what was asked before may not have known it
  }

  /** Finds the row of the selected event, unless it is known. */
  protected locate(known?: number): void {
    const ranking = ++this.#ranking;
    const { ordinal } = this.state.selection;
    const row = known ?? (this.state.filtered ? undefined : ordinal);
    if (row !== undefined || ordinal < 0) {
      this.set({ row: row ?? -1, hidden: false });
      return;
    }
    this.client.rank(ordinal).then(
      (answer) => {
        if (ranking === this.#ranking) this.set({ row: answer.row, hidden: !answer.exact });
      },
      () => undefined, // the decoder died or another file was opened: it is asked for again
    );
  }

  #hold(filter: string): void {
    const total = this.state.progress?.events ?? 0;
    this.rowAwaited = -1;
    this.reader.list.clear();
    this.set({ filter, filtered: filter === "" ? null : { matched: 0, examined: 0, total, unread: 0, touched: 0, running: true } });
    if (this.state.selection.ordinal >= 0) this.set({ hidden: filter !== "" });
    this.locate();
  }
}
