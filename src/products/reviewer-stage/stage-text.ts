import { plural } from '../../core/plural.js';
import type { QualityLevel } from './quality-level.js';
import type { StageResult } from './stage-result.js';
import type { StageSummary } from './summary-generator.js';

/** Returns a text that is safe to show, for example without escape sequences. */
export type TextCleaner = (text: string) => string;

const levelNames: Readonly<Record<QualityLevel, string>> = {
  poor: 'Poor',
  needs_work: 'Needs Work',
  acceptable: 'Acceptable',
  good: 'Good',
  excellent: 'Excellent',
};

export function levelName(level: QualityLevel | null | undefined): string {
  return level === null || level === undefined ? 'Not assessed' : levelNames[level];
}

/** Returns the screen of a review: every dimension, the decision and the next step. */
export function reviewLines(result: StageResult, clean: TextCleaner): string[] {
  return [
    startLine,
    '',
    ...assessmentLines(result.dimensions, clean),
    '',
    ...decisionLines(result, clean),
  ];
}

export const startLine = '[REVIEWER] Reviewing implementation...';

/** One paragraph for each dimension: its level, and its issues or its explanation. */
export function assessmentLines(
  dimensions: StageResult['dimensions'],
  clean: TextCleaner,
): string[] {
  const line = lineCleaner(clean);
  const assessed = dimensions.flatMap((dimension) => {
    const { name, level, passed } = dimension;
    const verdict = 'verdict' in dimension ? dimension.verdict : undefined;
    const details = detailsOf(dimension);
    return [
      `    ${markOf(passed, verdict)} ${line(name)}: ${verdict === 'undecided' ? 'Undecided' : levelName(level)}`,
      ...details.filter((text) => text.trim() !== '').map((text) => `      ${line(text)}`),
    ];
  });
  return ['  Quality Assessment:', ...assessed];
}

function detailsOf({
  passed,
  explanation,
  issues,
}: StageResult['dimensions'][number]): readonly string[] {
  return passed || issues.length === 0
    ? [explanation]
    : [...new Set(issues.map(({ message }) => `- ${message}`))];
}

function markOf(passed: boolean, verdict: string | undefined): string {
  if (passed) return '✓';
  return verdict === 'undecided' || verdict === 'skipped' ? '?' : '✗';
}

/** Its reason, the changes to make and the next step. */
export function decisionLines(
  { decision, outcome, reasoning, feedback, cycles }: StageResult,
  clean: TextCleaner,
): string[] {
  const line = lineCleaner(clean);
  const rejected = decision === 'REJECTED';
  const issues = rejected ? (feedback?.issues ?? []) : [];
  const issueLines = issues.map(
    ({ where, message, suggestion }) =>
      `  - ${line(`${where}${where === '' ? '' : ': '}${message}`)}${suggestion === message ? '' : ` -> ${line(suggestion)}`}`,
  );
  return [
    `  Decision: ${decision}`,
    ...(rejected || outcome !== 'completed' ? [`  Reason: ${line(reasoning)}`] : []),
    ...(cycles > 0 ? ['', `  Cycles: ${cycles}`] : []),
    ...(issueLines.length > 0 ? ['', '  Feedback:', ...issueLines] : []),
    ...completionLines(outcome),
  ];
}

function completionLines(outcome: StageResult['outcome']): string[] {
  if (outcome === 'completed') return ['', '[COMPLETE] Task finished successfully'];
  if (outcome === 'overridden') return ['', '[COMPLETE] Task finished (with override)'];
  return [];
}

/** Returns the lines that announce a cycle: rejected work goes back to the planner. */
export function cycleLines(
  { feedback, cycles }: Pick<StageResult, 'feedback' | 'cycles'>,
  clean: TextCleaner,
): string[] {
  const line = lineCleaner(clean);
  const suggestions = feedback?.issues.map(({ suggestion }) => suggestion).join('; ') ?? '';
  return [
    '[ORCHESTRATOR] Cycling to Planner for revision',
    `  Feedback: "${line(suggestions)}"`,
    '',
    `[PLANNER] Re-planning (v${cycles + 1})...`,
  ];
}

export function humanReviewLines(
  { decision, dimensions, summary }: Pick<StageResult, 'decision' | 'dimensions' | 'summary'>,
  clean: TextCleaner,
): string[] {
  const line = lineCleaner(clean);
  const failed = dimensions
    .filter(({ passed }) => !passed)
    .map(({ name, level }) => `${line(name)}: ${levelName(level)}`);
  return [
    `[REVIEWER] LLM review: ${decision}`,
    '',
    'Human Review Required:',
    '─'.repeat(37),
    `Task: ${line(summary?.goal ?? '')}`,
    '',
    'Changes:',
    ...changeLines(summary, clean, 'lines'),
    '',
    `Assessment: ${failed.length === 0 ? 'All quality dimensions passed' : failed.join(', ')}`,
    '',
    '[A]pprove  [R]eject  [V]iew changes  [D]etails',
  ];
}

export function overrideLines(reason: string, clean: TextCleaner): string[] {
  return [
    '⚠ Review rejection overridden',
    `  Reason: ${lineCleaner(clean)(reason)}`,
    '  Logged for audit',
    '',
    '[COMPLETE] Task finished (with override)',
  ];
}

/** Returns the summary as a plain-text page. */
export function summaryLines(summary: StageSummary, clean: TextCleaner): string[] {
  const line = lineCleaner(clean);
  const { dimensions, overrideReason } = summary;
  const levels = dimensions.map(
    ({ shortName, level }) => `${line(shortName)}: ${levelName(level)}`,
  );
  return [
    `Task Summary: ${line(summary.goal)}`,
    `Session: ${line(summary.sessionId)}`,
    `Status: ${summary.outcome.toUpperCase()}`,
    ...(summary.cycles > 0 ? [`Cycles: ${summary.cycles}`] : []),
    '',
    'Changes Made:',
    ...changeLines(summary, clean, 'kind'),
    '',
    'Reviewer Notes:',
    ...summary.notes.map((note) => `  - ${line(note)}`),
    '',
    `Quality Assessment: ${summary.decision}`,
    ...inThrees(levels).map((row) => `  ${row.join(' | ')}`),
    '',
    `Decided by: ${line(summary.decidedBy)}`,
    ...(overrideReason === undefined ? [] : [`Override: ${line(overrideReason)}`]),
    `Completed: ${summary.completedAt.replace('T', ' ').slice(0, 19)}`,
    `Duration: ${durationText(summary.durationMs)}`,
  ];
}

const marks = { new: '+', modified: '~', deleted: '-', renamed: '>' } as const;

function changeLines(
  summary: StageSummary | undefined,
  clean: TextCleaner,
  show: 'lines' | 'kind',
): string[] {
  return (summary?.changes ?? []).map(
    ({ path, oldPath, kind, omitted, added = 0, removed = 0 }) => {
      const lines =
        kind === 'new' ? plural(added, 'line') : `${plural(added + removed, 'line')} changed`;
      const size = omitted === 'binary' || omitted === 'submodule' ? omitted : lines;
      return `  ${marks[kind]} ${lineCleaner(clean)(oldPath === undefined ? path : `${oldPath} -> ${path}`)} (${show === 'kind' ? kind : size})`;
    },
  );
}

export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return [hours > 0 ? `${hours}h` : '', minutes > 0 ? `${minutes}m` : '', `${seconds % 60}s`]
    .filter((part) => part !== '')
    .join(' ');
}

function inThrees(parts: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(parts.length / 3) }, (_, row) =>
    parts.slice(row * 3, row * 3 + 3),
  );
}

function lineCleaner(clean: TextCleaner): TextCleaner {
  return (text) => clean(text.replace(/\s+/g, ' ')).trim();
}

export function summaryPage(summary: StageSummary, clean: TextCleaner): string {
  const text = (value: string): string =>
    clean(value.replace(/\s+/g, ' ')).replace(/[\\`*_[\]<>|#]/g, '\\$&');
  const { overrideReason, base } = summary;
  return [
    `# ${summary.decision}: ${text(summary.goal)}`,
    text(summary.reasoning),
    [
      `- session: ${text(summary.sessionId)}, run: ${text(summary.runId)}`,
      `- outcome: ${summary.outcome}, decided by ${text(summary.decidedBy)}`,
      ...(overrideReason === undefined ? [] : [`- override: ${text(overrideReason)}`]),
      ...(base === undefined ? [] : [`- changes: ${text(base)}..${text(summary.head ?? '')}`]),
      `- completed: ${text(summary.completedAt)}, took ${durationText(summary.durationMs)}`,
    ].join('\n'),
    section('Changes', changeRows(summary, text)),
    section('Quality', qualityRows(summary, text)),
    section(
      'Notes',
      summary.notes.map((note) => `- ${text(note)}`),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function changeRows({ changes }: StageSummary, text: TextCleaner): string[] {
  return changes.map(
    ({ path, kind, added = 0, removed = 0, omitted }) =>
      `- ${kind}: ${text(path)} (+${added} -${removed})${omitted === undefined ? '' : `, ${omitted}`}`,
  );
}

function qualityRows({ dimensions }: StageSummary, text: TextCleaner): string[] {
  if (dimensions.length === 0) return [];
  const rows = dimensions.map(
    ({ name, level, passed, explanation, issues }) =>
      `| ${text(name)} | ${levelName(level)} | ${passed ? 'yes' : 'no'} | ${[explanation, ...issues].map(text).join('<br>')} |`,
  );
  return ['| dimension | level | passed | why |', '|---|---|---|---|', ...rows];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}
