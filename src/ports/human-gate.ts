import type { HumanAnswer, HumanRequest } from '../core/human.js';

/** What a person is shown with a question. Any text may be hostile: remove control characters before you show it. */
export interface HumanTexts {
  /** One line above everything. */
  readonly title?: string | undefined;
  /** What was asked and what came of it; shown at once. */
  readonly summary?: string | undefined;
  /** What the reviewers say; shown at once. */
  readonly assessment?: string | undefined;
  /** What was changed, such as a diff; shown on demand. */
  readonly changes?: string | undefined;
  /** Everything else; shown on demand. */
  readonly details?: string | undefined;
  /** The note of a revision where the person adds nothing, such as the findings. */
  readonly note?: string | undefined;
}

/** How a person is asked. */
export interface HumanGate {
  /** What the person answers; `undefined` for no answer, whatever the reason: then the run stays suspended. */
  readonly ask: (
    request: HumanRequest,
    texts?: HumanTexts,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<HumanAnswer | undefined>;
}
