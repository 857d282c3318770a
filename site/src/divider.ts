// The line between two panes, which moves: by the pointer, by the arrow keys, Home and End; a double click, or Enter, puts
// it back. It asks for a share of the window and is told which one it has got.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { hasModifier } from "./element.ts";

/** Per cent of the whole that the pane behind the line may have. */
export const LEAST = 12;
export const MOST = 85;
const STEP = 2;

/** Asks for a share of the pane behind the line, in per cent; null for the one it had at first. */
export type ShareEvent = CustomEvent<number | null>;

@customElement("binlog-divider")
export class BinlogDivider extends LitElement {
  /** The line stands upright, between left and right. */
  @property({ type: Boolean, reflect: true }) upright = false;
  @property({ attribute: false }) share = 50;
  @property({ attribute: false }) label = "";

  static override styles = css`
    :host {
      position: relative;
      background: var(--line);
    }
    :host([hidden]) {
      display: none;
    }
    div {
      position: absolute;
      z-index: 2;
      inset: -4px 0;
      cursor: row-resize;
      touch-action: none;
    }
    :host([upright]) div {
      inset: 0 -4px;
      cursor: col-resize;
    }
    div::after {
      content: "";
      position: absolute;
      inset: 3px 0;
    }
    :host([upright]) div::after {
      inset: 0 3px;
    }
    div:hover::after,
    div:active::after {
      background: var(--line2);
    }
    div:focus-visible {
      outline: none;
    }
    div:focus-visible::after {
      background: var(--accent);
    }
    @media (forced-colors: active) {
      div:focus-visible::after {
        background: Highlight;
      }
    }
  `;

  override render(): TemplateResult {
    return html`<div
      role="separator" tabindex="0" aria-label=${this.label} aria-orientation=${this.upright ? "vertical" : "horizontal"}
      aria-valuemin=${LEAST} aria-valuemax=${MOST} aria-valuenow=${Math.round(this.share)} title="Drag, or press the arrow keys; double-click to reset"
      @keydown=${this.#onKey} @dblclick=${() => this.#ask(null)} @pointerdown=${this.#onDown}
    ></div>`;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("div")?.focus();
  }

  #ask(share: number | null): void {
    const detail = share === null ? null : Math.min(MOST, Math.max(LEAST, share));
    this.dispatchEvent(new CustomEvent("share", { detail }));
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const less = this.upright ? "ArrowRight" : "ArrowDown";
    const more = this.upright ? "ArrowLeft" : "ArrowUp";
    const to: Record<string, number | null> = { [less]: this.share - STEP, [more]: this.share + STEP, Home: MOST, End: LEAST, Enter: null };
    const share = to[event.key];
    if (share === undefined || hasModifier(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#ask(share);
  };

  readonly #onDown = (event: PointerEvent): void => {
    const whole = this.parentElement?.getBoundingClientRect();
    const handle = event.currentTarget as HTMLElement;
    if (!whole || event.button !== 0) return;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = ({ clientX, clientY }) =>
      this.#ask(this.upright ? (100 * (whole.right - clientX)) / whole.width : (100 * (whole.bottom - clientY)) / whole.height);
    handle.onlostpointercapture = () => (handle.onpointermove = null);
  };
}
