import type { OutcomeStatus } from '../../../core/outcome.js';
import { plural } from '../../../core/plural.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { oneLine, sanitise } from '../../../node/terminal/sanitise.js';
import type { FinishedStep } from '../../../products/quality-gate/finished-step.js';
import type { QualityGateError } from '../../../products/quality-gate/gate-error.js';
import type { GateJob, GateStep } from '../../../products/quality-gate/gate-job.js';
import { defaultMaxAttempts } from '../../../products/quality-gate/gate-session-options.js';
import type { FailedReview, StepState } from '../../../products/quality-gate/gate-state.js';
import { argvOf, type SettingsOf } from '../../cli-kit/flags/flag.js';
import { withoutModel } from '../../cli-kit/provider/provider-choice.js';
import { quoted } from '../../cli-kit/show/listing.js';
import { nextLines, way } from '../../cli-kit/show/next-command.js';
import { tryLines } from '../../cli-kit/show/open-lines.js';
import type { WayOn } from '../../reports/run-report.js';
import { outageOf } from '../../reports/verdict-words.js';
import { gateFlags } from './gate-flags.js';

export function gateLines(answer: FinishedStep, call: GateCall): string[] {
  if (answer.status !== 'needs_work') return openLines(answer, call);
  const { feedback, instructions_path: path, error, failed_reviews, attempts } = answer;
  const step = oneLine(call.settings.step);
  const why = feedback ?? '';
  const next = gateWays(answer, call);
  if (path === null)
    return error === null
      ? [
          `NOT APPROVED: step ${step}`,
          `why: ${oneLine(why)} (attempt ${attempts} of ${defaultMaxAttempts})`,
          ...failedLines(failed_reviews ?? [], why),
          ...factLines(answer),
          ...nextLines({ next }),
          'exit code 50 (exhausted)',
        ]
      : [
          ...noVerdictLines(
            { error, why: oneLine(why), failed: failed_reviews ?? [], tries: answer.tries },
            call,
          ),
          `This attempt does not count: ${attempts} of ${defaultMaxAttempts} are used.`,
          ...factLines(answer),
          ...nextLines({ next }),
          codeLine(error),
        ];
  return [
    sanitise(why),
    '',
    ...factLines(answer),
    `NOT APPROVED YET: step ${step} is not reviewed`,
    `why: the instructions for the reviewer are in ${oneLine(path)}`,
    ...nextLines({ next }),
    'exit code 53 (suspended)',
  ];
}

export function gateWays(answer: FinishedStep, call: GateCall): WayOn[] {
  const { status, error, instructions_path: path, begin_step: next } = answer;
  if (status !== 'needs_work') return next === null ? [] : [way(nextStepLine(call, next.step_id))];
  if (path !== null) return [way(overrideLine(call))];
  return error === null
    ? [way(againLine(call), 'after you changed the outputs')]
    : retryWays(call, error);
}

export function closedWays(error: QualityGateError, call: GateCall): WayOn[] {
  if (error.code !== 'gate_attempts_used') return retryWays(call, causeIn(error));
  const other = againLine(call, { session: `${call.settings.session}-2` });
  return [way(overrideLine(call)), way(other, 'begins again')];
}

/**
 * Returns the lines about a gate that stays closed.
 *
 * @param last - The reviews that the last outputs did not pass, and the calls without an answer.
 */
export function closedLines(
  error: QualityGateError,
  call: GateCall,
  {
    failed_reviews: failed,
    tries,
  }: Pick<StepState, 'failed_reviews'> & Pick<FinishedStep, 'tries'>,
): string[] {
  const why = `${oneLine(error.what)} [${error.code}]`;
  const next = closedWays(error, call);
  if (error.code !== 'gate_attempts_used') {
    const cause = causeIn(error);
    return [
      ...noVerdictLines({ error: cause, why, failed, tries }, call),
      ...nextLines({ next }),
      codeLine(cause),
    ];
  }
  return [
    `NOT APPROVED: step ${oneLine(call.settings.step)}`,
    `why: ${why}`,
    ...failedLines(failed, error.what),
    ...nextLines({ next }),
    'exit code 50 (exhausted)',
  ];
}

interface NoVerdict {
  readonly error: StepError;
  readonly why: string;
  readonly failed: readonly FailedReview[];
  readonly tries: FinishedStep['tries'];
}

/** Returns why a step has no verdict, and what is known of it. */
function noVerdictLines(
  { error, why, failed, tries }: NoVerdict,
  { settings, job, columns }: GateCall,
): string[] {
  const judged = failed.filter(({ criteria_results }) => criteria_results.length > 0);
  const reviews = job.steps.find(({ id }) => id === settings.step)?.reviews ?? [];
  const criteria = new Set(reviews.flatMap((review) => Object.keys(review.quality_criteria))).size;
  return [
    `NO VERDICT: step ${oneLine(settings.step)}, ${causes[error]}. The gate stays closed.`,
    `why: ${why}`,
    ...outageLines(tries, columns),
    ...failedLines(judged, ''),
    ...(judged.length === 0 && criteria > 0
      ? [
          `Nothing is said about the outputs: 0 of ${plural(criteria, 'criterion', 'criteria')} were judged.`,
        ]
      : []),
  ];
}

function outageLines(tries: NoVerdict['tries'], columns: number | undefined): string[] {
  const outage = outageOf([{ tries }]);
  if (outage === undefined) return [];
  return [`No answer in ${outage.text}.`, ...tryLines([{ tries }], { columns })];
}

function codeLine(error: StepError): string {
  return `exit code ${exitCodes[error] ?? 50} (${statusOf[error]})`;
}

function retryWays(call: GateCall, error: StepError): WayOn[] {
  const override = way(overrideLine(call), 'opens the gate, in your name, logged');
  return [retryWay(call, error), override];
}

/** The exit codes of those without a verdict that are not 50. */
const exitCodes: Partial<Record<StepError, number>> = { timed_out: 52, reviewer_missing: 2 };

/** Why there is no verdict. */
const causes: Readonly<Record<StepError, string>> = {
  timed_out: 'the time was used up',
  review_failed: 'the reviewer gave none',
  reviewer_missing: 'there is no reviewer',
  files_changed: 'the outputs changed meanwhile',
  files_unseen: 'the reviewer could not see all files',
  nothing_to_review: 'there is nothing to review',
};

function causeIn({ value }: QualityGateError): StepError {
  return isStepError(value) ? value : 'review_failed';
}

function isStepError(value: unknown): value is StepError {
  return typeof value === 'string' && Object.hasOwn(statusOf, value);
}

type StepError = NonNullable<FinishedStep['error']>;

const statusOf = {
  timed_out: 'timed_out',
  review_failed: 'inconclusive',
  reviewer_missing: 'inconclusive',
  files_changed: 'inconclusive',
  files_unseen: 'inconclusive',
  nothing_to_review: 'inconclusive',
} as const satisfies Record<StepError, OutcomeStatus>;

function openLines(answer: FinishedStep, call: GateCall): string[] {
  const { outcome, feedback, begin_step: next } = answer;
  const ways = gateWays(answer, call);
  const what = outcome === 'approved' ? 'APPROVED' : 'ACCEPTED';
  const why = feedback === null ? [] : [`why: ${oneLine(feedback)}`];
  return [
    ...factLines(answer),
    `${what}: step ${oneLine(call.settings.step)}`,
    ...why,
    ...(next === null ? ['next: nothing, the job is done'] : nextLines({ next: ways })),
  ];
}

/** Returns the lines about criteria without an answer, and steps that are open again. */
function factLines({ unanswered, stale, error }: FinishedStep): string[] {
  return [
    ...(error === null && unanswered.length > 0
      ? [`not answered: ${oneLine(unanswered.join(', '))}`]
      : []),
    ...(stale.length > 0
      ? [`open again, because their outputs changed: ${oneLine(stale.join(', '))}`]
      : []),
  ];
}

/** Returns the lines about failed reviews. Those that say the same share their lines. */
function failedLines(failed: readonly FailedReview[], why: string): string[] {
  const names = new Map<string, string[]>();
  for (const { review_run_each, target_file, feedback, criteria_results } of failed) {
    const wrong = criteria_results.filter(({ passed }) => !passed);
    const details = wrong.map(
      ({ criterion, feedback: text }) => `\n    ${oneLine(`${criterion}: ${text ?? 'not met'}`)}`,
    );
    // the reason of the end is told once, after its status
    const isWhy = feedback === why && wrong.length === 0;
    const said = isWhy ? ' failed' : [` ${oneLine(feedback)}`, ...details].join('');
    names.set(said, [...(names.get(said) ?? []), oneLine(target_file ?? review_run_each)]);
  }
  return [...names].flatMap(([said, of]) => `  ${of.join(', ')}:${said}`.split('\n'));
}

export type GateCallSettings = SettingsOf<typeof gateFlags>;

/** A call of `reviewloop gate`. */
export interface GateCall {
  readonly settings: GateCallSettings;
  readonly job: Pick<GateJob, 'steps'>;
  readonly files: number;
  readonly columns?: number | undefined;
}

/** Returns the same call again, with other settings. A reason is never repeated. */
export function againLine(
  { settings }: Pick<GateCall, 'settings'>,
  changes: Partial<GateCallSettings> = {},
): string {
  const { notes } = settings;
  const said = { notes: notes && redactSecrets(notes), overrideReason: undefined };
  const argv = argvOf(gateFlags, { ...settings, ...said, ...changes });
  return ['reviewloop', 'gate', ...argv.map(quoted)].join(' ');
}

function overrideLine(call: Pick<GateCall, 'settings'>): string {
  return `${againLine(call)} --override-reason "..."`;
}

function nextStepLine(call: GateCall, stepId: string): string {
  const step = call.job.steps.find(({ id }) => id === stepId);
  const output = step === undefined ? [] : placesOf(step);
  return againLine(call, { step: stepId, output, notes: undefined });
}

function placesOf({ outputs }: GateStep): string[] {
  return Object.entries(outputs).flatMap(([name, { type, required, path, paths }]) =>
    required && path === undefined && paths === undefined
      ? [`${name}=${type === 'string' ? 'TEXT' : 'FILE'}`]
      : [],
  );
}

function retryWay(call: GateCall, error: StepError): WayOn {
  const { settings, files } = call;
  const limit = settings.maxInlineFiles ?? 5;
  switch (error) {
    case 'reviewer_missing':
      return settings.provider === undefined
        ? way(againLine(call), 'after you installed Claude Code, or with --provider NAME')
        : way(againLine(call), 'after you installed its package');
    case 'files_unseen':
      return files > limit
        ? way(againLine(call, { maxInlineFiles: files }))
        : way(againLine(call, withoutModel), 'Claude Code reads files itself');
    case 'nothing_to_review':
      return way(againLine(call), 'after the outputs have content');
    default:
      return way(againLine(call), 'asks again');
  }
}
