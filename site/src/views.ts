// The views of a log as tabs, each with what there is to count. A view that the decoder cannot fill yet has no tab.
import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement, hasModifier } from "./element.ts";
import { count } from "./format.ts";
import type { State, View } from "./state.ts";
import { base, tabs } from "./styles.ts";

interface Offer {
  view: View;
  label: string;
  /** What stands behind the label; null while the view is not offered. */
  count(state: State): string | null;
}

export const OFFERS: readonly Offer[] = [
  { view: "events", label: "Events", count: eventsOf },
  { view: "transactions", label: "Transactions", count: transactionsOf },
  { view: "tables", label: "Tables", count: ({ survey }) => (survey ? count(survey.tables) : "…") },
  { view: "problems", label: "Problems", count: ({ progress }) => count(progress?.problems ?? 0) },
];

function eventsOf({ progress, filtered }: State): string {
  const all = count(progress?.events ?? 0);
  return filtered ? `${count(filtered.matched)} of ${all}` : all;
}

function transactionsOf({ survey, filtered }: State): string {
  const all = survey ? count(survey.transactions) : "…";
  return filtered ? `${count(filtered.touched)} of ${all}` : all;
}

/** The views that can be shown now, in their order. */
export function offered(state: State): Offer[] {
  return OFFERS.filter((offer) => offer.count(state) !== null);
}

/** The view that shows: a link may ask for one that is not offered. */
export function viewOf(state: State): View {
  return offered(state).some(({ view }) => view === state.view) ? state.view : "events";
}

@customElement("binlog-views")
export class BinlogViews extends StoreElement {
  static override styles = [base, tabs, css`
    :host {
      display: block;
      background: var(--panel);
    }
    .tabs {
      padding: 0 4px;
    }
    .tabs button {
      height: 34px;
    }
    .warn span {
      color: var(--bad);
    }
    span {
      color: var(--ink3);
      margin-left: 4px;
    }
    @media (max-width: 480px) {
      .tabs {
        gap: 0;
      }
      .tabs button {
        padding: 0 6px;
      }
      span {
        font-size: var(--small);
      }
    }
  `];

  override focus(): void {
    this.find("[aria-selected=true]")?.focus();
  }

  override render(): TemplateResult {
    const { state } = this.store;
    const shown = viewOf(state);
    return html`<div class="tabs" role="tablist" aria-label="Views of the log" @keydown=${this.#onKey}>
      ${offered(state).map(({ view, label, count: counted }) => {
        const on = view === shown;
        const warn = view === "problems" && (state.progress?.problems ?? 0) > 0;
        return html`<button
          role="tab" id="view-${view}" aria-selected=${on} tabindex=${on ? 0 : -1} class=${warn ? "warn" : ""}
          @click=${() => this.store.setView(view)}
        >${label}<span class="mono">${counted(state)}</span></button>`;
      })}
    </div>`;
  }

  readonly #onKey = async (event: KeyboardEvent): Promise<void> => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || hasModifier(event)) return;
    event.preventDefault();
    const views = offered(this.store.state).map(({ view }) => view);
    const next = views[(views.indexOf(viewOf(this.store.state)) + step + views.length) % views.length];
    if (!next) return;
    this.store.setView(next);
    await this.updateComplete;
    this.focus();
  };
}
