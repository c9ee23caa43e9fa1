import {
  type CoverageState,
  coverageState,
  type RequirementCoverage,
} from '../../core/coverage.js';
import type { Gap } from '../../core/gap.js';
import { requirementPrefix } from '../../core/scores.js';
import { headline } from '../headline.js';
import { judgeCounters } from '../judge-counters.js';
import type { AssessmentReport, JudgeReport, ReviewReport, RunReport } from '../run-report.js';
import type {
  JudgeCalibration,
  ModelFile,
  ModelRequirement,
  ModelReview,
  ModelRun,
} from './report-model.js';

/** Facts of a run that its report does not contain. */
export interface MoreOfRun {
  readonly versions: Readonly<Record<string, readonly ModelFile[]>>;
  readonly next: readonly string[];
  readonly calibrations: readonly JudgeCalibration[];
  readonly audit?: ModelRun['audit'];
}

/** Returns a run as the page shows it: each gap once, requirements and judges gathered. */
export function modelRun(report: RunReport, more: MoreOfRun): ModelRun {
  const { reviews, gaps, coverage, judges = judgesOf(reviews) } = report;
  const asked = new Set(judges.map(({ id }) => id));
  return {
    runId: report.runId,
    at: report.at,
    durationMs: report.durationMs,
    status: report.status,
    approved: report.approved,
    code: report.code,
    reason: report.reason,
    acceptance: report.acceptance,
    pipeline: report.pipeline ?? 'review',
    task: { source: report.task.source, text: report.task.text },
    headline: headline(report),
    decidedBy: report.decidedBy,
    next: more.next,
    bars: report.bars ?? [],
    gaps: gapsById(reviews, gaps),
    reviews: reviews.map((review) => modelReview(review, report)),
    requirements: coverage.map((entry) => requirementOf(entry, report)),
    undecided: report.undecided,
    failures: report.failures,
    names: report.criteria.names,
    files: report.files.map(({ path }) => path),
    notReviewed: report.notReviewed,
    versions: more.versions,
    judges,
    attempts: report.attempts ?? [],
    calibrations: more.calibrations.filter(({ judge }) => asked.has(judge.id)),
    waits: report.waits ?? waitsOf(report),
    audit: more.audit,
    usage: report.usage,
  };
}

function gapsById(reviews: readonly ReviewReport[], gaps: readonly Gap[]): Record<string, Gap> {
  const all = [...reviews.flatMap((review) => [...review.fixed, ...review.gaps]), ...gaps];
  return Object.fromEntries(all.map((gap) => [gap.id, gap]));
}

function modelReview(review: ReviewReport, { fixed: closed }: RunReport): ModelReview {
  const { gaps, fixed, reused, ...rest } = review;
  const by = new Map(closed.map((one) => [one.gap.id, one.by]));
  return {
    ...rest,
    gaps: gaps.map(({ id }) => id),
    fixed: fixed.map(({ id }) => ({ id, by: by.get(id) ?? 'revision' })),
    reused: reused?.verdicts ?? 0,
  };
}

const states: Readonly<Record<CoverageState, ModelRequirement['state']>> = {
  covered: 'met',
  uncovered: 'violated',
  unsure: 'undecided',
};

function requirementOf(
  entry: RequirementCoverage & { readonly id?: string | undefined },
  report: RunReport,
): ModelRequirement {
  const { id, requirement, coverageDetails, evidence = [] } = entry;
  const assessed = assessmentOf(id, requirement, report);
  return {
    id,
    text: requirement,
    state: states[coverageState(entry)],
    by: deciderOf(entry, assessed),
    details: coverageDetails,
    evidence: evidence.map(({ file, line, quote, share, doubt }) => ({
      file: file === '' ? 'output' : file,
      line,
      quote,
      share,
      doubt,
    })),
    gap: report.gaps.find(({ affectedRequirement }) => affectedRequirement === requirement)?.id,
  };
}

function assessmentOf(
  id: string | undefined,
  requirement: string,
  { reviews }: RunReport,
): AssessmentReport | undefined {
  const best = reviews.find((review) => review.best);
  return best?.assessments.find((one) =>
    id === undefined ? one.criterion === `${requirementPrefix}${requirement}` : one.id === id,
  );
}

function deciderOf(
  { decidedBy }: RequirementCoverage,
  assessed: AssessmentReport | undefined,
): ModelRequirement['by'] {
  if (assessed?.decidedBy !== undefined) return { kind: 'person', name: assessed.decidedBy };
  if (decidedBy === undefined) return { kind: 'words', name: '' };
  if (decidedBy === 'model') return { kind: 'model', name: '' };
  return decidedBy === 'person' ? { kind: 'person', name: '' } : { kind: 'check', name: decidedBy };
}

/** Returns what each criterion said in all reviews, where nothing tells the reviewers apart. */
function judgesOf(reviews: readonly ReviewReport[]): JudgeReport[] {
  const judges = new Map<
    string,
    Record<(typeof judgeCounters)[keyof typeof judgeCounters], number>
  >();
  const errors = new Map<string, Set<string>>();
  for (const { assessments } of reviews)
    for (const { criterion, verdict, text, code } of assessments) {
      const name = criterion.startsWith(requirementPrefix) ? 'requirements' : criterion;
      const counts = judges.get(name) ?? {
        passed: 0,
        failed: 0,
        undecided: 0,
        skipped: 0,
        errored: 0,
      };
      counts[judgeCounters[verdict]] += 1;
      judges.set(name, counts);
      if (verdict === 'errored')
        errors.set(name, (errors.get(name) ?? new Set()).add(`${code ?? 'error'}: ${text}`));
    }
  return [...judges].map(([id, counts]) => ({
    id,
    ...counts,
    errors: [...(errors.get(id) ?? [])],
  }));
}

function waitsOf({ requests = [] }: RunReport): ModelRun['waits'] {
  return requests.map(({ question }) => ({ question }));
}
