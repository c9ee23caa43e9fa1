import { type Gap, isOpen } from '../../../core/gap.js';
import { requirementPrefix } from '../../../core/scores.js';
import type { Paint } from '../../../node/terminal/colours.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { cut, pad, tableOf, widthOf } from '../../../node/terminal/table.js';
import { askerOf, fileOf, gapDescription, gapsByFile, placeOf } from '../../reports/gap-order.js';
import type { ReviewReport, RunReport } from '../../reports/run-report.js';
import { type OpenQuestion, openQuestions, questionId } from '../../reports/run-words.js';
import { outageOf } from '../../reports/verdict-words.js';
import { questionLines } from './next-command.js';

interface OpenScreen {
  /** Columns of the terminal; `undefined` for lines of any length. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  /** Returns the command that shows a part of the run. */
  readonly show: (part: string) => string;
  /** The most lines of all. @default all of them */
  readonly most?: number | undefined;
}

const mostGaps = 12;
/** The last ones are shown. */
const mostTries = 4;
/** Lines about questions and failed judges, if gaps are open too. */
const mostBeside = 5;

/**
 * Judges that failed, questions with the place that helps to answer them, findings, gaps with their
 * fixes, and what was not reviewed.
 */
export function openLines(report: RunReport, screen: OpenScreen): string[] {
  const { most = Number.POSITIVE_INFINITY } = screen;
  const rest = [...findingLines(report, screen), ...leftLines(report, screen)];
  const beside = report.gaps.length === 0 ? most - rest.length : Math.min(mostBeside, most / 2);
  const first = [
    ...failureLines(report, screen),
    ...questionsOf(report, screen, most === Number.POSITIVE_INFINITY ? most : beside),
  ];
  const room = most - first.length - rest.length;
  return [...first, ...gapBlock(report, screen, room), ...rest];
}

/** Shows as many as there is room for, with their fixes if those fit too. */
function gapBlock(report: RunReport, screen: OpenScreen, room: number): string[] {
  const inner = { ...screen, columns: screen.columns && screen.columns - 2 };
  const blocks = gapLines(report, inner);
  const full = blocks.flat();
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  if (room === Number.POSITIVE_INFINITY || (full.length <= room && blocks.length <= mostGaps))
    return indented(full);
  const heads = blocks.map(([head = '']) => head);
  const most = Math.max(1, Math.min(mostGaps, Math.floor(room)));
  const count = heads.length <= most ? heads.length : Math.max(1, most - 1);
  const more = heads.length - count;
  return [
    ...indented(heads.slice(0, count)),
    `  ${more === 0 ? 'fixes' : `${more} more, and fixes`}: ${screen.show(' --gaps')}`,
  ];
}

function failureLines({ failures, gaps }: RunReport, screen: OpenScreen): string[] {
  const texts = [...new Set(failures.map(({ text }) => text))];
  const rows = texts.map((text) => {
    const names = new Set(failures.filter((one) => one.text === text).map(questionId));
    return [[...names].join(', '), 'no verdict', text];
  });
  // the reason of the verdict has their number and times
  const isFull = screen.most !== undefined && gaps.length > 0;
  return [...table(rows, screen), ...(isFull ? [] : tryLines(failures, screen))];
}

/** Calls that got no answer, each with the seconds since the first. */
export function tryLines(
  failures: Parameters<typeof outageOf>[0],
  screen: Pick<OpenScreen, 'columns' | 'most'>,
): string[] {
  const { tries = [] } = outageOf(failures) ?? {};
  const since = (at: string): number => Date.parse(at) - Date.parse(tries[0]?.at ?? at);
  const rows = tries.map(({ at, what }, index) => [
    `try ${index + 1}`,
    `at ${(since(at) / 1000).toFixed(1)} s`,
    what,
  ]);
  return table(screen.most === undefined ? rows : rows.slice(-mostTries), screen);
}

/** What failed and raised no gap, as the checks and the review of a task do. */
function findingLines({ reviews, gaps, coverage }: RunReport, screen: OpenScreen): string[] {
  const raised = new Set(gaps.map(criterionOf));
  const asked = new Set(gaps.map(({ affectedRequirement }) => affectedRequirement));
  // the gap of a check stands for the requirement that asks for the same
  const told = new Set(coverage.filter((row) => asked.has(row.requirement)).map(({ id }) => id));
  const best: ReviewReport['assessments'] = reviews.find((one) => one.best)?.assessments ?? [];
  const rows = best
    .filter(({ verdict, criterion }) => verdict === 'fail' && !raised.has(criterion))
    .filter(({ id }) => id === undefined || !(told.has(id) || raised.has('requirement')))
    .flatMap((one) =>
      one.text.split('\n').map((line, index) => [index === 0 ? questionId(one) : '', line]),
    );
  return table(rows, screen);
}

function leftLines({ notReviewed }: RunReport, screen: OpenScreen): string[] {
  const shown = screen.most === undefined ? notReviewed : notReviewed.slice(0, 3);
  const more = notReviewed.length - shown.length;
  return [
    ...table(
      shown.map(({ path, reason }) => ['not reviewed', path, reason]),
      screen,
    ),
    ...(more === 0 ? [] : [`  and ${more} more files`]),
  ];
}

function table(
  rows: readonly (readonly string[])[],
  { columns }: Pick<OpenScreen, 'columns'>,
): string[] {
  return tableOf(rows, { columns: columns && columns - 2 }).map((line) => `  ${line}`);
}

/** Those of a suspended run, and what no judge could decide. */
function questionsOf(report: RunReport, { columns, show }: OpenScreen, most: number): string[] {
  const open = openQuestions(report);
  const asked = report.status === 'suspended' && open.length === 0 ? questionLines(report) : [];
  const width = Math.min(30, Math.max(0, ...open.map(({ id }) => widthOf(oneLine(id)))));
  const blocks = open.map((question) => questionText(question, width, columns));
  const isLong = blocks.flat().length > most;
  const heads = isLong ? blocks.map(([head]) => [head]) : blocks;
  const count = heads.length <= most ? heads.length : Math.max(1, Math.floor(most) - 1);
  const more = heads.length - count;
  return [
    ...asked.map((line) => `  ${oneLine(line)}`),
    ...heads.slice(0, count).flat(),
    ...(more === 0 ? [] : [`  ${more} more: ${show('')}`]),
  ].map((line) => (columns === undefined ? line : cut(line, columns)));
}

/** The first line names its place in the task, a second one what helps to answer it. */
function questionText(
  question: OpenQuestion,
  width: number,
  columns: number | undefined,
): readonly [string, ...string[]] {
  const { id, text, must, place, why } = question;
  const head = `  ${pad(oneLine(id), width)}  `;
  const said = oneLine(must ? text : `may stay open: ${text}`);
  const where = place === undefined ? '' : oneLine(place);
  const first =
    columns === undefined
      ? `${head}${said}${where === '' ? '' : `  (${where})`}`
      : withEnd(head + said, where, columns);
  if (!must) return [first];
  return [first, ' '.repeat(widthOf(head)) + oneLine(evidenceOf(question) ?? why)];
}

function withEnd(line: string, end: string, columns: number): string {
  if (end === '') return line;
  const room = columns - widthOf(end) - 2;
  return room < 20 ? line : `${pad(cut(line, room), room)}  ${end}`;
}

const mostPlaces = 3;

function evidenceOf({ passages, why }: OpenQuestion): string | undefined {
  const [best] = passages;
  if (best === undefined) return undefined;
  const places = passages.map(({ file, line }) =>
    file === '' ? `line ${line}` : `${file}:${line}`,
  );
  const others = places.slice(1, mostPlaces);
  const doubt = best.doubt === undefined ? '' : ` (${best.doubt})`;
  const also = others.length === 0 ? '' : `; also ${others.join(', ')}`;
  return `${places[0]}${doubt}  ${best.quote.trim()}${also}${why === '' ? '' : `; ${why}`}`;
}

interface Screen {
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/** On a narrower terminal the text of a gap is worth more than the name of its criterion. */
const leastForCriteria = 100;

/**
 * They come by file, each with its fix. Neighbours with the same fix share it. Of gaps that read
 * the same, each names what it is about.
 */
export function gapLines(report: RunReport, { columns, paint }: Screen): string[][] {
  const gaps = gapsByFile(report.gaps);
  const seen = new Map<string, number>();
  for (const gap of gaps) seen.set(sameAs(gap), (seen.get(sameAs(gap)) ?? 0) + 1);
  const lines = tableOf(
    gaps.map((gap) => [
      placeOf(gap) || (gap.affectedRequirement === undefined ? '-' : 'task'),
      gap.severity,
      ...(columns !== undefined && columns < leastForCriteria ? [] : [criterionOf(gap)]),
      gapDescription(gap, report) +
        askerOf(gap, report) +
        ((seen.get(sameAs(gap)) ?? 0) > 1 && gap.evidence !== undefined
          ? `: ${gap.evidence}`
          : '') +
        (isOpen(gap) ? '' : ` (${gap.standing})`),
    ]),
    { columns },
  );
  return lines.map((line, index) => {
    const gap = gaps[index];
    if (gap === undefined) return [line];
    const painted = paintSeverity(line, gap.severity, paint);
    const next = gaps[index + 1];
    const isShared = next !== undefined && groupOf(next) === groupOf(gap);
    return isShared ? [painted] : [painted, ...fixLine(gap, columns)];
  });
}

function sameAs(gap: Gap): string {
  return [placeOf(gap), gap.description].join('\u0000');
}

function groupOf(gap: Gap): string {
  return [fileOf(gap), gap.criterionId, gap.suggestedFix].join('\u0000');
}

function fixLine({ suggestedFix, description }: Gap, columns: number | undefined): string[] {
  const fix = oneLine(suggestedFix).trim();
  if (fix === '' || fix === description) return [];
  const line = `    fix: ${fix}`;
  return [columns === undefined ? line : cut(line, columns)];
}

function paintSeverity(line: string, severity: Gap['severity'], paint: Paint): string {
  return line.replace(
    new RegExp(`(  )(${severity})(?=  | *$)`),
    (_, space: string, word: string) => `${space}${paint(severity, word)}`,
  );
}

export function criterionOf({ criterionId = '' }: Gap): string {
  return criterionId.startsWith(requirementPrefix) ? 'requirement' : criterionId;
}
