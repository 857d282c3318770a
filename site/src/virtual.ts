// Ties an Anchor to a scrolling element:
//
//   <div class="viewport"><div class="spacer"><div class="frame"> head and the rows that show </div></div></div>
//
// The spacer gives the element its native scrollbar; the frame sticks to the viewport and its rows are drawn at
// -anchor.px. As long as the spacer can be as high as all rows together (8 M px), native scrolling is exact and is left
// alone. Above that the scrollbar is a coarse pointer: wheel and keys move the anchor by pixels, a drag of the thumb
// goes to a proportional place, and the thumb follows the anchor.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { Anchor } from "./anchor.ts";

const MAX_SPACER = 8_000_000;

export interface VirtualOptions {
  rowHeight: number;
  /** Height of a head that stays above the rows. */
  head: number;
}

export class Virtual implements ReactiveController {
  readonly anchor: Anchor;
  readonly #host: ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment };
  readonly #head: number;
  readonly #resized: ResizeObserver;
  #viewport: HTMLElement | null = null;
  /** The scrollTop that we know of; another one is the user's doing. */
  #known = 0;
  /** Height of the viewport. To ask it, or where it is scrolled to, after each change would have it laid out each time. */
  #room = 0;
  #touched = false;
  /** The row that was shown last: it stays in view when the room gets smaller. */
  #shown = -1;

  constructor(host: Virtual["host"], options: VirtualOptions) {
    this.#host = host;
    this.#head = options.head;
    this.anchor = new Anchor(options.rowHeight);
    this.#resized = new ResizeObserver(() => this.#measure());
    host.addController(this);
  }

  private get host(): ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment } {
    return this.#host;
  }

  get viewport(): HTMLElement | null {
    return this.#viewport;
  }

  /** Says how many rows there are; called while rendering. The top row stays where it is. */
  setTotal(total: number): void {
    this.anchor.total = total;
    this.anchor.to(this.anchor.top);
  }

  /** Scrolls as little as needed to show a row. */
  show(row: number): void {
    this.#shown = row;
    if (this.anchor.show(row)) this.#moved();
  }

  /** Turns a page for a key that moves the selection by so many rows; show() the selected row afterwards. */
  turn(key: string, rows: number): void {
    if (key.startsWith("Page") && this.anchor.by(rows * this.anchor.rowHeight)) this.#moved();
  }

  toStart(): void {
    if (this.anchor.to(0)) this.#moved();
  }

  hostUpdated(): void {
    const viewport = this.host.renderRoot.querySelector<HTMLElement>(".viewport");
    if (viewport !== this.#viewport) {
      this.#detach();
      this.#viewport = viewport;
      this.#known = 0;
      this.#attach();
    }
    this.#sync();
  }

  hostDisconnected(): void {
    this.#detach();
    this.#viewport = null;
  }

  get #length(): number {
    return this.anchor.total * this.anchor.rowHeight + this.#head;
  }

  get #exact(): boolean {
    return this.#length <= MAX_SPACER;
  }

  #attach(): void {
    if (!this.#viewport) return;
    this.#resized.observe(this.#viewport);
    this.#viewport.addEventListener("scroll", this.#onScroll, { passive: true });
    this.#viewport.addEventListener("scrollend", this.#onScrollEnd, { passive: true });
    this.#viewport.addEventListener("wheel", this.#onWheel, { passive: false });
    this.#viewport.addEventListener("touchstart", this.#onTouch, { passive: true });
    this.#measure();
  }

  #detach(): void {
    if (!this.#viewport) return;
    this.#resized.unobserve(this.#viewport);
    this.#viewport.removeEventListener("scroll", this.#onScroll);
    this.#viewport.removeEventListener("scrollend", this.#onScrollEnd);
    this.#viewport.removeEventListener("wheel", this.#onWheel);
    this.#viewport.removeEventListener("touchstart", this.#onTouch);
  }

  #measure(): void {
    this.#room = this.#viewport?.clientHeight ?? 0;
    const height = Math.max(0, this.#room - this.#head);
    if (height === this.anchor.height) return;
    this.anchor.resize(height, this.#shown);
    this.host.requestUpdate();
  }

  #moved(): void {
    this.host.requestUpdate();
  }

  /** Gives the spacer its height and puts the thumb where the anchor is. */
  #sync(): void {
    const viewport = this.#viewport;
    const spacer = viewport?.querySelector<HTMLElement>(".spacer");
    if (!viewport || !spacer) return;
    const height = `${Math.min(this.#length, MAX_SPACER)}px`;
    if (spacer.style.height !== height) spacer.style.height = height;
    if (this.#touched && !this.#exact) return; // a finger is scrolling: the thumb follows when it is done
    const range = this.#exact ? this.anchor.maxTop : MAX_SPACER - this.#room;
    const wanted = this.anchor.maxTop === 0 ? 0 : (this.anchor.top / this.anchor.maxTop) * range;
    if (Math.abs(this.#known - wanted) < 1) return;
    viewport.scrollTop = wanted;
    this.#known = viewport.scrollTop;
  }

  readonly #onScroll = (): void => {
    const viewport = this.#viewport;
    if (!viewport) return;
    const top = viewport.scrollTop;
    const delta = top - this.#known;
    if (Math.abs(delta) < 1) return;
    this.#known = top;
    if (this.#exact) this.anchor.to(top);
    else if (this.#touched && Math.abs(delta) <= this.#room) this.anchor.by(delta);
    else this.anchor.to((top / (MAX_SPACER - this.#room)) * this.anchor.maxTop);
    this.#moved();
  };

  readonly #onScrollEnd = (): void => {
    this.#touched = false;
    this.#sync();
  };

  readonly #onTouch = (): void => {
    this.#touched = true;
  };

  readonly #onWheel = (event: WheelEvent): void => {
    if (this.#exact || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    this.#touched = false;
    const { rowHeight, height } = this.anchor;
    const unit = [1, rowHeight, height][event.deltaMode] ?? 1;
    if (this.anchor.by(event.deltaY * unit)) this.#moved();
  };
}
