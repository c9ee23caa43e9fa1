import type { Artifacts } from '../core/artifact.js';
import type { CriterionContext, CriterionResult, Finding } from '../core/criterion.js';
import type { Gap, GapCategory } from '../core/gap.js';
import type { FixContext } from '../core/reviewer.js';
import type { Severity } from '../core/severity.js';
import { type Criterion, criterion } from '../reviewers/criterion.js';

/** A criterion over the artifacts of an output: fits in `criteria: [...]` of a class and in `reviewers: [...]` of a pipeline. */
export interface ArtifactCriterion extends Omit<Criterion<Artifacts, unknown>, 'fix'> {
  /** Repairs one gap without guessing; gives the output back as it is where that is not possible. */
  readonly fix?:
    | ((output: Artifacts, gap: Gap, context: FixContext) => Artifacts | Promise<Artifacts>)
    | undefined;
}

/** What an {@link ArtifactCriterion} is made of. */
export interface ArtifactCheck {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly severity: Severity;
  readonly category: GapCategory;
  /** Rules and options: verdicts under another version are not reused. */
  readonly version: string;
  readonly check: (
    output: Artifacts,
    task: unknown,
    context: CriterionContext,
  ) => CriterionResult | Promise<CriterionResult>;
  readonly fix?: ArtifactCriterion['fix'];
  /** The part of the output that the check reads; it receives that part, which must be an output too. @default everything */
  readonly scope?: ((output: Artifacts) => unknown) | undefined;
}

/** Makes the criterion of a check. */
export function artifactCriterion({ id, check, fix, ...about }: ArtifactCheck): ArtifactCriterion {
  const made = criterion<Artifacts>(id, check, { ...about, ...(fix !== undefined && { fix }) });
  return fix === undefined ? { ...made, fix: undefined } : { ...made, fix };
}

/** A replacement in a source text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A finding, and the edits that repair it where no guess is needed. */
export interface Found extends Finding {
  readonly file: string;
  readonly edits?: readonly Edit[] | undefined;
  /** Whether its rule finds at most this one thing in the file. */
  readonly once?: boolean | undefined;
}

/** The finding without what only a fixer needs. */
export function asFinding({ edits: _edits, once: _once, ...finding }: Found): Finding {
  return finding;
}

/** How many lines earlier repairs may have put above a finding. */
const mostShifted = 2;

/** Applies a gap's repair: the edits of the same finding, looked up again in the output as it is now. */
export function repair(output: Artifacts, gap: Gap, findings: readonly Found[]): Artifacts {
  const file = gap.location?.file;
  const shiftOf = ({ line = 1 }: Found): number => line - (gap.location?.line ?? 1);
  const isSame = (found: Found): boolean =>
    found.once === true ||
    (found.evidence === gap.evidence && shiftOf(found) >= 0 && shiftOf(found) <= mostShifted);
  const [nearest] = findings
    .filter((found) => found.file === file && found.edits !== undefined && isSame(found))
    .sort((a, b) => shiftOf(a) - shiftOf(b));
  const edits = nearest?.edits;
  if (edits === undefined) return output;
  let done = false;
  const artifacts = output.artifacts.map((artifact) => {
    if (done || artifact.path !== file || artifact.content === undefined) return artifact;
    done = true;
    return { ...artifact, content: applyEdits(artifact.content, edits) };
  });
  return { ...output, artifacts };
}

/** Replaces parts of a text and keeps the rest as it is. */
function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = source;
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}

/** A result with the share of what is right as its score. */
export function shareResult(options: {
  readonly judged: number;
  readonly findings: readonly Found[];
  readonly passed: boolean;
  readonly details: string;
  readonly suggestedFix: string;
}): CriterionResult {
  const { judged, findings, passed, details, suggestedFix } = options;
  const score =
    judged === 0 ? 1 : Math.max(0, 1 - findings.length / Math.max(judged, findings.length));
  return {
    passed,
    score,
    details,
    ...(findings.length > 0 && { suggestedFix, findings: findings.map(asFinding) }),
    estimatedEffort: findings.length > 10 ? 'medium' : findings.length > 3 ? 'small' : 'trivial',
  };
}
