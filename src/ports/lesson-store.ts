import type { Outcome } from '../core/outcome.js';

/** A run that has ended, as a lesson store hears of it. */
export interface LearnableRun {
  readonly task: unknown;
  readonly outcome: Outcome<unknown>;
  /** Who ran: the id of the agent's criteria, or the name of the pipeline. */
  readonly agentId?: string | undefined;
}

/** What earlier runs taught, as a text for prompts. */
export interface LessonStore {
  /** The lessons for a task, as a text; empty when there are none. */
  readonly relevantTo: (task: unknown) => Promise<string>;
  /** Called once after a run that is not suspended. An error here is logged and loses nothing. */
  readonly capture?: ((run: LearnableRun) => Promise<void>) | undefined;
}
