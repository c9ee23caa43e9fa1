import { artifactsOf } from '../../core/artifact.js';
import type { Assessment } from '../../core/assessment.js';
import { questionText } from '../../core/decision.js';
import type { Gap } from '../../core/gap.js';
import { copyJson } from '../../core/json.js';
import { checkKeys } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import type { Review } from '../../core/review.js';
import { requirementPrefix } from '../../core/scores.js';
import { triesOf } from '../../core/tries.js';
import { addUsage } from '../../core/usage.js';
import type { AssessmentReport, ReviewReport, RunReport, ScoreBar } from './run-report.js';
import { verdictCounts } from './verdict-counts.js';

export type AboutRun = Pick<
  RunReport,
  | 'at'
  | 'pipeline'
  | 'bars'
  | 'durationMs'
  | 'task'
  | 'requirements'
  | 'criteria'
  | 'files'
  | 'notReviewed'
  | 'exitCode'
  | 'changed'
  | 'written'
  | 'judges'
> & {
  readonly fixers: ReadonlySet<string>;
};

export function reportRun(outcome: Outcome<unknown>, { fixers, ...about }: AboutRun): RunReport {
  const { runId, status, approved, code, reason, version, review: best } = outcome;
  const { produce, review, address } = outcome.usage;
  const own = about.requirements?.ids;
  const reviews = outcome.reviews.map((review) => reportReview(review, review === best, own));
  const shown = reviews.find((review) => review.best);
  const assessments = shown?.assessments ?? [];
  return {
    schemaVersion: 1,
    runId,
    status,
    approved,
    code,
    reason,
    ...about,
    ...(outcome.decidedBy !== undefined && { decidedBy: outcome.decidedBy }),
    usage: { ...addUsage(addUsage(produce, review), address) },
    ...(version !== undefined && { version }),
    ...(shown !== undefined && { scores: shown.scores, counts: shown.counts }),
    gaps: [...(best?.gaps ?? [])],
    coverage: coverageOf(best?.assessments ?? [], own),
    failures: assessments.filter(({ verdict }) => verdict === 'errored'),
    undecided: assessments.filter(({ verdict }) => verdict === 'undecided'),
    fixed: repaired(outcome.reviews, best, fixers),
    ...(outcome.status === 'suspended' && { requests: [...outcome.requests] }),
    ...(outcome.status === 'accepted' && { acceptance: { ...outcome.acceptance } }),
    reviews,
  };
}

/** Contains requirements that nobody decided, too, in the order of the task. */
function coverageOf(assessments: readonly Assessment[], own: OwnIds): RunReport['coverage'] {
  const ids = requirementIds(assessments, own);
  return assessments.flatMap((assessment) =>
    'coverage' in assessment && assessment.coverage !== undefined
      ? [{ ...assessment.coverage, ...idOf(ids.get(assessment.criterion)) }]
      : [],
  );
}

function idOf(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}

/** They were closed up to the best review and are not open in it. */
function repaired(
  reviews: readonly Review[],
  best: Review | undefined,
  fixers: ReadonlySet<string>,
): RunReport['fixed'] {
  if (best === undefined) return [];
  const open = new Set(best.gaps.map(({ id }) => id));
  const closed = new Map<string, { iteration: number; by: string; gap: Gap }>();
  for (const { iteration, fixed } of reviews.slice(0, reviews.indexOf(best) + 1)) {
    for (const gap of fixed)
      if (!open.has(gap.id))
        closed.set(gap.id, { iteration, by: fixers.has(gap.id) ? 'fixer' : 'revision', gap });
  }
  return [...closed.values()];
}

export function reportReview(review: Review, best: boolean, own?: OwnIds): ReviewReport {
  const { iteration, version, at, durationMs, complete, decision } = review;
  const ids = requirementIds(review.assessments, own);
  return {
    iteration,
    version,
    ...(review.parent !== undefined && { parent: review.parent }),
    at,
    durationMs,
    complete,
    best,
    scores: reportScores(review.scores),
    counts: verdictCounts(review.assessments),
    decision: { kind: decision.kind, reason: decision.reason },
    gaps: [...review.gaps],
    fixed: [...review.fixed],
    ...(review.closed && { closed: [...review.closed] }),
    assessments: review.assessments.map((assessment) => ({
      ...reportAssessment(assessment),
      ...(ids.has(assessment.criterion) && { id: ids.get(assessment.criterion) }),
    })),
    usage: { ...review.usage },
    ...(review.reused && {
      reused: { verdicts: review.reused.verdicts, saved: { ...review.reused.saved } },
    }),
  };
}

function reportScores({ soFar: _, ...scores }: Review['scores']): ReviewReport['scores'] {
  const { criteria, requirements } = scores;
  return { ...scores, criteria: { ...criteria }, requirements: { ...requirements } };
}

export function reportAssessment(assessment: Assessment): AssessmentReport {
  const { criterion, verdict } = assessment;
  switch (assessment.verdict) {
    case 'pass':
    case 'fail':
      return {
        criterion,
        verdict,
        score: assessment.score,
        text: assessment.explanation,
        ...(assessment.decidedBy !== undefined && { decidedBy: assessment.decidedBy }),
        ...(assessment.grade !== undefined && { grade: assessment.grade }),
        ...(assessment.votes !== undefined && { votes: assessment.votes }),
      };
    case 'undecided':
      return {
        criterion,
        verdict,
        text: assessment.reason,
        question: questionText(assessment),
        decidableBy: [...assessment.decidableBy],
        ...(assessment.mandatory === false && { mandatory: assessment.mandatory }),
      };
    case 'skipped':
      return { criterion, verdict, text: assessment.reason };
    case 'errored': {
      const { error } = assessment;
      const tries = triesOf(error);
      return {
        ...{ criterion, verdict, text: error.message, code: error.code },
        ...(tries.length > 0 && { tries: [...tries] }),
      };
    }
  }
}

/** A person gave them to requirements in a file. Keys are criteria. */
type OwnIds = NonNullable<RunReport['requirements']>['ids'];

/**
 * By criterion: those of their file, else `R1` and up in the order of the task. A requirement has
 * the same id in every list of one review.
 */
function requirementIds(
  assessments: readonly { readonly criterion: string }[],
  own: OwnIds = {},
): ReadonlyMap<string, string> {
  const criteria = assessments
    .map(({ criterion }) => criterion)
    .filter((criterion) => criterion.startsWith(requirementPrefix));
  return new Map(
    [...new Set(criteria)].map((criterion, index) => [
      criterion,
      own[criterion] ?? `R${index + 1}`,
    ]),
  );
}

/** Options of {@link runReport}. */
export interface RunReportOptions {
  /** The name of the pipeline. @default `'review'` */
  readonly pipeline?: string | undefined;
  /** The task of the run: a text, or JSON data. @default none */
  readonly task?: unknown;
  /** The scores that approval needs. @default none */
  readonly bars?: readonly ScoreBar[] | undefined;
  /** Readable names of criteria, by id. @default the ids */
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a run that ended as JSON data, the form that reports are made from and that the command
 * line stores as `review.json`.
 *
 * @throws ReviewLoopError `invalid_options` for an unknown option
 * @example
 * ```ts
 * const report = runReport(await pipeline.run(task), { pipeline: 'article', task });
 * ```
 */
export function runReport(outcome: Outcome<unknown>, options: RunReportOptions = {}): RunReport {
  checkKeys('runReport', options, ['pipeline', 'task', 'bars', 'names']);
  const { pipeline = 'review', task, bars = [], names = {} } = options;
  const { reviews } = outcome;
  const [first] = reviews;
  const begin = first === undefined ? 0 : Date.parse(first.at) - first.durationMs;
  const end = Date.parse(reviews.at(-1)?.at ?? new Date(begin).toISOString());
  return {
    ...reportRun(outcome, {
      at: new Date(begin).toISOString(),
      durationMs: end - begin,
      exitCode: 0,
      task: { source: 'task', ...(task !== undefined && { text: textOf(task) }) },
      criteria: { chosen: [], reason: '', names: { ...names } },
      files: artifactsOf(outcome.output).map(({ path, type, content = '' }) => ({
        path,
        type,
        bytes: new TextEncoder().encode(content).length,
      })),
      notReviewed: [],
      changed: [],
      written: [],
      fixers: new Set(),
    }),
    pipeline,
    bars: [...bars],
  };
}

function textOf(task: unknown): string {
  return typeof task === 'string' ? task : JSON.stringify(copyJson(task, { freeze: false }));
}
