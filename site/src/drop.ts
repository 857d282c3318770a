// What the page shows when no log is open: what it is, how a file gets in, and what does not get out.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement } from "./element.ts";
import { count, shortSize } from "./format.ts";
import type { State } from "./state.ts";
import { base } from "./styles.ts";
import "./weblogs.ts";

@customElement("binlog-drop")
export class BinlogDrop extends StoreElement {
  static override styles = [base, css`
    :host {
      display: grid;
      place-items: center;
      padding: 24px var(--pad);
      overflow: auto;
      min-height: 0;
    }
    .box {
      width: min(620px, 100%);
      display: grid;
      gap: 18px;
      justify-items: center;
      text-align: center;
      padding: 40px 28px;
      border: 1.5px dashed var(--line2);
      border-radius: 12px;
      background: var(--panel);
    }
    h2 {
      margin: 0;
      font-size: 19px;
      font-weight: 600;
      letter-spacing: -0.01em;
      text-wrap: balance;
    }
    p {
      margin: 0;
      color: var(--ink2);
      max-width: 56ch;
      text-wrap: pretty;
    }
    .ways {
      display: flex;
      gap: 8px;
      flex-wrap: wrap;
      justify-content: center;
    }
    .main {
      background: var(--accent);
      border-color: var(--accent);
      color: var(--panel);
      font-weight: 550;
    }
    .main:hover {
      background: var(--accent);
      filter: brightness(1.08);
    }
    .main:focus-visible {
      outline-offset: 2px;
    }
    .privacy {
      border-top: 1px solid var(--line);
      padding-top: 16px;
      font-size: 12.5px;
    }
    .wrong {
      color: var(--ink);
    }
    .wrong b {
      color: var(--bad);
    }
  `];

  override focus(): void {
    this.find(".main")?.focus();
  }

  override render(): TemplateResult {
    const { store } = this;
    const { state } = store;
    const { phase, fetching, fixed, seal } = state;
    const failed = phase === "lost" || phase === "refused";
    return html`
      <div class="box">
        ${headline(state, store.ready)}
        ${failed && store.source !== "" && seal.is !== "sealed" ? html`<p><a href=${store.source}>${store.source}</a></p>` : nothing}
        <div class="ways">${this.#ways(state)}</div>
        ${phase === "lost" || fixed || fetching ? nothing : html`<binlens-weblogs .store=${store}></binlens-weblogs>`}
        ${phase === "lost" || fixed ? nothing : privacy(state)}
      </div>
    `;
  }

  /** What can be done now. */
  #ways({ phase, fetching, fixed, seal }: State): TemplateResult | typeof nothing {
    const { store } = this;
    if (fetching) return html`<button class="main" @click=${() => store.stopFetching()}>Cancel</button>`;
    if (phase === "lost") {
      const again = store.running ? html`<button class="main" @click=${() => store.restart()}>Start the decoder again</button>` : nothing;
      if (seal.is === "foreign") return again;
      return html`${again}<button class=${store.running ? "" : "main"} @click=${() => location.reload()}>Load the page again</button>`;
    }
    if (fixed || store.reaches) return nothing;
    const browse = (): boolean => this.dispatchEvent(new CustomEvent("browse", { bubbles: true, composed: true }));
    const choice = phase === "refused" ? "Choose another file…" : "Choose a file…";
    return html`
      <button class="main" @click=${browse}>${choice}</button>
      ${phase === "loading" || store.sampled
        ? html`<button ?disabled=${phase === "loading"} @click=${() => store.openSample()}>Open the sample log</button>`
        : nothing}
    `;
  }
}

function headline({ phase, file, failure, wanted, fetching, seal, fixed }: State, ran: boolean): TemplateResult {
  if (fetching) {
    const { name, host, bytes, size } = fetching;
    const far = size > 0 ? `${shortSize(bytes)} of ${shortSize(size)}` : shortSize(bytes);
    return html`<h2 role="status">Reading ${name} from ${host}…</h2>
      <p>${bytes > 0 ? `${far}: this server has no ranges, so the log is read whole first` : nothing}</p>`;
  }
  if (phase === "lost") {
    const title = ran ? "The decoder stopped again and again" : "The decoder could not be started";
    return html`<div role="alert"><h2>${title}</h2><p class="wrong">${failure?.message ?? ""}</p>
      ${file && ran
        ? html`<p>${file.name} is still at hand. If the memory was not enough, closing other tabs may help; the program for the terminal
            reads logs of any size.</p>`
        : nothing}
      ${seal.is === "foreign" && !ran
        ? html`<p>The policy of this page has to allow it: <span class="mono">script-src 'wasm-unsafe-eval'; worker-src blob:</span></p>`
        : nothing}</div>`;
  }
  if (phase === "refused") {
    const title = failure?.kind === "not_binlog" ? "is not a binary log" : "could not be opened";
    return html`<div role="alert"><h2>${file?.name ?? "This file"} ${title}</h2><p class="wrong">${reason(failure)}</p></div>`;
  }
  if (phase === "loading" && file) return html`<h2 role="status">${file.name} opens as soon as the decoder is loaded…</h2>`;
  if (fixed) return html`<h2 role="status">${phase === "loading" ? "Loading…" : "No log is open"}</h2>`;
  return html`<h2>${seal.is === "network" ? "Open a MySQL or MariaDB binary log by its address" : "Drop a MySQL or MariaDB binary log here"}</h2>
    <p>See every event, every field, every byte and every row value: what was written, when, in which transaction.</p>
    ${wanted
      ? html`<p class="wrong" role="status"
          >This address points to ${wanted.place.ordinal < 0 ? "a log" : `event #${count(wanted.place.ordinal)} of a log`}: open that log to get there.</p
        >`
      : nothing}`;
}

/** The decoder's words, without the part that the headline has said. */
function reason(failure: State["failure"]): string {
  const words = (failure?.message ?? "").replace(/^this is not a binary log: /, "");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function privacy({ seal }: State): TemplateResult {
  if (seal.is === "network") {
    return html`<p class="privacy">The log is read by your browser from the server that you name. What it holds is sent nowhere else.</p>`;
  }
  if (seal.is === "foreign" || seal.is === "broken") {
    return html`<p class="privacy">The file is read inside this page and is not uploaded by it.</p>`;
  }
  return html`<p class="privacy">
    Nothing is uploaded. The file is read inside this page, which gives up its own means of sending before a file is opened
    (<span class="mono">connect-src 'none'</span>); the line at the bottom counts the requests made since. Your browser's
    network tab shows the same.
  </p>`;
}
