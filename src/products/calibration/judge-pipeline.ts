import { definePipeline } from '../../blocks/pipeline/define-pipeline.js';
import { inherit } from '../../blocks/pipeline/inherit-provider.js';
import type { Pipeline } from '../../blocks/pipeline/pipeline-options.js';
import { criterion } from '../../blocks/reviewers/criterion.js';
import { isJudged, isOpenQuestion } from '../../core/assessment.js';
import type { CriterionFn } from '../../core/criterion.js';
import type { ReviewLoopError } from '../../core/errors.js';
import { givenOf, invalid } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { Reviewer } from '../../core/reviewer.js';
import { reviewerOf } from '../self-review/agent-context.js';
import type { ReviewCriterion } from '../self-review/review-criterion.js';
import type { CalibrateOptions } from './calibrate-options.js';
import type { JudgedRun } from './calibration-record.js';

export type CalibratableJudge<Task, Output> =
  | Reviewer<Task, Output>
  | ReviewCriterion<Output, Task>
  | CriterionFn<Output, Task>;

export interface Trial<Task, Output> {
  readonly task: Task;
  readonly output: Output;
  readonly repetition: number;
}

export function judgeReviewer<Task, Output>(
  judge: CalibratableJudge<Task, Output>,
  { id, version, provider }: Pick<CalibrateOptions, 'id' | 'version' | 'provider'>,
): Reviewer<Task, Output> {
  if (typeof judge === 'function')
    return criterion<Output, Task>(id ?? judge.name, judge, { version });
  if (typeof judge !== 'object' || judge === null) throw notAJudge(judge);
  if (id !== undefined || version !== undefined)
    throw invalid(
      id === undefined ? 'version' : 'id',
      `absent, because ${judge.id} has its own`,
      id ?? version,
    );
  return inherit(reviewerIn(judge), provider, judge.id);
}

function reviewerIn<Task, Output>(
  judge: Reviewer<Task, Output> | ReviewCriterion<Output, Task>,
): Reviewer<Task, Output> {
  if ('review' in judge && typeof judge.review === 'function') return judge;
  if ('validate' in judge && typeof judge.validate === 'function')
    return reviewerOf<Output, Task>(judge);
  throw notAJudge(judge);
}

function notAJudge(judge: unknown): ReviewLoopError {
  return invalid('judge', 'a reviewer, a criterion or a function', judge);
}

export function judgePipeline<Task, Output>(
  judge: Reviewer<Task, Output>,
  options: Omit<CalibrateOptions, 'id' | 'version' | 'provider'>,
): Pipeline<Trial<Task, Output>, Output> {
  const { timeoutMs } = options;
  const { id, tier, reuse, checksFindings, scope } = judge;
  // without `fix`, `asks` and `after`: a judge is calibrated alone
  const reviewer: Reviewer<Trial<Task, Output>, Output> = {
    id,
    version: judgeVersion(judge),
    tier,
    reuse,
    checksFindings,
    scope: scope && (({ task, output }) => scope({ task: task.task, output })),
    review: ({ task, ...subject }, context) =>
      judge.review({ ...subject, task: task.task }, context),
  };
  return definePipeline<Trial<Task, Output>, Output>({
    name: `calibrate ${judge.id}`,
    produce: async ({ output }) => output,
    reviewers: [reviewer],
    policy: () => ({
      kind: 'stop',
      status: 'exhausted',
      code: 'calibrated',
      reason: 'judged once',
    }),
    budget: { reviews: 1 },
    ...givenOf(options, ['retries', 'limiter', 'clock', 'random']),
    ...(timeoutMs !== undefined && { timeouts: { checkMs: timeoutMs } }),
  });
}

/** Verdicts are recorded under it: a grade holds for any bar. */
export function judgeVersion({
  version,
  grading,
}: Pick<Reviewer<never, never>, 'version' | 'grading'>): string {
  return grading?.version ?? version;
}

/** Uses the bar of now: an error outweighs a failure, a failure outweighs passes. */
export function judgedRun(
  outcome: Outcome<unknown>,
  { grading }: Pick<Reviewer<never, never>, 'grading'>,
): JudgedRun {
  const said = outcome.reviews[0]?.assessments;
  const assessments = grading === undefined ? said : said?.map(grading.decide);
  if (assessments === undefined)
    return {
      kind: 'errored',
      code: outcome.error?.code ?? outcome.code,
      message: outcome.error?.message ?? outcome.reason,
    };
  const errored = assessments.find((assessment) => assessment.verdict === 'errored');
  if (errored?.verdict === 'errored')
    return { kind: 'errored', code: errored.error.code, message: errored.error.message };
  const judged = assessments.filter(isJudged);
  if (judged.length === 0 || assessments.some(isOpenQuestion)) return { kind: 'skipped' };
  const [grade, ...more] = judged.map((one) => one.grade);
  return {
    kind: judged.every(({ verdict }) => verdict === 'pass') ? 'pass' : 'fail',
    ...(grade !== undefined && more.length === 0 && { grade }),
  };
}
