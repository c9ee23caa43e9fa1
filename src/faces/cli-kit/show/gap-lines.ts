import { type Gap, isOpen } from '../../../core/gap.js';
import { requirementPrefix } from '../../../core/scores.js';
import type { Paint } from '../../../node/terminal/colours.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { cut, tableOf } from '../../../node/terminal/table.js';
import { askedBy, fileOf, gapDescription, gapsByFile, placeOf } from '../../reports/gap-order.js';
import type { RunReport } from '../../reports/run-report.js';

interface Screen {
  readonly columns: number | undefined;
  readonly paint: Paint;
}

/** On a narrower terminal the text of a gap is worth more than the name of its criterion. */
const leastForCriteria = 100;

/**
 * They come by file, each with its fix. Neighbours with the same fix share it. Of gaps that read
 * the same, each names what it is about.
 */
export function gapLines(report: RunReport, { columns, paint }: Screen): string[][] {
  const gaps = gapsByFile(report.gaps);
  const seen = new Map<string, number>();
  for (const gap of gaps) seen.set(sameAs(gap), (seen.get(sameAs(gap)) ?? 0) + 1);
  const lines = tableOf(
    gaps.map((gap) => [
      placeOf(gap) || (gap.affectedRequirement === undefined ? '-' : 'task'),
      gap.severity,
      ...(columns !== undefined && columns < leastForCriteria ? [] : [criterionOf(gap)]),
      gapDescription(gap, report) +
        askedBy(gap, report) +
        ((seen.get(sameAs(gap)) ?? 0) > 1 && gap.evidence !== undefined
          ? `: ${gap.evidence}`
          : '') +
        (isOpen(gap) ? '' : ` (${gap.standing})`),
    ]),
    { columns },
  );
  return lines.map((line, index) => {
    const gap = gaps[index];
    if (gap === undefined) return [line];
    const painted = paintSeverity(line, gap.severity, paint);
    const next = gaps[index + 1];
    const isShared = next !== undefined && groupOf(next) === groupOf(gap);
    return isShared ? [painted] : [painted, ...fixLine(gap, columns)];
  });
}

function sameAs(gap: Gap): string {
  return [placeOf(gap), gap.description].join('\u0000');
}

function groupOf(gap: Gap): string {
  return [fileOf(gap), gap.criterionId, gap.suggestedFix].join('\u0000');
}

function fixLine({ suggestedFix, description }: Gap, columns: number | undefined): string[] {
  const fix = oneLine(suggestedFix).trim();
  if (fix === '' || fix === description) return [];
  const line = `    fix: ${fix}`;
  return [columns === undefined ? line : cut(line, columns)];
}

function paintSeverity(line: string, severity: Gap['severity'], paint: Paint): string {
  return line.replace(
    new RegExp(`(  )(${severity})(?=  | *$)`),
    (_, space: string, word: string) => `${space}${paint(severity, word)}`,
  );
}

export function criterionOf({ criterionId = '' }: Gap): string {
  return criterionId.startsWith(requirementPrefix) ? 'requirement' : criterionId;
}
