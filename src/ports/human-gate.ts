import type { HumanAnswer, HumanRequest } from '../core/human.js';

/**
 * The texts that a person sees with a question. Any text may be hostile: remove control characters
 * before you show it.
 */
export interface HumanTexts {
  /** One line above everything. */
  readonly title?: string | undefined;
  /** The task and its result; shown immediately. */
  readonly summary?: string | undefined;
  /** What the reviewers report; shown immediately. */
  readonly assessment?: string | undefined;
  /** What was changed, such as a diff; shown on demand. */
  readonly changes?: string | undefined;
  /** All other details; shown on demand. */
  readonly details?: string | undefined;
  /** The default note of a revision, such as the findings, if the person adds none. */
  readonly note?: string | undefined;
}

/** Asks a person. */
export interface HumanGate {
  /** Returns the answer of the person. `undefined` means no answer: the run stays suspended. */
  readonly ask: (
    request: HumanRequest,
    texts?: HumanTexts,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Promise<HumanAnswer | undefined>;
}
