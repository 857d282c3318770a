// The dialog that writes something out of the log: what, in which format, a preview from the real thing, and where to.
//
// The preview is the beginning of the export itself: saving goes on behind it, so that an undo script, which goes over the
// events once to find out what it cannot take back, does that once.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { dialogs, forms } from "./dialog-styles.ts";
import { StoreElement } from "./element.ts";
import { FORMATS, Output, chooseSink, fileName, infoOf, readHead, save, tablesOf, type Format, type Table, type Watch } from "./exporting.ts";
import type { ExportNote, ExportSpec } from "./exportdata.ts";
import { count, percent, plural, shortSize } from "./format.ts";
import { ParquetTransform } from "./parquetwriter.ts";
import { BinlensError } from "./protocol.ts";
import { base } from "./styles.ts";
import type { Transaction } from "./viewdata.ts";

type What = "view" | "event" | "transaction";

/** Bytes that a preview reads, and of these, bytes and lines that it shows. */
const HEAD_BYTES = 64 << 10;
const SHOWN_BYTES = 24 << 10;
const SHOWN_LINES = 200;
/** Bytes that are copied at most. */
const COPIED = 1 << 20;

@customElement("binlens-export")
export class BinlensExport extends StoreElement {
  @state() private what: What = "view";
  @state() private format: Format = "sql";
  @state() private table = "";
  @state() private keepNames = false;
  @state() private tables: readonly Table[] = [];
  @state() private transaction: Transaction | null = null;
  @state() private doing: "" | "preview" | "save" | "copy" = "";
  @state() private went = { done: 0, total: 0, bytes: 0 };
  @state() private notes: readonly ExportNote[] = [];
  @state() private said = "";
  @state() private failed = "";
  /** The beginning of the export; what it gave beyond is gone once it is spent. */
  #output: Output | undefined;
  #head: Uint8Array<ArrayBuffer>[] = [];
  #spent = false;
  /** Counts what is begun: what it is not the last of has to end. */
  #turn = 0;
  /** The selection that the tables were counted for, and what the log was when the preview was made. */
  #counted = "";
  #made = "";

  static override styles = [base, dialogs, forms];

  get shown(): boolean {
    return this.#dialog?.open === true;
  }

  show(): void {
    if (!this.#dialog || this.shown) return;
    this.what = "view";
    this.#counted = "";
    this.transaction = null;
    this.#dialog.showModal();
    void this.#findTransaction();
    this.#preview();
  }

  override updated(): void {
    // The log was still being read, or another one was opened, or its filter changed: what is written is another thing.
    if (this.shown && (this.doing === "" || this.doing === "preview") && this.#made !== this.#version) {
      this.#counted = "";
      this.#preview();
    }
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  /** Everything that the list can have is in it. */
  get #settled(): boolean {
    const { phase, filtered } = this.store.state;
    return phase !== "opening" && phase !== "indexing" && !filtered?.running;
  }

  get #version(): string {
    const { log, filter, progress, filtered } = this.store.state;
    return this.#settled ? `${log} ${progress?.events ?? 0} ${filtered?.matched ?? -1} ${this.store.schemas.length} ${filter}` : "";
  }

  /** The rows of the log that are meant; none for what the filter leaves. */
  get #part(): Pick<ExportSpec, "from" | "to"> {
    const { ordinal } = this.store.state.selection;
    if (this.what === "event") return { from: ordinal, to: ordinal + 1 };
    if (this.what === "transaction" && this.transaction) return { from: this.transaction.first, to: this.transaction.last + 1 };
    return {};
  }

  get #spec(): ExportSpec {
    const format = this.format === "parquet" ? "csv" : this.format;
    return { ...this.#part, format, keepNames: this.keepNames, ...(infoOf(this.format).table ? { table: this.table } : {}) };
  }

  // ---- what is shown

  override render(): TemplateResult {
    const info = infoOf(this.format);
    const empty = info.table && this.doing !== "preview" && this.tables.length === 0;
    const ready = this.#settled && this.doing === "" && !empty && this.failed === "";
    return html`<dialog aria-labelledby="title" @cancel=${this.#onCancel} @close=${this.#end} @keydown=${this.#onKey}>
      <div class="head"><h2 id="title">Export</h2><button @click=${() => this.#dialog?.close()}>Close</button></div>
      <div class="fields">
        <span id="what">What</span>${this.#choice()}
        <label for="format">As</label>
        <div>
          <select id="format" autofocus ?disabled=${this.doing === "save"} @change=${this.#onFormat}>
            ${FORMATS.map(({ format, label }) => html`<option value=${format} ?selected=${format === this.format}>${label}</option>`)}
          </select>
          <p>${info.about}</p>
        </div>
        ${info.table && this.tables.length > 1 ? this.#tableChoice() : nothing}
        ${this.format === "share"
          ? html`<span></span><label
                ><input type="checkbox" .checked=${this.keepNames} ?disabled=${this.doing === "save"} @change=${this.#onNames} />names of schemas,
                tables and columns stay in it</label
              >`
          : nothing}
      </div>
      <div role="status">${this.#remarks()}</div>
      <pre class="mono" tabindex="0" role="region" aria-label="Preview">${empty ? "There are no row events among these." : this.#text()}</pre>
      <div class="foot">
        <div>${this.#progress()}</div>
        <div class="buttons">
          ${this.doing === "save" || this.doing === "copy"
            ? html`<button @click=${this.#stop}>Cancel</button>`
            : html`${this.format === "parquet" ? nothing : html`<button ?disabled=${!ready || this.#size > COPIED} @click=${this.#copy}>Copy</button>`}
                <button class="main" ?disabled=${!ready} @click=${this.#save}>Save…</button>`}
        </div>
      </div>
    </dialog>`;
  }

  #choice(): TemplateResult {
    const { filter, filtered, progress, selection } = this.store.state;
    const all = plural(progress?.events ?? 0, "event");
    const view = filter === "" ? `the whole log, ${all}` : `what the filter leaves, ${count(filtered?.matched ?? 0)} of ${all}`;
    const radio = (what: What, label: string): TemplateResult => html`<label
      ><input type="radio" name="what" .checked=${this.what === what} ?disabled=${this.doing === "save"} @change=${() => this.#choose(what)} />${label}</label
    >`;
    const t = this.transaction;
    return html`<fieldset aria-labelledby="what">
      ${radio("view", view)}${selection.ordinal >= 0 ? radio("event", `event #${count(selection.ordinal)}`) : nothing}
      ${t ? radio("transaction", `its transaction, ${plural(t.events, "event")}`) : nothing}
    </fieldset>`;
  }

  #tableChoice(): TemplateResult {
    return html`<label for="table">Table</label>
      <select id="table" ?disabled=${this.doing === "save"} @change=${this.#onTable}>
        ${this.tables.map(
          ({ table, events }) => html`<option value=${table} ?selected=${table === this.table}>${table} · ${plural(events, "row event")}</option>`,
        )}
      </select>`;
  }

  /** What the export leaves out, and why. */
  #remarks(): TemplateResult | typeof nothing {
    if (this.failed) return html`<p class="remark wrong" role="alert">${this.failed}</p>`;
    if (!this.#settled) return html`<p class="remark">The log is still being read: when that is done, the preview comes.</p>`;
    const lost = this.notes.some((note) => note.lost);
    const head = this.format === "undo" && lost
      ? "This undo is not complete. The file says so at its head, and stops there when it is run as it is. It does not take back:"
      : lost ? "Not everything is written:" : "With care:";
    if (this.notes.length === 0) return this.format === "undo" && this.doing === "" ? html`<p class="remark">Everything that the log shows is taken back.</p>` : nothing;
    return html`<p class="remark ${lost ? "wrong" : ""}">${head}</p>
      <ul class="remarks" tabindex="0" aria-label="Remarks">
        ${this.notes.map(
          ({ lost: out, reason, count: n, first }) => html`<li>${out ? nothing : "caution: "}${reason} <span class="dim">(${plural(n, "time")}, first in #${count(first)})</span></li>`,
        )}
      </ul>`;
  }

  #text(): string {
    let bytes = new Uint8Array(0);
    for (const part of this.#head) {
      bytes = concat(bytes, part.subarray(0, SHOWN_BYTES - bytes.length));
      if (bytes.length >= SHOWN_BYTES) break;
    }
    const lines = new TextDecoder().decode(bytes).split("\n");
    if (lines.length <= SHOWN_LINES && bytes.length >= this.#size && this.#output?.ended) return lines.join("\n");
    return [...lines.slice(0, Math.min(SHOWN_LINES, Math.max(1, lines.length - 1))), "…"].join("\n");
  }

  #progress(): TemplateResult | string {
    if (this.doing === "") return html`<span role="status">${this.said}</span>`;
    const { done, total, bytes } = this.went;
    const twice = this.format === "undo";
    const checking = twice && done < total / 2;
    const [at, all] = twice ? [checking ? done : done - total / 2, total / 2] : [done, total];
    const doing = checking ? "looking for what cannot be undone" : this.doing === "save" ? `${shortSize(bytes)} written` : "";
    return html`<progress max=${Math.max(1, total)} .value=${done} aria-label="Export"></progress>
      <span class="dim">${[percent(done, total), `${count(at)} of ${plural(all, "event")}`, doing].filter((part) => part !== "").join(" · ")}</span>`;
  }

  get #size(): number {
    return this.#head.reduce((sum, part) => sum + part.length, 0);
  }

  // ---- what is done

  readonly #onFormat = (event: Event): void => {
    this.format = (event.target as HTMLSelectElement).value as Format;
    this.#preview();
  };

  readonly #onTable = (event: Event): void => {
    this.table = (event.target as HTMLSelectElement).value;
    this.#preview();
  };

  readonly #onNames = (event: Event): void => {
    this.keepNames = (event.target as HTMLInputElement).checked;
    this.#preview();
  };

  #choose(what: What): void {
    this.what = what;
    this.#preview();
  }

  /** Escape stops what is being saved, and closes the dialog otherwise. */
  readonly #onCancel = (event: Event): void => {
    if (this.doing !== "save" && this.doing !== "copy") return;
    event.preventDefault();
    this.#stop();
  };

  /** Keys of the page mean nothing here. */
  readonly #onKey = (event: KeyboardEvent): void => event.stopPropagation();

  readonly #end = (): void => {
    this.#turn++;
    this.doing = "";
    this.#reset();
  };

  readonly #stop = (): void => {
    this.#turn++;
    this.doing = "";
    this.said = "Cancelled: nothing was saved.";
  };

  #reset(): void {
    this.#output = undefined;
    this.#head = [];
    this.#spent = false;
    this.notes = [];
    this.said = "";
    this.failed = "";
  }

  async #findTransaction(): Promise<void> {
    const number = this.store.state.detail?.transaction;
    if (!number) return;
    try {
      this.transaction = await this.store.client.transaction(number);
    } catch {
      // another log was opened
    }
  }

  /** Begins a turn: what was going on ends. */
  #begin(doing: "preview" | "save" | "copy"): Watch {
    const turn = ++this.#turn;
    this.doing = doing;
    this.said = "";
    this.went = { done: 0, total: 0, bytes: 0 };
    return {
      stopped: () => turn !== this.#turn,
      progress: (done, total) => {
        if (turn === this.#turn) this.went = { ...this.went, done, total };
      },
    };
  }

  #preview(): void {
    this.#reset();
    this.#made = this.#version;
    if (!this.#settled) return;
    const watch = this.#begin("preview");
    void this.#run(watch, async () => {
      await this.#read(watch);
    });
  }

  /** Does something, and shows what it fails with. */
  async #run(watch: Watch, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const { kind, message } = BinlensError.toFailure(thrown);
      if (!watch.stopped() && kind !== "superseded") this.failed = `This could not be written: ${message}`;
      this.#spent = true;
    }
    if (!watch.stopped()) this.doing = "";
  }

  /** Opens the export and reads its beginning. */
  async #read(watch: Watch): Promise<void> {
    const { client } = this.store;
    if (infoOf(this.format).table && this.#counted !== this.what) {
      const tables = await tablesOf(client, this.#part, watch);
      if (watch.stopped()) return;
      this.tables = tables;
      this.#counted = this.what;
    }
    if (infoOf(this.format).table && !this.tables.some(({ table }) => table === this.table)) this.table = this.tables[0]?.table ?? "";
    const output = await Output.open(client, this.#spec);
    if (watch.stopped()) return;
    const head = await readHead(output, HEAD_BYTES, watch);
    const notes = watch.stopped() ? [] : await output.notes();
    if (watch.stopped()) return;
    this.#output = output;
    this.#head = head;
    this.#spent = false;
    this.notes = notes;
  }

  /** The export, from its beginning on. */
  async #fresh(watch: Watch): Promise<Output | undefined> {
    if (this.#spent || !this.#output) await this.#read(watch);
    return watch.stopped() ? undefined : this.#output;
  }

  readonly #save = async (): Promise<void> => {
    const name = fileName(this.store.state.file?.name ?? "log", this.format, this.table);
    const sink = await chooseSink(name);
    if (!sink) return;
    const watch = this.#begin("save");
    let parquet: ParquetTransform | undefined;
    const begin = async (): Promise<Output | undefined> => {
      if (this.format === "parquet") parquet = await ParquetTransform.start(await this.store.parquet(), this.store.state.seal.is === "sealed");
      return this.#fresh(watch);
    };
    await this.#run(watch, async () => {
      const output = await begin().catch(async (thrown: unknown) => {
        await sink.abort();
        throw thrown;
      });
      if (!output) return sink.abort();
      this.#spent = !output.ended;
      const wrote = (bytes: number): void => {
        if (!watch.stopped()) this.went = { ...this.went, bytes };
      };
      const bytes = await save(output, this.#head, sink, parquet, { ...watch, wrote });
      if (bytes === undefined || watch.stopped()) return;
      this.notes = await output.notes();
      this.said = `Saved ${name}: ${plural(bytes, "byte")}.`;
    });
    parquet?.stop();
  };

  readonly #copy = async (): Promise<void> => {
    const watch = this.#begin("copy");
    await this.#run(watch, async () => {
      const output = await this.#fresh(watch);
      if (!output) return;
      this.#head.push(...(await readHead(output, COPIED + 1 - this.#size, watch)));
      if (watch.stopped()) return;
      if (this.#size > COPIED || !output.ended) {
        this.said = "This is more than 1 MB: save it instead.";
        return;
      }
      const text = await new Blob(this.#head).text();
      this.notes = await output.notes();
      await navigator.clipboard.writeText(text);
      this.said = `Copied ${plural(this.#size, "byte")}.`;
    });
  };
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
