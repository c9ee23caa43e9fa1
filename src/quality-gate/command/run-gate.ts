import { join, relative, resolve } from 'node:path';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { providerChoice } from '../../cli-kit/provider/provider-choice.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { type FollowedGate, followGate } from '../../cli-kit/show/follow-gate.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { userName } from '../../cli-kit/user-name.js';
import { ReviewLoopError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { systemClock } from '../../ports/clock.js';
import { terminalSafeJson } from '../../terminal/sanitise.js';
import { gateErrors } from '../errors.js';
import type { FinishedStep } from '../finished-step.js';
import { QualityGateError } from '../gate-error.js';
import { type GateJob, type GateStep, typesOf } from '../gate-job.js';
import { planReviews } from '../gate-plan.js';
import { GateSession } from '../gate-session.js';
import { gateStateFile, safeId } from '../gate-state-store.js';
import type { QualityGate } from '../quality-gate.js';
import { commandLineHint } from './command-line-hint.js';
import { gateOf } from './gate-of.js';
import { closedLines, gateLines } from './gate-text.js';
import { readJob } from './job-in.js';
import type { GateCall, GateCallSettings } from './next-gate-call.js';
import { stepOutputs } from './step-outputs.js';
import { type ReportedStep, reportStep } from './step-report.js';

/** Reviews the outputs of a step, shows the next command, and returns the exit code. */
export async function runGate(
  { io, store }: StoredCall,
  settings: GateCallSettings,
): Promise<number> {
  providerChoice(settings);
  await checkReports(settings.report, io.cwd);
  const job = await loadJob(io.cwd, settings.job);
  const step = stepOf(job, settings);
  const outputs = stepOutputs(step, settings.output);
  const gate = await chosenGate(io, settings);
  const { session: sessionId, mode, notes, overrideReason: qualityReviewOverrideReason } = settings;
  const name = `${safeId(job.name)}-${safeId(sessionId)}.json`;
  const files = Object.values(outputs).flat().length;
  const call: GateCall = { settings, job, files };
  await store.prepare();
  const session = new GateSession({
    gate,
    job,
    mode,
    sessionId,
    selfReviewInlineFiles: settings.maxInlineFiles,
    state: gateStateFile(join(store.local(io.cwd), 'gates', name)),
    audit: store.audit,
  });
  const by = settings.by ?? userName();
  const began = systemClock.now();
  const told = { settings, session, step, outputs, store, by, began };
  const input = {
    stepId: step.id,
    outputs,
    notes,
    qualityReviewOverrideReason,
    by,
    signal: io.signal,
  };
  const reviewed = (): Promise<FinishedStep> => session.finishedStep(input);
  const asks = mode === 'external' && qualityReviewOverrideReason === undefined;
  try {
    const finished = await (asks
      ? followGate(io, shownAs(gate, job.name, told), reviewed)
      : reviewed());
    const exitCode = await show(io, call, finished);
    await reportStep(io, told, { answer: finished, exitCode });
    return exitCode;
  } catch (error) {
    if (
      error instanceof QualityGateError &&
      (error.code === 'gate_attempts_used' || error.code === 'gate_review_failed')
    ) {
      const exitCode = await closed(io, call, { error, session });
      await reportStep(io, told, { answer: error, exitCode });
      return exitCode;
    }
    throw commandLineHint(error);
  }
}

/** Returns how the reviewers of a step are shown: by what is reviewed, and the file of a list. */
function shownAs(
  gate: QualityGate,
  job: string,
  { settings, step, outputs, store }: Omit<ReportedStep, 'session'>,
): FollowedGate {
  const { tasks } = planReviews({ reviews: step.reviews, outputs, outputTypes: typesOf(step) });
  const names = new Map(
    tasks.map(({ id, target, review: { run_each: name } }) => [
      id,
      target === null ? name : `${name} ${target}`,
    ]),
  );
  return {
    gate,
    quiet: settings.quiet,
    title: step.id,
    times: new JudgeTimes(store.files, `gate ${job}/${step.id}`, { nameOf: withoutFile }),
    nameOf: (id) => names.get(id) ?? id,
    begins: [`${step.id}: reading ${plural(Object.values(outputs).flat().length, 'file')}`],
  };
}

/** Returns the id of a task without the number of its file: all files of a list take alike. */
function withoutFile(id: string): string {
  return id.split('/').slice(0, 2).join('/');
}

function stepOf(job: GateJob, { job: file, step: id }: GateCallSettings): GateStep {
  const step = job.steps.find((candidate) => candidate.id === id);
  if (step !== undefined) return step;
  throw new ReviewLoopError(
    gateErrors.gate_step_unknown,
    `${file} has no step ${JSON.stringify(id)}; it has ${job.steps.map((known) => known.id).join(', ')}`,
  );
}

function chosenGate(io: Io, settings: GateCallSettings): Promise<QualityGate> {
  if (settings.mode === 'external') return gateOf(io, settings, 'claude');
  const alone = { ...settings, cli: undefined, provider: undefined, model: undefined };
  return gateOf(io, { ...alone, baseUrl: undefined, contextTokens: undefined, providerEnv: [] });
}

async function show(io: Io, call: GateCall, answer: FinishedStep): Promise<number> {
  const { format, mode } = call.settings;
  const exitCode = codeOf(answer, mode);
  await io.out(
    format === 'json'
      ? `${terminalSafeJson({ schemaVersion: 1, ...answer, exitCode })}\n`
      : `${gateLines(answer, call).join('\n')}\n`,
  );
  return exitCode;
}

function codeOf({ status, error }: FinishedStep, mode: 'external' | 'self'): number {
  if (status !== 'needs_work') return 0;
  if (error === 'timed_out') return 52;
  if (error === 'reviewer_missing') return 2;
  return mode === 'self' ? 53 : 50;
}

/** Shows that a gate stays closed, and returns the exit code. */
async function closed(
  io: Io,
  call: GateCall,
  { error, session }: { readonly error: QualityGateError; readonly session: GateSession },
): Promise<number> {
  const { steps } = await session.reviewStatus();
  const failed = steps[call.settings.step]?.failed_reviews ?? [];
  const exitCode = error.value === 'timed_out' ? 52 : error.value === 'reviewer_missing' ? 2 : 50;
  const data = {
    schemaVersion: 1,
    status: 'failed',
    code: error.code,
    feedback: error.what,
    failed_reviews: failed,
    exitCode,
  };
  await io.out(
    call.settings.format === 'json'
      ? `${terminalSafeJson(data)}\n`
      : `${closedLines(error, call, failed).join('\n')}\n`,
  );
  return exitCode;
}

/**
 * Loads a job file, YAML or JSON.
 *
 * @throws ReviewLoopError `file_unreadable`, `file_too_large`, `config_invalid` that names file, line and key
 */
export async function loadJob(cwd: string, file: string): Promise<GateJob> {
  const path = resolve(cwd, file);
  const shown = relative(cwd, path) || file;
  return readJob(path, shown);
}
