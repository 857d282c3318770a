// The dialog that takes a schema, and tells what came of those that were given.
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { dialogs, forms } from "./dialog-styles.ts";
import { StoreElement } from "./element.ts";
import { count, plural } from "./format.ts";
import type { Schema } from "./schemas.ts";
import { base } from "./styles.ts";

/** Warnings of one schema that are listed; the others are counted. */
const MOST = 100;

@customElement("binlens-names")
export class BinlensNames extends StoreElement {
  #pasted = 0;

  static override styles = [base, dialogs, forms];

  show(): void {
    const dialog = this.find<HTMLDialogElement>("dialog");
    if (dialog && !dialog.open) dialog.showModal();
  }

  override render(): TemplateResult {
    const { schemas } = this.store;
    return html`<dialog aria-labelledby="title" @keydown=${(event: KeyboardEvent) => event.stopPropagation()}>
      <div class="head"><h2 id="title">Names of columns</h2><button @click=${() => this.find<HTMLDialogElement>("dialog")?.close()}>Close</button></div>
      <p>
        Where a log does not name its columns, the names come from the DDL in it, and else from a schema that you give: what
        <code>SHOW CREATE TABLE</code> says, or <code>mysqldump --no-data</code>. It stays in this page.
      </p>
      <div class="fields">
        <label for="sql">SQL</label>
        <textarea id="sql" class="mono" rows="8" autofocus spellcheck="false" placeholder="CREATE TABLE …"></textarea>
      </div>
      <div class="foot">
        <div role="status">${schemas.length === 0 ? nothing : html`<ul class="remarks" tabindex="0" aria-label="Schemas">${schemas.map(told)}</ul>`}</div>
        <div class="buttons">
          <button @click=${() => this.dispatchEvent(new CustomEvent("browse", { bubbles: true, composed: true }))}>Choose a .sql file…</button><button class="main" @click=${this.#take}>Take these names</button>
        </div>
      </div>
    </dialog>`;
  }

  readonly #take = (): void => {
    const area = this.find<HTMLTextAreaElement>("textarea");
    if (!area || area.value.trim() === "") {
      area?.focus();
      return;
    }
    void this.store.addSchemas([new File([area.value], `pasted ${++this.#pasted}`)]);
    area.value = "";
    area.focus();
  };
}

function told({ name, answer }: Schema): TemplateResult {
  if (!answer) return html`<li>${name}: for the logs that are opened</li>`;
  const { tables, warnings } = answer;
  const more = warnings.length - MOST;
  return html`<li>
    ${name}: ${plural(tables, "table is", "tables are")} named now${warnings.length === 0 ? "" : `; ${plural(warnings.length, "clause was", "clauses were")} skipped`}
    ${warnings.slice(0, MOST).map(({ offset, reason }) => html`<div>at byte ${count(offset)}: ${reason}</div>`)}${more > 0 ? html`<div>and ${count(more)} more</div>` : nothing}
  </li>`;
}
