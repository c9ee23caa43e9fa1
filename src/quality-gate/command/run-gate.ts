import { join, resolve } from 'node:path';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import type { Io } from '../../cli-kit/io.js';
import { chooseProvider } from '../../cli-kit/provider/choose-provider.js';
import { type ProviderChoice, providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { openStores, prepareRuns } from '../../cli-kit/run-stores.js';
import { storeFolder } from '../../cli-kit/store-folder.js';
import { userName } from '../../cli-kit/user-name.js';
import { isReviewError, type ReviewError, ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { deepworkCli } from '../../providers/cli/deepwork-cli.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';
import { gateErrors } from '../errors.js';
import type { FinishedStep } from '../finished-step.js';
import { GateSession } from '../gate-session.js';
import { gateStateFile, safeId } from '../gate-state-store.js';
import { QualityGate } from '../quality-gate.js';
import type { gateFlags } from './gate-flags.js';
import { closedLines, gateLines } from './gate-text.js';
import { loadJob } from './load-job.js';
import { stepOutputs } from './step-outputs.js';

type GateSettings = SettingsOf<typeof gateFlags>;

/** Reviews the outputs of a step, shows the next command, and returns the exit code. */
export async function runGate(io: Io, settings: GateSettings): Promise<number> {
  const choice = providerChoice(settings);
  if (choice !== undefined && settings.cli !== undefined)
    throw new ReviewLoopError(nodeErrors.usage, 'pass --cli or --provider, not both');
  const store = resolve(io.cwd, storeFolder(settings.store));
  const job = await loadJob(io.cwd, settings.job);
  const step = job.steps.find(({ id }) => id === settings.step);
  if (step === undefined)
    throw new ReviewLoopError(
      gateErrors.gate_step_unknown,
      `${settings.job} has no step ${JSON.stringify(settings.step)}; it has ${job.steps.map(({ id }) => id).join(', ')}`,
    );
  await prepareRuns(store);
  const { session: sessionId, mode, notes, overrideReason: qualityReviewOverrideReason } = settings;
  const session = new GateSession({
    gate: await gateOf(io, settings, choice),
    job,
    mode,
    sessionId,
    state: gateStateFile(join(store, 'gates', `${safeId(job.name)}-${safeId(sessionId)}.json`)),
    audit: openStores(store).audit,
  });
  try {
    const outputs = stepOutputs(step, settings.output);
    return await show(
      io,
      settings,
      await session.finishedStep({
        stepId: step.id,
        outputs,
        notes,
        qualityReviewOverrideReason,
        by: settings.by ?? userName(),
        signal: io.signal,
      }),
    );
  } catch (error) {
    if (
      isReviewError(error) &&
      (error.code === 'gate_attempts_used' || error.code === 'gate_review_failed')
    )
      return closed(io, settings, error);
    throw error;
  }
}

async function gateOf(
  io: Io,
  { mode, root: given, maxInlineFiles, cli }: GateSettings,
  choice: ProviderChoice | undefined,
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

async function show(io: Io, settings: GateSettings, answer: FinishedStep): Promise<number> {
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

/** Shows that a gate stays closed, and returns the exit code. */
async function closed(io: Io, settings: GateSettings, error: ReviewError): Promise<number> {
  const data = {
    schemaVersion: 1,
    status: 'failed',
    code: error.code,
    feedback: error.message,
    exitCode: 50,
  };
  await io.out(
    settings.format === 'json'
      ? `${terminalSafeJson(data)}\n`
      : `${closedLines(error, settings).join('\n')}\n`,
  );
  return 50;
}
