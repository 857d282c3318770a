import { css } from "lit";

export const timelineStyles = css`
  :host {
    display: grid;
    grid-template-rows: 26px minmax(0, 1fr);
    height: 104px;
    min-width: 0;
    background: var(--panel);
    color: var(--ink);
    font: var(--size) / 1.4 var(--font);
  }
  .inks {
    position: absolute;
    visibility: hidden;
    pointer-events: none;
    forced-color-adjust: none;
  }
  .qry {
    color: color-mix(in srgb, var(--ink) 82%, var(--panel));
  }
  .line {
    color: var(--line2);
  }
  .ground {
    color: var(--panel);
  }
  .bar {
    display: flex;
    gap: 10px;
    align-items: center;
    padding: 4px 14px 0;
    min-width: 0;
  }
  .said {
    flex: 1 1 auto;
    min-width: 0;
  }
  .notes {
    flex: 0 10 auto;
    min-width: 0;
    color: var(--ink2);
    font-size: var(--small);
  }
  .choice {
    display: flex;
    flex: none;
  }
  button {
    height: 20px;
    padding: 0 7px;
    font-size: var(--small);
    color: var(--ink2);
  }
  .choice button + button {
    margin-left: -1px;
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .choice button:first-child {
    border-radius: var(--radius) 0 0 var(--radius);
  }
  .choice button[aria-pressed="true"] {
    color: var(--ink);
    font-weight: 600;
    background: var(--sel);
  }
  .chart {
    position: relative;
    min-width: 0;
    overflow: hidden;
    cursor: crosshair;
    touch-action: pan-y;
    user-select: none;
  }
  .plot {
    position: absolute;
    inset: 0;
    pointer-events: none;
    font-size: 11px;
  }
  .brush,
  .at,
  .over {
    position: absolute;
    top: 0;
    bottom: 20px;
    pointer-events: none;
  }
  .brush {
    background: color-mix(in srgb, var(--accent) 14%, transparent);
    border-inline: 2px solid var(--accent);
  }
  .at {
    border: 1px solid var(--ink);
  }
  .over {
    background: color-mix(in srgb, var(--ink) 12%, transparent);
  }
  .failure {
    position: absolute;
    inset: 0;
    margin: 0;
    padding: 8px 14px;
    color: var(--bad);
    background: var(--panel);
  }
  @media (max-width: 620px) {
    .notes {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .inks i {
      color: CanvasText;
    }
    .inks .ground {
      color: Canvas;
    }
    .choice button[aria-pressed="true"] {
      forced-color-adjust: none;
      color: HighlightText;
      background: Highlight;
    }
    .brush {
      border-color: Highlight;
    }
  }
`;
