// The filter: one line, its terms coloured, its mistake underlined where it is, and what may stand at the cursor.
//
//   <binlens-filter .text .answer .progress .complete @filter @cancel>
//
// It tells its text as "filter" {text}, soon after a change and at once on Enter, and "cancel" while the filter runs. The
// field is a plain input; what it shows lies under it, letter upon letter.
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { filterStyles } from "./filterbox-styles.ts";
import { pieces } from "./filtertext.ts";
import { count, percent } from "./format.ts";
import { recall, remember } from "./prefs.ts";
import { base } from "./styles.ts";
import type { Completion, FilterAnswer, FilterProgress } from "./viewdata.ts";

/** Milliseconds after the last change. */
const PATIENCE = 250;
const KEPT = 20;

@customElement("binlens-filter")
export class BinlensFilter extends LitElement {
  /** The filter that holds; another one takes the place of what stands in the field. */
  @property({ attribute: false }) text = "";
  /** What the decoder said of the text that was told last. */
  @property({ attribute: false }) answer: FilterAnswer | null = null;
  @property({ attribute: false }) progress: FilterProgress | null = null;
  @property({ attribute: false }) complete: ((text: string, cursor: number) => Promise<Completion[]>) | null = null;

  @state() private draft = "";
  @state() private options: readonly Completion[] = [];
  /** The options are earlier filters, not completions. */
  @state() private past = false;
  @state() private active = -1;
  @query("input") private input!: HTMLInputElement;
  @query(".under") private under!: HTMLElement;

  #told = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  /** The text that the options are for. */
  #listed = "";

  static override styles = [base, filterStyles];

  override focus(): void {
    this.input.focus();
    this.input.select();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("text") || this.text === this.#told) return;
    clearTimeout(this.#timer);
    this.draft = this.#told = this.text;
    this.#close();
  }

  override updated(): void {
    this.under.scrollLeft = this.input.scrollLeft;
    this.renderRoot.querySelector(".options [aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** The mistake, while it is one of what stands in the field. */
  get #mistake(): FilterAnswer | null {
    return this.answer && !this.answer.ok && this.draft === this.#told && this.draft !== "" ? this.answer : null;
  }

  override render(): TemplateResult {
    const mistake = this.#mistake;
    const open = this.options.length > 0;
    return html`
      <div class="box ${mistake ? "wrong" : ""}">
        <div class="field mono">
          <div class="under" aria-hidden="true"><span class="shown">${this.#coloured(mistake)}</span></div>
          <input
            class="mono" type="text" role="combobox" aria-label="Filter" aria-autocomplete="list" aria-expanded=${open} aria-controls="options"
            aria-activedescendant=${open && this.active >= 0 ? `o${this.active}` : nothing} aria-invalid=${mistake !== null}
            aria-describedby=${mistake ? "mistake" : nothing} placeholder="Filter: table:shop.orders type:update" spellcheck="false" autocomplete="off"
            autocapitalize="off" .value=${this.draft} @input=${this.#onInput} @keydown=${this.#onKey} @scroll=${this.#onScroll}
            @blur=${this.#onBlur} @click=${this.#onPlace}
          />
        </div>
        ${this.#state()}
        ${this.draft === "" ? html`<kbd aria-hidden="true">/</kbd>` : html`<button class="icon" aria-label="Clear the filter" @click=${this.#clear}>×</button>`}
        <button class="icon" aria-label="Recent filters" aria-expanded=${open && this.past} @mousedown=${keepFocus} @click=${this.#toggleHistory}>▾</button>
      </div>
      <ul id="options" class="options mono" role="listbox" aria-label=${this.past ? "Recent filters" : "What may stand here"} ?hidden=${!open}>
        ${this.options.map(({ text, note }, i) => html`<li
          id="o${i}" role="option" aria-selected=${i === this.active} @mousedown=${keepFocus} @click=${() => this.#accept(i)}
        ><span>${text}</span><span class="dim">${note}</span></li>`)}
      </ul>
      ${mistake ? html`<p id="mistake" class="mistake" role="alert">${mistake.message}${mistake.expected ? html`<span class="dim">; expected ${mistake.expected}</span>` : nothing}</p>` : nothing}
    `;
  }

  /** The text in its colours; the letters of the mistake are in an element of their own. */
  #coloured(mistake: FilterAnswer | null): TemplateResult[] {
    const from = mistake?.start ?? -1;
    const to = mistake ? Math.max(mistake.end, mistake.start + 1) : -1;
    let at = 0;
    const list: TemplateResult[] = [];
    for (const { kind, text } of pieces(this.draft)) {
      const cuts = [0, from - at, to - at, text.length].map((cut) => Math.min(text.length, Math.max(0, cut)));
      for (let i = 0; i < 3; i++) {
        const part = text.slice(cuts[i], cuts[i + 1]);
        if (part) list.push(html`<span class="${kind}${i === 1 ? " error" : ""}">${part}</span>`);
      }
      at += text.length;
    }
    if (to > at) list.push(html`<span class="error"> </span>`); // something is missing at the end
    return list;
  }

  #state(): TemplateResult | typeof nothing {
    const { progress } = this;
    if (!progress || this.#told === "") return nothing;
    const { matched, examined, total, unread, running } = progress;
    const far = examined < total ? ` · ${running ? "" : "stopped at "}${percent(examined, total)}` : "";
    const left = unread > 0 ? `; ${count(unread)} could not be read` : "";
    return html`<span class="state mono" title="${count(matched)} of ${count(total)} events${left}"
        >${count(matched)} of ${count(total)}${far}</span>
      ${running ? html`<button class="icon" @click=${this.#cancel}>stop</button>` : nothing}`;
  }

  readonly #onInput = (): void => {
    this.draft = this.input.value;
    this.active = -1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), PATIENCE);
    void this.#suggest();
  };

  readonly #onPlace = (): void => {
    if (this.options.length > 0 && !this.past) void this.#suggest();
  };

  readonly #onScroll = (): void => {
    this.under.scrollLeft = this.input.scrollLeft;
  };

  readonly #onBlur = (): void => this.#close();

  readonly #cancel = (): void => void this.dispatchEvent(new CustomEvent("cancel", { bubbles: true, composed: true }));

  readonly #clear = (): void => {
    this.draft = "";
    this.#tell();
    this.#close();
    this.input.focus();
  };

  /** `anew`: a filter that was stopped begins again. */
  #tell(anew = false): void {
    clearTimeout(this.#timer);
    const text = this.draft;
    const stopped = this.progress !== null && !this.progress.running && this.progress.examined < this.progress.total;
    if (text === this.#told && !(anew && stopped)) return;
    this.#told = text;
    this.dispatchEvent(new CustomEvent("filter", { detail: { text }, bubbles: true, composed: true }));
  }

  #close(): void {
    this.#asked++;
    this.options = [];
    this.active = -1;
    this.past = false;
  }

  async #suggest(): Promise<void> {
    const asked = ++this.#asked;
    const { draft } = this;
    const cursor = this.input.selectionStart ?? this.draft.length;
    let options: Completion[] = [];
    try {
      options = (await this.complete?.(draft, cursor)) ?? [];
    } catch {
      // a newer request took its place, or no log is open
    }
    if (asked !== this.#asked) return;
    this.#listed = draft;
    const written = (option: Completion): boolean => this.draft.slice(option.start, option.end) === option.text;
    this.options = options.length === 1 && options.every(written) ? [] : options;
    this.active = -1;
    this.past = false;
  }

  /** Puts an option where it belongs, or an earlier filter in the place of all. */
  #accept(i: number): void {
    const option = this.options[i];
    if (!option || this.#listed !== this.draft) return; // it belongs to what stood there before
    const { start, end, text } = option;
    this.draft = this.draft.slice(0, start) + text + this.draft.slice(end);
    const cursor = start + text.length;
    this.input.value = this.draft;
    this.input.setSelectionRange(cursor, cursor);
    const goesOn = text.endsWith(":");
    if (this.past) this.#keep();
    this.#close();
    if (goesOn) void this.#suggest();
    else this.#tell();
  }

  /** Completes with the option that was chosen, or the first, of those for what stands there now. */
  async #complete(): Promise<void> {
    if (this.#listed !== this.draft) await this.#suggest();
    if (this.#completes) this.#accept(Math.max(0, this.active));
  }

  /** Tells the text at once and remembers it. */
  #keep(): void {
    this.#tell(true);
    const text = this.draft.trim();
    if (text === "") return;
    const list = [text, ...history().filter((other) => other !== text)].slice(0, KEPT);
    remember("filters", JSON.stringify(list));
  }

  readonly #toggleHistory = (): void => {
    const open = this.past;
    this.#close();
    this.input.focus();
    if (!open) this.#showHistory();
  };

  #showHistory(): void {
    this.#asked++;
    this.#listed = this.draft;
    this.options = history().map((text) => ({ start: 0, end: this.draft.length, text, note: "" }));
    this.past = this.options.length > 0;
    this.active = this.past ? 0 : -1;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const open = this.options.length > 0;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && open) {
      const n = this.options.length;
      this.active = this.active < 0 ? (step > 0 ? 0 : n - 1) : (this.active + step + n) % n;
    } else if (step && this.draft === "") this.#showHistory();
    else if (step) void this.#suggest();
    else if (event.key === "Enter" && this.active >= 0) this.#accept(this.active);
    else if (event.key === "Enter") {
      this.#close();
      this.#keep();
    } else if (event.key === "Tab" && !event.shiftKey && open && this.#completes) void this.#complete();
    else if (event.key === "Escape" && open) this.#close();
    else if (event.key === "Escape" && this.draft !== "") this.#clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Tab completes what has been begun or chosen; else it goes on to the next thing, as everywhere. */
  get #completes(): boolean {
    const [first] = this.options;
    return this.active >= 0 || (!this.past && first !== undefined && first.end > first.start);
  }
}

function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

/** Filters of earlier times, the latest first. */
function history(): string[] {
  try {
    const list: unknown = JSON.parse(recall("filters") || "[]");
    return Array.isArray(list) ? list.filter((text): text is string => typeof text === "string") : [];
  } catch {
    return [];
  }
}
