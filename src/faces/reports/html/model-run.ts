import { type Gap, isOpen } from '../../../core/gap.js';
import { plural } from '../../../core/plural.js';
import { requirementPrefix } from '../../../core/scores.js';
import { fileOf, gapDescription, gapsByFile } from '../gap-order.js';
import type {
  AssessmentReport,
  AttemptReport,
  JudgeReport,
  ReviewReport,
  RunReport,
} from '../run-report.js';
import { costText, type OpenQuestion, openQuestions, taskTitle } from '../run-words.js';
import { timeText } from '../shown-text.js';
import { coverageWord, failedRequirements, judgeCounters, noVerdicts } from '../verdict-counts.js';
import { verdictOf } from '../verdict-words.js';
import { type GapState, gapLives, gapTotals, returnedVersion } from '../version-words.js';
import { voteRows } from '../vote-rows.js';
import { countedOf, modelQuestions } from './model-questions.js';
import type {
  AuditSummary,
  JudgeCalibration,
  ModelFile,
  ModelGap,
  ModelJudges,
  ModelList,
  ModelQuestion,
  ModelRequirement,
  ModelReview,
  ModelRun,
  RunVerdict,
  Said,
} from './report-model.js';

/** Its report does not contain them. */
interface MoreOfRun {
  readonly versions: Readonly<Record<string, readonly ModelFile[]>>;
  readonly calibrations: readonly JudgeCalibration[];
  readonly audit?: AuditSummary | undefined;
}

/** Each gap once, requirements and judges gathered. */
export function modelRun(report: RunReport, more: MoreOfRun): ModelRun {
  const { reviews, waits = [], next = [], usage = {}, attempts = [], ...rest } = report;
  const { schemaVersion: _, gaps: _gaps, coverage: _coverage, judges: _judges, ...facts } = rest;
  const {
    fixed: _fixed,
    partial: _partial,
    requests: _requests,
    scores: _scores,
    bars: _bars,
    ...shown
  } = facts;
  const asked = modelJudges(report);
  const questions = modelQuestions(report, more.versions);
  const ids = new Set([...asked.rows.map(({ id }) => id), ...asked.others]);
  return {
    ...shown,
    title: taskTitle(report),
    verdict: modelVerdict(report),
    back: backOf(report),
    open: openOf(report, questions),
    questions,
    counted: countedOf(questions, report.gaps.filter(isOpen).length),
    next: next.map(({ why, command }) => ({ why: begun(why), command })),
    needs: needsOf(report),
    gaps: modelGaps(report),
    became: `${gapTotals(report)}.`,
    reviews: reviews.map(modelReview),
    requirements: modelRequirements(report),
    versions: more.versions,
    judges: asked,
    lists: judgeLists(reviews, attempts),
    calibrations: more.calibrations.filter(({ judge }) => ids.has(judge.id)),
    waits,
    audit: more.audit && { ...more.audit, state: stateOf(more.audit) },
    cost: costText(usage),
  };
}

const looks = { good: 'ok', bad: 'bad', open: 'warn' } as const;

function modelVerdict(report: RunReport): RunVerdict {
  const { word, why, tone } = verdictOf(report);
  return { word, why, look: /^(?:No verdict|Checks)/.test(word) ? 'gone' : looks[tone] };
}

const recordedOnly =
  'The record of the run has no reviews and no scores; pass `report` to the inbox.';

/** The version that came back, and why it is the best. */
function backOf(report: RunReport): Said {
  const back = returnedVersion(report);
  if (report.recorded === true) return { word: 'Unknown here', why: recordedOnly };
  if (back === undefined) return { word: 'Nothing', why: 'No version was reviewed to its end.' };
  const { iteration, of, why } = back;
  if (of === 1) return { word: `Version ${iteration}, the only one`, why: 'It was not changed.' };
  const word = iteration === of ? `Version ${iteration}, the last of ${of}` : '';
  return { word: word || `Version ${iteration} of ${of}`, why: `It is the best: ${why}.` };
}

/** `R3 and R6, must-haves`. */
function mustWord(must: readonly OpenQuestion[]): string {
  const ids = must.map(({ id }) => id);
  if (ids.length === 0) return '';
  if (ids.length > 3 || !ids.every((id) => /^R\d+$/.test(id)))
    return plural(must.length, 'question');
  const named = ids.join(', ').replace(/, (\w+)$/, ' and $1');
  return `${named}, ${ids.length === 1 ? 'a must-have' : 'must-haves'}`;
}

/** Gaps with their files, then questions. */
function openOf(report: RunReport, all: readonly ModelQuestion[]): Said {
  const gaps = report.gaps.filter(isOpen);
  const files = new Map<string, number>();
  for (const gap of gaps) files.set(fileOf(gap), (files.get(fileOf(gap)) ?? 0) + 1);
  const named = [...files].filter(([file]) => file !== '');
  const places = named.slice(0, 3).map(([file, count]) => `${count} in ${file}`);
  const left = [
    ...(named.length > 3 ? [`more in ${plural(named.length - 3, 'other file')}`] : []),
    ...(files.has('') ? [`${files.get('')} in no single file`] : []),
  ];
  const questions = openQuestions(report);
  const must = questions.filter((one) => one.must);
  const asked = [
    ...(must.length > 0 ? [plural(must.length, 'question')] : []),
    ...(questions.length > must.length ? [`${questions.length - must.length} may stay open`] : []),
  ].join(', ');
  if (gaps.length === 0) return withoutGaps(mustWord(must), asked, all);
  const word = `${plural(gaps.length, 'gap')} in ${plural(Math.max(1, named.length), 'file')}`;
  return { word, why: `${[...places, ...left, ...(asked ? [asked] : [])].join(', ')}.` };
}

function withoutGaps(must: string, asked: string, all: readonly ModelQuestion[]): Said {
  if (must === '' && all.length > 0) return { word: countedOf(all, 0), why: '' };
  return {
    word: must || 'Nothing',
    why: `${asked === '' || asked === must ? '' : `${asked}, `}0 gaps.`,
  };
}

function needsOf({ bars = [] }: RunReport): string {
  const needed = bars.map(({ score, at }) => `${score} ${at.toFixed(2)}`).join(' and ');
  const rests = 'A score stands here only if every must-have was decided.';
  return needed === '' ? rests : `${rests} Approval needs ${needed} or more.`;
}

function stateOf({ intact, problem, total }: AuditSummary): string {
  const chain = intact
    ? 'Every record follows the one before it; none was changed or taken out.'
    : (problem ?? 'The chain of records is broken.');
  return total === undefined ? chain : `${chain} ${plural(total, 'record')} in the log.`;
}

function modelGaps(report: RunReport): ModelGap[] {
  const lives = new Map(gapLives(report).map(({ gap, states }) => [gap.id, { gap, states }]));
  for (const gap of report.gaps)
    if (!lives.has(gap.id)) lives.set(gap.id, { gap, states: report.reviews.map(() => '') });
  const ids = new Map(report.coverage.map(({ requirement, id }) => [requirement, id]));
  const sorted = gapsByFile([...lives.values()].map(({ gap }) => gap));
  const key = ({ location, description }: Gap) =>
    JSON.stringify([location?.file, location?.line, description]);
  const seen = new Map<string, number>();
  for (const gap of sorted) seen.set(key(gap), (seen.get(key(gap)) ?? 0) + 1);
  const all = sorted.map((gap): ModelGap => {
    const { evidence, affectedRequirement = '' } = gap;
    const said = begun(gapDescription(gap, report));
    const isTwin = (seen.get(key(gap)) ?? 0) > 1 && evidence !== undefined;
    const requirement = ids.get(affectedRequirement);
    return {
      ...withSafePicture(gap),
      file: fileOf(gap),
      text: isTwin && !said.includes(evidence) ? `${said}: ${evidence}` : said,
      ...(requirement !== undefined && { requirement }),
      life: carried(lives.get(gap.id)?.states ?? []),
    };
  });
  return [...all.filter(({ file }) => file === ''), ...all.filter(({ file }) => file !== '')];
}

/** States that end a gap last until it comes back. */
function carried(states: readonly GapState[]): GapState[] {
  let last: GapState = '';
  return states.map((state) => {
    if (state !== '') last = ['fixed', 'no longer there', 'unknown'].includes(state) ? state : '';
    return state === '' ? last : state;
  });
}

function begun(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Leaves out a picture that is none, or that would load something. */
function withSafePicture({ picture, ...gap }: Gap): Gap {
  const isSafe = /^data:image\/(?:jpeg|png|webp);base64,[A-Za-z0-9+/=]+$/.test(picture ?? '');
  return { ...gap, ...(isSafe && { picture }) };
}

function modelReview(review: ReviewReport): ModelReview {
  const { iteration, version, at, durationMs, best, scores, gaps, assessments } = review;
  const open = assessments.filter(
    ({ verdict, id, mandatory }) =>
      verdict === 'undecided' && id !== undefined && mandatory !== false,
  );
  const counted = { open: gaps.filter(isOpen).length, undecided: open.length };
  return { iteration, version, at, durationMs, best, scores, ...counted };
}

const most = 100;

/** Who voted what, and which calls failed. */
function judgeLists(
  reviews: readonly ReviewReport[],
  attempts: readonly AttemptReport[],
): readonly ModelList[] {
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

const words = { satisfied: 'met', violated: 'not met', undecided: 'undecided' } as const;
const signs = { met: '✓', 'not met': '×', undecided: '?' } as const;

/** Returns the requirements of a task, with a sign for each version. */
export function modelRequirements(report: RunReport): ModelRequirement[] {
  const { reviews, coverage } = report;
  const best = reviews.find((review) => review.best);
  const judged = coverage.map((entry) => {
    const { id, requirement, coverageDetails, evidence = [], decidedBy } = entry;
    const said = (assessments: readonly AssessmentReport[] = []) =>
      assessments.find((one) =>
        id === undefined ? one.criterion === `${requirementPrefix}${requirement}` : one.id === id,
      );
    const state = words[coverageWord(entry)];
    const own = said(best?.assessments);
    const by = own?.decidedBy ?? decidedBy;
    return {
      id,
      text: requirement,
      state,
      cells: reviews
        .map((review) => (review.best ? signs[state] : signOf(said(review.assessments))))
        .join(''),
      by: state === 'undecided' ? 'nobody' : whoSays(by, coverageDetails),
      evidence: evidence.slice(0, 1),
    };
  });
  const failed = failedRequirements(report);
  return [...judged, ...failed.map(({ id }) => withoutVerdict(id, reviews.length))];
}

/** Its judge failed: the report has no text of it. */
function withoutVerdict(id: string | undefined, versions: number): ModelRequirement {
  const cells = signs.undecided.repeat(versions);
  return { id, text: '', state: 'no verdict', cells, by: 'its judge failed', evidence: [] };
}

function signOf(assessment: AssessmentReport | undefined): string {
  if (assessment?.verdict === 'pass') return signs.met;
  return assessment?.verdict === 'fail' ? signs['not met'] : signs.undecided;
}

function whoSays(by: string | undefined, details: string): string {
  return by === undefined ? `a hint of its words: ${details}` : `${by}: ${details}`;
}

const requirements = 'requirements';

/** A row for each with a finding, a failure or a cost. */
function modelJudges(report: RunReport): ModelJudges {
  const { reviews, criteria, judges = judgesOf(reviews) } = report;
  const isShown = (judge: JudgeReport) =>
    judge.failed + judge.errored > 0 || costText(judge.usage ?? {}) !== '';
  const shown = judges.filter(isShown).sort((a, b) => b.errored - a.errored || b.failed - a.failed);
  const others = judges.filter((judge) => !isShown(judge));
  const nameOf = ({ id }: JudgeReport) => criteria.names[id] ?? id;
  return {
    count: judges.length,
    said: saidOf(judges),
    rows: shown.map((judge) => ({
      id: judge.id,
      name: nameOf(judge),
      cells: reviews.map((review) => cellOf(judge.id, review)),
      cost: costAndTime(judge),
      errors: judge.errors,
    })),
    others: others.map(nameOf),
  };
}

/** One for each criterion: nothing tells the reviewers apart. */
function judgesOf(reviews: readonly ReviewReport[]): JudgeReport[] {
  const judges = new Map<string, JudgeReport>();
  for (const { assessments } of reviews)
    for (const { criterion, verdict, text, code } of assessments) {
      const id = criterion.startsWith(requirementPrefix) ? requirements : criterion;
      const judge = judges.get(id) ?? { ...noVerdicts, id, errors: [] };
      const error = verdict === 'errored' ? [`${code ?? 'error'}: ${text}`] : [];
      judges.set(id, {
        ...judge,
        [judgeCounters[verdict]]: judge[judgeCounters[verdict]] + 1,
        errors: [...new Set([...judge.errors, ...error])],
      });
    }
  return [...judges.values()];
}

function saidOf(judges: readonly JudgeReport[]): string {
  const count = (is: (judge: JudgeReport) => boolean) => judges.filter(is).length;
  const failed = count(({ errored }) => errored > 0);
  const found = count((one) => one.failed > 0);
  const idle = count((one) => one.passed + one.failed + one.undecided + one.errored === 0);
  return (
    `${plural(judges.length, 'judge')}: ${found} found something, ${idle} had nothing to judge, ` +
    `${failed === 0 ? 'none' : failed} failed.`
  );
}

function cellOf(id: string, { assessments, gaps }: ReviewReport): string {
  const own = assessments.filter(({ criterion }) =>
    id === requirements ? criterion.startsWith(requirementPrefix) : criterion === id,
  );
  if (own.some(({ verdict }) => verdict === 'errored')) return 'failed';
  if (own.length > 0 && own.every(({ verdict }) => verdict === 'skipped')) return 'none to judge';
  const found = gaps.filter(
    ({ raisedBy, criterionId = '' }) =>
      raisedBy === id ||
      criterionId === id ||
      (id === requirements && criterionId.startsWith(requirementPrefix)),
  ).length;
  return String(found);
}

/** Checks of code run beside each other, so that their times say nothing. */
function costAndTime({ usage = {}, tier, durationMs }: JudgeReport): string {
  const waited = tier !== undefined && tier !== 'code' && durationMs !== undefined;
  return [costText(usage), waited ? `${(durationMs / 1000).toFixed(1)} s` : '']
    .filter((text) => text !== '')
    .join(', ');
}
