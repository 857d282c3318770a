// What the worker does behind the index: the filter, which someone waits for, and then the survey, the second pass that
// counts rows and checks transactions. In steps, as the scan, with a macrotask between them.
import type { Engine } from "./engine.ts";
import type { Progress } from "./protocol.ts";
import type { FilterProgress, SurveyProgress } from "./viewdata.ts";

/** Milliseconds of Go at a stretch, as for the scan. */
const BUDGET = 4;
const FILTER_REPORT_EVERY = 50;
const SURVEY_REPORT_EVERY = 200;

export interface BackgroundHost {
  /** True when the loop shall end. */
  stopped(): boolean;
  /** True while the filter shall go on. */
  filtering(): boolean;
  filtered(progress: FilterProgress): void;
  surveyed(progress: SurveyProgress): void;
  /** Lets waiting messages in. */
  breathe(): Promise<void>;
}

/** Goes on until there is nothing left to do. Throws what the filter fails with; it can be called again then. */
export async function background(engine: Engine, host: BackgroundHost): Promise<void> {
  let surveyed = false;
  const filterPace = new Pace(FILTER_REPORT_EVERY);
  const surveyPace = new Pace(SURVEY_REPORT_EVERY);
  while (!host.stopped()) {
    if (host.filtering()) {
      const progress = filterProgress(engine.call("filter", (go) => go.stepFilter(BUDGET)));
      if (progress && (!progress.running || filterPace.due())) host.filtered(progress);
    } else if (!surveyed) {
      const progress = engine.call("survey", (go) => go.survey(BUDGET));
      surveyed = !progress.more;
      if (surveyed || surveyPace.due()) host.surveyed(progress);
    } else {
      return;
    }
    await host.breathe();
  }
}

/** What the progress of the index says about the filter; nothing without one. */
export function filterProgress(progress: Progress): FilterProgress | undefined {
  if (!progress.filtered) return undefined;
  const { matched = 0, examined = 0, unread = 0, touched = 0, events: total, done } = progress;
  return { matched, examined, total, unread, touched, running: !done || examined < total };
}

class Pace {
  #last = 0;

  constructor(private readonly every: number) {}

  /** True when it is time to report again. */
  due(): boolean {
    const now = performance.now();
    if (now - this.#last < this.every) return false;
    this.#last = now;
    return true;
  }
}
