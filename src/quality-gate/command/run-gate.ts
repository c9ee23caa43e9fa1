import { join, resolve } from 'node:path';
import type { ProviderChoice } from '../../cli-kit/inputs/review-settings.js';
import type { Io } from '../../cli-kit/io.js';
import { keptRuns, prepareRuns } from '../../cli-kit/kept-runs.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { deepworkCli } from '../../providers/cli/deepwork-cli.js';
import { sanitise, terminalSafeJson } from '../../terminal/sanitise.js';
import { gateErrors } from '../errors.js';
import type { FinishedStep } from '../finished-step.js';
import { GateSession } from '../gate-session.js';
import { gateStateFile, safeId } from '../payload/gate-files.js';
import { QualityGate } from '../quality-gate.js';
import { type GateCall, gateLines } from './gate-text.js';
import { loadJob } from './load-job.js';
import { stepOutputs } from './step-outputs.js';

/** What `reviewloop gate` is told. */
export interface GateSettings extends GateCall {
  readonly outputs: readonly string[];
  readonly notes: string | undefined;
  readonly root: string;
  readonly maxInlineFiles: number | undefined;
  readonly cli: string | undefined;
  readonly provider: ProviderChoice | undefined;
  readonly session: string;
  readonly overrideReason: string | undefined;
  readonly by: string;
  readonly format: 'text' | 'json';
  readonly store: string;
}

/** Reviews what a step made, and says how to go on; gives the exit code. */
export async function runGate(io: Io, settings: GateSettings): Promise<number> {
  const job = await loadJob(io.cwd, settings.job);
  const step = job.steps.find(({ id }) => id === settings.step);
  if (step === undefined)
    throw new ReviewLoopError(
      gateErrors.gate_step_unknown,
      `${settings.job} has no step ${JSON.stringify(settings.step)}; it has ${job.steps.map(({ id }) => id).join(', ')}`,
    );
  await prepareRuns(settings.store);
  const {
    session: sessionId,
    mode,
    notes,
    overrideReason: qualityReviewOverrideReason,
    by,
  } = settings;
  const session = new GateSession({
    gate: await gateOf(io, settings),
    job,
    mode,
    sessionId,
    state: gateStateFile(
      join(settings.store, 'gates', `${safeId(job.name)}-${safeId(sessionId)}.json`),
    ),
    audit: keptRuns(settings.store).audit,
  });
  try {
    const outputs = stepOutputs(step, settings.outputs);
    return await tell(
      io,
      settings,
      await session.finishedStep({
        stepId: step.id,
        outputs,
        notes,
        qualityReviewOverrideReason,
        by,
        signal: io.signal,
      }),
    );
  } catch (error) {
    const code = closedCode(error);
    if (code === undefined) throw error;
    return closed(io, settings, { code, error });
  }
}

async function gateOf(
  io: Io,
  { mode, root: given, maxInlineFiles, cli, provider: choice }: GateSettings,
): Promise<QualityGate> {
  const root = resolve(io.cwd, given);
  const shared = { root, maxInlineFiles };
  if (mode === 'self') return new QualityGate(shared);
  const provider = await chooseProvider(io, choice, true);
  if (provider !== undefined) return new QualityGate({ ...shared, provider });
  return new QualityGate({
    ...shared,
    cli: deepworkCli({ cwd: root, ...(cli !== undefined && { executable: cli }) }),
  });
}

async function tell(io: Io, settings: GateSettings, answer: FinishedStep): Promise<number> {
  const exitCode = codeOf(answer, settings.mode);
  await io.out(
    settings.format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, ...answer, exitCode })}\n`
      : `${gateLines(answer, settings).join('\n')}\n`,
  );
  return exitCode;
}

function codeOf({ status, error }: FinishedStep, mode: 'external' | 'self'): number {
  if (status !== 'needs_work') return 0;
  if (error === 'timed_out') return 52;
  return mode === 'self' ? 53 : 50;
}

/** The exit code of a gate that stays closed for good; nothing for every other error. */
function closedCode(error: unknown): number | undefined {
  return isReviewError(error) &&
    (error.code === 'gate_attempts_used' || error.code === 'gate_review_failed')
    ? 50
    : undefined;
}

async function closed(
  io: Io,
  { format, step }: GateSettings,
  { code, error }: { readonly code: number; readonly error: unknown },
): Promise<number> {
  const said = {
    status: 'failed',
    code: isReviewError(error) ? error.code : '',
    feedback: messageOf(error),
    exitCode: code,
  };
  const lines = [
    `NOT APPROVED (${said.code}): step ${step}`,
    `why: ${messageOf(error)}`,
    'next: let it through with --override-reason "...", or start again with another --session',
  ];
  await io.out(
    format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, ...said })}\n`
      : sanitise(`${lines.join('\n')}\n`),
  );
  return code;
}
