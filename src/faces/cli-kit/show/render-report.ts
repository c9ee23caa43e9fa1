import { isOpen } from '../../../core/gap.js';
import { plural } from '../../../core/plural.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { type Paint, paintFor } from '../../../node/terminal/colours.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { cut, widthOf, wrapped } from '../../../node/terminal/table.js';
import { askerOf, gapDescription, gapsByFile, placeOf } from '../../reports/gap-order.js';
import type { RunReport } from '../../reports/run-report.js';
import { costText, taskTitle } from '../../reports/run-words.js';
import { requirementCount } from '../../reports/verdict-counts.js';
import { headline, verdictOf } from '../../reports/verdict-words.js';
import { versionNumbers, versionTexts } from '../../reports/version-words.js';
import type { Io } from '../io.js';
import { idOf, nextLines, questionLines } from './next-command.js';
import { criterionOf, openLines } from './open-lines.js';

export interface RenderOptions {
  /** Columns of the terminal; `undefined` for lines of any length, and for all of them. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  readonly folder?: string | undefined;
  /** Returns the command that shows a part of the run. */
  readonly show: (part: string) => string;
}

/** The most lines of a screen: one of 24 is left for the prompt. */
const mostLines = 23;

/**
 * The task, a row for each version, the decision and why, what is open, and the next command. A
 * terminal gets at most 24 lines, and commands that show the rest.
 */
export function renderReport(report: RunReport, options: RenderOptions): string {
  const { columns } = options;
  const before = [
    headLines(report, options),
    versionLines(report, options),
    verdictLines(report, options),
  ];
  const end = endLines(report, options);
  const used = [...before, end].reduce(
    (sum, lines) => sum + (lines.length === 0 ? 0 : lines.length + 1),
    0,
  );
  const most = columns === undefined ? undefined : Math.max(4, mostLines - used - 1);
  return joined([...before, openLines(report, { ...options, most }), end]);
}

export function joined(blocks: readonly (readonly string[])[]): string {
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function headLines(report: RunReport, { columns }: RenderOptions): string[] {
  const { files, counts, criteria, requirements } = report;
  const asked = requirementCount(report);
  const judged = counts && counts.passed + counts.failed + counts.undecided + counts.errored;
  const facts = [
    ...(files.length === 0 ? [] : [plural(files.length, 'file')]),
    ...(requirements === undefined
      ? asked === 0
        ? []
        : [plural(asked, 'requirement')]
      : [listedText(requirements)]),
    ...(judged === undefined ? [] : [plural(judged, 'verdict')]),
  ].join(', ');
  const sets = criteria.chosen.length === 0 ? '' : ` by ${criteria.chosen.join(', ')}`;
  const clean = (text: string): string => oneLine(redactSecrets(text));
  const lines = [
    `${clean(taskTitle(report))}  ${clean(facts + sets)}`.trimEnd(),
    ...(requirements?.warning === undefined ? [] : [`warning: ${clean(requirements.warning)}`]),
  ];
  return lines.map((line) => (columns === undefined ? line : cut(line, columns)));
}

function listedText({ file, judged, leftOut }: NonNullable<RunReport['requirements']>): string {
  const out = leftOut.length === 0 ? '' : `, ${leftOut.length} left out`;
  return `${plural(judged, 'requirement')} of ${file}${out}`;
}

/** The first ones are left out. */
const mostVersions = 5;

function versionLines(report: RunReport, { columns }: RenderOptions): string[] {
  const all = versionNumbers(report);
  const isLoop = all.length > 1 || all.some(({ gaps }) => gaps === undefined);
  const kept = columns === undefined ? all : all.slice(-mostVersions);
  const shown = all.filter((one) => isLoop && (one.best || kept.includes(one)));
  const rows = shown.map((one) => [
    `version ${one.iteration}`,
    ...versionTexts(one),
    secondsText(one.durationMs),
  ]);
  const widthAt = (at: number): number => Math.max(...rows.map((row) => widthOf(row[at] ?? '')));
  return rows.map((row, index) => {
    const cells = row.map((cell, at) => ' '.repeat(widthAt(at) - widthOf(cell)) + cell);
    const mark = all.length > 1 && shown[index]?.best ? '  best' : '';
    const line = `  ${cells.join('   ')}${mark}`;
    return columns === undefined ? line : cut(line, columns);
  });
}

function secondsText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

export function verdictLines(
  report: RunReport,
  { columns, paint }: Pick<RenderOptions, 'columns' | 'paint'>,
): string[] {
  const { why, tone } = verdictOf(report);
  const word = oneLine(headline(report));
  const said = oneLine(why);
  // a verdict is never cut
  const words = columns === undefined || columns < 20 ? [word] : wrapped(word, columns);
  return [
    ...words.map((line) => paint(tone === 'open' ? 'minor' : tone, line)),
    ...(said === '' ? [] : columns === undefined ? [said] : wrapped(said, columns).slice(0, 3)),
  ];
}

function endLines(report: RunReport, { folder, columns, show }: RenderOptions): string[] {
  const { changed, written, status, exitCode } = report;
  const cost = costText(report.usage ?? {});
  const lines = [
    ...(written.length > 0 ? [`written: ${written.join(', ')}`] : []),
    ...(written.length === 0 && changed.length > 0
      ? [`changed, not written: ${changed.join(', ')}`]
      : []),
    ...(folder === undefined ? [] : [`stored: ${folder}${cost === '' ? '' : `  ${cost}`}`]),
  ].map((line) => (columns === undefined ? oneLine(line) : cut(oneLine(line), columns)));
  return [
    ...lines,
    ...(exitCode === 0 ? [] : [`exit code ${exitCode} (${status})`]),
    // the last lines are what to do
    ...nextLines(report, { columns, show }),
  ];
}

export function reportText(
  io: Pick<Io, 'reader' | 'outColumns' | 'colours'>,
  report: RunReport,
  { folder, show }: Pick<RenderOptions, 'folder' | 'show'>,
): string {
  return io.reader === 'agent'
    ? agentReport(report)
    : renderReport(report, {
        columns: io.outColumns,
        paint: paintFor(io.colours),
        folder,
        show,
      });
}

/**
 * The verdict, one line for each gap, failed judge and open question, and the next command. Nothing
 * is aligned or coloured.
 */
export function agentReport(report: RunReport): string {
  const gaps = gapsByFile(report.gaps).map((gap) => {
    const { severity, suggestedFix, description, standing } = gap;
    const place = placeOf(gap) || (gap.affectedRequirement === undefined ? '-' : 'task');
    const state = isOpen(gap) ? '' : ` (${standing})`;
    const fix =
      suggestedFix.trim() === '' || suggestedFix === description ? '' : ` | fix: ${suggestedFix}`;
    return `${place} ${severity} ${criterionOf(gap)} ${gapDescription(gap, report)}${askerOf(gap, report)}${state}${fix}`;
  });
  const failures = report.failures.map(
    ({ criterion, text }) => `judge failed ${criterion} ${text}`,
  );
  const undecided = report.undecided.map(
    (open) => `undecided ${idOf(open)} ${open.question ?? open.criterion} | ${open.text}`,
  );
  const lines = [
    headline(report),
    `why: ${verdictOf(report).why}`,
    ...gaps,
    ...failures,
    ...undecided,
    ...questionLines(report),
  ];
  return `${[...lines, ...nextLines(report).slice(0, 1)].map(oneLine).join('\n')}\n`;
}
