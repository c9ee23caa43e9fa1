import { type CoverageState, coverageState } from '../core/coverage.js';
import type { Gap } from '../core/gap.js';
import { redactSecrets } from '../redact/secrets.js';
import type { RunReport } from './run-report.js';

/** A run as a Markdown page, without secrets. `clean` makes any text safe to print. */
export function summaryMarkdown(report: RunReport, clean: (text: string) => string): string {
  const text = (value: string): string =>
    clean(redactSecrets(value)).replace(/[\\`*_[\]<>|#]/g, '\\$&');
  const sections = [
    `# Review ${text(report.runId)}: ${text(report.status)}`,
    text(report.reason),
    `Task: ${text(report.task.source)} · ${text(report.at)} · criteria: ${text(report.criteria.chosen.join(', '))} (${text(report.criteria.because)})`,
    table(
      'Scores',
      ['review', 'overall', 'quality', 'completeness', 'correctness', 'gaps'],
      report.reviews.map(({ iteration, best, scores, gaps }) => [
        `${iteration}${best ? ' (best)' : ''}`,
        ...[scores.overall, scores.quality, scores.completeness, scores.correctness].map((score) =>
          (Math.floor(score * 100 + 1e-9) / 100).toFixed(2),
        ),
        String(gaps.length),
      ]),
    ),
    table(
      'Gaps',
      ['where', 'severity', 'criterion', 'what', 'how to fix it'],
      report.gaps.map((gap) =>
        [placeOf(gap), gap.severity, gap.criterionId ?? '', gap.description, gap.suggestedFix].map(
          text,
        ),
      ),
    ),
    table(
      'Fixed',
      ['review', 'by', 'where', 'what'],
      report.fixed.map(({ iteration, by, gap }) => [
        String(iteration),
        by,
        text(placeOf(gap)),
        text(gap.description),
      ]),
    ),
    table(
      'Requirements',
      ['covered', 'requirement', 'where', 'evidence'],
      report.coverage.map((entry) => [
        stateWords[coverageState(entry)],
        text(entry.requirement),
        text(entry.evidenceLocation ?? ''),
        text(entry.coverageDetails),
      ]),
    ),
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
    table(
      'Files',
      ['file', 'type', 'bytes', ''],
      report.files.map(({ path, type, bytes }) => [
        text(path),
        text(type),
        String(bytes),
        report.written.includes(path) ? 'written' : report.changed.includes(path) ? 'changed' : '',
      ]),
    ),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const stateWords: Readonly<Record<CoverageState, string>> = {
  covered: 'yes',
  uncovered: 'no',
  unsure: 'unsure',
};
const mostColumns = 8;

/** Requirements against the artifacts that speak of them, where there are several of those. */
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

/** File and line of a gap, as far as they are known. */
export function placeOf({ location, affectedArtifact }: Gap): string {
  const file = location?.file ?? affectedArtifact ?? '';
  return location?.line === undefined ? file : `${file}:${location.line}`;
}
