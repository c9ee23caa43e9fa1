import { durationText, levelName, type TextCleaner } from './stage-text.js';
import type { StageSummary } from './summary-generator.js';

/** Returns the summary as a Markdown page. */
export function summaryPage(summary: StageSummary, clean: TextCleaner): string {
  const text = (value: string): string =>
    clean(value.replace(/\s+/g, ' ')).replace(/[\\`*_[\]<>|#]/g, '\\$&');
  const {
    goal,
    sessionId,
    runId,
    outcome,
    decision,
    reasoning,
    notes,
    completedAt,
    durationMs,
    decidedBy,
    overrideReason,
    base,
    head,
  } = summary;
  return [
    `# ${decision}: ${text(goal)}`,
    text(reasoning),
    [
      `- session: ${text(sessionId)}, run: ${text(runId)}`,
      `- outcome: ${outcome}, decided by ${text(decidedBy)}`,
      ...(overrideReason === undefined ? [] : [`- override: ${text(overrideReason)}`]),
      ...(base === undefined ? [] : [`- changes: ${text(base)}..${text(head ?? '')}`]),
      `- completed: ${text(completedAt)}, took ${durationText(durationMs)}`,
    ].join('\n'),
    section('Changes', changeRows(summary, text)),
    section('Quality', qualityRows(summary, text)),
    section(
      'Notes',
      notes.map((note) => `- ${text(note)}`),
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
