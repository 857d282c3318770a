// The public JSON of the shown event (one object, as `binlens dump` prints it), indented, line by line.
import { css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { style } from "./css.ts";
import { StoreElement, hasModifier } from "./element.ts";
import { shortSize } from "./format.ts";
import { breakLines, pretty } from "./pretty.ts";
import { BinlensError } from "./protocol.ts";
import { base, textPane, virtual } from "./styles.ts";
import { Virtual } from "./virtual.ts";

const LINE = 18;
/** Text beyond this is not laid out; Copy and Save give all of it. */
const MAX_LAID_OUT = 8_000_000;

@customElement("binlog-json")
export class BinlogJson extends StoreElement {
  @state() private message = "";
  @state() private columns = 80;

  readonly #virtual = new Virtual(this, { rowHeight: LINE, head: 0 });
  readonly #resized = new ResizeObserver(() => this.#fit());
  #ordinal = -1;
  #json = "";
  #text = "";
  #starts: Uint32Array = new Uint32Array(1);

  static override styles = [base, virtual, textPane, css`
    .lines {
      padding: 0 var(--pad);
    }
    .line {
      height: 18px;
      line-height: 18px;
      white-space: pre;
      overflow: hidden;
    }
    .probe {
      position: absolute;
      visibility: hidden;
      white-space: pre;
    }
  `];

  override focus(): void {
    this.find(".viewport")?.focus({ preventScroll: true });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const ordinal = this.store.state.detail?.ordinal ?? -1;
    if (ordinal !== this.#ordinal) void this.#load(ordinal);
    if (changed.has("columns" as keyof BinlogJson)) this.#starts = breakLines(this.#text, this.columns);
    this.#virtual.setTotal(this.#text === "" ? 0 : this.#starts.length - 1);
  }

  override render(): TemplateResult {
    const { anchor } = this.#virtual;
    const lines: TemplateResult[] = [];
    for (let i = anchor.row; i < anchor.end; i++) {
      lines.push(html`<div class="line">${this.#text.slice(this.#starts[i], this.#starts[i + 1]).replace(/\n$/, "")}</div>`);
    }
    const cut = this.#json.length > MAX_LAID_OUT ? ` · the first ${shortSize(MAX_LAID_OUT)} are shown` : "";
    return html`
      <div class="bar">
        <button @click=${this.#copy} ?disabled=${this.#json === ""}>Copy</button>
        <button @click=${this.#save} ?disabled=${this.#json === ""}>Save as file</button>
        <span role="status">${this.message || `${shortSize(this.#json.length)}${cut}`}</span>
      </div>
      <div class="viewport mono" role="group" tabindex="0" aria-label="Event as JSON" @keydown=${this.#onKey}>
        <span class="probe" aria-hidden="true">0000000000</span>
        <div class="spacer"><div class="frame"><div class="lines" ${style({ transform: `translateY(${-anchor.px}px)` })}>${lines}</div></div></div>
      </div>
    `;
  }

  async #load(ordinal: number): Promise<void> {
    this.#ordinal = ordinal;
    this.message = "";
    let json = "";
    try {
      if (ordinal >= 0) json = await this.store.json(ordinal);
    } catch (thrown) {
      if (ordinal === this.#ordinal) this.message = BinlensError.toFailure(thrown).message;
    }
    if (ordinal !== this.#ordinal) return;
    this.#json = json;
    this.#text = pretty(json.slice(0, MAX_LAID_OUT));
    this.#starts = breakLines(this.#text, this.columns);
    this.#virtual.setTotal(0);
    this.requestUpdate();
  }

  #fit(): void {
    const probe = this.find(".probe")?.getBoundingClientRect().width ?? 0;
    if (probe > 0) this.columns = Math.max(20, Math.floor((this.clientWidth - 44) / (probe / 10)));
  }

  readonly #copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.#json);
      this.message = "copied";
    } catch {
      this.message = "the browser did not allow to copy";
    }
  };

  readonly #save = (): void => {
    const url = URL.createObjectURL(new Blob([this.#json], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `event-${this.#ordinal}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (hasModifier(event)) return;
    const { anchor } = this.#virtual;
    const to: Record<string, number> = {
      ArrowDown: anchor.top + LINE,
      ArrowUp: anchor.top - LINE,
      PageDown: anchor.top + anchor.height - LINE,
      PageUp: anchor.top - anchor.height + LINE,
      Home: 0,
      End: anchor.maxTop,
    };
    const top = to[event.key];
    if (top === undefined) return;
    event.preventDefault();
    if (anchor.to(top)) this.requestUpdate();
  };
}
