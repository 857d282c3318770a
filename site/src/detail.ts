// One event: its title, a line of facts, its problems, and its fields, rows or JSON.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement, hasModifier } from "./element.ts";
import { count, dateTime, plural } from "./format.ts";
import { lookOf, nameOf } from "./kinds.ts";
import type { Detail, Problem } from "./protocol.ts";
import { referencesOf, suggestionsOf } from "./items.ts";
import type { Tab, Zone } from "./state.ts";
import { base, chips, kinds, tabs } from "./styles.ts";
import "./json.ts";
import "./rows.ts";
import "./sql.ts";
import "./tree.ts";
import "./value.ts";

/** Problems listed above the tabs; the others are counted. */
const MAX_PROBLEMS = 3;

@customElement("binlog-detail")
export class BinlogDetail extends StoreElement {
  static override styles = [base, kinds, tabs, chips, css`
    :host {
      display: grid;
      grid-template: auto auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
      min-width: 0;
      min-height: 0;
      background: var(--panel);
    }
    .head {
      padding: 10px var(--pad) 2px;
    }
    :host([stacked]) .head {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      gap: 0 10px;
    }
    :host([stacked]) .head > * {
      grid-column: 2;
    }
    :host([stacked]) .head > .chips {
      grid-column: 1 / -1;
      flex-wrap: nowrap;
      overflow: auto hidden;
      scrollbar-width: none;
    }
    :host([stacked]) .chips button {
      flex: none;
    }
    h2 {
      margin: 0;
      font-size: 14px;
      font-weight: 600;
    }
    .facts {
      margin: 2px 0 0;
      color: var(--ink2);
    }
    .chips {
      margin: 6px 0;
    }
    .back {
      display: none;
    }
    :host([stacked]) .back {
      display: block;
      grid-column: 1;
      grid-row: 1 / 3;
      align-self: start;
    }
    .problems {
      margin: 0;
      padding: 0 var(--pad) 6px;
      list-style: none;
      color: var(--bad);
    }
    .panel {
      min-height: 0;
      display: grid;
      grid-template-rows: minmax(0, 1fr);
      padding-top: 4px;
    }
    .panel.rows {
      padding-top: 0;
    }
    .stale {
      opacity: 0.55;
      transition: opacity 0s 0.2s;
    }
    .hint {
      margin: 0;
      color: var(--ink2);
    }
  `];

  override focus(): void {
    const panel = this.find<HTMLElement>(".panel > :first-child");
    if (panel) panel.focus();
    else this.find(".back, .hint")?.focus();
  }

  override render(): TemplateResult {
    const { detail, detailFailure, selection } = this.store.state;
    const back = html`<button class="back" @click=${() => this.store.setPane("list")} aria-label="Back to the list">‹ List</button>`;
    if (!detail) {
      const text = detailFailure ? `This event could not be read: ${detailFailure.message}` : "Select an event to see its fields, its rows and its bytes.";
      return html`<div class="head">${back}<p class="hint" tabindex="-1" role=${detailFailure ? "alert" : nothing}>${text}</p>${detailFailure
        ? html`<p><button @click=${() => this.store.retry()}>Try again</button></p>`
        : nothing}</div>`;
    }
    const stale = selection.ordinal !== detail.ordinal;
    const { tab } = this.store;
    return html`
      <div class="head ${stale ? "stale" : ""}">${back}${this.#title(detail)}${facts(detail, this.store.state.zone)}${this.#chips()}</div>
      <ul class="problems" aria-label="Problems">${problems(detail)}${this.#large(detail)}</ul>
      <div class="tabs" role="tablist" aria-label="Parts of the event" @keydown=${this.#onKey}>
        ${this.#tabs(detail).map(([name, label]) => this.#tab(name, label, name === tab))}
      </div>
      <div class="panel ${tab} ${stale ? "stale" : ""}" role="tabpanel" aria-labelledby="tab-${tab}">
        ${tab === "rows"
          ? html`<binlog-rows .store=${this.store}></binlog-rows>`
          : tab === "json"
            ? html`<binlog-json .store=${this.store}></binlog-json>`
            : tab === "sql"
              ? html`<binlog-sql .store=${this.store}></binlog-sql>`
              : html`<binlog-tree .store=${this.store}></binlog-tree>`}
      </div>
      ${tab === "json" || tab === "sql" ? nothing : html`<binlog-value .store=${this.store}></binlog-value>`}
    `;
  }

  #title(detail: Detail): TemplateResult {
    const look = lookOf(detail);
    const name = detail.kind === "event" ? detail.type || nameOf(detail, this.store.typeNames) : nameOf(detail, {});
    const joint = detail.rows || look.glyph === "▤" ? " on " : " ";
    return html`<h2 class="clip" title=${detail.title}>
      <span class="kind ${look.css}"><span class="glyph" aria-hidden="true">${look.glyph}</span>${name}</span>${detail.title && detail.kind === "event"
        ? joint + detail.title
        : ""}
    </h2>`;
  }

  #chips(): TemplateResult {
    const { detail } = this.store.state;
    return html`<div class="chips" role="group" aria-label="Filter and go to">
      ${this.hasAttribute("stacked") ? html`<button @click=${() => this.store.setPane("hex")}>Bytes ›</button>` : nothing}
      ${suggestionsOf(this.store).map(({ label, filter }) => html`<button title=${`Filter: ${filter}`} @click=${() => this.store.filterBy(filter)}>${label}</button>`)}
      ${referencesOf(this.store).map(({ label, title, go }) => html`<button title=${title} @click=${go}>→ ${label}</button>`)}
      ${detail?.rows && detail.rows.names !== "metadata"
        ? html`<button title="Give a schema (s)" @click=${() => this.dispatchEvent(new CustomEvent("names", { bubbles: true, composed: true }))}>Names…</button>`
        : nothing}
      ${this.store.link === ""
        ? nothing
        : html`<button title="An address that leads to this event in this log, without the file's name (y)" @click=${() => void this.store.copy("link")}
            >Copy link</button
          >`}
    </div>`;
  }

  /** The way to what is not decoded of its own accord. */
  #large(detail: Detail): TemplateResult | typeof nothing {
    if (!detail.large) return nothing;
    return html`<li><button @click=${() => this.store.decodeWhole(detail.ordinal)}>Decode all ${plural(detail.size, "byte")}</button></li>`;
  }

  #tabs(detail: Detail): [Tab, string][] {
    const tabs: [Tab, string][] = [["fields", "Fields"]];
    if (detail.rows) tabs.push(["rows", `Rows ${count(detail.rows.total)}`]);
    if (this.store.statement !== undefined) tabs.push(["sql", "SQL"]);
    tabs.push(["json", "JSON"]);
    return tabs;
  }

  #tab(name: Tab, label: string, on: boolean): TemplateResult {
    return html`<button
      role="tab" id="tab-${name}" data-tab=${name} aria-selected=${on} tabindex=${on ? 0 : -1} @click=${() => this.store.setTab(name)}
    >${label}</button>`;
  }

  readonly #onKey = async (event: KeyboardEvent): Promise<void> => {
    const { detail } = this.store.state;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!detail || !step || hasModifier(event)) return;
    event.preventDefault();
    const names = this.#tabs(detail).map(([name]) => name);
    const next = names[(names.indexOf(this.store.tab) + step + names.length) % names.length];
    if (!next) return;
    this.store.setTab(next);
    await this.updateComplete;
    this.find(`#tab-${next}`)?.focus();
  };
}

function facts(detail: Detail, zone: Zone): TemplateResult {
  const parts = [`#${count(detail.ordinal)} at ${count(detail.offset)}${place(detail)}`];
  if (detail.kind === "event") {
    parts.push(dateTime(detail.timestamp, zone), `server ${count(detail.server_id)}`);
    parts.push(`next ${count(detail.next_position)}`);
    if (detail.checksum) parts.push(detail.checksum.ok ? "CRC matches" : "CRC does not match");
    if (detail.rows) parts.push(namesOf(detail.rows));
  } else {
    parts.push(plural(detail.size, "byte"));
  }
  return html`<p class="facts mono">${parts.join(" · ")}</p>`;
}

/** Which bytes the offset counts, where it is not those of the file. */
function place({ payload }: Detail): string {
  return payload ? ` inside the payload #${count(payload.ordinal)} at ${count(payload.offset)}` : "";
}

/** Where the columns have their names from. */
function namesOf({ names, names_at: at }: NonNullable<Detail["rows"]>): string {
  switch (names) {
    case "metadata":
      return "column names from the table map";
    case "ddl":
      return at === undefined ? "column names from the DDL in this log" : `column names from the DDL in #${count(at)}`;
    case "file":
      return "column names from your schema";
    case "none":
      return "no column names in this log";
  }
}

function problems(detail: Detail): TemplateResult[] {
  const shown = detail.problems.slice(0, MAX_PROBLEMS).map(problem);
  const more = detail.problems.length - shown.length;
  if (more > 0) shown.push(html`<li>and ${plural(more, "more problem")}</li>`);
  return shown;
}

function problem(it: Problem): TemplateResult {
  const where = it.path ? `${it.path}, ` : "";
  return html`<li><b>! ${it.kind}</b> at ${count(it.offset)} <span class="dim">(${where}body +${count(it.body_offset)})</span>: ${it.reason}</li>`;
}
