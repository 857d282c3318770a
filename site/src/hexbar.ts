// The line above the bytes: which bytes these are and in which space, what the selected ones mean, the way to an offset,
// and the search.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { readBytes } from "./copying.ts";
import { StoreElement, askForMenu } from "./element.ts";
import type { Selected } from "./fields.ts";
import { needleOf, offsetOf, search, type Field } from "./find.ts";
import { count, percent, plural } from "./format.ts";
import { follow } from "./items.ts";
import type { Subject } from "./state.ts";
import { readPart } from "./remote.ts";
import { base } from "./styles.ts";

/** Bytes read at a time: from the file, and from an event. */
const FILE_STEP = 4 << 20;
const EVENT_STEP = 1 << 19;

@customElement("binlog-hexbar")
export class BinlogHexbar extends StoreElement {
  /** What is under the pointer. */
  @property({ attribute: false }) hover: Selected | undefined;
  @property({ type: Boolean, reflect: true }) stacked = false;
  @state() private form: "" | "go" | "find" = "";
  @state() private told = "";
  @state() private everywhere = false;

  /** Counts searches: a newer one stops the one before. */
  #search = 0;
  #searching = false;

  static override styles = [base, css`
    :host {
      display: flex;
      gap: 4px 14px;
      align-items: center;
      min-height: 30px;
      padding: 2px 8px 2px var(--pad);
      color: var(--ink2);
      border-bottom: 1px solid var(--line);
      font-size: 12px;
      white-space: nowrap;
      min-width: 0;
    }
    :host([stacked]) {
      flex-wrap: wrap;
    }
    .what {
      color: var(--accent);
      min-width: 0;
      flex: 1 1 10ch;
    }
    .hover {
      color: var(--ink);
    }
    form {
      display: flex;
      flex-wrap: wrap;
      gap: 2px 6px;
      align-items: center;
      min-width: 0;
      flex: 1;
    }
    input[type="text"] {
      font: var(--code) var(--mono);
      color: var(--ink);
      height: 24px;
      width: 24ch;
      min-width: 8ch;
      flex: 0 1 auto;
      padding: 0 6px;
      border: 1px solid var(--line2);
      border-radius: var(--radius);
      background: var(--panel);
    }
    label {
      display: flex;
      gap: 4px;
      align-items: center;
    }
    button {
      height: 24px;
      padding: 0 8px;
      font-size: 12px;
    }
    .tools {
      display: flex;
      gap: 4px;
      margin-left: auto;
    }
    kbd {
      font: 11px var(--mono);
      color: var(--ink3);
    }
    .range {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    @media (max-width: 980px) {
      kbd {
        display: none;
      }
    }
  `];

  async open(form: "go" | "find"): Promise<void> {
    this.form = form;
    this.told = "";
    await this.updateComplete;
    const input = this.find<HTMLInputElement>("input[type=text]");
    input?.focus();
    input?.select();
  }

  override render(): TemplateResult {
    const { subject } = this.store;
    return html`
      ${this.stacked ? html`<button aria-label="Back to the event" @click=${() => this.store.setPane("detail")}>‹ Event</button>` : nothing}
      ${this.form ? this.#form(subject) : subject ? this.#about(subject) : nothing}
      ${subject && !this.form
        ? html`<span class="tools">
            <button @click=${() => this.open("go")}>Go to <kbd aria-hidden="true">g</kbd></button>
            <button @click=${() => this.open("find")}>Find <kbd aria-hidden="true">f</kbd></button>
            <button title="Copy what is selected" aria-haspopup="menu" @click=${(event: MouseEvent) => askForMenu(this, event)}
              >Copy <kbd aria-hidden="true">c</kbd></button
            >
          </span>`
        : nothing}
    `;
  }

  #about(subject: Subject): TemplateResult {
    const { range } = this.store.state.selection;
    const last = subject.offset + Math.max(0, subject.size - 1);
    const { selected } = this.store;
    const chosen = !selected && range && this.store.state.selection.ordinal === subject.ordinal ? range : undefined;
    const shown = this.hover ?? selected;
    return html`
      <span>${this.#space}</span>
      <span class="mono range">${count(subject.offset)} – ${count(last)} · ${plural(subject.size, "byte")}</span>
      ${shown
        ? html`<span class="what mono clip ${this.hover ? "hover" : ""}">${meaning(shown, subject)}</span>`
        : chosen
          ? html`<span class="what mono clip">${plural(chosen[1] - chosen[0], "byte")} at ${count(subject.offset + chosen[0])}</span>`
          : nothing}
    `;
  }

  /** The address space that the offsets belong to. */
  get #space(): string {
    const payload = this.store.state.detail?.payload;
    return payload ? `payload #${count(payload.ordinal)}, decompressed` : "file";
  }

  /** The form is there before its event is: keys typed behind "g" belong to it. */
  #form(subject: Subject | null): TemplateResult {
    const go = this.form === "go";
    const label = go ? `Offset in the ${this.#space}` : "Find";
    const hint = go ? "1234, 0x4d2, +12 or #7" : "text, or bytes: 0xface, fa ce";
    return html`<form @submit=${(event: SubmitEvent) => this.#submit(event, subject)} @keydown=${this.#onKey}>
      <label>${label} <input
        type="text" autocomplete="off" spellcheck="false" placeholder=${hint} aria-describedby="told" @input=${() => (this.told = "")}
      /></label>
      ${go || !this.#mayRoam
        ? nothing
        : html`<label><input type="checkbox" .checked=${this.everywhere} @change=${() => (this.everywhere = !this.everywhere)} /> whole file</label>`}
      ${this.#searching
        ? html`<button type="button" @click=${() => this.#stop()}>Cancel</button>`
        : html`<button>${go ? "Go" : "Next"}</button>`}
      <button type="button" aria-label="Close" @click=${() => this.#close()}>×</button>
      <span id="told" role="status">${this.told}</span>
    </form>`;
  }

  /** The whole file can be looked through: not from inside a payload, whose bytes it does not have. */
  get #mayRoam(): boolean {
    return this.store.file !== undefined && !this.store.state.detail?.payload;
  }

  #submit(event: SubmitEvent, subject: Subject | null): void {
    event.preventDefault();
    const text = this.find<HTMLInputElement>("input[type=text]")?.value ?? "";
    if (this.form === "go") this.#go(text, subject);
    else if (subject) void this.#find(text, subject);
    else this.told = "the event is still being read";
  }

  #go(text: string, subject: Subject | null): void {
    const ordinal = /^\s*#([\d,]+)\s*$/.exec(text)?.[1];
    if (ordinal !== undefined) {
      this.store.select(Number(ordinal.replaceAll(",", "")));
      this.#close();
      return;
    }
    const offset = offsetOf(text, subject?.offset ?? 0);
    if (offset === undefined) {
      this.told = "an offset is a number: 1234, 0x4d2, or +12 from the event's start; #7 is an event";
      return;
    }
    const byte = offset - (subject?.offset ?? 0);
    if (subject && byte >= 0 && byte < subject.size) void this.store.selectByte(byte);
    else if (this.store.state.detail?.payload) {
      this.told = "that is outside this event";
      return;
    } else void follow(this.store, offset);
    this.#close();
  }

  async #find(text: string, subject: Subject): Promise<void> {
    const needle = needleOf(text);
    if (!needle) return;
    const roam = this.everywhere && this.#mayRoam;
    const mine = ++this.#search;
    this.#searching = true;
    this.told = "looking…";
    const field = this.#field(subject, roam, () => mine !== this.#search);
    const from = (this.store.state.selection.range?.[0] ?? -1) + 1 + (roam ? subject.offset : 0);
    try {
      const at = await search(field, needle.bytes, from);
      if (mine !== this.#search) return;
      const offset = at + (roam ? 0 : subject.offset);
      const none = `these ${needle.as === "bytes" ? "bytes" : "letters"} are not in the ${roam ? "file" : "event"}`;
      this.told = at < 0 ? none : `at ${count(offset)}`;
      if (at >= 0) await this.store.showBytes(offset, needle.bytes.length, roam);
    } catch (thrown) {
      if (mine === this.#search) this.told = thrown instanceof Error ? thrown.message : String(thrown);
    }
    if (mine === this.#search) this.#searching = false;
    this.requestUpdate();
  }

  #field(subject: Subject, roam: boolean, stopped: () => boolean): Field {
    const { file } = this.store;
    const size = roam && file ? file.size : subject.size;
    const progress = (done: number): void => {
      if (!stopped()) this.told = `looking… ${percent(done, size)}`;
    };
    if (!roam || !file) {
      return { size, step: EVENT_STEP, stopped, progress, read: (from, n) => readBytes(this.store, subject.ordinal, [from, from + n]) };
    }
    return { size, step: FILE_STEP, stopped, progress, read: (from, n) => readPart(file, from, from + n) };
  }

  #stop(): void {
    this.#search++;
    this.#searching = false;
    this.told = "stopped";
    this.requestUpdate();
  }

  #close(): void {
    this.#search++;
    this.#searching = false;
    this.form = "";
    this.dispatchEvent(new CustomEvent("done"));
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    event.stopPropagation(); // typing is no hotkey
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (this.#searching) this.#stop();
    else this.#close();
  };
}

function meaning(it: Selected, subject: Subject): string {
  const value = it.value === undefined || it.value === "" ? "" : ` = ${it.value.slice(0, 200)}`;
  return `${it.path}${value}${it.note ? ` · ${it.note}` : ""} · ${plural(it.end - it.start, "byte")} at ${count(subject.offset + it.start)}`;
}
