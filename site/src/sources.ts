// What the views ask the decoder.
import type { Client } from "./client.ts";
import type { Axis, TableOrder, TransactionOrder } from "./viewdata.ts";

/** Made anew for every log: a view that is given other ones forgets what it has. */
export type Sources = ReturnType<typeof sourcesOf>;

export function sourcesOf(client: () => Client) {
  return {
    timeline: (...part: [axis: Axis, from: number, to: number, bins: number, matched: boolean]) => client().timeline(...part),
    transactions: (order: TransactionOrder, from: number, n: number) => client().transactions(order, from, n),
    place: (order: TransactionOrder, number: number) => client().place(order, number),
    /** Events by their ordinals, whatever the list's filter is. */
    events: (first: number, n: number) => client().page(first, n, true),
    tables: (order: TableOrder, from: number, n: number) => client().tables(order, from, n),
    totals: () => client().totals(),
    complete: (text: string, cursor: number) => client().complete(text, cursor),
  };
}
