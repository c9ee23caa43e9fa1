import type { GivenAnswer } from '../../cli-kit/answer-question.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { RunReport } from '../../reports/run-report.js';
import type { RunRequest } from '../review/run-request.js';

/** The settings of `reviewloop answer`. */
export interface AnswerSettings extends GivenAnswer {
  readonly store: StoreHandle;
  readonly format: 'text' | 'json';
  readonly quiet: boolean;
  /** The reports to write. */
  readonly report: readonly string[];
}

/** A stored run with its answer. */
export interface AnsweredRun {
  readonly settings: AnswerSettings;
  readonly report: RunReport;
  readonly request: RunRequest;
}
