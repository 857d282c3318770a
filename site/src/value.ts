// The whole value of the selected field or cell, where a line of the tree or the table has no room for it.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement } from "./element.ts";
import { plural } from "./format.ts";
import { base } from "./styles.ts";

/** The share of the pane that a value has on its line, in the tree and in the table, and the width of a character. */
const ROOM = { fields: 0.45, rows: 0.27, json: 1 } as const;
const CHARACTER = 7.3;
/** Characters that are laid out at once; Copy gives all. */
const MAX_SHOWN = 200_000;

@customElement("binlog-value")
export class BinlogValue extends StoreElement {
  static override styles = [base, css`
    :host {
      display: block;
      min-height: 0;
    }
    section {
      display: grid;
      grid-template-rows: auto minmax(0, 1fr);
      max-height: 180px;
      border-top: 1px solid var(--line);
      background: var(--sunk);
    }
    .bar {
      display: flex;
      gap: 10px;
      align-items: center;
      padding: 3px 6px 3px var(--pad);
      color: var(--ink2);
      font-size: var(--small);
    }
    .bar button {
      margin-left: auto;
      height: 22px;
      padding: 0 8px;
    }
    pre {
      margin: 0;
      padding: 0 var(--pad) 8px;
      overflow: auto;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  `];

  /** The event for which it has opened: it stays open until another is shown, so that nothing jumps from cell to cell. */
  #openFor = -1;

  override render(): TemplateResult | typeof nothing {
    const { selected } = this.store;
    const { ordinal } = this.store.state.selection;
    const value = selected?.value ?? "";
    const fits = (this.clientWidth * ROOM[this.store.tab]) / CHARACTER;
    if (value.length > fits || value.includes("\n")) this.#openFor = ordinal;
    if (!selected || this.#openFor !== ordinal) return nothing;
    const cut = value.length > MAX_SHOWN ? `, the first ${plural(MAX_SHOWN, "character")} shown` : "";
    return html`
      <section aria-label="Whole value">
        <div class="bar">
          <span class="mono clip">${selected.path}</span><span>${plural(value.length, "character")}${cut}</span>
          <button @click=${() => void navigator.clipboard.writeText(value).catch(() => undefined)}>Copy</button>
        </div>
        <pre class="mono" tabindex="0" aria-label="Value">${value.slice(0, MAX_SHOWN)}</pre>
      </section>
    `;
  }
}
