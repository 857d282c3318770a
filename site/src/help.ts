// The dialog that lists the keys.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { dialogs } from "./dialog-styles.ts";
import { HOTKEYS, PANE_KEYS } from "./keys.ts";
import { base } from "./styles.ts";

@customElement("binlog-help")
export class BinlogHelp extends LitElement {
  /** Single letters and digits are keys; "singlekeys" is sent when that shall change. */
  @property({ type: Boolean }) single = true;

  static override styles = [base, dialogs, css`
    .columns {
      columns: 300px 2;
      column-gap: 28px;
    }
    section {
      break-inside: avoid;
    }
    h3 {
      margin: 14px 0 4px;
      font-size: 12px;
      font-weight: 600;
      color: var(--ink2);
    }
    dl {
      margin: 0;
      display: grid;
      grid-template-columns: minmax(34px, max-content) minmax(0, 1fr);
      gap: 3px 12px;
    }
    dt {
      max-width: 130px;
    }
    dd {
      margin: 0;
    }
    label {
      display: flex;
      gap: 6px;
      align-items: center;
      margin-top: 16px;
    }
    kbd {
      font: 11px var(--mono);
      border: 1px solid var(--line2);
      border-radius: 4px;
      padding: 0 5px;
    }
  `];

  show(): void {
    const dialog = this.renderRoot.querySelector("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  }

  get shown(): boolean {
    return this.renderRoot.querySelector("dialog")?.open === true;
  }

  override render(): TemplateResult {
    const key = (keys: string, does: string): TemplateResult => html`<dt><kbd>${keys}</kbd></dt><dd>${does}</dd>`;
    return html`<dialog aria-labelledby="title" @click=${this.#onClick}>
      <div class="head"><h2 id="title">Keys</h2><button autofocus @click=${this.#close}>Close</button></div>
      <div class="columns">
        <section><h3>Anywhere</h3><dl>
          ${key("1 2 3 4", "the views, in their order")}${HOTKEYS.map((hotkey) => key(hotkey.key, hotkey.does))}
        </dl></section>
        ${PANE_KEYS.map(([pane, keys]) => html`<section><h3>${pane}</h3><dl>${keys.map(([keyed, does]) => key(keyed, does))}</dl></section>`)}
      </div>
      <label
        ><input type="checkbox" .checked=${this.single} @change=${() => this.dispatchEvent(new Event("singlekeys"))} />
        Keys of a single letter, digit or sign are on</label
      >
    </dialog>`;
  }

  readonly #close = (): void => this.renderRoot.querySelector("dialog")?.close();

  /** A click beside the dialog closes it. */
  readonly #onClick = (event: MouseEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };
}
