// The fields tree of the shown event: every field by its name, value, meaning and place.
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { style } from "./css.ts";
import { StoreElement, askForMenu, dataOf, hasModifier } from "./element.ts";
import { childCount, foldedAtFirst, hasChildren, isRowsNode, parentOf, visibleNodes } from "./fields.ts";
import { count } from "./format.ts";
import { referenceOf } from "./items.ts";
import type { Detail, FieldNode } from "./protocol.ts";
import type { Selection } from "./state.ts";
import { base, virtual } from "./styles.ts";
import { Virtual } from "./virtual.ts";

const LINE = 22;
/** Characters of a value that are put on its line; the whole value shows below the tree. */
const MAX_SHOWN = 300;

@customElement("binlog-tree")
export class BinlogTree extends StoreElement {
  readonly #virtual = new Virtual(this, { rowHeight: LINE, head: 0 });
  /** What the user folded and unfolded, by path: it holds for the next event of the kind too. */
  readonly #toggled = new Map<string, boolean>();
  #detail: Detail | undefined;
  #selection: Selection | undefined;
  #shown: number[] = [];
  #folded = new Set<string>();
  /** The line that the keyboard is on, as an index into `#shown`. */
  #at = 0;

  static override styles = [base, virtual, css`
    :host {
      display: block;
      min-height: 0;
    }
    .line {
      display: grid;
      grid-template-columns: minmax(14ch, 34%) minmax(0, 1fr) 9ch 8ch;
      height: 22px;
      line-height: 22px;
      padding: 0 var(--pad) 0 6px;
      cursor: default;
    }
    .line > span {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .name {
      color: var(--ink2);
    }
    .value {
      padding: 0 8px;
    }
    .none {
      margin: 0;
      padding: 8px var(--pad);
      color: var(--ink2);
      line-height: 1.45;
    }
    .to {
      color: var(--accent);
      cursor: pointer;
    }
    .to:hover {
      text-decoration: underline;
    }
    .twist {
      display: inline-block;
      width: 2ch;
      text-align: center;
      color: var(--ink3);
    }
    .line:hover {
      background: var(--hover);
    }
    .line[aria-selected="true"] {
      background: var(--sel);
    }
    .line[aria-selected="true"] .name,
    .line[aria-selected="true"] .dim,
    .line[aria-selected="true"] .twist {
      color: var(--ink);
    }
    .group > .name {
      color: var(--ink);
      font-weight: 550;
    }
    .viewport:focus-visible .at {
      box-shadow: inset 0 0 0 1px var(--accent);
    }
    @container (max-width: 440px) {
      .line {
        grid-template-columns: minmax(12ch, 45%) minmax(0, 1fr) 7ch;
      }
      .place {
        display: none;
      }
    }
    @media (forced-colors: active) {
      .line[aria-selected="true"] {
        outline: 1px solid Highlight;
        outline-offset: -1px;
      }
    }
  `];

  override focus(): void {
    this.find(".viewport")?.focus({ preventScroll: true });
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { detail, selection } = this.store.state;
    if (detail && detail !== this.#detail) {
      this.#detail = detail;
      this.#fold(detail);
      this.#at = 0;
      this.#virtual.setTotal(this.#shown.length);
      this.#virtual.toStart();
    }
    if (selection !== this.#selection) {
      this.#selection = selection;
      if (selection.path !== "") this.#reveal(selection.path);
    }
    this.#virtual.setTotal(this.#shown.length);
  }

  override render(): TemplateResult {
    const { anchor } = this.#virtual;
    const detail = this.#detail;
    const lines: TemplateResult[] = [];
    for (let i = anchor.row; detail && i < anchor.end; i++) {
      const node = detail.nodes[this.#shown[i] ?? -1];
      if (node) lines.push(this.#line(detail, node, i));
    }
    if (!detail || detail.nodes.length === 0) {
      const why = detail ? "No fields: these bytes are no event. They are shown below." : "";
      return html`<div class="viewport" tabindex="-1"><div class="spacer"><p class="none">${why}</p></div></div>`;
    }
    return html`
      <div
        class="viewport" role="tree" tabindex="0" aria-label="Fields"
        aria-activedescendant=${this.#at >= anchor.row && this.#at < anchor.end ? `n${this.#at}` : nothing}
        @keydown=${this.#onKey} @click=${this.#onClick} @dblclick=${this.#onDouble} @contextmenu=${this.#onMenu}
      >
        <div class="spacer" role="presentation">
          <div class="frame" role="presentation">
            <div class="lines mono" role="presentation" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div>
          </div>
        </div>
      </div>
    `;
  }

  #line(detail: Detail, node: FieldNode, i: number): TemplateResult {
    const index = this.#shown[i] ?? 0;
    const parent = hasChildren(detail.nodes, index);
    const open = parent && !this.#folded.has(node.path);
    const rows = isRowsNode(detail, node);
    const { selection } = this.store.state;
    const silent = node.value === "" && !node.note;
    const children = parent && !open && !rows && silent ? ` ${count(childCount(detail.nodes, index))} fields` : "";
    const reference = referenceOf(this.store, node.path);
    const to = reference ? html` <span class="to" title=${reference.title}>→<span class="sr"> ${reference.label}</span></span>` : nothing;
    const note = node.note ? html` <span class="dim">${node.note}</span>` : nothing;
    return html`<div
      class="line ${parent || node.group ? "group" : ""} ${i === this.#at ? "at" : ""}" role="treeitem" id="n${i}" data-line=${i}
      aria-level=${node.depth + 1} aria-expanded=${parent ? open : nothing} aria-selected=${node.path === selection.path}
    ><span class="name" title=${node.path} ${style({ "padding-left": `${node.depth * 14}px` })}
        ><span class="twist" aria-hidden="true">${parent ? (open ? "▾" : "▸") : ""}</span>${node.name}</span
      ><span class="value" title=${node.note ? `${node.value.slice(0, MAX_SHOWN)} (${node.note})` : node.value.slice(0, MAX_SHOWN)}
        >${node.value.slice(0, MAX_SHOWN)}${note}<span class="dim">${children}</span>${to}</span
      ><span class="place num dim">+${count(node.start)}</span><span class="num dim">${bytes(node.end - node.start)}</span></div>`;
  }

  #fold(detail: Detail): void {
    this.#folded = foldedAtFirst(detail.nodes);
    for (const [path, folded] of this.#toggled) {
      if (folded) this.#folded.add(path);
      else this.#folded.delete(path);
    }
    this.#shown = visibleNodes(detail.nodes, this.#folded);
  }

  #toggle(detail: Detail, node: FieldNode, folded: boolean): void {
    this.#toggled.set(node.path, folded);
    this.#fold(detail);
    this.requestUpdate();
  }

  /** Unfolds what a path lies in and scrolls to it. */
  #reveal(path: string): void {
    const detail = this.#detail;
    const index = detail?.nodes.findIndex((node) => node.path === path) ?? -1;
    if (!detail || index < 0) return;
    let unfolded = false;
    for (let p = parentOf(detail.nodes, index); p >= 0; p = parentOf(detail.nodes, p)) {
      const parent = detail.nodes[p];
      if (parent && this.#folded.delete(parent.path)) unfolded = true;
    }
    if (unfolded) this.#shown = visibleNodes(detail.nodes, this.#folded);
    this.#virtual.setTotal(this.#shown.length);
    this.#at = Math.max(0, this.#shown.indexOf(index));
    this.#virtual.show(this.#at);
  }

  #go(line: number): void {
    const detail = this.#detail;
    this.#at = Math.min(Math.max(0, line), this.#shown.length - 1);
    const node = detail?.nodes[this.#shown[this.#at] ?? -1];
    if (node) this.store.selectField(node);
    this.#virtual.show(this.#at);
  }

  readonly #onClick = (event: MouseEvent): void => {
    const line = dataOf(event, "line");
    if (line < 0) return;
    this.#go(line);
    const target = event.composedPath()[0];
    if (target instanceof Element && (target.classList.contains("twist") || target.classList.contains("to"))) this.#flip();
  };

  readonly #onMenu = (event: MouseEvent): void => {
    const line = dataOf(event, "line");
    if (event.button === 2 && line >= 0) this.#go(line);
    askForMenu(this, event);
  };

  readonly #onDouble = (event: MouseEvent): void => {
    if (dataOf(event, "line") >= 0) this.#flip();
  };

  /** Folds or unfolds the line that the keyboard is on; the rows node opens the rows, a reference leads to its event. */
  #flip(): void {
    const detail = this.#detail;
    const index = this.#shown[this.#at] ?? -1;
    const node = detail?.nodes[index];
    if (!detail || !node) return;
    const reference = referenceOf(this.store, node.path);
    if (reference) reference.go();
    else if (isRowsNode(detail, node)) this.store.setTab("rows");
    else if (hasChildren(detail.nodes, index)) this.#toggle(detail, node, !this.#folded.has(node.path));
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const detail = this.#detail;
    const index = this.#shown[this.#at] ?? -1;
    const node = detail?.nodes[index];
    if (!detail || !node || hasModifier(event)) return;
    const { fits } = this.#virtual.anchor;
    const parent = hasChildren(detail.nodes, index);
    const open = parent && !this.#folded.has(node.path);
    const lines: Record<string, number> = {
      ArrowDown: this.#at + 1,
      ArrowUp: this.#at - 1,
      PageDown: this.#at + fits,
      PageUp: this.#at - fits,
      Home: 0,
      End: this.#shown.length - 1,
    };
    const line = lines[event.key];
    if (line !== undefined) {
      this.#virtual.turn(event.key, line - this.#at);
      this.#go(line);
    } else if (event.key === "ArrowRight" && parent && !open) this.#toggle(detail, node, false);
    else if (event.key === "ArrowRight" && parent) this.#go(this.#at + 1);
    else if (event.key === "ArrowLeft" && open) this.#toggle(detail, node, true);
    else if (event.key === "ArrowLeft") this.#go(Math.max(0, this.#shown.indexOf(parentOf(detail.nodes, index))));
    else if (event.key === "Enter" || event.key === " ") this.#flip();
    else return;
    event.preventDefault();
  };
}

function bytes(n: number): string {
  return n === 0 ? "" : count(n);
}
