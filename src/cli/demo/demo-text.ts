import { criterionOf, gapLines } from '../../cli-kit/show/gap-lines.js';
import { placeOf } from '../../reports/gap-order.js';
import type { ReviewReport, RunReport } from '../../reports/run-report.js';
import { headline } from '../../reports/verdict-words.js';
import type { Paint } from '../../terminal/colours.js';
import { oneLine } from '../../terminal/sanitise.js';
import { tableOf } from '../../terminal/table.js';
import { scriptedPerson } from './demo-script.js';

interface DemoScreen {
  readonly columns: number | undefined;
  readonly paint: Paint;
  /** The path of the page that shows the run. */
  readonly page: string;
  /** The next command. */
  readonly next: string;
}

/** Returns the demo as text: what was wrong, who repaired and decided what, and the approval. */
export function demoText(report: RunReport, screen: DemoScreen): string {
  const [first] = report.reviews;
  const { paint, columns, page, next } = screen;
  const blocks = [
    ['The demo reviews one page against three requirements. It asks no model and no network.'],
    first === undefined ? [] : firstLines(report, first, screen),
    titled('Repaired by rule:', repairedBy('fixer', report, columns)),
    titled(
      'Repaired by the producer, which is scripted here and a model or an agent in your project:',
      repairedBy('revision', report, columns),
    ),
    titled(
      'Decided by a person, whose answer is scripted here:',
      report.coverage
        .filter(({ decidedBy }) => decidedBy === 'person')
        .map(({ id, requirement, coverageDetails }) =>
          oneLine(`${id} ${requirement}: yes, says ${scriptedPerson}, ${coverageDetails}`),
        ),
    ),
    [
      `review ${report.reviews.length}: ${paint(report.approved ? 'good' : 'bad', oneLine(headline(report)))}`,
      `page: ${oneLine(page)}`,
      `next: ${oneLine(next)}`,
    ],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function firstLines(report: RunReport, review: ReviewReport, screen: DemoScreen): string[] {
  const undecided = review.assessments.filter(({ verdict }) => verdict === 'undecided');
  const { approved, ...then } = report;
  const shown = { ...then, approved: false, gaps: review.gaps, undecided, code: 'iterations' };
  const decision = oneLine(headline({ ...shown, status: 'exhausted', reviews: [review] }));
  return [
    `review ${review.iteration}: ${screen.paint('bad', decision)}`,
    ...gapLines(shown, screen).flatMap((lines) => lines.slice(0, 1)),
    ...undecided.map(({ id, question }) => oneLine(`undecided: ${id} ${question}`)),
  ];
}

function repairedBy(
  by: 'fixer' | 'revision',
  { fixed }: RunReport,
  columns: number | undefined,
): string[] {
  const rows = fixed
    .filter((one) => one.by === by)
    .map(({ gap }) => [placeOf(gap) || 'task', criterionOf(gap), gap.suggestedFix]);
  return tableOf(rows, { columns: columns && columns - 2 });
}
