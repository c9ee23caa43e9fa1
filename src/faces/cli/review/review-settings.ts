import * as z from 'zod';
import type { ChosenCriteria } from '../../cli-kit/criteria/choose-criteria.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { FileReviewer, Inputs } from '../../cli-kit/inputs/read-inputs.js';
import type { ReadTask, TaskRequirements } from '../../cli-kit/inputs/read-task.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { LoadedConfig } from '../../config/load-config.js';
import type { reviewFlags } from './review-flags.js';

export type ReviewSettings = SettingsOf<typeof reviewFlags>;

export const SinceSchema = z.strictObject({
  root: z.string(),
  trees: z.string(),
  start: z.string(),
  now: z.string(),
  changed: z.array(z.string()),
  renamed: z.record(z.string(), z.string()),
  around: z.array(z.string()),
  /** Whether `changed` and `around` are all files of the folder. */
  whole: z.boolean(),
  commands: z.array(z.string()),
});
export type Since = z.infer<typeof SinceSchema>;

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
