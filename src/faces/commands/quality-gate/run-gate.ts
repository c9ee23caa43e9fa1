import { join, resolve } from 'node:path';
import { ReviewLoopError } from '../../../core/errors.js';
import type { Gap } from '../../../core/gap.js';
import { plural } from '../../../core/plural.js';
import { systemClock } from '../../../ports/clock.js';
import { gateErrors } from '../../../products/quality-gate/errors.js';
import type { FinishedStep } from '../../../products/quality-gate/finished-step.js';
import { QualityGateError } from '../../../products/quality-gate/gate-error.js';
import { type GateJob, type GateStep, typesOf } from '../../../products/quality-gate/gate-job.js';
import { planReviews } from '../../../products/quality-gate/gate-plan.js';
import { GateSession } from '../../../products/quality-gate/gate-session.js';
import {
  type FailedReview,
  freshStep,
  type StepState,
} from '../../../products/quality-gate/gate-state.js';
import { gateStateFile, safeId } from '../../../products/quality-gate/gate-state-store.js';
import type { GateOutputs } from '../../../products/quality-gate/payload/gate-outputs.js';
import type { QualityGate } from '../../../products/quality-gate/quality-gate.js';
import type { StoredCall } from '../../cli-kit/flags/command.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { providerChoice, withoutModel } from '../../cli-kit/provider/provider-choice.js';
import { judgedReport, saveJudged } from '../../cli-kit/reports/judged-report.js';
import { checkReports, reportRuns } from '../../cli-kit/reports/report-flag.js';
import { userName } from '../../cli-kit/require-person.js';
import { JudgeTimes } from '../../cli-kit/show/judge-times.js';
import { type FollowedGate, followGate } from '../../cli-kit/show/progress.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { AssessmentReport, RunReport, WayOn } from '../../reports/run-report.js';
import { commandLineHint, gateOf } from './gate-of.js';
import {
  closedLines,
  closedWays,
  type GateCall,
  type GateCallSettings,
  gateExitCode,
  gateLines,
  gateWays,
} from './gate-text.js';
import { readJob, stepOutputs } from './job-in.js';

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

export interface StepEnd {
  readonly step: GateStep;
  readonly session: string;
  readonly outputs: GateOutputs;
  readonly exitCode: number;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly now: number;
  readonly answer: Pick<
    FinishedStep,
    'status' | 'outcome' | 'feedback' | 'failed_reviews' | 'error' | 'unanswered' | 'tries'
  >;
  /** The name and the reason of whoever opened the gate without a review. */
  readonly override?: { readonly by: string; readonly reason: string } | undefined;
}

export function stepReport(end: StepEnd): RunReport {
  const { step, session, outputs, exitCode, began, now, answer } = end;
  const failed = judgedReviews(answer);
  const types = Object.entries(outputs).filter(([name]) => step.outputs[name]?.type !== 'string');
  return judgedReport({
    runId: `gate-${session}-${step.id}`,
    pipeline: `quality-gate ${step.id}`,
    status: statusOf(end),
    code: answer.error ?? answer.outcome ?? answer.status,
    reason: answer.feedback ?? end.override?.reason ?? 'the gate is open',
    exitCode,
    began,
    durationMs: Math.max(0, now - began),
    source: `step ${step.id}`,
    files: types.flatMap(([, value]) => value),
    assessments: assessmentsOf(end, failed),
    gaps: failed.flatMap(gapsOf),
    acceptance: acceptanceOf(end),
  });
}

function statusOf({ answer, exitCode }: StepEnd): RunStatus {
  if (answer.status !== 'needs_work') return answer.outcome ?? 'approved';
  if (exitCode === 52) return 'timed_out';
  if (exitCode === 53) return 'suspended';
  return answer.error === null ? 'exhausted' : 'inconclusive';
}

type RunStatus = 'approved' | 'accepted' | 'timed_out' | 'suspended' | 'exhausted' | 'inconclusive';

function acceptanceOf({ answer, override }: StepEnd): RunReport['acceptance'] {
  if (answer.outcome !== 'accepted') return undefined;
  return override === undefined
    ? { kind: 'not_reviewed', by: 'nobody', reason: answer.feedback ?? '' }
    : { kind: 'override', ...override };
}

function assessmentsOf(
  { step, answer }: StepEnd,
  failed: readonly FailedReview[],
): AssessmentReport[] {
  const { error, feedback, unanswered, outcome, tries = [] } = answer;
  const broken: AssessmentReport[] =
    error === null
      ? []
      : [
          {
            ...{ criterion: step.id, verdict: 'errored', text: feedback ?? error, code: error },
            ...(tries.length > 0 && { tries: [...tries] }),
          },
        ];
  const questions = step.reviews.flatMap((review) => Object.keys(review.quality_criteria));
  const wrong = new Map(failed.flatMap(failuresOf));
  const judged = [...new Set([...questions, ...wrong.keys()])].map(
    (criterion): AssessmentReport => {
      const why = wrong.get(criterion);
      if (why !== undefined) return { criterion, verdict: 'fail', score: 0, text: why };
      if (outcome === 'approved' && !unanswered.includes(criterion))
        return { criterion, verdict: 'pass', score: 1, text: '' };
      const text = outcome === 'accepted' ? 'it was not reviewed' : 'the reviewer gave no answer';
      return {
        criterion,
        verdict: 'undecided',
        text,
        decidableBy: ['person'],
        ...(outcome !== null && { mandatory: false as const }),
      };
    },
  );
  return [...broken, ...judged];
}

/** The text of a review is a finding only with a verdict. */
function judgedReviews({ failed_reviews, error }: StepEnd['answer']): readonly FailedReview[] {
  const failed = failed_reviews ?? [];
  if (error === null) return failed;
  return failed.filter(({ criteria_results }) => criteria_results.some(({ passed }) => !passed));
}

function failuresOf({
  review_run_each: name,
  feedback,
  criteria_results,
}: FailedReview): [criterion: string, why: string][] {
  const wrong = criteria_results.filter(({ passed }) => !passed);
  if (wrong.length === 0) return [[name, feedback]];
  return wrong.map(({ criterion, feedback: why }) => [criterion, why ?? feedback]);
}

function gapsOf(review: FailedReview): Gap[] {
  const { target_file: file } = review;
  return failuresOf(review).map(([criterionId, why]): Gap => {
    const description = why.trim() === '' ? `${criterionId} is not met` : why;
    return {
      id: '',
      severity: 'major',
      category: 'quality',
      description,
      suggestedFix: description,
      estimatedEffort: 'medium',
      autoFixable: true,
      criterionId,
      ...(file !== null && { affectedArtifact: file }),
    };
  });
}

interface ReportedStep extends Pick<StepEnd, 'step' | 'outputs' | 'began'> {
  readonly settings: GateCallSettings;
  readonly job: string;
  readonly store: StoreHandle;
  readonly by: string;
}

async function reportStep(
  io: Io,
  call: ReportedStep,
  { answer, exitCode, next }: Pick<StepEnd, 'answer' | 'exitCode'> & { readonly next: WayOn[] },
): Promise<void> {
  const { settings, job, store, by } = call;
  const { report, root, overrideReason: reason } = settings;
  const session = `${safeId(job)}-${safeId(settings.session)}`;
  const override = reason === undefined ? undefined : { by, reason };
  const end = { session, exitCode, now: systemClock.now(), answer, override };
  const made = stepReport({ ...call, ...end });
  await reportRuns(io, report, {
    reports: [await saveJudged(store, { ...made, ...(next.length > 0 && { next }) })],
    store,
    cwd: io.cwd,
    from: resolve(io.cwd, root),
  });
}
