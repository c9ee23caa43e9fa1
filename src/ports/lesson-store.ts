import type { Outcome } from '../core/outcome.js';

/** A finished run, as a lesson store receives it. */
export interface LearnableRun {
  readonly task: unknown;
  readonly outcome: Outcome<unknown>;
  /** The id of the agent's criteria, or the name of the pipeline. */
  readonly agentId?: string | undefined;
}

/** Stores lessons from earlier runs, and returns them as a text for prompts. */
export interface LessonStore {
  /** Returns the lessons for a task as a text; '' if there are none. */
  readonly relevantTo: (task: unknown) => Promise<string>;
  /**
   * Called once after each run that is not suspended. An error is logged and does not change the
   * outcome.
   */
  readonly capture?: ((run: LearnableRun) => Promise<void>) | undefined;
}
