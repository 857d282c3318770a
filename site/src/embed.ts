// What <binlog-view> is to the page that it stands in: its attributes, properties, methods and events, as
// site/embed/element.d.ts documents them. It boots late, when it comes into view, and shares with the other elements of the
// page what can be shared: the download and the compiled program. The worker is its own: a log whose decoder dies, or is at
// work, holds up no other. A page of many elements still runs a few workers only: those that were out of sight for longest
// give theirs up, and come back to where they were when they are seen.
import { LitElement, type PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import type { BinlogViewElement, BinlogViewEventMap, OpenOptions } from "../embed/element.d.ts";
import type { Ground } from "./airlock.ts";
import { loadAssets, loadPage, type Assets } from "./assets.ts";
import { keepOffline } from "./offline.ts";
import { readPlace } from "./place.ts";
import { VIEWS, isOpen, type Place, type State, type Theme, type View } from "./state.ts";
import { Store } from "./store.ts";

/** How far below the window an element is started already. */
const NEAR = "300px";

/** Workers of a page, unless more elements are in sight. */
const MOST = 4;

/** Elements of this page that run, the one that came into sight last at the end. */
const awake = new Set<Embedded>();

let shared: Promise<Assets> | undefined;

/** The decoder, loaded and compiled once for all elements of a page; after a failure it is asked for again. */
function sharedAssets(base: URL): Promise<Assets> {
  shared ??= loadAssets(base).catch((thrown: unknown) => {
    shared = undefined;
    throw thrown;
  });
  return shared;
}

/** An attribute that is taken away is an empty one. */
const text = (value: string | null): string => value ?? "";
const viewNamed = (value: string | null): View => VIEWS.find((view) => view === value) ?? "events";
const themeNamed = (value: string | null): Theme => (value === "light" || value === "dark" ? value : "system");

/** A number of pixels, or a length as CSS has it. */
const lengthOf = (text: string): string => (/^\d+$/.test(text) ? `${text}px` : text);

export abstract class Embedded extends LitElement implements BinlogViewElement {
  @property({ converter: text }) src = "";
  @property({ converter: text }) at = "";
  @property({ converter: text }) filter = "";
  @property({ converter: viewNamed }) view: View = "events";
  @property({ converter: text }) height = "";
  @property({ converter: themeNamed }) theme: Theme = "system";
  @property({ type: Boolean, reflect: true }) readonly = false;
  /** The document is ours, and seals itself before a log is opened. */
  @property({ type: Boolean }) seal = false;
  /** The document is ours and reads logs by their addresses. */
  @property({ type: Boolean }) network = false;
  /** The document is ours, but in a frame of someone else's: it leaves the address and the browser's storage alone. */
  @property({ type: Boolean }) framed = false;

  readonly store = new Store();
  #sight: IntersectionObserver | undefined;
  #inSight = false;
  #unsubscribe: (() => void) | undefined;
  /** It was started once; and it runs now. */
  #booted = false;
  #running = false;
  #told: State = this.store.state;

  /** The element is the page, not a part of it. */
  get own(): boolean {
    return (this.seal || this.network) && !this.framed;
  }

  get state(): State["phase"] {
    return this.store.state.phase;
  }

  get selection(): { ordinal: number; path: string } {
    const { ordinal, path } = this.store.state.selection;
    return { ordinal, path };
  }

  override connectedCallback(): void {
    this.store.reaches = this.network && !this.framed;
    this.store.linked = this.own;
    super.connectedCallback();
    if (!this.own) this.#label();
    this.#unsubscribe = this.store.subscribe(() => this.#tell());
    if (this.seal || this.network) {
      this.#start();
      return;
    }
    this.#sight = new IntersectionObserver((entries) => this.#seen(entries.at(-1)?.isIntersecting === true), { rootMargin: NEAR });
    this.#sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight?.disconnect();
    this.#unsubscribe?.();
    this.#rest();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("height") && (this.height !== "" || changed.get("height"))) this.style.height = lengthOf(this.height);
    if (changed.has("theme") && !this.own) this.store.setTheme(this.theme);
    if (changed.has("readonly")) this.store.setFixed(this.readonly);
    if (changed.has("src")) this.#openSrc();
    else if ((["at", "filter", "view"] as const).some((name) => changed.has(name) && changed.get(name) !== undefined)) this.#show();
  }

  async open(source: string | URL | Blob | ArrayBuffer, options: OpenOptions = {}): Promise<void> {
    const place = this.#place(options);
    this.#start();
    this.store.clear();
    if (typeof source === "string" || source instanceof URL) {
      await this.store.openUrl(String(source), place);
    } else {
      const name = options.name ?? (source instanceof File ? source.name : "log");
      await this.store.open([new File([source], name)], place);
    }
    await this.#opened();
  }

  async goTo(at: string | number): Promise<boolean> {
    const { ordinal, offset, path } = readPlace(String(at));
    const { store } = this;
    if (!isOpen(store.state.phase)) return false;
    this.#start();
    const found = offset === undefined ? ordinal : await store.client.at(offset);
    if (found < 0 || found >= (store.state.progress?.events ?? 0)) return false;
    store.select(found, { path });
    return true;
  }

  // ---- inside

  /** What it is, to those who do not see it, unless the page says. */
  #label(): void {
    if (!this.hasAttribute("role")) this.setAttribute("role", "group");
    if (!this.hasAttribute("aria-label") && !this.hasAttribute("aria-labelledby")) this.setAttribute("aria-label", `Binary log ${this.src}`.trim());
  }

  #seen(inSight: boolean): void {
    this.#inSight = inSight;
    if (!inSight) return;
    awake.delete(this);
    awake.add(this);
    this.#start();
    for (const other of awake) if (awake.size > MOST && !other.#inSight && !other.matches(":focus-within")) other.#rest();
  }

  /** Gives the worker up; #start() brings it back with the same log at the same place. */
  #rest(): void {
    awake.delete(this);
    if (this.#running) this.store.stop();
    this.#running = false;
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    const first = !this.#booted;
    this.#booted = true;
    const ground: Ground = this.seal ? "sealed" : this.network ? "network" : "foreign";
    void this.store.boot(() => this.#load(new URL(".", import.meta.url)), ground).then(() => {
      if (first && !this.store.file && !this.store.state.fetching) this.#openSrc(); // unless open() was quicker
    });
  }

  /** What is loaded now: all of it before the page is sealed. */
  async #load(base: URL): Promise<Assets> {
    const assets = await (this.own ? loadPage(base) : sharedAssets(base));
    if (this.seal) await assets.parquet();
    if (this.seal && this.own) await keepOffline(base);
    return assets;
  }

  /** Opens what `src` names, once this element is started. */
  #openSrc(): void {
    if (this.src === "" || !this.#booted || this.seal) return;
    if (this.store.state.phase === "loading") return; // it is opened when the decoder is there
    this.store.clear();
    void this.store.openUrl(this.src, this.#place({}));
  }

  #place({ at = this.at, filter = this.filter, view = this.view }: OpenOptions): Place {
    return { ...readPlace(at), filter, view };
  }

  #show(): void {
    if (isOpen(this.store.state.phase)) this.store.show(this.#place({}));
  }

  /** Resolves when a log is open, rejects when it was refused. */
  #opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = ({ phase, summary, failure }: State): boolean => {
        if (isOpen(phase) && summary) resolve();
        else if (phase === "refused" || phase === "lost") reject(new Error(failure?.message ?? "the log was not opened"));
        else return false;
        return true;
      };
      if (settle(this.store.state)) return;
      const end = this.store.subscribe(() => settle(this.store.state) && end());
    });
  }

  /** Tells the page what has changed. */
  #tell(): void {
    const [before, now] = [this.#told, this.store.state];
    this.#told = now;
    const { phase, summary, selection, filter, filtered, failure, file, notice } = now;
    if (phase !== before.phase) this.#dispatch("binlog-state", { state: phase });
    if (file && summary && !before.summary) this.#dispatch("binlog-open", { name: file.name, size: file.size, host: this.store.origin });
    if (selection.ordinal >= 0 && (selection.ordinal !== before.selection.ordinal || selection.path !== before.selection.path)) {
      this.#dispatch("binlog-select", { ordinal: selection.ordinal, path: selection.path });
    }
    if (filter !== before.filter || (filtered !== before.filtered && filtered?.running === false)) {
      this.#dispatch("binlog-filter", { filter, matched: filtered?.matched ?? null, running: filtered?.running ?? false });
    }
    if (failure && failure !== before.failure) this.#dispatch("binlog-error", { kind: failure.kind, message: failure.message });
    else if (notice !== "" && notice !== before.notice) this.#dispatch("binlog-error", { kind: "notice", message: notice });
  }

  #dispatch<Name extends keyof BinlogViewEventMap>(name: Name, detail: BinlogViewEventMap[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
