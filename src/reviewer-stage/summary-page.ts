import { durationText, levelName, type TextCleaner } from './stage-text.js';
import type { StageSummary } from './summary-generator.js';

/** A summary as a Markdown page; `clean` makes any text safe to show. */
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
    changes,
    dimensions,
    notes,
    completedAt,
    durationMs,
    decidedBy,
    overrideReason,
    base,
    head,
  } = summary;
  const rows = dimensions.map(
    ({ name, level, passed, explanation, issues }) =>
      `| ${text(name)} | ${levelName(level)} | ${passed ? 'yes' : 'no'} | ${[explanation, ...issues].map(text).join('<br>')} |`,
  );
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
    section(
      'Changes',
      changes.map(
        ({ path, kind, added = 0, removed = 0, omitted }) =>
          `- ${kind}: ${text(path)} (+${added} -${removed})${omitted === undefined ? '' : `, ${omitted}`}`,
      ),
    ),
    ...(rows.length === 0
      ? []
      : [
          `## Quality\n\n| dimension | level | passed | why |\n|---|---|---|---|\n${rows.join('\n')}`,
        ]),
    section(
      'Notes',
      notes.map((note) => `- ${text(note)}`),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}
