import { isOpen } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import { passageLines, passagesOf } from '../reports/html/model-questions.js';
import type { ModelFile, ModelPassage, ModelRun } from '../reports/html/report-model.js';
import type { RunReport } from '../reports/run-report.js';
import { type OpenQuestion, openQuestions, questionId, taskTitle } from '../reports/run-words.js';
import { requirementCount } from '../reports/verdict-counts.js';

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
