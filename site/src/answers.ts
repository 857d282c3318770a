// Answers the requests of viewdata.ts with the Go program's exports.
import type { Engine } from "./engine.ts";
import { AXES, TABLE_ORDERS, TRANSACTION_ORDERS, type ViewRequest, type ViewResults } from "./viewdata.ts";

export function answerView(go: Engine, ask: ViewRequest): ViewResults[keyof ViewResults] {
  switch (ask.op) {
    case "transactions":
      return go.call("transactions", (b) => b.transactions(TRANSACTION_ORDERS.indexOf(ask.order), ask.from, ask.n));
    case "transaction":
      return go.call("transaction", (b) => b.transaction(ask.number));
    case "place":
      return go.call("place", (b) => b.place(TRANSACTION_ORDERS.indexOf(ask.order), ask.number));
    case "tables":
      return go.call("tables", (b) => b.tables(TABLE_ORDERS.indexOf(ask.order), ask.from, ask.n));
    case "totals":
      return go.call("totals", (b) => b.totals());
    case "checks":
      return go.call("checks", (b) => b.checks(ask.from, ask.n));
    case "timeline":
      return go.call("timeline", (b) => b.timeline(AXES.indexOf(ask.axis), ask.from, ask.to, ask.bins, ask.matched));
    case "filter":
      return go.call("filter", (b) => b.filter(ask.text));
    case "rank":
      return go.call("rank", (b) => b.rank(ask.ordinal));
    case "complete":
      return go.call("complete", (b) => b.complete(ask.text, ask.cursor));
  }
}
