import {
  type CoverageEvidence,
  type CoverageState,
  coverageState,
  type RequirementCoverage,
} from '../../core/coverage.js';

/** One requirement of a {@link TraceabilityMatrix}, with its evidence in each artifact. */
export interface TraceabilityRow {
  readonly requirement: string;
  readonly state: CoverageState;
  readonly confidence: number;
  readonly details: string;
  /** The evidence by artifact. Artifacts without evidence are absent. */
  readonly cells: Readonly<Record<string, CoverageEvidence>>;
  /** The place of the best evidence: `file:line`, or the location that the criteria reported. */
  readonly location: string | undefined;
}

/** The evidence of each artifact for each requirement. */
export interface TraceabilityMatrix {
  readonly artifacts: readonly string[];
  readonly rows: readonly TraceabilityRow[];
  readonly counts: Readonly<Record<CoverageState, number>>;
}

/**
 * Returns which artifact mentions which requirement, and where. The columns are the artifacts of
 * the evidence and the given artifacts. An artifact without evidence has an empty column.
 *
 * @example
 * ```ts
 * const { rows, counts } = traceabilityMatrix(coverageOf(review.assessments));
 * ```
 */
export function traceabilityMatrix(
  coverage: readonly RequirementCoverage[],
  artifacts: readonly string[] = [],
): TraceabilityMatrix {
  const rows = coverage.map((entry): TraceabilityRow => {
    const evidence = entry.evidence ?? [];
    const first = evidence[0];
    const location =
      entry.evidenceLocation ??
      (first === undefined || first.file === '' ? undefined : `${first.file}:${first.line}`);
    const cells: Record<string, CoverageEvidence> = Object.fromEntries(
      evidence.map((found) => [found.file, found]),
    );
    return {
      requirement: entry.requirement,
      state: coverageState(entry),
      confidence: entry.confidence,
      details: entry.coverageDetails,
      cells,
      location,
    };
  });
  const counts = { covered: 0, uncovered: 0, unsure: 0 };
  for (const { state } of rows) counts[state] += 1;
  return {
    artifacts: [
      ...new Set([...artifacts, ...rows.flatMap(({ cells }) => Object.keys(cells))]),
    ].filter((file) => file !== ''),
    rows,
    counts,
  };
}
