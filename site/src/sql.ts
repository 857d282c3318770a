// The statement of an event, whole.
import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement } from "./element.ts";
import { plural } from "./format.ts";
import { base, textPane } from "./styles.ts";

/** Characters that are laid out; Copy gives all. */
const MAX_SHOWN = 500_000;

@customElement("binlog-sql")
export class BinlogSql extends StoreElement {
  static override styles = [base, textPane, css`
    pre {
      margin: 0;
      padding: 0 var(--pad) 8px;
      overflow: auto;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  `];

  override focus(): void {
    this.find("pre")?.focus();
  }

  override render(): TemplateResult {
    const sql = this.store.statement ?? "";
    const db = this.store.state.detail?.nodes.find(({ path }) => path === "db")?.value;
    const cut = sql.length > MAX_SHOWN ? `, the first ${plural(MAX_SHOWN, "character")} shown` : "";
    return html`
      <div class="bar">
        <button @click=${this.#copy}>Copy</button>
        <span>${db ? `in database ${db} · ` : ""}${plural(sql.length, "character")}${cut}</span>
      </div>
      <pre class="mono" tabindex="0" role="group" aria-label="Statement">${sql.slice(0, MAX_SHOWN)}</pre>
    `;
  }

  readonly #copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(this.store.statement ?? "");
      this.store.say("copied the statement");
    } catch {
      this.store.say("the browser did not allow to copy");
    }
  };
}
