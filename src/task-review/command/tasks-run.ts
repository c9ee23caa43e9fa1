import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { TaskSettings } from './task-record.js';

/** A call of `reviewloop tasks run`. */
export interface TasksRun {
  readonly tasks: string;
  /** The ids of the tasks, or all tasks. */
  readonly chosen: readonly string[] | 'all';
  readonly settings: TaskSettings;
  readonly parallel: number;
  /** Whether unfinished tasks start again. */
  readonly anew: boolean;
  readonly again: (id: string) => string;
  readonly tui: boolean;
  /** Whether this process may ask a person. */
  readonly interactive: boolean;
  readonly by: string;
  readonly store: StoreHandle;
  /** The reports to write. */
  readonly report: readonly string[];
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
}
