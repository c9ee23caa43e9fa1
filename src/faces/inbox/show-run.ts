import { ReviewLoopError } from '../../core/errors.js';
import { isOpen } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { engineErrors } from '../../engine/errors.js';
import { isRunId } from '../../ports/run-id.js';
import type { WaitingRun } from '../../ports/store.js';
import { waitingRun } from '../../ports/waiting-runs.js';
import { passageLines, passagesOf } from '../reports/html/model-questions.js';
import { modelReport } from '../reports/html/model-report.js';
import type { ModelFile, ModelPassage, ModelRun } from '../reports/html/report-model.js';
import { recordedReport } from '../reports/recorded-report.js';
import type { RunReport } from '../reports/run-report.js';
import { type OpenQuestion, openQuestions, questionId, taskTitle } from '../reports/run-words.js';
import { requirementCount } from '../reports/verdict-counts.js';
import type { InboxSettings } from './inbox-options.js';
import { type ListedRequest, listedRequests, waitingRequests } from './list-requests.js';

export interface ShownRun {
  readonly schemaVersion: 1;
  readonly run: ModelRun;
  readonly card: ReviewCard;
  readonly requests: readonly ListedRequest[];
  readonly cuts: readonly string[];
}

export async function showRun(runId: string, settings: InboxSettings): Promise<ShownRun> {
  const { store, clock, report } = settings;
  const other = await otherQuestions(runId, settings);
  const records = isRunId(runId) ? await store.read(runId) : undefined;
  if (records === undefined && other === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, 'the store has no such run', {
      value: runId,
    });
  const found = (await report?.(runId)) ?? recordedReport(runId, records ?? []);
  const { report: shown, ...options } = found;
  const { runs, cuts } = modelReport([shown], options);
  const [run] = runs;
  if (run === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, 'the run has no report');
  const last = records?.at(-1);
  const isSuspended = last?.type === 'end' && last.status === 'suspended';
  const waiting = isSuspended ? waitingRun(runId, records ?? []) : undefined;
  const now = clock.now();
  const ended = other === undefined || isSuspended ? [] : listedRequests(other, now);
  const requests =
    waiting === undefined ? ended : await waitingRequests(waiting, { now, ...settings });
  return {
    schemaVersion: 1,
    run,
    card: cardOf(shown, run, requests),
    cuts,
    requests,
  };
}

function cardOf(
  report: RunReport,
  { versions }: ModelRun,
  [asked]: readonly ListedRequest[],
): ReviewCard {
  const { questions, ...card } = reviewCard(
    { ...report, version: asked?.digest ?? report.version },
    versions,
  );
  // the names of criteria stay as they are, so that a question is found by them
  return {
    ...redactJson(card),
    questions: questions.map(({ criterion, ...words }) => ({ criterion, ...redactJson(words) })),
  };
}

/** What waits outside of its suspension. */
export async function otherQuestions(
  runId: string,
  { others }: Pick<InboxSettings, 'others'>,
): Promise<WaitingRun | undefined> {
  return (await others?.())?.find((run) => run.runId === runId);
}

export interface ReviewCard {
  /** What the task is called. */
  readonly title: string;
  /** The version in one sentence. */
  readonly said: string;
  readonly questions: readonly CardQuestion[];
}

/** `passages` are the lines that it is about. */
export interface CardQuestion extends Omit<OpenQuestion, 'passages'> {
  readonly criterion: string;
  readonly passages: readonly ModelPassage[];
}

const mostPassages = 2;
const mostLines = 8;

export function reviewCard(report: RunReport, versions: ModelRun['versions']): ReviewCard {
  return {
    title: taskTitle(report),
    said: saidOf(report),
    questions: openQuestions(report).map((one) => questionOf(one, report, versions)),
  };
}

function saidOf(report: RunReport): string {
  const { reviews, coverage, gaps } = report;
  const best = reviews.find((review) => review.best) ?? reviews.at(-1);
  if (best === undefined) return '';
  const met = coverage.filter(({ covered }) => covered).length;
  const counts = [
    ...(coverage.length > 0
      ? [`${met} of ${plural(requirementCount(report), 'requirement')} met`]
      : []),
    plural(gaps.filter(isOpen).length, 'open gap'),
  ];
  return `Version ${best.iteration}: ${counts.join(', ')}`;
}

function questionOf(
  question: OpenQuestion,
  report: RunReport,
  versions: ModelRun['versions'],
): CardQuestion {
  const open = report.undecided.find((one) => questionId(one) === question.id);
  const quoted = passagesOf(question, report, versions).slice(0, mostPassages);
  return {
    ...question,
    criterion: open?.criterion ?? question.id,
    passages: quoted.length > 0 ? quoted : wholeFile(versions[report.version ?? ''] ?? []),
  };
}

/** The begin of the only file, where no line is known to matter. */
function wholeFile(files: readonly ModelFile[]): readonly ModelPassage[] {
  const [file, ...others] = files;
  if (typeof file?.text !== 'string' || others.length > 0) return [];
  const lines = file.text.split('\n').slice(0, mostLines);
  return [{ file: file.path, place: '', lines: passageLines(lines, 1) }];
}
