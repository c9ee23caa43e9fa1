import type { ChosenCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { FileReviewer, Inputs } from '../../cli-kit/inputs/read-inputs.js';
import type { ReadTask, TaskRequirements } from '../../cli-kit/inputs/read-task.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { LoadedConfig } from '../../config/load-config.js';
import type { reviewFlags } from './review-flags.js';
import type { Since } from './since.js';

export type ReviewSettings = SettingsOf<typeof reviewFlags>;

/** A call of a review: its settings and its folders. */
export interface ReviewRun {
  readonly settings: ReviewSettings;
  readonly store: StoreHandle;
  /** The folder that paths in the output are relative to. */
  readonly shownFrom: string;
  readonly example: boolean;
  /** The program's entry file, which runs as the watchdog in a worker. `undefined`: no watchdog. */
  readonly watchdogEntry: URL | undefined;
  /** What a session of an agent changed. @default the files of `paths` */
  readonly session?: SessionInputs | undefined;
}

export interface SessionInputs {
  readonly inputs: Inputs;
  readonly since: Since;
  readonly judge: (reviewers: readonly FileReviewer[]) => readonly FileReviewer[];
}

export interface PreparedReview extends ReviewRun {
  readonly loaded: LoadedConfig;
  readonly task: ReadTask;
  /** The requirements that a file lists. `undefined`: they are read from the task. */
  readonly requirements: TaskRequirements | undefined;
  readonly inputs: Inputs;
  readonly criteria: ChosenCriteria;
}
