import type { Gap } from '../core/gap.js';
import type { RunReport } from './run-report.js';

/** Returns the description without the criterion's name, which the line already shows. */
export function gapDescription(
  { criterionId = '', description }: Gap,
  { criteria }: Pick<RunReport, 'criteria'>,
): string {
  const start = `${criteria.names[criterionId] ?? criterionId}: `;
  return description.startsWith(start) ? description.slice(start.length) : description;
}
