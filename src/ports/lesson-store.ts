import type { Outcome } from '../kernel/outcome.js';

/** What earlier runs taught, as a text for prompts. */
export interface LessonStore {
  /** The lessons for a task, as a text; empty when there are none. */
  readonly relevantTo: (task: unknown) => Promise<string>;
  /** Called once after a run that is not suspended. An error here is logged and loses nothing. */
  readonly capture?: ((run: { readonly task: unknown; readonly outcome: Outcome<unknown> }) => Promise<void>) | undefined;
}
