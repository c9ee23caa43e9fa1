import { redactSecrets } from '../../core/redact/secrets.js';
import { gapsByFile, placeOf } from './gap-order.js';
import type { RunReport } from './run-report.js';
import { runWords } from './run-words.js';
import { scoreTexts } from './score-text.js';
import { countsText, coverageWord, hintsOf } from './verdict-counts.js';
import { versionText } from './version-words.js';
import { voteRows } from './vote-rows.js';

/** Makes any text safe for a Markdown page. */
type Clean = (text: string) => string;

export function summaryMarkdown(report: RunReport, clean: Clean): string {
  const text: Clean = (value) => clean(redactSecrets(value)).replace(/[\\`*_[\]<>|#]/g, '\\$&');
  const { task, at, criteria, next = [] } = report;
  const { title, verdict, why, version } = runWords(report);
  const sections = [
    `# ${text(title)}: ${text(verdict)}`,
    text(why),
    text(versionText(version)),
    `Run ${text(report.runId)}, ${text(report.status)} · task: ${text(task.source)} · ${text(at)} · criteria: ${text(criteria.chosen.join(', '))} (${text(criteria.reason)})`,
    table(
      'What to do next',
      ['command', 'why'],
      next.map((way) => [text(way.command), text(way.why)]),
    ),
    scoreTable(report),
    report.counts === undefined ? '' : `Checks: ${countsText(report.counts)}`,
    undecidedTable(report, text),
    gapTable(report, text),
    fixedTable(report, text),
    table(
      'Votes',
      ['criterion', 'text', 'reviews', 'votes'],
      voteRows(report.reviews).map((row) =>
        [row.criterion, row.text, row.reviews, row.votes].map(text),
      ),
    ),
    requirementTable(report, text),
    matrixTable(report, text),
    table(
      'Without a verdict',
      ['criterion', 'why'],
      report.failures.map(({ criterion, text: why }) => [text(criterion), text(why)]),
    ),
    table(
      'Not reviewed',
      ['file', 'why'],
      report.notReviewed.map(({ path, reason }) => [text(path), text(reason)]),
    ),
    fileTable(report, text),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function scoreTable({ reviews }: RunReport): string {
  const rows = reviews.map(({ iteration, best, scores, gaps }) => {
    const { overall, quality, completeness, correctness } = scoreTexts(scores);
    return [
      `${iteration}${best ? ' (best)' : ''}`,
      ...[overall, quality, completeness, correctness, String(gaps.length)],
    ];
  });
  return table(
    'Scores',
    ['review', 'overall', 'quality', 'completeness', 'correctness', 'gaps'],
    rows,
  );
}

function undecidedTable({ undecided, coverage }: RunReport, text: Clean): string {
  const rows = undecided.map(({ id, criterion, question, text: why, decidableBy = [] }) => {
    const entry = coverage.find((one) => id !== undefined && one.id === id);
    const hints = entry === undefined ? [] : hintsOf(entry);
    return [id ?? criterion, question ?? criterion, why, decidableBy.join(', '), hints.join(', ')];
  });
  return table(
    'Undecided',
    ['id', 'question', 'why', 'who can decide', 'where its words occur'],
    rows.map((row) => row.map(text)),
  );
}

function gapTable({ gaps }: RunReport, text: Clean): string {
  const rows = gapsByFile(gaps).map((gap) =>
    [placeOf(gap), gap.severity, gap.criterionId ?? '', gap.description, gap.suggestedFix].map(
      text,
    ),
  );
  return table('Gaps', ['where', 'severity', 'criterion', 'what', 'how to fix it'], rows);
}

function fixedTable({ fixed }: RunReport, text: Clean): string {
  const rows = fixed.map(({ iteration, by, gap }) => [
    String(iteration),
    by,
    text(placeOf(gap)),
    text(gap.description),
  ]);
  return table('Fixed', ['review', 'by', 'where', 'what'], rows);
}

function requirementTable({ coverage }: RunReport, text: Clean): string {
  const rows = coverage.map((entry) => [
    entry.id ?? '',
    coverageWord(entry),
    text(entry.requirement),
    text(entry.evidenceLocation ?? ''),
    text(entry.coverageDetails),
  ]);
  return table('Requirements', ['id', 'state', 'requirement', 'where', 'evidence'], rows);
}

function fileTable({ files, written, changed }: RunReport, text: Clean): string {
  const rows = files.map(({ path, type, bytes }) => [
    text(path),
    text(type),
    String(bytes),
    written.includes(path) ? 'written' : changed.includes(path) ? 'changed' : '',
  ]);
  return table('Files', ['file', 'type', 'bytes', ''], rows);
}

const mostColumns = 8;

/** Requirements by the artifacts with their evidence; empty for fewer than two artifacts. */
function matrixTable({ coverage }: RunReport, text: (value: string) => string): string {
  const columns = evidenceFiles(coverage).slice(0, mostColumns);
  if (columns.length < 2) return '';
  const rows = coverage.map(({ requirement, evidence = [] }) => {
    const cells = columns.map((file) => evidence.find((entry) => entry.file === file));
    return [
      text(requirement),
      ...cells.map((cell) =>
        cell === undefined
          ? ''
          : `line ${cell.line}, ${Math.floor(cell.share * 100)} %${cell.doubt === undefined ? '' : `, ${cell.doubt}`}`,
      ),
    ];
  });
  return table('Traceability', ['requirement', ...columns.map(text)], rows);
}

function evidenceFiles(coverage: RunReport['coverage']): string[] {
  return [
    ...new Set(coverage.flatMap(({ evidence = [] }) => evidence.map(({ file }) => file))),
  ].filter((file) => file !== '');
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, ' ')).join(' | ')} |`;
  return [
    `## ${title}`,
    '',
    line(head),
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map(line),
  ].join('\n');
}
