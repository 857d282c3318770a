// <binlog-view>: the whole product as one element. It lays the panes out, takes files (dropped or chosen), and moves the
// keyboard between the panes. What it is to a page that embeds it is in embed.ts.
//
// With `seal` or `network` the page is our own: files dropped anywhere on the window are taken, the place is kept in the
// address, and the reader's choices in the browser's storage.
import { css, html, nothing, unsafeCSS, type LitElement, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { Address } from "./address.ts";
import { style } from "./css.ts";
import { LEAST, MOST, type ShareEvent } from "./divider.ts";
import { DropZone } from "./dropzone.ts";
import { StoreController } from "./element.ts";
import { Embedded } from "./embed.ts";
import { spanOfText } from "./filtertext.ts";
import { runHotkey, type Page } from "./keys.ts";
import { itemsOf } from "./items.ts";
import { takeLaunched } from "./offline.ts";
import { readPlace } from "./place.ts";
import { recall, remember } from "./prefs.ts";
import { isSchemaFile } from "./schemas.ts";
import { isOpen, type Pane, type State, type View } from "./state.ts";
import { base } from "./styles.ts";
import tokens from "./tokens.css";
import type { Span } from "./viewdata.ts";
import { viewOf } from "./views.ts";
import "./banner.ts";
import "./detail.ts";
import "./divider.ts";
import "./drop.ts";
import "./export.ts";
import "./help.ts";
import "./hex.ts";
import "./list.ts";
import "./loglist.ts";
import "./menu.ts";
import "./names.ts";
import "./problems.ts";
import "./status.ts";
import "./tables.ts";
import "./timeline.ts";
import "./toolbar.ts";
import "./transactions.ts";

/** Below this width the panes are stacked: one at a time, each with a way back. */
const STACKED_BELOW = 820;
/** Shares of the window that the event and the bytes have at first, in per cent. */
const SHARES = { detail: 43, hex: 27 };

/** An element that is lower has no timeline, unless it is the page. */
const LOW = 640;

/** The element of each view. */
const ELEMENTS: Readonly<Record<View, string>> = {
  events: "binlog-list",
  transactions: "binlens-transactions",
  tables: "binlens-tables",
  problems: "binlog-problems",
};

const PANES: readonly Pane[] = ["list", "detail", "hex"];

/** Asks for the menu of what is selected, at a place of the window. */
export type MenuEvent = CustomEvent<{ x: number; y: number }>;

@customElement("binlog-view")
export class BinlogView extends Embedded implements Page {
  singleKeys = true;
  readonly #drop = new DropZone((files) => this.#take(files));
  readonly #resized = new ResizeObserver(() => this.#fit());
  #shares = { ...SHARES };
  #stacked = false;
  #low = false;
  #phase: State["phase"] = "loading";
  #pane: Pane = "list";
  #chosen = "";
  /** The part of the log that the filter leaves, and that filter. */
  #span: Span | null = null;
  #spanText = "";
  /** What had the keyboard last. */
  #focused: EventTarget | undefined;

  static override styles = [unsafeCSS(tokens), base, css`
    :host {
      display: flex;
      flex-direction: column;
      height: 480px;
      min-height: 240px;
      overflow: hidden;
      position: relative;
      background: var(--bg);
      color: var(--ink);
      font: var(--size) / 1.45 var(--font);
      text-align: left;
    }
    binlog-toolbar {
      flex: none;
      min-height: 48px;
    }
    binlens-timeline {
      flex: none;
      border-bottom: 1px solid var(--line);
    }
    binlog-status {
      flex: none;
      height: 28px;
    }
    .main {
      flex: 1;
      min-height: 0;
      display: flex;
      flex-direction: column;
    }
    binlog-drop,
    .panes {
      flex: 1;
      min-height: 0;
    }
    .panes {
      display: grid;
      grid-template: minmax(0, 1fr) 1px calc(var(--hex) * 1%) / minmax(0, 1fr) 1px calc(var(--detail) * 1%);
    }
    .across {
      grid-column: 1 / -1;
    }
    .panes.one {
      grid-template: minmax(0, 1fr) / minmax(0, 1fr);
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
    new StoreController(this, () => this.store);
    new Address(this, this.store, () => this.own);
    this.#drop.onChange = () => this.requestUpdate();
    this.addEventListener("focusin", (event) => (this.#focused = event.composedPath()[0]));
    this.addEventListener("browse", () => this.browse());
    this.addEventListener("menu", (event) => this.#openMenu(event as MenuEvent));
    this.addEventListener("keydown", (event) => this.#onKey(event));
    this.addEventListener("help", () => this.openHelp());
    this.addEventListener("export", () => this.openExport());
    this.addEventListener("names", () => this.openNames());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#drop.attach(this.own ? window : this);
    if (this.own) window.addEventListener("keydown", this.#onBare);
    this.#resized.observe(this);
    if (this.own) this.#recall();
    if (this.own && this.seal) takeLaunched((files) => this.#take(files), (why) => this.store.tell(why));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#drop.detach();
    window.removeEventListener("keydown", this.#onBare);
    this.#resized.disconnect();
  }

  override updated(): void {
    const { state } = this.store;
    this.#mark(state);
    const opened = state.phase !== this.#phase && !isOpen(this.#phase) && isOpen(state.phase);
    const changedPane = state.pane !== this.#pane && this.#stacked;
    this.#phase = state.phase;
    this.#pane = state.pane;
    if (opened && this.#stacked && !this.own && readPlace(this.at).path !== "") this.store.setPane("detail"); // the field that is meant shows
    if ((opened || changedPane) && (this.own || this.matches(":focus-within"))) void this.#focus(state.pane);
    else requestAnimationFrame(() => this.#keepFocus());
  }

  override render(): TemplateResult {
    const { store } = this;
    const { phase, notice } = store.state;
    const open = isOpen(phase);
    return html`
      <binlog-toolbar .store=${store} ?embedded=${!this.own} role=${this.own ? "banner" : nothing}></binlog-toolbar>
      <binlog-loglist .store=${store}></binlog-loglist>
      <div class="main" role=${this.own ? "main" : nothing}>
        ${open
          ? html`${this.#timeline()}<binlog-views .store=${store}></binlog-views><binlog-banner .store=${store}></binlog-banner>${this.#panes()}`
          : html`<binlog-drop .store=${store}></binlog-drop>`}
        <binlog-menu></binlog-menu>
      </div>
      <binlog-status .store=${store} role=${this.own ? "contentinfo" : nothing}></binlog-status>
      ${notice
        ? html`<div class="notice" role="alert"><span>${notice}</span><button @click=${() => store.dismiss()}>Dismiss</button></div>`
        : nothing}
      ${this.#drop.over && !this.readonly ? html`<div class="over">Drop it: it stays in this page</div>` : nothing}
      <binlog-help .single=${this.singleKeys} @singlekeys=${() => this.#switchKeys()}></binlog-help>
      <binlens-export .store=${store}></binlens-export>
      <binlens-names .store=${store}></binlens-names>
      <input type="file" multiple hidden aria-label="Binary logs" tabindex="-1" @change=${this.#onChosen} />
    `;
  }

  #timeline(): TemplateResult {
    const { store } = this;
    const { filter, filtered, zone, theme, phase, progress, pane } = store.state;
    if (filter !== this.#spanText) {
      this.#spanText = filter;
      this.#span = spanOfText(filter);
    }
    return html`<binlens-timeline
      .load=${store.sources.timeline} .version=${`${phase} ${progress?.bytes ?? 0} ${filtered?.examined ?? 0}`} .filter=${filter} .span=${this.#span} .zone=${zone} .theme=${theme}
      ?hidden=${(this.#stacked && pane !== "list") || this.#low} @range=${(event: CustomEvent<Span | null>) => store.setSpan(event.detail)}
    ></binlens-timeline>`;
  }

  /** The view of the log that shows. */
  #view(away: boolean): TemplateResult {
    const { store } = this;
    const { survey, selection, zone, detail, filter, filtered } = store.state;
    const version = survey ? Math.floor((10 * survey.rows) / Math.max(1, survey.total)) + Number(survey.done) : -1; // a list that is made anew flickers
    const { transactions, place, events, tables, totals } = store.sources;
    const pick = ({ detail }: CustomEvent<{ ordinal: number }>): void => store.select(detail.ordinal);
    switch (viewOf(store.state)) {
      case "transactions":
        return html`<binlens-transactions
          .total=${filtered ? filtered.touched : (survey?.transactions ?? 0)} .filter=${filter} .load=${transactions}
          .version=${`${version} ${filtered && !filtered.running}`} .place=${place} .events=${events} .ordinal=${selection.ordinal}
          .start=${detail?.transaction ?? 0} .zone=${zone} .typeNames=${store.typeNames} ?hidden=${away} role="tabpanel" aria-label="Transactions"
          @pick=${pick} @open=${() => this.focusPane("detail")}
        ></binlens-transactions>`;
      case "tables":
        return html`<binlens-tables
          .total=${survey?.tables ?? 0} .version=${version} .load=${tables} .totals=${totals} .zone=${zone} ?hidden=${away}
          role="tabpanel" aria-label="Tables" @pick=${pick} @filter=${({ detail }: CustomEvent<{ term: string }>) => store.addTerm(detail.term)}
        ></binlens-tables>`;
      case "problems":
        return html`<binlog-problems .store=${store} ?hidden=${away} role="tabpanel" aria-label="Problems"></binlog-problems>`;
      default:
        return html`<binlog-list .store=${store} ?hidden=${away} role="tabpanel" aria-label="Events"></binlog-list>`;
    }
  }

  #panes(): TemplateResult {
    const { store } = this;
    const { pane } = store.state;
    const one = this.#stacked;
    const away = (of: Pane): boolean => one && pane !== of;
    const { detail, hex } = this.#shares;
    return html`<div class="panes ${one ? "one" : ""}" ${style({ "--detail": `${detail}`, "--hex": `${hex}` })}>
      ${this.#view(away("list"))}
      <binlog-divider
        upright ?hidden=${one} .share=${detail} .label=${"Width of the event"} @share=${(event: ShareEvent) => this.#share("detail", event)}
      ></binlog-divider>
      <binlog-detail .store=${store} ?hidden=${away("detail")} ?stacked=${one}></binlog-detail>
      <binlog-divider
        class="across" ?hidden=${one} .share=${hex} .label=${"Height of the bytes"} @share=${(event: ShareEvent) => this.#share("hex", event)}
      ></binlog-divider>
      <binlog-hex class="across" .store=${store} ?hidden=${away("hex")} ?stacked=${one}></binlog-hex>
    </div>`;
  }

  // ---- what the keys act on

  focusPane(pane: Pane): void {
    this.store.setPane(pane);
    void this.#focus(pane);
  }

  nextPane(step: number): void {
    const at = PANES.findIndex((pane) => this.#element(pane)?.matches(":focus-within"));
    const next = PANES[(Math.max(0, at) + step + PANES.length) % PANES.length];
    if (next) this.focusPane(next);
  }

  openHelp(): void {
    this.renderRoot.querySelector("binlog-help")?.show();
  }

  openExport(): void {
    this.renderRoot.querySelector("binlens-export")?.show();
  }

  openNames(): void {
    this.renderRoot.querySelector("binlens-names")?.show();
  }

  openBar(what: "go" | "find"): void {
    this.store.setPane("hex");
    void this.updateComplete.then(() => this.renderRoot.querySelector("binlog-hex")?.openBar(what));
  }

  focusFilter(): void {
    this.renderRoot.querySelector("binlog-toolbar")?.focusFilter();
  }

  browse(): void {
    if (this.network) this.store.clear();
    else if (!this.readonly) this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  }

  // ---- inside

  /** Tells the state to styles outside and to tests: data-state, data-busy, data-theme. */
  #mark({ phase, busy, theme, zone }: State): void {
    const marked: HTMLElement[] = this.own ? [this, document.documentElement] : [this];
    for (const element of marked) {
      element.dataset["state"] = phase;
      element.toggleAttribute("data-busy", busy);
      if (theme === "system") delete element.dataset["theme"];
      else element.dataset["theme"] = theme;
    }
    const chosen = `${theme} ${zone}`;
    if (this.own && this.#chosen !== "" && chosen !== this.#chosen) {
      remember("theme", theme === "system" ? "" : theme);
      remember("zone", zone === "utc" ? "" : zone);
    }
    this.#chosen = chosen;
  }

  #recall(): void {
    const theme = recall("theme");
    this.store.setTheme(theme === "light" || theme === "dark" ? theme : "system");
    this.store.setZone(recall("zone") === "local" ? "local" : "utc");
    this.singleKeys = recall("keys") !== "off";
    for (const pane of ["detail", "hex"] as const) {
      const share = Number(recall(pane));
      if (share >= LEAST && share <= MOST) this.#shares[pane] = share;
    }
  }

  #switchKeys(): void {
    this.singleKeys = !this.singleKeys;
    if (this.own) remember("keys", this.singleKeys ? "" : "off");
    this.requestUpdate();
  }

  #share(pane: "detail" | "hex", { detail: asked }: ShareEvent): void {
    this.#shares[pane] = asked ?? SHARES[pane];
    if (this.own) remember(pane, asked === null ? "" : asked.toFixed(1));
    this.requestUpdate();
  }

  readonly #onChosen = (event: globalThis.Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    this.#take(files);
    input.value = ""; // the same file can be chosen again
  };

  /** Files of this machine, unless the element is not for them: opens logs, and shows what came of schemas. */
  #take(files: readonly File[]): void {
    if (files.length === 0 || this.readonly) return;
    if (this.network) {
      this.store.tell("This page is not sealed: open files of this machine on the page that is.");
      return;
    }
    const schemas = files.filter(isSchemaFile);
    const logs = files.filter((file) => !isSchemaFile(file));
    if (logs.length > 0) void this.store.open(logs);
    if (schemas.length === 0) return;
    void this.store.addSchemas(schemas);
    this.openNames();
  }

  #fit(): void {
    const stacked = this.clientWidth < STACKED_BELOW;
    const low = !this.own && this.clientHeight < LOW;
    if (stacked === this.#stacked && low === this.#low) return;
    this.#stacked = stacked;
    this.#low = low;
    this.requestUpdate();
  }

  #openMenu({ detail: { x, y } }: MenuEvent): void {
    const pane = PANES.map((name) => this.#element(name)).find((element) => element?.matches(":focus-within"));
    void this.renderRoot.querySelector("binlog-menu")?.open(itemsOf(this.store), x, y, pane ?? this);
  }

  /** Enter goes from the list into the event, Escape from the event, the bytes and the filter back to the list. */
  #onKey(event: KeyboardEvent): void {
    const open = isOpen(this.store.state.phase);
    if (event.defaultPrevented || this.renderRoot.querySelector("binlog-help")?.shown) return;
    const inside = (pane: Pane): boolean => this.#element(pane)?.matches(":focus-within") === true;
    if (open && event.key === "Enter" && inside("list")) this.focusPane("detail");
    else if (open && event.key === "Escape" && (inside("detail") || inside("hex") || this.#inFilter(event))) this.focusPane("list");
    else if (!runHotkey(event, this, open)) return;
    event.preventDefault();
  }

  #inFilter(event: KeyboardEvent): boolean {
    return event.composedPath().some((target) => target instanceof HTMLElement && target.localName === "binlens-filter");
  }

  /** Hotkeys hold too while nothing of the page has the keyboard. */
  readonly #onBare = (event: KeyboardEvent): void => {
    if (event.composedPath().includes(this)) return;
    if (runHotkey(event, this, isOpen(this.store.state.phase))) event.preventDefault();
  };

  /** Gives the keyboard to a pane when what had it is gone: a button that was pressed, a view that was left. */
  #keepFocus(): void {
    const gone = this.#focused instanceof Node && !this.#focused.isConnected;
    if (!gone || !isOpen(this.store.state.phase) || this.matches(":focus-within")) return;
    this.#focused = undefined;
    void this.#focus(this.#pane, () => !this.matches(":focus-within"));
  }

  #element(pane: Pane): LitElement | null {
    const name = pane === "list" ? ELEMENTS[viewOf(this.store.state)] : `binlog-${pane}`;
    return this.renderRoot.querySelector<LitElement>(name);
  }

  /** Gives a pane the keyboard when it is drawn, if `still` holds then: a key may have moved it in between. */
  async #focus(pane: Pane, still = (): boolean => true): Promise<void> {
    await this.updateComplete;
    const element = this.#element(pane);
    await element?.updateComplete;
    if (still()) element?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "binlog-toolbar": import("./toolbar.ts").BinlogToolbar;
    "binlog-help": import("./help.ts").BinlogHelp;
    "binlog-menu": import("./menu.ts").BinlogMenu;
    "binlens-export": import("./export.ts").BinlensExport;
    "binlens-names": import("./names.ts").BinlensNames;
    "binlog-hex": import("./hex.ts").BinlogHex;
  }
}
