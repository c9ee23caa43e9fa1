import type { LoadedConfig } from '../../config/load-config.js';
import type { Severity } from '../../core/severity.js';
import type { TrustName } from '../../pipeline/trust-names.js';
import type { RunRequest } from '../../reports/run-request.js';
import type { ChosenCriteria } from '../criteria/choose-criteria.js';
import type { Inputs } from './read-inputs.js';
import type { ReadTask } from './read-task.js';

/** The options that name a model. */
export type ProviderChoice = NonNullable<RunRequest['provider']>;

/** Everything that a review is told by its options. */
export interface ReviewSettings {
  readonly paths: readonly string[];
  readonly task: string | undefined;
  readonly taskText: string | undefined;
  readonly fix: boolean;
  readonly write: boolean;
  /** A file; `undefined` to look for one, `false` for none. */
  readonly config: string | false | undefined;
  readonly criteria: string | undefined;
  readonly format: 'text' | 'json';
  readonly failOn: Severity | undefined;
  readonly quiet: boolean;
  readonly types: readonly string[];
  readonly exclude: readonly string[];
  readonly maxFileSize: number;
  readonly maxFiles: number;
  readonly iterations: number | undefined;
  /** The folder that keeps runs, */
  readonly store: string;
  /** and the folder that its path is shown from. */
  readonly shownFrom: string;
  readonly checkTimeoutMs: number;
  /** The model that is asked; none unless it was named. */
  readonly provider: ProviderChoice | undefined;
  readonly trust: TrustName | undefined;
  /** The names of the models that look a second time and confirm. */
  readonly confirmWith: readonly string[] | undefined;
  /** The arguments of this command, for the next one; `undefined` where it cannot be run again. */
  readonly again: readonly string[] | undefined;
  /** Whether it is the bundled example. */
  readonly example: boolean;
  /** The program's entry file, which runs as the watchdog in a worker; `undefined` for none. */
  readonly watchdogEntry: URL | undefined;
}

/** Everything that a run works on. */
export interface PreparedReview {
  readonly settings: ReviewSettings;
  readonly loaded: LoadedConfig;
  readonly task: ReadTask;
  readonly inputs: Inputs;
  readonly criteria: ChosenCriteria;
}
