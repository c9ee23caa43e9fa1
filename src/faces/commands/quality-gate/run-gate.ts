import { join, resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import { systemClock } from '../../../ports/clock.js';
import { gateErrors } from '../../../products/quality-gate/errors.js';
import type { FinishedStep } from '../../../products/quality-gate/finished-step.js';
import { QualityGateError } from '../../../products/quality-gate/gate-error.js';
import { type GateJob, type GateStep, typesOf } from '../../../products/quality-gate/gate-job.js';
import { planReviews } from '../../../products/quality-gate/gate-plan.js';
import { GateSession } from '../../../products/quality-gate/gate-session.js';
import { freshStep, type StepState } from '../../../products/quality-gate/gate-state.js';
import { gateStateFile, safeId } from '../../../products/quality-gate/gate-state-store.js';
import type { QualityGate } from '../../../products/quality-gate/quality-gate.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { providerChoice, withoutModel } from '../../cli-kit/provider/provider-choice.js';
import { checkReports } from '../../cli-kit/reports/report-flag.js';
import { userName } from '../../cli-kit/require-person.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { type FollowedGate, followGate } from '../../cli-kit/show/progress.js';
import { commandLineHint, gateOf } from './gate-of.js';
import { closedLines, gateExitCode, gateLines } from './gate-text.js';
import { closedWays, type GateCall, type GateCallSettings, gateWays } from './gate-ways.js';
import { readJob, stepOutputs } from './job-in.js';
import { type ReportedStep, reportStep, type StepEnd } from './step-report.js';

export async function runGate(
  { io, store }: StoredCall,
  settings: GateCallSettings,
): Promise<number> {
  providerChoice(settings);
  await checkReports(settings.report, io.cwd);
  const job = await readJob(resolve(io.cwd, settings.job), settings.job);
  const step = stepOf(job, settings);
  const outputs = stepOutputs(step, settings.output);
  const gate = await chosenGate(io, settings);
  const { session: sessionId, mode, notes, overrideReason: qualityReviewOverrideReason } = settings;
  const name = `${safeId(job.name)}-${safeId(sessionId)}.json`;
  const files = Object.values(outputs).flat().length;
  const call: GateCall = { settings, job, files, columns: io.outColumns };
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
  const told = { settings, job: job.name, step, outputs, store, by, began };
  const given = { stepId: step.id, outputs, notes, qualityReviewOverrideReason, by };
  const reviewed = (): Promise<FinishedStep> =>
    session.finishedStep({ ...given, signal: io.signal });
  const asks = mode === 'external' && qualityReviewOverrideReason === undefined;
  try {
    const finished = await (asks
      ? followGate(io, shownAs(gate, job.name, told), reviewed)
      : reviewed());
    const exitCode = gateExitCode(finished, mode);
    const lines = gateLines(finished, call);
    await tell(io, settings.format, { data: { ...finished, exitCode }, lines });
    const next = gateWays(finished, call);
    await reportStep(io, told, { answer: finished, exitCode, next });
    return exitCode;
  } catch (error) {
    if (!isClosed(error)) throw commandLineHint(error);
    const { code, what: feedback } = error;
    const { steps } = await session.reviewStatus();
    const answer = closedAnswer(steps[step.id] ?? freshStep, feedback);
    const exitCode = gateExitCode(answer, 'external');
    const { failed_reviews } = answer;
    const data = { status: 'failed', code, feedback, failed_reviews, exitCode };
    await tell(io, settings.format, { data, lines: closedLines(error, call, answer) });
    await reportStep(io, told, { answer, exitCode, next: closedWays(error, call) });
    return exitCode;
  }
}

function isClosed(error: unknown): error is QualityGateError {
  return (
    error instanceof QualityGateError &&
    (error.code === 'gate_attempts_used' || error.code === 'gate_review_failed')
  );
}

function closedAnswer(
  { failed_reviews, error, unanswered, tries }: StepState,
  feedback: string,
): StepEnd['answer'] & Pick<StepState, 'failed_reviews'> {
  const known = { feedback, failed_reviews, error, unanswered, tries };
  return { status: 'needs_work', outcome: null, ...known };
}

/** Reviewers are named by what is reviewed, and the file of a list. */
function shownAs(
  gate: QualityGate,
  job: string,
  { settings, step, outputs, store }: ReportedStep,
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

/** All files of a list take alike. */
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
  return gateOf(io, { ...settings, ...withoutModel, cli: undefined });
}
