// What the components have in common: they render from the store.
import { LitElement, type ReactiveController, type ReactiveControllerHost } from "lit";
import { property } from "lit/decorators.js";
import type { Store } from "./store.ts";

/** Makes a component render after every change of the store. */
export class StoreController implements ReactiveController {
  #unsubscribe: (() => void) | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly store: () => Store,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#unsubscribe = this.store().subscribe(() => this.host.requestUpdate());
  }

  hostDisconnected(): void {
    this.#unsubscribe?.();
  }
}

export class StoreElement extends LitElement {
  @property({ attribute: false }) store!: Store;

  constructor() {
    super();
    new StoreController(this, () => this.store);
  }

  /** The element of this component's own tree that has the keyboard. */
  protected find<T extends HTMLElement>(selector: string): T | null {
    return this.renderRoot.querySelector<T>(selector);
  }
}

/** The element that carries a data-NAME around the place of an event, and its value as a number. */
export function dataOf(event: globalThis.Event, name: string): number {
  for (const target of event.composedPath()) {
    if (target instanceof HTMLElement && target.dataset[name] !== undefined) return Number(target.dataset[name]);
  }
  return -1;
}

/** True where typing means text: no hotkey may be taken from there. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}

/** A key with Ctrl, Alt or Meta belongs to the browser. */
export function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.altKey || event.metaKey;
}

/** Asks for the menu of what is selected: where the pointer is, or beside the element when a key asks. */
export function askForMenu(element: HTMLElement, event: MouseEvent): void {
  event.preventDefault();
  const box = element.getBoundingClientRect();
  const pointed = event.clientX > 0 || event.clientY > 0;
  const detail = pointed ? { x: event.clientX, y: event.clientY } : { x: box.left + 40, y: box.top + 40 };
  element.dispatchEvent(new CustomEvent("menu", { detail, bubbles: true, composed: true }));
}
