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
import { commandLine } from '../../cli-kit/show/listing.js';
import { nextLines, way } from '../../cli-kit/show/next-command.js';
import { tryLines } from '../../cli-kit/show/open-lines.js';
import type { WayOn } from '../../reports/run-report.js';
import { outageOf } from '../../reports/verdict-words.js';
import { gateFlags } from './gate-flags.js';

export function gateLines(answer: FinishedStep, call: GateCall): string[] {
  if (answer.status !== 'needs_work') return openLines(answer, call);
  const { instructions_path: path, error, failed_reviews: failed, attempts, tries } = answer;
  const why = answer.feedback ?? '';
  const next = gateWays(answer, call);
  const facts = factLines(answer);
  if (path !== null)
    return [
      sanitise(why),
      '',
      ...facts,
      `NOT APPROVED YET: step ${oneLine(call.settings.step)} is not reviewed`,
      `why: the instructions for the reviewer are in ${oneLine(path)}`,
      ...nextLines({ next }),
      'exit code 53 (suspended)',
    ];
  const used = `${attempts} of ${defaultMaxAttempts}`;
  const [code, more] =
    error === null
      ? [` (attempt ${used})`, facts]
      : ['', [`This attempt does not count: ${used} are used.`, ...facts]];
  return shutLines({ error, why, code, failed: failed ?? [], tries, more, next }, call);
}

/**
 * Returns the lines about a gate that stays closed.
 *
 * @param last - The reviews that the last outputs did not pass, and the calls without an answer.
 */
export function closedLines(
  error: QualityGateError,
  call: GateCall,
  last: Pick<StepState, 'failed_reviews'> & Pick<FinishedStep, 'tries'>,
): string[] {
  const said = { why: error.what, code: ` [${error.code}]`, more: [] };
  const known = { failed: last.failed_reviews, tries: last.tries, next: closedWays(error, call) };
  return shutLines({ error: causeIn(error), ...said, ...known }, call);
}

/** Why a gate is shut, and what is known of it. */
interface Shut {
  /** Why there is no verdict; `null` if there is one. */
  readonly error: StepError | null;
  readonly why: string;
  /** What is said behind the reason. */
  readonly code: string;
  readonly failed: readonly FailedReview[];
  readonly tries: FinishedStep['tries'];
  readonly more: readonly string[];
  readonly next: WayOn[];
}

function shutLines(shut: Shut, call: GateCall): string[] {
  const { error, why, code, failed, more, next } = shut;
  const step = oneLine(call.settings.step);
  const {
    cause,
    exitCode = 50,
    status = 'inconclusive',
  } = error === null ? { cause: '', status: 'exhausted' } : stepErrors[error];
  return [
    error === null
      ? `NOT APPROVED: step ${step}`
      : `NO VERDICT: step ${step}, ${cause}. The gate stays closed.`,
    `why: ${oneLine(why)}${code}`,
    ...(error === null ? failedLines(failed, why) : unjudgedLines(shut, call)),
    ...more,
    ...nextLines({ next }),
    `exit code ${exitCode} (${status})`,
  ];
}

/** Returns what is known of a step without a verdict. */
function unjudgedLines(
  { failed, tries }: Pick<Shut, 'failed' | 'tries'>,
  { settings, job, columns }: GateCall,
): string[] {
  const judged = failed.filter(({ criteria_results }) => criteria_results.length > 0);
  const reviews = job.steps.find(({ id }) => id === settings.step)?.reviews ?? [];
  const criteria = new Set(reviews.flatMap((review) => Object.keys(review.quality_criteria))).size;
  const outage = outageOf([{ tries }]);
  return [
    ...(outage ? [`No answer in ${outage.text}.`, ...tryLines([{ tries }], { columns })] : []),
    ...failedLines(judged, ''),
    ...(judged.length === 0 && criteria > 0
      ? [
          `Nothing is said about the outputs: 0 of ${plural(criteria, 'criterion', 'criteria')} were judged.`,
        ]
      : []),
  ];
}

/** Returns the exit code of an answer. A reviewer of the agent itself has yet to be asked. */
export function gateExitCode(
  { status, error }: Pick<FinishedStep, 'status' | 'error'>,
  mode: 'external' | 'self',
): number {
  if (status !== 'needs_work') return 0;
  const own = error === null ? undefined : stepErrors[error].exitCode;
  return own ?? (mode === 'self' ? 53 : 50);
}

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

type StepError = NonNullable<FinishedStep['error']>;

/** Why the verdict is missing, and how such a run ends. */
interface StepEnd {
  readonly cause: string;
  /** @default 'inconclusive' */
  readonly status?: OutcomeStatus;
  /** @default 50 */
  readonly exitCode?: number;
}

const stepErrors: Readonly<Record<StepError, StepEnd>> = {
  timed_out: { cause: 'the time was used up', status: 'timed_out', exitCode: 52 },
  review_failed: { cause: 'the reviewer gave none' },
  reviewer_missing: { cause: 'there is no reviewer', exitCode: 2 },
  files_changed: { cause: 'the outputs changed meanwhile' },
  files_unseen: { cause: 'the reviewer could not see all files' },
  nothing_to_review: { cause: 'there is nothing to review' },
};

export function gateWays(answer: FinishedStep, call: GateCall): WayOn[] {
  const { status, error, instructions_path: path, begin_step: next } = answer;
  if (status !== 'needs_work') return next === null ? [] : [way(nextStepLine(call, next.step_id))];
  if (path !== null) return [way(overrideLine(call))];
  return error === null
    ? [way(againLine(call), 'after you changed the outputs')]
    : retryWays(call, error);
}

export function closedWays(error: QualityGateError, call: GateCall): WayOn[] {
  const cause = causeIn(error);
  if (cause !== null) return retryWays(call, cause);
  const other = againLine(call, { session: `${call.settings.session}-2` });
  return [way(overrideLine(call)), way(other, 'begins again')];
}

function retryWays(call: GateCall, error: StepError): WayOn[] {
  return [retryWay(call, error), way(overrideLine(call), 'opens the gate, in your name, logged')];
}

/** Returns why a gate has no verdict; `null` if its attempts are used. */
function causeIn({ code, value }: QualityGateError): StepError | null {
  if (code === 'gate_attempts_used') return null;
  return isStepError(value) ? value : 'review_failed';
}

function isStepError(value: unknown): value is StepError {
  return typeof value === 'string' && Object.hasOwn(stepErrors, value);
}

/** Returns the same call again, with other settings. A reason is never repeated. */
export function againLine(
  { settings }: Pick<GateCall, 'settings'>,
  changes: Partial<GateCallSettings> = {},
): string {
  const { notes } = settings;
  const said = { notes: notes && redactSecrets(notes), overrideReason: undefined };
  return commandLine('gate', argvOf(gateFlags, { ...settings, ...said, ...changes }));
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
