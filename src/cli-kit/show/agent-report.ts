import { isOpen } from '../../core/gap.js';
import { gapDescription } from '../../reports/gap-description.js';
import { gapsByFile, placeOf } from '../../reports/gap-order.js';
import type { RunReport } from '../../reports/run-report.js';
import { headline, verdictOf } from '../../reports/verdict-words.js';
import { oneLine } from '../../terminal/sanitise.js';
import { criterionOf } from './gap-lines.js';
import { idOf, nextLines, questionLines } from './next-command.js';

/**
 * Returns a run for a coding agent: the verdict, one line for each gap, failed judge and open
 * question, and the next command. Nothing is aligned or coloured.
 */
export function agentReport(report: RunReport): string {
  const gaps = gapsByFile(report.gaps).map((gap) => {
    const { severity, suggestedFix, description, standing } = gap;
    const place = placeOf(gap) || (gap.affectedRequirement === undefined ? '-' : 'task');
    const state = isOpen(gap) ? '' : ` (${standing})`;
    const fix =
      suggestedFix.trim() === '' || suggestedFix === description ? '' : ` | fix: ${suggestedFix}`;
    return `${place} ${severity} ${criterionOf(gap)} ${gapDescription(gap, report)}${state}${fix}`;
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
