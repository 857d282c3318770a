// The lines of a list of transactions of which some are open: which line is which transaction, or which event of one.

export interface Line {
  /** Of the transaction in the order of the list. */
  place: number;
  /** Number of the event in the transaction, -1 for the transaction itself. */
  event: number;
  /** Of the event in the log, -1 for the transaction itself. */
  ordinal: number;
}

interface Open {
  place: number;
  first: number;
  events: number;
}

export class Outline {
  /** In the order of their places. */
  #open: Open[] = [];

  /** Lines beside those of the transactions. */
  get lines(): number {
    return this.#open.reduce((sum, { events }) => sum + events, 0);
  }

  has(place: number): boolean {
    return this.#open.some((open) => open.place === place);
  }

  /** `first`: ordinal of the first of its events. */
  open(place: number, first: number, events: number): void {
    if (this.has(place)) return;
    this.#open.push({ place, first, events });
    this.#open.sort((a, b) => a.place - b.place);
  }

  close(place: number): void {
    this.#open = this.#open.filter((open) => open.place !== place);
  }

  clear(): void {
    this.#open = [];
  }

  line(i: number): Line {
    let before = 0; // lines of events above
    for (const { place, first, events } of this.#open) {
      const top = place + before;
      if (i <= top) break;
      if (i <= top + events) return { place, event: i - top - 1, ordinal: first + i - top - 1 };
      before += events;
    }
    return { place: i - before, event: -1, ordinal: -1 };
  }

  /** The ordinals, last included, of the events in the lines [from, end). */
  events(from: number, end: number): { from: number; to: number }[] {
    const runs: { from: number; to: number }[] = [];
    let before = 0;
    for (const { place, first, events } of this.#open) {
      const top = place + before + 1;
      const [a, b] = [Math.max(from, top), Math.min(end, top + events) - 1];
      if (a <= b) runs.push({ from: first + a - top, to: first + b - top });
      before += events;
    }
    return runs;
  }
}
