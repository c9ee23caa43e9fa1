import type { QualityLevel } from './quality-level.js';
import type { StageResult } from './stage-result.js';
import type { StageSummary } from './summary-generator.js';

/** Makes a text safe to show; for a terminal `sanitise` of the terminal room. */
export type TextCleaner = (text: string) => string;

const levelNames: Readonly<Record<QualityLevel, string>> = {
  poor: 'Poor',
  needs_work: 'Needs Work',
  acceptable: 'Acceptable',
  good: 'Good',
  excellent: 'Excellent',
};

/** The name of a level for people; `Not assessed` for none. */
export function levelName(level: QualityLevel | null | undefined): string {
  return level === null || level === undefined ? 'Not assessed' : levelNames[level];
}

/** What seed 003 prints of a review: every dimension, the decision, and where the work goes. */
export function reviewLines(result: StageResult, clean: TextCleaner): string[] {
  return [
    startLine,
    '',
    ...assessmentLines(result.dimensions, clean),
    '',
    ...decisionLines(result, clean),
  ];
}

/** The line with which a review begins. */
export const startLine = '[REVIEWER] Reviewing implementation...';

/** How every dimension came out. */
export function assessmentLines(
  dimensions: StageResult['dimensions'],
  clean: TextCleaner,
): string[] {
  const line = one(clean);
  const assessed = dimensions.flatMap(({ name, level, passed, explanation, issues }) => {
    const details =
      passed || issues.length === 0 ? [explanation] : issues.map(({ message }) => `- ${message}`);
    return [
      `    ${passed ? '✓' : '✗'} ${line(name)}: ${levelName(level)}`,
      ...details.filter((text) => text.trim() !== '').map((text) => `      ${line(text)}`),
    ];
  });
  return ['  Quality Assessment:', ...assessed];
}

/** The decision, why, what to change, and where the work goes. */
export function decisionLines(
  { decision, outcome, reasoning, feedback, cycles }: StageResult,
  clean: TextCleaner,
): string[] {
  const line = one(clean);
  const rejected = decision === 'REJECTED';
  const issues = rejected ? (feedback?.issues ?? []) : [];
  const told = issues.map(
    ({ where, message, suggestion }) =>
      `  - ${line(`${where}${where === '' ? '' : ': '}${message}`)}${suggestion === message ? '' : ` -> ${line(suggestion)}`}`,
  );
  return [
    `  Decision: ${decision}`,
    ...(rejected || outcome !== 'completed' ? [`  Reason: ${line(reasoning)}`] : []),
    ...(cycles > 0 ? ['', `  Cycles: ${cycles}`] : []),
    ...(told.length > 0 ? ['', '  Feedback:', ...told] : []),
    ...ending(outcome),
  ];
}

function ending(outcome: StageResult['outcome']): string[] {
  if (outcome === 'completed') return ['', '[COMPLETE] Task finished successfully'];
  if (outcome === 'overridden') return ['', '[COMPLETE] Task finished (with override)'];
  return [];
}

/** What seed 003 prints when rejected work goes back to the planner. */
export function cycleLines(
  { feedback, cycles }: Pick<StageResult, 'feedback' | 'cycles'>,
  clean: TextCleaner,
): string[] {
  const line = one(clean);
  const told = feedback?.issues.map(({ suggestion }) => suggestion).join('; ') ?? '';
  return [
    '[ORCHESTRATOR] Cycling to Planner for revision',
    `  Feedback: "${line(told)}"`,
    '',
    `[PLANNER] Re-planning (v${cycles + 1})...`,
  ];
}

/** The screen on which a person decides. */
export function humanReviewLines(
  { decision, dimensions, summary }: Pick<StageResult, 'decision' | 'dimensions' | 'summary'>,
  clean: TextCleaner,
): string[] {
  const line = one(clean);
  const low = dimensions
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
    `Assessment: ${low.length === 0 ? 'All quality dimensions passed' : low.join(', ')}`,
    '',
    '[A]pprove  [R]eject  [V]iew changes  [D]etails',
  ];
}

/** What a person sees who lets rejected work through. */
export function overrideLines(reason: string, clean: TextCleaner): string[] {
  return [
    '⚠ Review rejection overridden',
    `  Reason: ${one(clean)(reason)}`,
    '  Logged for audit',
    '',
    '[COMPLETE] Task finished (with override)',
  ];
}

/** Seed 003's page of a summary. */
export function summaryLines(summary: StageSummary, clean: TextCleaner): string[] {
  const line = one(clean);
  const {
    goal,
    sessionId,
    outcome,
    notes,
    decision,
    dimensions,
    completedAt,
    durationMs,
    decidedBy,
    overrideReason,
  } = summary;
  const levels = dimensions.map(
    ({ shortName, level }) => `${line(shortName)}: ${levelName(level)}`,
  );
  return [
    `Task Summary: ${line(goal)}`,
    `Session: ${line(sessionId)}`,
    `Status: ${outcome.toUpperCase()}`,
    '',
    'Changes Made:',
    ...changeLines(summary, clean, 'kind'),
    '',
    'Reviewer Notes:',
    ...notes.map((note) => `  - ${line(note)}`),
    '',
    `Quality Assessment: ${decision}`,
    ...inThrees(levels).map((row) => `  ${row.join(' | ')}`),
    '',
    `Decided by: ${line(decidedBy)}`,
    ...(overrideReason === undefined ? [] : [`Override: ${line(overrideReason)}`]),
    `Completed: ${completedAt.replace('T', ' ').slice(0, 19)}`,
    `Duration: ${durationText(durationMs)}`,
  ];
}

const marks = { new: '+', modified: '~', deleted: '-', renamed: '>' } as const;

function changeLines(
  summary: StageSummary | undefined,
  clean: TextCleaner,
  show: 'lines' | 'kind',
): string[] {
  return (summary?.changes ?? []).map(({ path, oldPath, kind, added = 0, removed = 0 }) => {
    const lines = kind === 'new' ? `${added} lines` : `${added + removed} lines changed`;
    return `  ${marks[kind]} ${one(clean)(oldPath === undefined ? path : `${oldPath} -> ${path}`)} (${show === 'kind' ? kind : lines})`;
  });
}

/** A time span for people: `2m 34s`. */
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

function one(clean: TextCleaner): TextCleaner {
  return (text) => clean(text.replace(/\s+/g, ' ')).trim();
}
