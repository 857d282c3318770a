// A page for the tests of single elements: it mounts them with the data of the real worker, without the page's store.
import { html, render } from "lit";
import { loadAssets } from "../src/assets.ts";
import { Client } from "../src/client.ts";
import type { BinlensFilter } from "../src/filterbox.ts";
import type { FilterProgress, SurveyProgress } from "../src/viewdata.ts";
import tokens from "../src/tokens.css";
import "../src/filterbox.ts";
import "../src/tables.ts";
import "../src/timeline.ts";
import "../src/transactions.ts";

const sheet = new CSSStyleSheet();
sheet.replaceSync(tokens.replaceAll(":host", ":root") + "body { margin: 0; background: var(--panel); color: var(--ink); font: var(--size) / 1.4 var(--font); }");
document.adoptedStyleSheets = [sheet];

const heard: { name: string; detail: unknown }[] = [];
for (const name of ["range", "filter", "pick", "open", "cancel"]) {
  document.addEventListener(name, (event) => heard.push({ name, detail: (event as CustomEvent).detail as unknown }));
}

const assets = await loadAssets(new URL("./", location.href));
const sample = new File([await (await fetch("sample.binlog")).arrayBuffer()], "sample.binlog");
let survey: SurveyProgress | undefined;
let filtered: FilterProgress | undefined;
let typeNames: Record<string, string> = {};
const surveyed = new Promise<void>((resolve) => {
  Object.assign(window, { resolveSurvey: resolve });
});
const client = new Client({ module: assets.module, worker: assets.worker }, false, (event) => {
  if (event.is === "ready") typeNames = event.typeNames;
  if (event.is === "survey") survey = event.progress;
  if (event.is === "survey" && event.progress.done) (window as unknown as { resolveSurvey(): void }).resolveSurvey();
  if (event.is === "filter") filtered = event.progress;
});
client.start();
await client.open(sample);
await surveyed;

/** Mounts one element in a box of a height. */
async function mount(name: string, height: number): Promise<void> {
  const total = survey?.transactions ?? 0;
  const tables = survey?.tables ?? 0;
  const choices: Record<string, unknown> = {
    timeline: html`<binlens-timeline .load=${client.timeline.bind(client)}></binlens-timeline>`,
    transactions: html`<binlens-transactions
      .total=${total} .load=${client.transactions.bind(client)} .place=${client.place.bind(client)} .events=${client.page.bind(client)} .typeNames=${typeNames}
    ></binlens-transactions>`,
    tables: html`<binlens-tables .total=${tables} .load=${client.tables.bind(client)} .totals=${client.totals.bind(client)}></binlens-tables>`,
    filter: html`<binlens-filter .complete=${client.complete.bind(client)} @filter=${onFilter}></binlens-filter>`,
  };
  const main = document.querySelector("main");
  if (!main) throw new Error("no main");
  render(choices[name], main);
  const element = main.firstElementChild as HTMLElement;
  element.style.height = `${height}px`;
  await document.fonts.ready;
}

async function onFilter(event: CustomEvent<{ text: string }>): Promise<void> {
  const box = event.currentTarget as BinlensFilter;
  box.answer = await client.filter(event.detail.text);
}

Object.assign(window, { mount, heard, client, survey: () => survey, filtered: () => filtered });
document.documentElement.dataset["ready"] = "";
