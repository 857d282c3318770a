// What has happened to the open log, and what can be done about it: one line above the list, for as long as it holds.
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { StoreElement } from "./element.ts";
import { plural, shortSize } from "./format.ts";
import type { Store } from "./store.ts";
import { base } from "./styles.ts";

interface Advice {
  /** Names the case, so that it is told once when it begins. */
  is: string;
  bad: boolean;
  text: string;
  ways: readonly [label: string, go: () => void][];
}

@customElement("binlog-banner")
export class BinlogBanner extends StoreElement {
  static override styles = [base, css`
    :host {
      display: block;
      background: var(--panel);
    }
    div {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 10px;
      align-items: center;
      padding: 5px var(--pad);
      border-bottom: 1px solid var(--line);
      background: var(--accent-bg);
    }
    .bad {
      background: color-mix(in srgb, var(--bad) 9%, var(--panel));
    }
    .bad::before {
      content: "!";
      font: 700 13px var(--mono);
      color: var(--bad);
    }
    p {
      margin: 0;
      flex: 0 1 auto;
    }
    button {
      height: 24px;
      padding: 0 9px;
      font-size: 12px;
    }
  `];

  /** What was put away, for this log. */
  #away = "";

  override render(): TemplateResult | typeof nothing {
    const advice = adviceOf(this.store);
    const key = `${this.store.state.log} ${advice?.is ?? ""}`;
    if (!advice || this.#away === key) return nothing;
    return html`<div class=${advice.bad ? "bad" : ""} role=${advice.is === "hung" ? "alert" : "status"}>
      <p>${advice.text}</p>
      ${advice.ways.map(([label, go]) => html`<button @click=${go}>${label}</button>`)}
      ${this.store.state.notice ? nothing : html`<button @click=${() => this.#putAway(key)}>Dismiss</button>`}
    </div>`;
  }

  #putAway(key: string): void {
    this.#away = key;
    this.requestUpdate();
  }
}

function adviceOf(store: Store): Advice | undefined {
  const { phase, hung, cut, progress, failure, summary, kinds, view } = store.state;
  const done = `${shortSize(progress?.bytes ?? 0)} of ${shortSize(progress?.size ?? 0)}`;
  if (hung) {
    const text =
      "The decoder has not answered for ten seconds. It may still be at work on something very large, or be stuck. " +
      "Your file is kept either way.";
    return { is: "hung", bad: true, text, ways: [["Start the decoder again", () => store.restart()]] };
  }
  const toProblems = (): void => store.setView("problems");
  switch (phase) {
    case "cancelled": {
      const why = cut ? `This log is shown up to the place where the decoder stopped, at ${done}.` : `Indexing was stopped at ${done}.`;
      const way: Advice["ways"][0] = cut ? ["Try all of it again", () => store.again()] : ["Go on", () => store.goOn()];
      return { is: phase, bad: cut, text: `${why} What is listed can be used.`, ways: [way] };
    }
    case "failed": {
      const text =
        `The log could not be read beyond ${done}: ${failure?.message ?? ""}. What is listed can be used.` +
        (store.origin === "" ? " Has the file changed, or its disk gone?" : "");
      return { is: phase, bad: true, text, ways: [["Read it again", () => store.again()]] };
    }
    case "done":
      break;
    default:
      return undefined;
  }
  if (!kinds || !progress?.problems || view === "problems") return undefined;
  if (store.encrypted) {
    const text =
      "Events of this log are encrypted: they are listed with their sizes, and can be read only with the server's key. " +
      "mysqlbinlog or mariadb-binlog can fetch them decrypted with --read-from-remote-server.";
    return { is: "encrypted", bad: false, text, ways: [] };
  }
  if (summary?.state === "ends inside an event") {
    const text = "This log ends inside an event: it was cut off, or is still being written. Everything before that is here.";
    return { is: "truncated", bad: false, text, ways: [["Show the problems", toProblems]] };
  }
  const damaged = kinds.corrupt + kinds.checksum;
  if (damaged === 0) return undefined;
  const text =
    `${plural(damaged, "place")} of this log ${damaged === 1 ? "is" : "are"} damaged. ` +
    "The bytes are listed where they are, and reading went on behind them.";
  return { is: "damaged", bad: true, text, ways: [["Show the problems", toProblems]] };
}
