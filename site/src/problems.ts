// The problems of the log, grouped by their kind: every one is a click away from its event and its bytes.
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { style } from "./css.ts";
import { StoreElement, dataOf, hasModifier } from "./element.ts";
import { count, plural } from "./format.ts";
import { PROBLEM_KINDS, type ProblemKind, type ProblemRow } from "./protocol.ts";
import { base, virtual } from "./styles.ts";
import { Virtual } from "./virtual.ts";

const LINE = 24;

const MEANS: Readonly<Record<ProblemKind, [title: string, what: string]>> = {
  corrupt: ["Corrupt", "bytes contradict the format"],
  checksum: ["Checksum", "bytes do not match their checksum"],
  truncated: ["Truncated", "bytes are missing"],
  unsupported: ["Unsupported", "valid, not read here"],
};

/** A line of the list: the head of a group, or the nth problem of its kind. */
interface Line {
  kind: ProblemKind;
  /** -1 for the head. */
  n: number;
}

@customElement("binlog-problems")
export class BinlogProblems extends StoreElement {
  readonly #virtual = new Virtual(this, { rowHeight: LINE, head: 0 });
  readonly #folded = new Set<ProblemKind>();
  #at = 0;
  /** The line that was gone to has not come from the decoder yet. */
  #due = false;

  static override styles = [base, virtual, css`
    :host {
      display: block;
      min-width: 0;
      min-height: 0;
      background: var(--panel);
    }
    .line {
      display: grid;
      grid-template-columns: calc(9ch + 20px) calc(11ch + 20px) minmax(12ch, 20ch) minmax(0, 2fr);
      height: 24px;
      line-height: 24px;
      cursor: default;
    }
    .line > span {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
      padding: 0 10px;
    }
    .group {
      display: block;
      padding: 0 10px;
      background: var(--sunk);
      color: var(--ink2);
      border-bottom: 1px solid var(--line);
      font-family: var(--font);
      white-space: nowrap;
      overflow: hidden;
    }
    .group b {
      color: var(--bad);
      font-weight: 600;
    }
    .line:hover {
      background: var(--hover);
    }
    .line[aria-selected="true"] {
      background: var(--sel);
      box-shadow: inset 3px 0 var(--accent);
    }
    .line[aria-selected="true"] .dim {
      color: var(--ink2);
    }
    .viewport:focus-visible .at {
      outline: 1px solid var(--accent);
      outline-offset: -1px;
    }
    .none {
      padding: 24px;
      margin: 0;
      color: var(--ink2);
    }
    @container (max-width: 560px) {
      .line {
        grid-template-columns: calc(10ch + 16px) minmax(0, 1fr);
      }
      .ord,
      .type {
        display: none;
      }
      .line > span {
        padding: 0 8px;
      }
    }
    @media (forced-colors: active) {
      .line[aria-selected="true"] {
        outline: 2px solid Highlight;
        outline-offset: -2px;
      }
    }
  `];

  override focus(): void {
    this.find(".viewport")?.focus({ preventScroll: true });
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    this.#virtual.setTotal(this.#total);
    this.#at = Math.min(this.#at, Math.max(0, this.#total - 1));
  }

  override updated(): void {
    const { row, end } = this.#virtual.anchor;
    const { kinds } = this.store.state;
    let first = 0;
    for (const kind of this.#groups) {
      const total = this.#folded.has(kind) ? 0 : (kinds?.[kind] ?? 0);
      const from = row - first - 1;
      const to = end - first - 1;
      if (to >= 0 && from < total) this.store.reader.problems[kind].want(Math.max(0, from), to, total);
      first += total + 1;
    }
    if (this.#due) this.#show();
  }

  override render(): TemplateResult {
    const { progress, kinds } = this.store.state;
    const { anchor } = this.#virtual;
    const lines: TemplateResult[] = [];
    for (let i = anchor.row; i < anchor.end; i++) lines.push(this.#line(i));
    if (!kinds || this.#groups.length === 0) {
      const clean = "No problem was found: every event holds together, and every checksum that is there matches.";
      const text = progress?.problems ? "" : progress?.done ? clean : "No problem so far.";
      return html`<div class="viewport" tabindex="0" role="group" aria-label="Problems"><div class="spacer"><p class="none">${text}</p></div></div>`;
    }
    const known = this.#groups.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0);
    const more = (progress?.problems ?? 0) - known;
    return html`<div
      class="viewport mono" role="tree" tabindex="0" aria-label="Problems"
      aria-activedescendant=${this.#at >= anchor.row && this.#at < anchor.end ? `p${this.#at}` : nothing}
      @keydown=${this.#onKey} @click=${this.#onClick}
    >
      <div class="spacer" role="presentation"><div class="frame" role="presentation">
        <div class="lines" role="presentation" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div>
        ${more > 0 && anchor.end === this.#total
          ? html`<p class="none" role="presentation">and ${plural(more, "more row")} with problems whose reasons are not kept</p>`
          : nothing}
      </div></div>
    </div>`;
  }

  /** The kinds that there are problems of. */
  get #groups(): ProblemKind[] {
    const { kinds } = this.store.state;
    return PROBLEM_KINDS.filter((kind) => (kinds?.[kind] ?? 0) > 0);
  }

  get #total(): number {
    const { kinds } = this.store.state;
    return this.#groups.reduce((sum, kind) => sum + 1 + (this.#folded.has(kind) ? 0 : (kinds?.[kind] ?? 0)), 0);
  }

  #lineAt(i: number): Line | undefined {
    const { kinds } = this.store.state;
    let first = 0;
    for (const kind of this.#groups) {
      const total = this.#folded.has(kind) ? 0 : (kinds?.[kind] ?? 0);
      if (i <= first + total) return { kind, n: i - first - 1 };
      first += total + 1;
    }
    return undefined;
  }

  #problem(line: Line): ProblemRow | undefined {
    return line.n < 0 ? undefined : this.store.reader.problems[line.kind].at(line.n);
  }

  #line(i: number): TemplateResult {
    const line = this.#lineAt(i);
    if (!line) return html``;
    const { kinds, selection } = this.store.state;
    const total = kinds?.[line.kind] ?? 0;
    const at = i === this.#at ? "at" : "";
    if (line.n < 0) {
      const open = !this.#folded.has(line.kind);
      const [title, what] = MEANS[line.kind];
      return html`<div class="line group ${at}" role="treeitem" id="p${i}" data-line=${i} aria-level="1" aria-expanded=${open} aria-selected="false"
        ><span aria-hidden="true">${open ? "▾" : "▸"} </span><b>${title}</b> ${count(total)} <span class="dim">· ${what}</span></div>`;
    }
    const row = this.#problem(line);
    return html`<div
      class="line ${at}" role="treeitem" id="p${i}" data-line=${i} aria-level="2" aria-posinset=${line.n + 1} aria-setsize=${total}
      aria-selected=${row !== undefined && row.ordinal === selection.ordinal} title=${row?.problem.reason ?? nothing}
    >${row ? this.#cells(row) : nothing}</div>`;
  }

  #cells({ ordinal, code, payload, problem }: ProblemRow): TemplateResult {
    return html`<span class="ord num dim">${count(ordinal)}</span><span class="num">${payload < 0 ? "" : "+"}${count(problem.offset)}</span
      ><span class="type dim">${code === 0 ? "no event" : (this.store.typeNames[code] ?? `type ${code}`)}</span
      ><span>${problem.path ? html`<span class="dim">${problem.path}: </span>` : nothing}${problem.reason}</span>`;
  }

  /** Goes to a line; a problem's event is selected with the byte that is at fault. */
  #go(i: number): void {
    this.#at = Math.min(Math.max(0, i), this.#total - 1);
    this.#virtual.show(this.#at);
    this.requestUpdate();
    this.#show();
  }

  /** Shows the problem that was gone to, now or when it has come from the decoder. */
  #show(): void {
    const line = this.#lineAt(this.#at);
    const row = line && this.#problem(line);
    this.#due = line !== undefined && line.n >= 0 && !row;
    if (row) this.store.showProblem(row);
  }

  #fold(kind: ProblemKind, folded: boolean): void {
    if (folded) this.#folded.add(kind);
    else this.#folded.delete(kind);
    this.requestUpdate();
  }

  readonly #onClick = (event: MouseEvent): void => {
    const i = dataOf(event, "line");
    const line = this.#lineAt(i);
    if (i < 0 || !line) return;
    this.#go(i);
    if (line.n < 0) this.#fold(line.kind, !this.#folded.has(line.kind));
    else this.store.setPane("detail");
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const line = this.#lineAt(this.#at);
    if (!line || hasModifier(event)) return;
    const { fits } = this.#virtual.anchor;
    const to: Record<string, number> = {
      ArrowDown: this.#at + 1,
      ArrowUp: this.#at - 1,
      PageDown: this.#at + fits,
      PageUp: this.#at - fits,
      Home: 0,
      End: this.#total - 1,
    };
    const next = to[event.key];
    const head = line.n < 0;
    if (next !== undefined) {
      this.#virtual.turn(event.key, next - this.#at);
      this.#go(next);
    } else if (head && (event.key === "Enter" || event.key === " ")) this.#fold(line.kind, !this.#folded.has(line.kind));
    else if (event.key === "ArrowLeft" && head) this.#fold(line.kind, true);
    else if (event.key === "ArrowLeft") this.#go(this.#at - line.n - 1);
    else if (event.key === "ArrowRight" && head) this.#fold(line.kind, false);
    else return;
    event.preventDefault();
  };
}
