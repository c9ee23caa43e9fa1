import { coverageWord, hintsOf } from '../../reports/coverage-words.js';
import type { AssessmentReport, RunReport } from '../../reports/run-report.js';
import { oneLine } from '../../terminal/sanitise.js';
import { tableOf } from '../../terminal/table.js';
import { cut } from '../../terminal/width.js';
import { idOf } from './next-command.js';

/** How many undecided questions are shown in full. */
const mostShown = 30;
/** How many places of a hint are shown. */
const mostHints = 3;

/** Returns the decided requirements with their counts. The undecided ones have their own block. */
export function requirementLines(
  { coverage }: RunReport,
  { columns }: { readonly columns: number | undefined },
): string[] {
  if (coverage.length === 0) return [];
  const decided = coverage.filter((entry) => coverageWord(entry) !== 'undecided');
  const counts = (['satisfied', 'violated', 'undecided'] as const)
    .map((word) => [coverage.filter((entry) => coverageWord(entry) === word).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  const rows = decided.map((entry) => [
    entry.id ?? '',
    coverageWord(entry),
    placesOf(entry),
    entry.requirement + (entry.decidedBy === undefined ? '' : ` (by ${entry.decidedBy})`),
  ]);
  const lines = tableOf(rows, { columns: columns && columns - 2 });
  return [`requirements: ${counts.join(', ')}`, ...lines.map((line) => `  ${line}`)];
}

function placesOf({ evidence = [], evidenceLocation }: RunReport['coverage'][number]): string {
  const files = new Set(evidence.map(({ file }) => file)).size;
  const others = files > 1 ? ` +${files - 1}` : '';
  return evidenceLocation === undefined ? '' : `${evidenceLocation}${others}`;
}

/** Returns the undecided questions: id, text, why, and where the words of a requirement occur. */
export function undecidedLines(
  { undecided, coverage }: RunReport,
  { columns }: { readonly columns: number | undefined },
): string[] {
  if (undecided.length === 0) return [];
  const shown = undecided.slice(0, mostShown);
  const width = Math.max(...shown.map((one) => idOf(one).length));
  const lines = shown.flatMap((one) => {
    const entry = coverage.find(({ id }) => id !== undefined && id === one.id);
    return [
      `  ${idOf(one).padEnd(width)}  ${oneLine(one.question ?? one.criterion)}`,
      `  ${' '.repeat(width)}  ${oneLine(whyOf(one, entry === undefined ? [] : hintsOf(entry)))}`,
    ];
  });
  const more = undecided.length - shown.length;
  return [
    'undecided:',
    ...lines.map((line) => (columns === undefined ? line : cut(line, columns))),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function whyOf({ text, mandatory }: AssessmentReport, hints: readonly string[]): string {
  const why = hints.length === 0 ? text : text.replace(/; see \S+$/, '');
  const places = hints.slice(0, mostHints).join(', ');
  return [
    why,
    ...(hints.length > 0 ? [`words occur in ${places}`] : []),
    ...(mandatory === false ? ['optional'] : []),
  ].join('; ');
}
