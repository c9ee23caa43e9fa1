import { artifactsOf } from '../core/artifact.js';
import { copyJson } from '../core/json.js';
import { checkKeys } from '../core/options.js';
import type { Outcome } from '../core/outcome.js';
import { reportRun } from './report-run.js';
import type { RunReport, ScoreBar } from './run-report.js';

/** Options of {@link runReport}. */
export interface RunReportOptions {
  /** The name of the pipeline. @default `'review'` */
  readonly pipeline?: string | undefined;
  /** The task of the run: a text, or JSON data. @default none */
  readonly task?: unknown;
  /** The scores that approval needs. @default none */
  readonly bars?: readonly ScoreBar[] | undefined;
  /** Readable names of criteria, by id. @default the ids */
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a run that ended as JSON data, the form that reports are made from and that the command
 * line stores as `review.json`.
 *
 * @throws ReviewLoopError `invalid_options` for an unknown option
 * @example
 * ```ts
 * const report = runReport(await pipeline.run(task), { pipeline: 'article', task });
 * ```
 */
export function runReport(outcome: Outcome<unknown>, options: RunReportOptions = {}): RunReport {
  checkKeys('runReport', options, ['pipeline', 'task', 'bars', 'names']);
  const { pipeline = 'review', task, bars = [], names = {} } = options;
  const { reviews } = outcome;
  const [first] = reviews;
  const begin = first === undefined ? 0 : Date.parse(first.at) - first.durationMs;
  const end = Date.parse(reviews.at(-1)?.at ?? new Date(begin).toISOString());
  return {
    ...reportRun(outcome, {
      at: new Date(begin).toISOString(),
      durationMs: end - begin,
      exitCode: 0,
      task: { source: 'task', ...(task !== undefined && { text: textOf(task) }) },
      criteria: { chosen: [], reason: '', names: { ...names } },
      files: artifactsOf(outcome.output).map(({ path, type, content = '' }) => ({
        path,
        type,
        bytes: new TextEncoder().encode(content).length,
      })),
      notReviewed: [],
      changed: [],
      written: [],
      fixers: new Set(),
    }),
    pipeline,
    bars: [...bars],
  };
}

function textOf(task: unknown): string {
  return typeof task === 'string' ? task : JSON.stringify(copyJson(task, { freeze: false }));
}
