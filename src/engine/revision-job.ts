import type { Decision } from '../core/decision.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';
import type { VersionHistory } from './version-history.js';

/** A decision to revise, perhaps with the note of a person. */
export type Revision = Extract<Decision, { kind: 'revise' }> & {
  readonly note?: string | undefined;
};

export interface RevisionJob<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  readonly state: VersionHistory<Output>;
  readonly decision: Revision;
}
