// The top line: what this is, what file is open and what its verdict is, what can be done with it.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { StoreElement } from "./element.ts";
import { dateTime, plural, shortSize } from "./format.ts";
import { isOpen, type State, type Theme } from "./state.ts";
import { base } from "./styles.ts";
import "./filterbox.ts";

const NAME = html`<svg viewBox="0 0 16 16" aria-hidden="true"
    ><circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="3" /></svg
  ><span>binlens</span>`;

const GLYPH: Readonly<Record<Theme, string>> = { system: "◐", light: "○", dark: "●" };

@customElement("binlog-toolbar")
export class BinlogToolbar extends StoreElement {
  /** Part of someone's page, which has a heading of its own. */
  @property({ type: Boolean }) embedded = false;

  static override styles = [base, css`
    :host {
      display: flex;
      align-items: center;
      gap: var(--pad);
      padding: 0 var(--pad);
      border-bottom: 1px solid var(--line);
      background: var(--panel);
      min-width: 0;
    }
    .name {
      margin: 0;
      font-weight: 650;
      letter-spacing: -0.01em;
      font-size: 15px;
      display: flex;
      gap: 8px;
      align-items: center;
    }
    .name svg {
      width: 16px;
      height: 16px;
      color: var(--accent);
    }
    .file {
      display: flex;
      flex-direction: column;
      line-height: 1.25;
      padding-left: var(--pad);
      border-left: 1px solid var(--line);
      min-width: 0;
    }
    .file b {
      font-weight: 600;
    }
    .file span {
      color: var(--ink2);
      font-size: var(--small);
    }
    .tools {
      display: flex;
      gap: 8px;
      margin-left: auto;
    }
    .away {
      visibility: hidden;
    }
    .slim {
      display: none;
    }
    binlens-filter {
      flex: 1 1 320px;
      max-width: 760px;
      min-width: 0;
      margin-left: auto;
    }
    @media (max-width: 900px) {
      :host {
        flex-wrap: wrap;
        row-gap: 8px;
        padding-block: 8px;
      }
      .file {
        flex: 1;
      }
      binlens-filter {
        order: 1;
        flex-basis: 100%;
        max-width: none;
      }
    }
    @media (max-width: 620px) {
      :host {
        gap: 8px;
        padding-inline: 8px;
      }
      .file {
        padding-left: 8px;
      }
      .tools {
        gap: 4px;
      }
      .name span {
        position: absolute;
        clip-path: inset(50%);
      }
      .wide {
        display: none;
      }
      .slim {
        display: inline;
      }
      .away {
        display: none;
      }
    }
  `];

  focusFilter(): void {
    this.find("binlens-filter")?.focus();
  }

  override render(): TemplateResult {
    const { store } = this;
    const { state } = store;
    const { theme, phase, file } = state;
    return html`
      ${this.embedded ? html`<div class="name">${NAME}</div>` : html`<h1 class="name">${NAME}</h1>`}
      ${file
        ? html`<div class="file"><b class="clip">${file.name}</b><span class="clip" title=${span(state)}>${verdict(state)}</span></div>`
        : nothing}
      ${isOpen(phase)
        ? html`<binlens-filter
            .text=${state.asked} .answer=${state.answer} .progress=${state.filtered} .complete=${store.sources.complete}
            @filter=${(event: CustomEvent<{ text: string }>) => void store.setFilter(event.detail.text)} @cancel=${() => store.stopFilter()}
          ></binlens-filter>`
        : nothing}
      <div class="tools">
        <button class=${phase === "indexing" ? "" : "away"} @click=${() => this.store.cancel()}>Cancel</button>
        ${isOpen(phase)
          ? html`<button aria-label="Export…" title="Write SQL, undo, text, JSON, CSV or Parquet (e)"
              @click=${() => this.dispatchEvent(new CustomEvent("export", { bubbles: true, composed: true }))}
              ><span class="wide">Export…</span><span class="slim" aria-hidden="true">↓</span></button>`
          : nothing}
        ${file && !state.fixed
          ? html`<button @click=${() => this.dispatchEvent(new CustomEvent("browse", { bubbles: true, composed: true }))}
              >Open<span class="wide"> another</span>…</button>`
          : nothing}
        <button aria-label="Theme: ${theme}" title="Theme: ${theme}" @click=${() => this.store.nextTheme()}>${GLYPH[theme]}</button>
        <button aria-label="Keys" title="Keys (?)" @click=${() => this.dispatchEvent(new CustomEvent("help", { bubbles: true, composed: true }))}>?</button>
      </div>
    `;
  }
}

const FAMILY = { mysql: "MySQL", mariadb: "MariaDB", "": "" } as const;

/** "7.9 kB · MariaDB 10.11.6 · CRC32 · closed cleanly": size, server, checksum, state; what is unknown is left out. */
function verdict({ file, summary, phase }: State): string {
  const parts = [shortSize(file?.size ?? 0)];
  if (summary && phase !== "refused") {
    parts.push(`${FAMILY[summary.family]} ${summary.serverVersion.replace(/-(MariaDB|log)\b.*$/, "")}`.trim());
    parts.push(summary.checksum === "NONE" ? "no checksums" : summary.checksum);
    parts.push(summary.state);
  }
  return parts.filter((part) => part !== "").join(" · ");
}

/** What the verdict leaves out: the exact size, the server's whole name for itself, the times. */
function span({ summary, file, zone }: State): string {
  const parts = [plural(file?.size ?? 0, "byte")];
  if (summary?.serverVersion) parts.push(`server ${summary.serverVersion}, format version ${summary.binlogVersion}`);
  if (summary && summary.firstTime !== 0) parts.push(`${dateTime(summary.firstTime, zone)} to ${dateTime(summary.lastTime, zone)}`);
  return parts.join(" · ");
}
