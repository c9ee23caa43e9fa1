import { redactSecrets } from '../../core/redact/secrets.js';
import { gapsByFile, placeOf } from './gap-order.js';
import type { ReviewReport, RunReport } from './run-report.js';
import { runWords } from './run-words.js';
import { scoreTexts } from './score-text.js';
import { countsText, coverageWord, hintsOf } from './verdict-counts.js';
import { versionText } from './version-words.js';
import { voteRows } from './vote-rows.js';

/** Makes any text safe for a Markdown page. */
type Clean = (text: string) => string;

export function summaryMarkdown(report: RunReport, clean: Clean): string {
  const text: Clean = (value) => clean(redactSecrets(value)).replace(/[\\`*_[\]<>|#]/g, '\\$&');
  const { task, at, criteria, counts } = report;
  const { title, verdict, why, version } = runWords(report);
  const [next = '', scores = '', ...others] = tablesOf(report).map((one) => tableText(one, text));
  const sections = [
    `# ${text(title)}: ${text(verdict)}`,
    text(why),
    text(versionText(version)),
    `Run ${text(report.runId)}, ${text(report.status)} · task: ${text(task.source)} · ${text(at)} · criteria: ${text(criteria.chosen.join(', '))} (${text(criteria.reason)})`,
    next,
    scores,
    counts === undefined ? '' : `Checks: ${countsText(counts)}`,
    ...others,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** A title, the names of the columns, and the rows. */
type Table = readonly [string, readonly string[], readonly (readonly string[])[]];

function tablesOf(report: RunReport): readonly Table[] {
  const { next = [], reviews, gaps, fixed, coverage, failures, notReviewed } = report;
  return [
    ['What to do next', ['command', 'why'], next.map(({ command, why }) => [command, why])],
    [
      'Scores',
      ['review', 'overall', 'quality', 'completeness', 'correctness', 'gaps'],
      reviews.map(scoreRow),
    ],
    [
      'Undecided',
      ['id', 'question', 'why', 'who can decide', 'where its words occur'],
      undecidedRows(report),
    ],
    [
      'Gaps',
      ['where', 'severity', 'criterion', 'what', 'how to fix it'],
      gapsByFile(gaps).map((gap) => {
        const { severity, criterionId = '', description, suggestedFix } = gap;
        return [placeOf(gap), severity, criterionId, description, suggestedFix];
      }),
    ],
    [
      'Fixed',
      ['review', 'by', 'where', 'what'],
      fixed.map(({ iteration, by, gap }) => [`${iteration}`, by, placeOf(gap), gap.description]),
    ],
    [
      'Votes',
      ['criterion', 'text', 'reviews', 'votes'],
      voteRows(reviews).map((row) => [row.criterion, row.text, row.reviews, row.votes]),
    ],
    [
      'Requirements',
      ['id', 'state', 'requirement', 'where', 'evidence'],
      coverage.map((entry) => {
        const { id = '', requirement, evidenceLocation = '', coverageDetails } = entry;
        return [id, coverageWord(entry), requirement, evidenceLocation, coverageDetails];
      }),
    ],
    matrixTable(report),
    [
      'Without a verdict',
      ['criterion', 'why'],
      failures.map(({ criterion, text }) => [criterion, text]),
    ],
    ['Not reviewed', ['file', 'why'], notReviewed.map(({ path, reason }) => [path, reason])],
    ['Files', ['file', 'type', 'bytes', ''], fileRows(report)],
  ];
}

function scoreRow({ iteration, best, scores, gaps }: ReviewReport): string[] {
  const { overall, quality, completeness, correctness } = scoreTexts(scores);
  const review = `${iteration}${best ? ' (best)' : ''}`;
  return [review, overall, quality, completeness, correctness, `${gaps.length}`];
}

function undecidedRows({ undecided, coverage }: RunReport): string[][] {
  return undecided.map(({ id, criterion, question, text, decidableBy = [] }) => {
    const entry = coverage.find((one) => id !== undefined && one.id === id);
    const hints = entry === undefined ? [] : hintsOf(entry);
    return [id ?? criterion, question ?? criterion, text, decidableBy.join(', '), hints.join(', ')];
  });
}

function fileRows({ files, written, changed }: RunReport): string[][] {
  return files.map(({ path, type, bytes }) => {
    const state = written.includes(path) ? 'written' : changed.includes(path) ? 'changed' : '';
    return [path, type, `${bytes}`, state];
  });
}

const mostColumns = 8;

/** Requirements by the artifacts with their evidence; empty for fewer than two artifacts. */
function matrixTable({ coverage }: RunReport): Table {
  const all = coverage.flatMap(({ evidence = [] }) => evidence.map(({ file }) => file));
  const columns = [...new Set(all)].filter((file) => file !== '').slice(0, mostColumns);
  const rows = coverage.map(({ requirement, evidence = [] }) => {
    const cells = columns.map((file) => evidence.find((entry) => entry.file === file));
    return [
      requirement,
      ...cells.map((cell) =>
        cell === undefined
          ? ''
          : `line ${cell.line}, ${Math.floor(cell.share * 100)} %${cell.doubt === undefined ? '' : `, ${cell.doubt}`}`,
      ),
    ];
  });
  return ['Traceability', ['requirement', ...columns], columns.length < 2 ? [] : rows];
}

function tableText([title, head, rows]: Table, text: Clean): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => text(cell).replace(/\s+/g, ' ')).join(' | ')} |`;
  return [
    `## ${title}`,
    '',
    line(head),
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map(line),
  ].join('\n');
}
