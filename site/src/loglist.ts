// The logs at hand, in the order of their first events: one click opens another one where it was left.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement } from "./element.ts";
import { dateTime, shortSize } from "./format.ts";
import { base } from "./styles.ts";

@customElement("binlog-loglist")
export class BinlogLoglist extends StoreElement {
  static override styles = [base, css`
    :host {
      display: block;
      background: var(--sunk);
    }
    ul {
      display: flex;
      gap: 4px;
      margin: 0;
      padding: 4px var(--pad);
      list-style: none;
      border-bottom: 1px solid var(--line);
      overflow: auto hidden;
    }
    li {
      display: flex;
      flex: none;
    }
    button {
      height: 24px;
      padding: 0 8px;
      font-size: 12px;
      color: var(--ink2);
    }
    .log {
      border-radius: var(--radius) 0 0 var(--radius);
    }
    .close {
      border-left: 0;
      border-radius: 0 var(--radius) var(--radius) 0;
      padding: 0 7px;
    }
    [aria-current] {
      color: var(--ink);
      font-weight: 600;
      background: var(--sel);
      border-color: var(--accent);
    }
    @media (forced-colors: active) {
      [aria-current] {
        border-color: Highlight;
      }
    }
  `];

  override render(): TemplateResult | typeof nothing {
    const { logs, log: open, zone } = this.store.state;
    if (logs.length < 2) return nothing;
    return html`<nav aria-label="Logs"><ul>
      ${logs.map(
        ({ id, file, time }) => html`<li
          ><button
            class="log" aria-current=${id === open ? "true" : nothing} title="${shortSize(file.size)} · begins ${dateTime(time, zone)}"
            @click=${() => this.store.switchTo(id)}
            >${file.name}</button
          ><button class="close" aria-label="Take ${file.name} off the list" @click=${() => this.store.remove(id)}>×</button></li
        >`,
      )}
    </ul></nav>`;
  }
}
