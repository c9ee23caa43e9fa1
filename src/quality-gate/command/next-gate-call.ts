import { argvOf, type SettingsOf } from '../../cli-kit/flags/flag.js';
import { quoted } from '../../cli-kit/show/listing.js';
import { redactSecrets } from '../../redact/secrets.js';
import type { FinishedStep } from '../finished-step.js';
import type { GateJob, GateStep } from '../gate-job.js';
import { gateFlags } from './gate-flags.js';

/** The settings of `reviewloop gate`. */
export type GateCallSettings = SettingsOf<typeof gateFlags>;

/** A call of `reviewloop gate`. */
export interface GateCall {
  readonly settings: GateCallSettings;
  readonly job: Pick<GateJob, 'steps'>;
  /** The number of files that the step handed in. */
  readonly files: number;
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

/** Returns the call that accepts the step for a reason. */
export function overrideLine(call: Pick<GateCall, 'settings'>): string {
  return `${againLine(call)} --override-reason "..."`;
}

/** Returns the call for the next step, with a place for each output that the job file lacks. */
export function nextStepLine(call: GateCall, stepId: string): string {
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

/** Returns what can give a step a verdict that has none. */
export function retryLine(call: GateCall, error: NonNullable<FinishedStep['error']>): string {
  const { settings, files } = call;
  const limit = settings.maxInlineFiles ?? 5;
  switch (error) {
    case 'reviewer_missing':
      return settings.provider === undefined
        ? `${againLine(call)} # after you installed Claude Code, or with --provider NAME`
        : `${againLine(call)} # after you installed its package`;
    case 'files_unseen':
      return files > limit
        ? againLine(call, { maxInlineFiles: files })
        : `${againLine(call, withoutModel)} # Claude Code reads files itself`;
    case 'nothing_to_review':
      return `${againLine(call)} # after the outputs have content`;
    default:
      return `${againLine(call)} # asks again`;
  }
}

const withoutModel = {
  provider: undefined,
  model: undefined,
  baseUrl: undefined,
  contextTokens: undefined,
  providerEnv: [],
};
