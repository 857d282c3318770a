// <binlog-view seal?>: the whole product as one element. It owns the store, lays the panes out, takes files (dropped or
// chosen), and moves the keyboard between the panes.
//
// `seal`: the page that the element is in is ours: close the airlock, and take files dropped anywhere on the window.
import { LitElement, css, html, nothing, unsafeCSS, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { loadAssets } from "./assets.ts";
import { DropZone } from "./dropzone.ts";
import { StoreController, isTyping } from "./element.ts";
import { Store, type State } from "./store.ts";
import { base } from "./styles.ts";
import tokens from "./tokens.css";
import "./detail.ts";
import "./drop.ts";
import "./hex.ts";
import "./list.ts";
import "./status.ts";
import "./toolbar.ts";

/** Below this width the panes are stacked: the list, or the event with its bytes. */
const STACKED_BELOW = 820;
const THEME_KEY = "binlens.theme";

@customElement("binlog-view")
export class BinlogView extends LitElement {
  @property({ type: Boolean }) seal = false;

  readonly #store = new Store();
  readonly #drop = new DropZone((files) => this.#take(files));
  readonly #resized = new ResizeObserver(() => this.#fit());
  #stacked = false;
  #phase: State["phase"] = "loading";
  #pane: State["pane"] = "list";
  #theme: State["theme"] = "system";

  static override styles = [unsafeCSS(tokens), base, css`
    :host {
      display: grid;
      grid-template-rows: 48px minmax(0, 1fr) 28px;
      height: 100%;
      min-height: 320px;
      overflow: hidden;
      position: relative;
      background: var(--bg);
      color: var(--ink);
      font: var(--size) / 1.45 var(--font);
      text-align: left;
    }
    main {
      min-height: 0;
      display: grid;
      grid-template: minmax(0, 1fr) clamp(98px, 26%, 260px) / minmax(0, 1.35fr) minmax(0, 1fr);
    }
    main.empty {
      grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    }
    binlog-detail {
      border-left: 1px solid var(--line);
    }
    binlog-hex {
      grid-column: 1 / -1;
      border-top: 1px solid var(--line);
    }
    main.stacked {
      grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    }
    main.stacked.detail {
      grid-template-rows: minmax(0, 1fr) clamp(98px, 32%, 260px);
    }
    main.stacked binlog-detail {
      border-left: 0;
    }
    .notice {
      position: absolute;
      z-index: 3;
      left: 50%;
      bottom: 40px;
      translate: -50% 0;
      width: max-content;
      max-width: min(720px, 94%);
      display: flex;
      gap: 12px;
      align-items: center;
      padding: 8px 8px 8px 14px;
      border: 1px solid var(--bad);
      border-radius: var(--radius);
      background: var(--panel);
    }
    .over {
      position: absolute;
      z-index: 4;
      inset: 8px;
      display: grid;
      place-items: center;
      border: 2px dashed var(--accent);
      border-radius: 12px;
      background: color-mix(in srgb, var(--accent-bg) 86%, transparent);
      font-size: 18px;
      font-weight: 600;
      pointer-events: none;
    }
  `];

  constructor() {
    super();
    new StoreController(this, () => this.#store);
    this.#drop.onChange = () => this.requestUpdate();
    this.addEventListener("browse", () => this.#browse());
    this.addEventListener("keydown", (event) => void this.#onKey(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#drop.attach(this.seal ? window : this);
    this.#resized.observe(this);
    this.#store.setTheme(this.seal ? recall() : "system");
    void this.#store.boot(() => loadAssets(new URL(".", import.meta.url)), this.seal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#drop.detach();
    this.#resized.disconnect();
    this.#store.stop();
  }

  override updated(): void {
    const { state } = this.#store;
    this.#mark(state);
    const opened = state.phase !== this.#phase && !isOpen(this.#phase) && isOpen(state.phase);
    const changedPane = state.pane !== this.#pane && this.#stacked;
    this.#phase = state.phase;
    this.#pane = state.pane;
    if (opened || changedPane) void this.#focusPane(state.pane);
  }

  override render(): TemplateResult {
    const store = this.#store;
    const { phase, pane, notice } = store.state;
    const open = isOpen(phase);
    const both = !this.#stacked;
    return html`
      <binlog-toolbar .store=${store} role="banner"></binlog-toolbar>
      <main class="${open ? "" : "empty"} ${both ? "" : "stacked"} ${pane}">
        ${open
          ? html`
              <binlog-list .store=${store} ?hidden=${!both && pane !== "list"}></binlog-list>
              <binlog-detail .store=${store} ?hidden=${!both && pane !== "detail"} ?stacked=${!both}></binlog-detail>
              <binlog-hex .store=${store} ?hidden=${!both && pane !== "detail"}></binlog-hex>
            `
          : html`<binlog-drop .store=${store}></binlog-drop>`}
      </main>
      <binlog-status .store=${store} role="contentinfo"></binlog-status>
      ${notice
        ? html`<div class="notice" role="alert"><span>${notice}</span><button @click=${() => store.dismiss()}>Dismiss</button></div>`
        : nothing}
      ${this.#drop.over ? html`<div class="over">Drop it: it stays in this page</div>` : nothing}
      <input type="file" hidden aria-label="Binary log" tabindex="-1" @change=${this.#onChosen} />
    `;
  }

  /** Tells the state to styles outside and to tests: data-state, data-busy, data-theme. */
  #mark({ phase, busy, theme }: State): void {
    const marked: HTMLElement[] = this.seal ? [this, document.documentElement] : [this];
    for (const element of marked) {
      element.dataset["state"] = phase;
      element.toggleAttribute("data-busy", busy);
      if (theme === "system") delete element.dataset["theme"];
      else element.dataset["theme"] = theme;
    }
    if (this.seal && theme !== this.#theme) remember(theme);
    this.#theme = theme;
  }

  #take(files: readonly File[]): void {
    const [file] = files;
    if (file) this.#store.open(file);
  }

  #browse(): void {
    this.renderRoot.querySelector("input")?.click();
  }

  readonly #onChosen = (event: globalThis.Event): void => {
    const input = event.target as HTMLInputElement;
    this.#take([...(input.files ?? [])]);
    input.value = ""; // the same file can be chosen again
  };

  #fit(): void {
    const stacked = this.clientWidth < STACKED_BELOW;
    if (stacked === this.#stacked) return;
    this.#stacked = stacked;
    this.requestUpdate();
  }

  /** Enter goes from the list into the event, Escape from anywhere in the event back to the list. */
  async #onKey(event: KeyboardEvent): Promise<void> {
    if (isTyping(event) || event.defaultPrevented || !isOpen(this.#store.state.phase)) return;
    const inside = (name: string): boolean => event.composedPath().some((part) => part instanceof Element && part.localName === name);
    if (event.key === "Enter" && inside("binlog-list")) {
      event.preventDefault();
      this.#store.setPane("detail");
      await this.updateComplete;
      await this.#focusPane("detail");
    } else if (event.key === "Escape" && (inside("binlog-detail") || inside("binlog-hex"))) {
      event.preventDefault();
      this.#store.setPane("list");
      await this.updateComplete;
      await this.#focusPane("list");
    }
  }

  async #focusPane(pane: State["pane"]): Promise<void> {
    const element = this.renderRoot.querySelector<LitElement>(pane === "list" ? "binlog-list" : "binlog-detail");
    await element?.updateComplete;
    element?.focus();
  }
}

function isOpen(phase: State["phase"]): boolean {
  return phase === "opening" || phase === "indexing" || phase === "done" || phase === "cancelled" || phase === "failed";
}

function recall(): State["theme"] {
  try {
    const theme = localStorage.getItem(THEME_KEY);
    return theme === "light" || theme === "dark" ? theme : "system";
  } catch {
    return "system";
  }
}

function remember(theme: State["theme"]): void {
  try {
    if (theme === "system") localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // no storage: the choice holds until the page is left
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "binlog-view": BinlogView;
  }
}
