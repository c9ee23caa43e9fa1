import {
  type CoverageState,
  coverageState,
  type RequirementCoverage,
} from '../../core/coverage.js';
import type { Gap } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import { requirementPrefix } from '../../core/scores.js';
import type { AssessmentReport, AttemptReport, ReviewReport, RunReport } from '../run-report.js';
import { costText, openQuestions, taskTitle } from '../run-words.js';
import { timeText } from '../time-text.js';
import { verdictOf } from '../verdict-words.js';
import { gapLives, gapTotals, returnedVersion, versionNumbers } from '../version-words.js';
import { voteRows } from '../vote-rows.js';
import { allJudges, judgesOf, worstFirst } from './judges-of.js';
import type {
  AuditSummary,
  JudgeCalibration,
  ModelFile,
  ModelList,
  ModelRequirement,
  ModelReview,
  ModelRun,
} from './report-model.js';

/** Facts of a run that its report does not contain. */
export interface MoreOfRun {
  readonly versions: Readonly<Record<string, readonly ModelFile[]>>;
  readonly calibrations: readonly JudgeCalibration[];
  readonly audit?: AuditSummary | undefined;
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
    title: taskTitle(report),
    verdict: verdictOf(report),
    returned: returnedVersion(report),
    numbers: versionNumbers(report),
    lives: Object.fromEntries(gapLives(report).map(({ gap, states }) => [gap.id, states])),
    gapTotals: gapTotals(report),
    questions: openQuestions(report),
    cost: costText(report.usage ?? {}),
    decidedBy: whoDecided(report),
    restsOn: groundsOf(
      reviews.find((review) => review.best),
      report,
    ),
    next: report.next ?? [],
    bars: report.bars ?? [],
    gaps: gapsById(reviews, gaps),
    reviews: reviews.map((review) => modelReview(review, report)),
    requirements: coverage.map((entry) => requirementOf(entry, report)),
    undecided: report.undecided,
    failures: report.failures,
    names: report.criteria.names,
    files: listed(report),
    notReviewed: report.notReviewed,
    versions: more.versions,
    judges: worstFirst(judges),
    allJudges: allJudges(judges),
    lists: judgeLists(report),
    calibrations: more.calibrations.filter(({ judge }) => asked.has(judge.id)),
    waits: report.waits ?? waitsOf(report),
    audit: more.audit && { ...more.audit, state: stateOf(more.audit) },
    usage: report.usage,
  };
}

function stateOf({ intact, problem, total }: AuditSummary): string {
  const chain = intact
    ? 'Every record follows the one before it; none was changed or taken out.'
    : (problem ?? 'The chain of records is broken.');
  return total === undefined ? chain : `${chain} ${plural(total, 'record')} in the log.`;
}

function gapsById(reviews: readonly ReviewReport[], gaps: readonly Gap[]): Record<string, Gap> {
  const all = [
    ...reviews.flatMap(({ closed = [], fixed, gaps: found }) => [...closed, ...fixed, ...found]),
    ...gaps,
  ];
  return Object.fromEntries(all.map((gap) => [gap.id, withSafePicture(gap)]));
}

/** Leaves out a picture that is none, or that would load something. */
function withSafePicture({ picture, ...gap }: Gap): Gap {
  const isSafe = /^data:image\/(?:jpeg|png|webp);base64,[A-Za-z0-9+/=]+$/.test(picture ?? '');
  return { ...gap, ...(isSafe && { picture }) };
}

function modelReview(review: ReviewReport, { fixed: closed }: RunReport): ModelReview {
  const { gaps, fixed, closed: unjudged = [], reused, ...rest } = review;
  const by = new Map(closed.map((one) => [one.gap.id, one.by]));
  return {
    ...rest,
    gaps: gaps.map(({ id }) => id),
    fixed: fixed.map(({ id }) => ({ id, by: by.get(id) ?? 'revision' })),
    closed: unjudged.map(({ id, lifecycle }) => ({
      id,
      as: lifecycle === 'gone' ? 'gone' : 'unknown',
    })),
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

const mostFiles = 20;

function listed({ files }: RunReport): string[] {
  const paths = files.slice(0, mostFiles).map(({ path }) => path);
  return files.length > mostFiles ? [...paths, `${files.length - mostFiles} more`] : paths;
}

function whoDecided({ acceptance, decidedBy, status }: RunReport): string {
  if (acceptance !== undefined)
    return `${acceptance.by} (${acceptance.kind}): ${acceptance.reason}`;
  if (status === 'suspended') return 'nobody yet: a person is asked';
  return decidedBy ?? 'the reviewers and the policy';
}

function groundsOf(best: ReviewReport | undefined, { recorded }: RunReport): string {
  if (best?.counts === undefined)
    return recorded === true
      ? 'unknown here: the record of the run has no reviews and no scores; pass `report` to the inbox'
      : 'no finished review of this version';
  const { passed, failed, undecided, errored, skipped } = best.counts;
  return (
    `${plural(passed + failed, 'verdict')}: ${passed} passed, ${failed} failed; ` +
    `${undecided} undecided, ${plural(errored, 'failed judge')}, ${skipped} not applicable`
  );
}

function waitsOf({ requests = [] }: RunReport): ModelRun['waits'] {
  return requests.map(({ question }) => ({ question }));
}

const most = 100;

/** Returns the tables beside the judges of a run: who voted what, and which calls failed. */
function judgeLists({ reviews, attempts = [] }: RunReport): readonly ModelList[] {
  const votes = voteRows(reviews).map(({ criterion, text, reviews: seen, votes: said }) => [
    criterion,
    text,
    seen,
    said,
  ]);
  return [
    listOf('votes', 'Votes', ['criterion', 'text', 'reviews', 'votes'], votes),
    listOf('attempts', 'Failed calls', ['call', 'when', 'code', 'reason'], attempts.map(callRow)),
  ].filter(({ rows }) => rows.length > 0);
}

/** A call that failed. It was made again, or is an error of its judge. */
function callRow({ name, at, code, message }: AttemptReport): readonly string[] {
  return [name, timeText(at), code, message];
}

function listOf(
  id: string,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): ModelList {
  const more = rows.length > most ? `Rows 1 to ${most} of ${rows.length}.` : undefined;
  return { id, title, heads, rows: rows.slice(0, most), more };
}
