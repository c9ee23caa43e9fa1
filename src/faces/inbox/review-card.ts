import { isOpen } from '../../core/gap.js';
import { plural } from '../../core/plural.js';
import { passageOf } from '../reports/html/model-questions.js';
import type { ModelFile, ModelPassage } from '../reports/html/report-model.js';
import type { RunReport } from '../reports/run-report.js';
import { type OpenQuestion, openQuestions, questionId, taskTitle } from '../reports/run-words.js';

/** What a person reads of a review beside its questions. */
export interface ReviewCard {
  /** What the task is called. */
  readonly title: string;
  /** The version in one sentence. */
  readonly said: string;
  readonly questions: readonly CardQuestion[];
}

/** What nobody has decided, with the lines that it is about. */
export interface CardQuestion extends Omit<OpenQuestion, 'passages'> {
  readonly criterion: string;
  readonly passages: readonly CardPassage[];
}

/** Lines of a file. At the begin of a file no line matters. */
export type CardPassage = Omit<ModelPassage, 'hit'> & Partial<Pick<ModelPassage, 'hit'>>;

const mostPassages = 2;
const mostLines = 8;

/** Returns the card of a run, whose files are those of the version that the questions are about. */
export function reviewCard(report: RunReport, files: readonly ModelFile[]): ReviewCard {
  return {
    title: taskTitle(report),
    said: saidOf(report),
    questions: openQuestions(report).map((one) => questionOf(one, report, files)),
  };
}

function saidOf({ reviews, coverage, gaps }: RunReport): string {
  const best = reviews.find((review) => review.best) ?? reviews.at(-1);
  if (best === undefined) return '';
  const met = coverage.filter(({ covered }) => covered).length;
  const counts = [
    ...(coverage.length > 0 ? [`${met} of ${plural(coverage.length, 'requirement')} met`] : []),
    plural(gaps.filter(isOpen).length, 'open gap'),
  ];
  return `Version ${best.iteration}: ${counts.join(', ')}`;
}

function questionOf(
  { passages, ...question }: OpenQuestion,
  { undecided }: RunReport,
  files: readonly ModelFile[],
): CardQuestion {
  const open = undecided.find((one) => questionId(one) === question.id);
  const quoted = passages.slice(0, mostPassages).map((one) => passageOf(one, files));
  return {
    ...question,
    criterion: open?.criterion ?? question.id,
    passages: quoted.length > 0 ? quoted : wholeFile(files),
  };
}

/** Returns the begin of the only file, where no line is known to matter. */
function wholeFile(files: readonly ModelFile[]): readonly CardPassage[] {
  const [file, ...others] = files;
  if (typeof file?.text !== 'string' || others.length > 0) return [];
  return [{ file: file.path, from: 1, lines: file.text.split('\n').slice(0, mostLines) }];
}
