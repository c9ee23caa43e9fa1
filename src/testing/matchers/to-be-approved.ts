import { checkKeys, invalid } from '../../core/options.js';
import type { Outcome, OutcomeStatus } from '../../core/outcome.js';
import { type RunReportOptions, runReport } from '../../faces/reports/report-run.js';
import type { AssessmentReport, RunReport } from '../../faces/reports/run-report.js';
import { oneLine } from '../../node/terminal/sanitise.js';
import {
  annotationOf,
  gapLines,
  gapsOfRun,
  roundedScore,
  runningTest,
  type TestRecord,
} from './test-record.js';
import type { Matched } from './to-pass.js';

export interface ToBeApprovedOptions extends RunReportOptions {
  /** Writes the HTML report of the run to this path, whether it is approved or not. @default none */
  readonly report?: string | undefined;
}

const optionNames = ['report', 'pipeline', 'task', 'bars', 'names'];

/** The endings that say nothing about the output: the judges did not finish. */
const unfinished: readonly OutcomeStatus[] = [
  'suspended',
  'inconclusive',
  'failed',
  'timed_out',
  'cancelled',
];

export async function toBeApproved(
  this: Parameters<typeof runningTest>[0] & { readonly isNot?: boolean | undefined },
  outcome: unknown,
  options: ToBeApprovedOptions = {},
): Promise<Matched> {
  checkKeys('toBeApproved', options, optionNames);
  if (!isOutcome(outcome))
    throw invalid('the value of toBeApproved', 'the outcome of a run, awaited', outcome);
  const { report: file, ...about } = options;
  const run = runReport(outcome, about);
  if (file !== undefined) {
    const { writeTestReport } = await import('./write-test-report.js');
    await writeTestReport(file, run, outcome);
  }
  const entry = recordOf(run, file);
  const test = runningTest(this);
  test.record(entry);
  await test.annotate(annotationOf(run.pipeline ?? 'review', entry));
  const { approved, status } = outcome;
  if (this.isNot === true && isUndecided(outcome))
    throw new Error(messageOf(`${status} says neither yes nor no about the output`, run, entry));
  const should = approved ? 'not to be approved' : 'to be approved';
  return {
    pass: approved,
    message: () => messageOf(`expected the run ${should}; it is ${status}`, run, entry),
  };
}

function isOutcome(value: unknown): value is Outcome<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    'approved' in value &&
    'reviews' in value
  );
}

function isUndecided(outcome: Outcome<unknown>): boolean {
  if (outcome.status === 'accepted') return outcome.acceptance.kind === 'not_reviewed';
  return unfinished.includes(outcome.status);
}

function recordOf(run: RunReport, report: string | undefined): TestRecord {
  const score = run.scores?.overall;
  return {
    matcher: 'toBeApproved',
    id: run.runId,
    verdict: run.status,
    ...(typeof score === 'number' && { score: roundedScore(score) }),
    text: run.reason,
    gaps: gapsOfRun(run.gaps),
    ...(report !== undefined && { report }),
  };
}

function messageOf(first: string, run: RunReport, { gaps, report }: TestRecord): string {
  const lines = [
    `${first}: ${oneLine(run.reason)}`,
    ...gapLines(gaps),
    ...run.undecided.map((entry) => `  - [undecided] ${aboutOf(entry)}`),
    ...run.failures.map((entry) => `  - [judge failed] ${aboutOf(entry)}`),
    report === undefined ? '' : `report: ${report}`,
    `run: ${run.runId}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function aboutOf({ criterion, question, text }: AssessmentReport): string {
  return oneLine(`${question ?? criterion}: ${text}`);
}
