// The selection: which event, which field of it, which bytes; how one gets there, and what is fetched of it.
import { copy, type What } from "./copying.ts";
import { cellAt, fieldAt, isRowsNode, rowOfPath, selectedField, type Range } from "./fields.ts";
import { FilteringStore } from "./filtering.ts";
import { BinlensError, type Detail, type ProblemRow } from "./protocol.ts";
import { findProblem, findRow } from "./seek.ts";

/** What is to be selected in an event when it is here: a field by its path, or else the one that has the byte at an offset. */
interface Aim {
  path?: string;
  offset?: number;
  /** Select so many bytes at the offset, whatever they mean. */
  length?: number;
}

export abstract class SelectingStore extends FilteringStore {
  protected aim: Aim | undefined;
  #seeking = 0;

  /** Selects a row of the list: at once, or as soon as it is known which event it is. */
  selectRow(row: number): void {
    if (row < 0 || row >= this.listed) return;
    const ordinal = this.state.filtered ? this.reader.list.at(row)?.ordinal : row;
    if (ordinal !== undefined) {
      this.select(ordinal, undefined, row);
      return;
    }
    this.rowAwaited = row;
    this.locate(row);
    this.reader.list.want(row, row, this.listed);
  }

  /** Selects the next row of the list, or the one before. */
  step(by: 1 | -1): void {
    const { row, hidden } = this.state;
    this.selectRow(hidden && by > 0 ? row : row + by);
  }

  /** Selects an event; `row` is its row of the list, where that is known. */
  select(ordinal: number, aim?: Aim, row?: number): void {
    const events = this.state.progress?.events ?? 0;
    if (!this.running || ordinal < 0 || ordinal >= events) return;
    this.awaited = undefined;
    this.rowAwaited = -1;
    this.aim = aim;
    if (ordinal === this.state.selection.ordinal) {
      this.locate(row);
      this.#reach();
      return;
    }
    this.#seeking++;
    this.set({ selection: { ordinal, path: "", range: null }, detailFailure: null });
    this.locate(row);
    this.load(ordinal);
  }

  /** Selects a field, a cell or a row of the shown event. */
  selectField(field: { path: string; start: number; end: number }): void {
    if (!this.subject) return;
    this.#seeking++;
    this.set({ selection: { ordinal: this.subject.ordinal, path: field.path, range: [field.start, field.end] } });
  }

  /** Selects bytes of the shown event, whatever fields they belong to. */
  selectBytes(range: Range): void {
    if (!this.subject) return;
    this.#seeking++;
    this.set({ selection: { ordinal: this.subject.ordinal, path: "", range } });
  }

  /** Selects the deepest field that has this byte of the shown event, and shows the tab that it is on. */
  async selectByte(byte: number): Promise<void> {
    const { detail } = this.state;
    const node = detail && fieldAt(detail.nodes, byte);
    if (!detail || !node) {
      this.selectBytes([byte, byte + 1]);
      return;
    }
    if (!isRowsNode(detail, node) || !detail.rows) {
      this.set({ tab: "fields" });
      this.selectField(node);
      return;
    }
    const seek = ++this.#seeking;
    const { total } = detail.rows;
    const row = await findRow(byte, node, total, this.reader.rows, (from, n) =>
      this.client.rows(detail.ordinal, from, n, this.isWhole(detail.ordinal)),
    );
    if (seek !== this.#seeking || this.state.detail !== detail) return;
    if (row) this.set({ tab: "rows" });
    this.selectField(row ? cellAt(row, byte) : node);
  }

  /** Goes to a byte of the file. Returns whether it is indexed. */
  async goTo(offset: number, length?: number): Promise<boolean> {
    const ordinal = await this.client.at(offset);
    if (ordinal < 0) return false;
    this.select(ordinal, length === undefined ? { offset } : { offset, length });
    return true;
  }

  /** Selects bytes by the offset of the first: of the shown event, or anywhere in the file. */
  async showBytes(offset: number, n: number, anywhere: boolean): Promise<void> {
    const { subject } = this;
    const byte = offset - (subject?.offset ?? 0);
    const here = subject !== null && byte >= 0 && byte < subject.size;
    if (here) this.selectBytes([byte, Math.min(byte + n, subject.size)]);
    else if (anywhere) await this.goTo(offset, n);
  }

  /** Goes to the event of a problem, and to the field or the byte that is at fault. */
  showProblem({ ordinal, problem }: ProblemRow): void {
    this.select(ordinal, { path: problem.path, offset: problem.offset });
  }

  /** Selects the next event that has a problem, from the first one again after the last. */
  async nextProblem(): Promise<void> {
    const { progress, selection } = this.state;
    if (!this.running || !progress?.problems) return;
    const seek = ++this.#seeking;
    const found = await findProblem(selection.ordinal + 1, progress.events, {
      page: (from, n) => this.client.page(from, n, true),
      stopped: () => seek !== this.#seeking,
    });
    if (seek === this.#seeking && found >= 0) this.select(found);
  }

  /** Copies what is selected, and says so. */
  async copy(what: What): Promise<void> {
    this.say(await copy(this, what));
  }

  isWhole(ordinal: number): boolean {
    return this.reader.isWhole(ordinal);
  }

  json(ordinal: number): Promise<string> {
    return this.client.json(ordinal, this.isWhole(ordinal));
  }

  /** Asks for the selected event once more. */
  retry(): void {
    if (this.state.selection.ordinal >= 0) this.load(this.state.selection.ordinal);
  }

  /** Decodes an event that is larger than max_event_size. */
  decodeWhole(ordinal: number): void {
    this.reader.setWhole(ordinal);
    this.load(ordinal);
  }

  // ---- inside

  /** Selects the row that was waited for, if it is here. */
  protected settleRow(): void {
    if (this.rowAwaited < 0 || !this.running) return;
    if (this.reader.list.at(this.rowAwaited)) this.selectRow(this.rowAwaited);
    else this.reader.list.want(this.rowAwaited, this.rowAwaited, this.listed); // its page gave way to that of another row
  }

  /** Asks for an event and shows it, if it is still the selected one when it comes. */
  protected load(ordinal: number): void {
    const current = (): boolean => this.state.selection.ordinal === ordinal;
    this.client.tree(ordinal, this.isWhole(ordinal)).then(
      (detail) => {
        if (!current()) return;
        this.#show(detail);
        this.#reach();
      },
      (thrown: unknown) => {
        const failure = BinlensError.toFailure(thrown);
        if (!current() || failure.kind === "superseded") return;
        this.#show(null, ordinal);
        this.set({ detailFailure: failure });
      },
    );
  }

  /** Shows an event, or none; `ordinal` is the row whose bytes can be asked for all the same. */
  #show(detail: Detail | null, ordinal = detail?.ordinal ?? -1): void {
    this.reader.show(ordinal);
    this.set({ detail, detailFailure: null, rowsProblem: null });
  }

  /** Selects what was aimed at, once its event is shown. */
  #reach(): void {
    const { detail, selection } = this.state;
    if (!this.aim || detail?.ordinal !== selection.ordinal) return;
    const { path = "", offset = -1, length } = this.aim;
    this.aim = undefined;
    const byte = offset - detail.offset;
    const inside = byte >= 0 && byte < detail.size;
    if (length !== undefined && inside) {
      this.selectBytes([byte, Math.min(byte + length, detail.size)]);
      return;
    }
    this.#selectPath(detail, path)
      .then((found) => (found || !inside || this.state.detail !== detail ? undefined : this.selectByte(byte)))
      .catch(() => undefined); // another event or file took its place
  }

  /** Selects a field, or a cell whose row may have to be fetched. Returns whether it is there. */
  async #selectPath(detail: Detail, path: string): Promise<boolean> {
    const node = detail.nodes.find((other) => other.path === path);
    if (node) this.selectField(node);
    const index = rowOfPath(path);
    if (node || index < 0 || index >= (detail.rows?.total ?? 0)) return node !== undefined;
    const seek = ++this.#seeking;
    const { rows } = await this.client.rows(detail.ordinal, index, 1, this.isWhole(detail.ordinal));
    if (seek !== this.#seeking || !rows[0]) return false;
    const field = selectedField(detail, path, () => rows[0]);
    if (field) this.selectField(field);
    this.set({ tab: "rows" });
    return true;
  }
}
