import { resolve } from 'node:path';
import type { Gap } from '../../../core/gap.js';
import { systemClock } from '../../../ports/clock.js';
import type { FinishedStep } from '../../../products/quality-gate/finished-step.js';
import type { GateStep } from '../../../products/quality-gate/gate-job.js';
import type { FailedReview } from '../../../products/quality-gate/gate-state.js';
import { safeId } from '../../../products/quality-gate/gate-state-store.js';
import type { GateOutputs } from '../../../products/quality-gate/payload/gate-outputs.js';
import type { Io } from '../../cli-kit/io.js';
import { judgedReport, saveJudged } from '../../cli-kit/reports/judged-report.js';
import { reportRuns } from '../../cli-kit/reports/report-flag.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import type { AssessmentReport, RunReport, WayOn } from '../../reports/run-report.js';
import type { GateCallSettings } from './gate-ways.js';

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

export interface ReportedStep extends Pick<StepEnd, 'step' | 'outputs' | 'began'> {
  readonly settings: GateCallSettings;
  readonly job: string;
  readonly store: StoreHandle;
  readonly by: string;
}

export async function reportStep(
  io: Io,
  call: ReportedStep,
  { answer, exitCode, next }: Pick<StepEnd, 'answer' | 'exitCode'> & { readonly next: WayOn[] },
): Promise<void> {
  const { settings, job, step, outputs, began, store, by } = call;
  const { report, root, overrideReason: reason } = settings;
  const session = `${safeId(job)}-${safeId(settings.session)}`;
  const made = stepReport({
    step,
    session,
    outputs,
    exitCode,
    began,
    now: systemClock.now(),
    answer,
    ...(reason !== undefined && { override: { by, reason } }),
  });
  await reportRuns(io, report, {
    reports: [await saveJudged(store, { ...made, ...(next.length > 0 && { next }) })],
    store,
    cwd: io.cwd,
    from: resolve(io.cwd, root),
  });
}
