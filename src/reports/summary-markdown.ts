import { type CoverageState, coverageState } from '../core/coverage.js';
import type { Gap } from '../core/gap.js';
import { redactSecrets } from '../redact/secrets.js';
import type { RunReport } from './run-report.js';

/** Makes any text safe for a Markdown page. */
type Clean = (text: string) => string;

/** Returns a run as a Markdown page, without secrets. `clean` makes any text safe to print. */
export function summaryMarkdown(report: RunReport, clean: Clean): string {
  const text: Clean = (value) => clean(redactSecrets(value)).replace(/[\\`*_[\]<>|#]/g, '\\$&');
  const { task, at, criteria } = report;
  const sections = [
    `# Review ${text(report.runId)}: ${text(report.status)}`,
    text(report.reason),
    `Task: ${text(task.source)} · ${text(at)} · criteria: ${text(criteria.chosen.join(', '))} (${text(criteria.reason)})`,
    scoreTable(report),
    gapTable(report, text),
    fixedTable(report, text),
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
  const rows = reviews.map(({ iteration, best, scores, gaps }) => [
    `${iteration}${best ? ' (best)' : ''}`,
    ...[scores.overall, scores.quality, scores.completeness, scores.correctness].map((score) =>
      score === null ? 'unknown' : (Math.floor(score * 100 + 1e-9) / 100).toFixed(2),
    ),
    String(gaps.length),
  ]);
  return table(
    'Scores',
    ['review', 'overall', 'quality', 'completeness', 'correctness', 'gaps'],
    rows,
  );
}

function gapTable({ gaps }: RunReport, text: Clean): string {
  const rows = gaps.map((gap) =>
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
    stateWords[coverageState(entry)],
    text(entry.requirement),
    text(entry.evidenceLocation ?? ''),
    text(entry.coverageDetails),
  ]);
  return table('Requirements', ['covered', 'requirement', 'where', 'evidence'], rows);
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

const stateWords: Readonly<Record<CoverageState, string>> = {
  covered: 'yes',
  uncovered: 'no',
  unsure: 'unsure',
};
const mostColumns = 8;

/**
 * Returns a table of requirements and the artifacts with their evidence; empty for fewer than two
 * artifacts.
 */
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

/** Returns the file and line of a gap, as far as they are known. */
export function placeOf({ location, affectedArtifact }: Gap): string {
  const file = location?.file ?? affectedArtifact ?? '';
  return location?.line === undefined ? file : `${file}:${location.line}`;
}
