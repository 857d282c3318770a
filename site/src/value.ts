// The whole value of the selected field or cell, where a line of the tree or the table has no room for it: binary as hex,
// text or base64, JSON indented and compared with what it was before.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { toBase64 } from "./copying.ts";
import { StoreElement } from "./element.ts";
import type { Selected } from "./fields.ts";
import { plural } from "./format.ts";
import { guessOf } from "./guess.ts";
import { diffLines } from "./linediff.ts";
import { pretty } from "./pretty.ts";
import { base } from "./styles.ts";

/** The share of the pane that a value has on its line, in the tree and in the table, and the width of a character. */
const ROOM = { fields: 0.45, rows: 0.27, sql: 1, json: 1 } as const;
const CHARACTER = 7.3;
/** Characters that any line has room for. */
const SHORT = 12;
/** Characters that are laid out at once; Copy gives all. */
const MAX_SHOWN = 200_000;

type Mode = "as it is" | "hex" | "text" | "base64" | "indented" | "changes";

@customElement("binlog-value")
export class BinlogValue extends StoreElement {
  /** How binary values and documents are shown, from one to the next. */
  @state() private mode: Mode | "" = "";

  static override styles = [base, css`
    :host {
      display: block;
      min-height: 0;
    }
    section {
      display: grid;
      grid-template-rows: auto minmax(0, 1fr);
      max-height: 200px;
      border-top: 1px solid var(--line);
      background: var(--sunk);
    }
    .bar {
      display: flex;
      flex-wrap: wrap;
      gap: 2px 10px;
      align-items: center;
      padding: 3px 6px 3px var(--pad);
      color: var(--ink2);
      font-size: var(--small);
    }
    .bar button {
      height: 22px;
      padding: 0 8px;
    }
    .modes {
      display: flex;
      margin-left: auto;
    }
    .modes button {
      border-radius: 0;
      margin-left: -1px;
    }
    .modes [aria-pressed="true"] {
      color: var(--ink);
      font-weight: 600;
      background: var(--sel);
    }
    .right {
      margin-left: auto;
    }
    .modes + .right {
      margin-left: 0;
    }
    pre {
      margin: 0;
      padding: 0 var(--pad) 8px;
      overflow: auto;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .gone {
      display: block;
      color: var(--ink2);
      background: var(--chg);
    }
    .new {
      display: block;
      text-decoration: none;
      font-weight: 650;
      background: var(--chg);
    }
    .guess {
      padding: 0 var(--pad) 4px;
      margin: 0;
      color: var(--ink2);
    }
    @media (forced-colors: active) {
      .modes [aria-pressed="true"] {
        border-color: Highlight;
        z-index: 1;
      }
    }
  `];

  /** The event for which it has opened: it stays open until another is shown, so that nothing jumps from cell to cell. */
  #openFor = -1;

  /** A value of this length shows whole in its line. The width is asked for last: the answer costs a layout. */
  #fits(value: string): boolean {
    return value.length < SHORT || value.length <= (this.clientWidth * ROOM[this.store.tab]) / CHARACTER;
  }

  override render(): TemplateResult | typeof nothing {
    const { selected } = this.store;
    const { ordinal } = this.store.state.selection;
    const value = selected?.value ?? "";
    const guess = selected?.cell && guessOf(selected.cell, selected.column);
    const opens = (): boolean => value.includes("\n") || guess !== undefined || (selected && modesOf(selected).includes("changes")) === true || !this.#fits(value);
    if (selected && this.#openFor !== ordinal && opens()) this.#openFor = ordinal;
    if (!selected || this.#openFor !== ordinal) return nothing;
    const modes = modesOf(selected);
    const mode = this.mode !== "" && modes.includes(this.mode) ? this.mode : (modes.at(-1) ?? "as it is");
    const text = mode === "changes" ? "" : shown(value, mode);
    const cut = text.length > MAX_SHOWN ? `, the first ${plural(MAX_SHOWN, "character")} shown` : "";
    return html`
      <section aria-label="Whole value">
        <div class="bar">
          <span class="mono clip">${selected.path}</span><span>${plural(value.length, "character")}${cut}</span>
          ${modes.length > 1
            ? html`<span class="modes" role="group" aria-label="Show as">${modes.map(
                (name) => html`<button aria-pressed=${name === mode} @click=${() => (this.mode = name)}>${name}</button>`,
              )}</span>`
            : nothing}
          <button class="right" @click=${() => void this.#copy(mode === "changes" ? value : text)}>Copy</button>
        </div>
        <pre class="mono" tabindex="0" aria-label="Value" role="group"
          >${guess ? html`<span class="guess">${guess.label} ${guess.text}\n</span>` : nothing}${mode === "changes"
            ? changes(selected)
            : text.slice(0, MAX_SHOWN)}</pre
        >
      </section>
    `;
  }

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.store.say("copied the value");
    } catch {
      this.store.say("the browser did not allow to copy");
    }
  }
}

/** The ways to show a value; the last one is taken first. */
function modesOf({ cell, was }: Selected): Mode[] {
  if (cell?.kind === "hex") return ["base64", "text", "hex"];
  if (cell?.kind !== "json") return ["as it is"];
  const changed = cell.diff !== undefined || (was?.kind === "json" && was.value !== cell.value);
  return changed ? ["as it is", "indented", "changes"] : ["as it is", "indented"];
}

function shown(value: string, mode: Mode): string {
  if (mode === "indented") return pretty(value);
  if (mode !== "text" && mode !== "base64") return value;
  const bytes = Uint8Array.from(value.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return mode === "text" ? new TextDecoder().decode(bytes) : toBase64(bytes);
}

/** What has become of a document: as the event says it, and line by line. */
function changes({ cell, was }: Selected): TemplateResult {
  const said = (cell?.diff ?? []).map(({ op, path, value }) => `${op} ${path}${value === undefined ? "" : ` = ${JSON.stringify(value)}`}\n`);
  const lines = was?.kind === "json" && cell ? diffLines(pretty(was.value), pretty(cell.value)).slice(0, 5000) : [];
  return html`${said.length > 0 ? html`<b>Partial update in the log:</b>\n${said}\n` : nothing}${lines.map(({ mark, text }) =>
    mark === "-"
      ? html`<span class="gone">- <del>${text}</del></span>`
      : mark === "+"
        ? html`<ins class="new">+ ${text}</ins>`
        : html`<span>  ${text}\n</span>`,
  )}`;
}
