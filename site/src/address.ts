// Keeps the address and the store in step: what is selected stands behind "#", and a link that is followed is gone to.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { readLink } from "./hash.ts";
import type { Store } from "./store.ts";

/** Milliseconds between two changes of the address; browsers allow some hundred in half a minute. */
const EVERY = 250;

export class Address implements ReactiveController {
  readonly #store: Store;
  /** Only the address of a page of our own is ours to change. */
  readonly #own: () => boolean;
  #unsubscribe: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #written = "";

  constructor(host: ReactiveControllerHost, store: Store, own: () => boolean) {
    this.#store = store;
    this.#own = own;
    host.addController(this);
  }

  hostConnected(): void {
    if (!this.#own()) return;
    this.#follow();
    addEventListener("hashchange", this.#follow);
    this.#unsubscribe = this.#store.subscribe(() => this.#later());
  }

  hostDisconnected(): void {
    removeEventListener("hashchange", this.#follow);
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #follow = (): void => {
    if (location.hash === this.#written) return;
    this.#written = location.hash;
    this.#store.follow(readLink(location.hash));
  };

  #later(): void {
    const { link } = this.#store;
    if (link === "" || link === this.#written || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#write(this.#store.link);
    }, EVERY);
  }

  #write(link: string): void {
    if (link === "" || link === this.#written) return;
    this.#written = link;
    try {
      history.replaceState(history.state, "", link);
    } catch {
      // too often, or not allowed here: the next change tries again
    }
  }
}
