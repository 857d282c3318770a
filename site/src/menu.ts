// A menu at a place of the page: what can be done with what is selected there.
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { style } from "./css.ts";
import { base } from "./styles.ts";

export interface Item {
  label: string;
  /** The key that does the same. */
  key?: string;
  run(): void;
}

@customElement("binlog-menu")
export class BinlogMenu extends LitElement {
  @state() private items: readonly Item[] = [];
  #at = { x: 0, y: 0 };
  /** Gets the keyboard back. */
  #from: { focus(): void } | undefined;

  static override styles = [base, css`
    .away {
      position: fixed;
      z-index: 5;
      inset: 0;
    }
    [role="menu"] {
      position: fixed;
      z-index: 6;
      min-width: 200px;
      padding: 4px;
      border: 1px solid var(--line2);
      border-radius: var(--radius);
      background: var(--panel);
      box-shadow: 0 4px 16px rgb(0 0 0 / 0.18);
    }
    button {
      display: flex;
      width: 100%;
      height: 26px;
      gap: 20px;
      align-items: center;
      justify-content: space-between;
      padding: 0 10px;
      border: 0;
      background: none;
    }
    button:focus {
      background: var(--sel);
    }
    kbd {
      font: 11px var(--mono);
      color: var(--ink2);
    }
    @media (forced-colors: active) {
      button:focus {
        outline: 2px solid Highlight;
      }
    }
  `];

  /** Opens at a place; `from` gets the keyboard back when it closes. */
  async open(items: readonly Item[], x: number, y: number, from: { focus(): void }): Promise<void> {
    this.items = items;
    this.#from = from;
    const width = 230;
    const height = 12 + 26 * items.length;
    this.#at = { x: Math.max(4, Math.min(x, innerWidth - width)), y: Math.max(4, Math.min(y, innerHeight - height)) };
    await this.updateComplete;
    this.#buttons[0]?.focus();
  }

  override render(): TemplateResult | typeof nothing {
    if (this.items.length === 0) return nothing;
    const { x, y } = this.#at;
    return html`<div class="away" @pointerdown=${this.#close} @contextmenu=${this.#close}></div>
      <div role="menu" aria-label="With the selection" ${style({ left: `${x}px`, top: `${y}px` })} @keydown=${this.#onKey}>
        ${this.items.map(
          (item) => html`<button role="menuitem" tabindex="-1" @click=${() => this.#run(item)}
            ><span>${item.label}</span>${item.key ? html`<kbd aria-hidden="true">${item.key}</kbd>` : nothing}</button>`,
        )}
      </div>`;
  }

  get #buttons(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>("[role=menuitem]")];
  }

  readonly #close = (event?: globalThis.Event): void => {
    event?.preventDefault();
    if (this.items.length === 0) return;
    this.items = [];
    this.#from?.focus();
  };

  #run(item: Item): void {
    this.#close();
    item.run();
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const buttons = this.#buttons;
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
    const next = to[event.key];
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") this.#close(event);
    if (next === undefined) return;
    event.preventDefault();
    buttons[(next + buttons.length) % buttons.length]?.focus();
  };
}
