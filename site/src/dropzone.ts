// Files dragged over a window or an element, and dropped there.
//
// dragenter and dragleave come for every nested element that the pointer crosses, in pairs that overlap: what is under
// the pointer is the set of the elements that were entered and not left yet.

export class DropZone {
  onChange: () => void = () => undefined;
  readonly #take: (files: readonly File[]) => void;
  readonly #entered = new Set<EventTarget>();
  #zone: EventTarget | undefined;

  constructor(take: (files: readonly File[]) => void) {
    this.#take = take;
  }

  /** Files are being held over the zone. */
  get over(): boolean {
    return this.#entered.size > 0;
  }

  attach(zone: EventTarget): void {
    this.#zone = zone;
    zone.addEventListener("dragenter", this.#onEnter);
    zone.addEventListener("dragleave", this.#onLeave);
    zone.addEventListener("dragover", this.#onOver);
    zone.addEventListener("drop", this.#onDrop);
  }

  detach(): void {
    this.#zone?.removeEventListener("dragenter", this.#onEnter);
    this.#zone?.removeEventListener("dragleave", this.#onLeave);
    this.#zone?.removeEventListener("dragover", this.#onOver);
    this.#zone?.removeEventListener("drop", this.#onDrop);
    this.#clear();
  }

  readonly #onEnter = (event: globalThis.Event): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const target = event.composedPath()[0];
    // An element that was taken out of the page while it was under the pointer never says that it was left.
    for (const entered of this.#entered) if (entered instanceof Node && !entered.isConnected) this.#entered.delete(entered);
    if (target) this.#entered.add(target);
    this.onChange();
  };

  readonly #onLeave = (event: globalThis.Event): void => {
    const target = event.composedPath()[0];
    if (target && this.#entered.delete(target)) this.onChange();
  };

  readonly #onOver = (event: globalThis.Event): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  };

  readonly #onDrop = (event: globalThis.Event): void => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    this.#clear();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) this.#take(files);
  };

  #clear(): void {
    if (this.#entered.size === 0) return;
    this.#entered.clear();
    this.onChange();
  }
}

function hasFiles(event: globalThis.Event): event is DragEvent {
  return event instanceof DragEvent && event.dataTransfer?.types.includes("Files") === true;
}
