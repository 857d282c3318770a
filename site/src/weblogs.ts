// Logs by their addresses: those that the site lists, and a box for any other. A page that has sealed itself leads to the
// page that can open them.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement } from "./element.ts";
import { shortSize } from "./format.ts";
import { writeLink } from "./hash.ts";
import { START } from "./state.ts";
import { base } from "./styles.ts";

@customElement("binlens-weblogs")
export class BinlensWeblogs extends StoreElement {
  static override styles = [base, css`
    :host {
      display: grid;
      gap: 10px;
      justify-items: center;
      width: 100%;
    }
    form {
      display: flex;
      flex-wrap: wrap;
      gap: 8px;
      justify-content: center;
      width: 100%;
    }
    input {
      flex: 1 1 260px;
      min-width: 0;
      height: 32px;
      padding: 0 10px;
      border: 1px solid var(--line2);
      border-radius: var(--radius);
      background: var(--bg);
      color: inherit;
      font: var(--code) var(--mono);
    }
    section {
      width: 100%;
    }
    h3 {
      margin: 0 0 4px;
      font-size: var(--size);
      font-weight: 600;
    }
    ul {
      margin: 0;
      padding: 0;
      list-style: none;
      max-height: 190px;
      overflow: auto;
    }
    a {
      color: var(--accent);
    }
    p {
      margin: 0;
      color: var(--ink2);
    }
  `];

  override render(): TemplateResult {
    const { logs, opener } = this.store.offered;
    const { reaches } = this.store;
    const { wanted } = this.store.state;
    return html`
      ${reaches
        ? html`<form @submit=${this.#submit}>
            <input type="url" required aria-label="Address of a log" placeholder="https://…" autocomplete="off" spellcheck="false" />
            <button>Open</button>
          </form>`
        : nothing}
      ${logs.length > 0
        ? html`<section aria-label="Logs of this site">
            <h3>Logs of this site</h3>
            <ul>
              ${logs.map(
                ({ name, size, url }) => html`<li>
                  <a href=${opener + writeLink({ mark: "", src: url, place: START })}>${name}</a> <span class="dim">${shortSize(size)}</span>
                </li>`,
              )}
            </ul>
          </section>`
        : nothing}
      ${reaches
        ? html`<p>A file of this machine is opened on <a href="../">the page that seals itself</a>.</p>`
        : opener !== ""
          ? html`<p><a href=${opener + (wanted?.src ? writeLink(wanted) : "")}>Open a log by its address</a>, on a page that does not seal itself</p>`
          : nothing}
    `;
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const input = this.find<HTMLInputElement>("input");
    if (input?.value) void this.store.openUrl(input.value);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "binlens-weblogs": BinlensWeblogs;
  }
}
