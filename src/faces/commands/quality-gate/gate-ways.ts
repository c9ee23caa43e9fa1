import type { OutcomeStatus } from '../../../core/outcome.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import type { FinishedStep } from '../../../products/quality-gate/finished-step.js';
import type { QualityGateError } from '../../../products/quality-gate/gate-error.js';
import type { GateJob, GateStep } from '../../../products/quality-gate/gate-job.js';
import { argvOf, type SettingsOf } from '../../cli-kit/flags/flag.js';
import { withoutModel } from '../../cli-kit/provider/provider-choice.js';
import { commandLine } from '../../cli-kit/show/listing.js';
import { way } from '../../cli-kit/show/next-command.js';
import type { WayOn } from '../../reports/run-report.js';
import { gateFlags } from './gate-flags.js';

export type GateCallSettings = SettingsOf<typeof gateFlags>;

/** A call of `reviewloop gate`. */
export interface GateCall {
  readonly settings: GateCallSettings;
  readonly job: Pick<GateJob, 'steps'>;
  readonly files: number;
  readonly columns?: number | undefined;
}

export type StepError = NonNullable<FinishedStep['error']>;

/** Why the verdict is missing, and how such a run ends. */
interface StepEnd {
  readonly cause: string;
  /** @default 'inconclusive' */
  readonly status?: OutcomeStatus;
  /** @default 50 */
  readonly exitCode?: number;
}

export const stepErrors: Readonly<Record<StepError, StepEnd>> = {
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
export function causeIn({ code, value }: QualityGateError): StepError | null {
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
