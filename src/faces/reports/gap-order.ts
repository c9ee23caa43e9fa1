import { bySeverity, countOf, type Gap } from '../../core/gap.js';
import { requirementPrefix } from '../../core/scores.js';
import type { RunReport } from './run-report.js';

export function placeOf(gap: Gap): string {
  const file = fileOf(gap);
  return gap.location?.line === undefined ? file : `${file}:${gap.location.line}`;
}

export function fileOf({ location, affectedArtifact }: Gap): string {
  return location?.file ?? affectedArtifact ?? '';
}

/** The file with the worst gap first, and each file from top to bottom. */
export function gapsByFile(gaps: readonly Gap[]): Gap[] {
  const files = new Map<string, Gap[]>();
  for (const gap of gaps) files.set(fileOf(gap), [...(files.get(fileOf(gap)) ?? []), gap]);
  return [...files]
    .sort(([a, ofA], [b, ofB]) => compareCounts(ofA, ofB) || (a < b ? -1 : 1))
    .flatMap(([, found]) => [...found].sort(byLine));
}

const severities = ['critical', 'major', 'minor'] as const;

function compareCounts(a: readonly Gap[], b: readonly Gap[]): number {
  for (const severity of severities) {
    const difference = countOf(b, severity) - countOf(a, severity);
    if (difference !== 0) return difference;
  }
  return 0;
}

function byLine(a: Gap, b: Gap): number {
  return (a.location?.line ?? 0) - (b.location?.line ?? 0) || bySeverity(a, b);
}

/** Drops the criterion's name, which the line already shows. */
export function gapDescription(
  { criterionId = '', description }: Gap,
  { criteria }: Pick<RunReport, 'criteria'>,
): string {
  const start = `${criteria.names[criterionId] ?? criterionId}: `;
  return description.startsWith(start) ? description.slice(start.length) : description;
}

/** Names the requirement that asks for what a check found. A requirement's own gap is its sentence. */
export function askerOf(
  { criterionId = '', affectedRequirement }: Gap,
  { coverage }: Pick<RunReport, 'coverage'>,
): string {
  const row = coverage.find(({ requirement }) => requirement === affectedRequirement);
  return row?.id === undefined || criterionId.startsWith(requirementPrefix)
    ? ''
    : ` (asked by ${row.id})`;
}
