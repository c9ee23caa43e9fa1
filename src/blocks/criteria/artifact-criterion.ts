import type { Artifacts } from '../../core/artifact.js';
import type { CriterionContext, CriterionResult, Finding } from '../../core/criterion.js';
import type { Gap } from '../../core/gap.js';
import type { FixContext } from '../../core/reviewer.js';
import { type Criterion, criterionOf } from '../reviewers/criterion.js';
import type { DescribedCriterion } from '../reviewers/from-criterion.js';
import { eventTurns } from './parsed-once.js';

/**
 * A criterion for the artifacts of an output, for `criteria` of an agent class and `reviewers` of a
 * pipeline.
 */
export interface ArtifactCriterion extends Omit<Criterion<Artifacts, unknown>, 'fix'> {
  /** Fixes one gap without guessing. Returns the same output if that is impossible. */
  readonly fix?:
    | ((output: Artifacts, gap: Gap, context: FixContext) => Artifacts | Promise<Artifacts>)
    | undefined;
}

export interface ArtifactCheck extends DescribedCriterion {
  /** The version of rules and options. Verdicts of another version are not reused. */
  readonly version: string;
  readonly check: (
    output: Artifacts,
    task: unknown,
    context: CriterionContext,
  ) => CriterionResult | Promise<CriterionResult>;
  readonly fix?: ArtifactCriterion['fix'];
  /**
   * Selects the part of the output that the check receives. The part must be an output, too.
   *
   * @default the whole output
   */
  readonly scope?: ((output: Artifacts) => unknown) | undefined;
}

export function artifactCriterion({ id, check, fix, ...about }: ArtifactCheck): ArtifactCriterion {
  const inTurn: ArtifactCheck['check'] = (...given) => {
    const turn = eventTurns.next();
    return turn === undefined ? check(...given) : turn.then(() => check(...given));
  };
  const made = criterionOf<Artifacts, unknown>(id, inTurn, {
    ...about,
    ...(fix !== undefined && { fix }),
  });
  const whole: ArtifactCriterion =
    fix === undefined ? { ...made, fix: undefined } : { ...made, fix };
  builtIn.add(whole);
  return whole;
}

const builtIn = new WeakSet<object>();

/** The fixers of these criteria only compute. */
export function isBuiltIn(reviewer: object): boolean {
  return builtIn.has(reviewer);
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A finding with the edits that fix it without a guess. */
export interface Found extends Finding {
  readonly file: string;
  readonly edits?: readonly Edit[] | undefined;
  /** Whether its rule reports at most one finding for each file. */
  readonly once?: boolean | undefined;
}

export function asFinding({ edits: _edits, once: _once, ...finding }: Found): Finding {
  return finding;
}

/** The maximum number of lines by which earlier fixes may have moved a finding down. */
const mostShifted = 2;

/** Takes the edits of the same finding in the current output. */
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

function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = source;
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}

export function skipped(reason: string): CriterionResult {
  return { passed: false, score: 0, details: '', skipped: reason };
}

/** `a; b; c; 2 more`. */
export function listed(texts: readonly string[], most = 3): string {
  const more = texts.length > most ? [`${texts.length - most} more`] : [];
  return [...texts.slice(0, most), ...more].join('; ');
}

export function placesOf(findings: readonly Finding[], most?: number): string {
  const places = findings.map(
    ({ file, line, description }) =>
      `${file}${line === undefined ? '' : `:${line}`} ${description}`,
  );
  return listed(places, most);
}

/** The score is 1 if all findings are remarks. */
export function shareResult(options: {
  readonly judged: number;
  readonly findings: readonly Found[];
  readonly passed: boolean;
  readonly details: string;
  readonly suggestedFix: string;
}): CriterionResult {
  const { judged, findings, passed, details, suggestedFix } = options;
  const score =
    passed || judged === 0 ? 1 : 1 - findings.length / Math.max(judged, findings.length);
  return {
    passed,
    score,
    details,
    ...(findings.length > 0 && { suggestedFix, findings: findings.map(asFinding) }),
    estimatedEffort: findings.length > 10 ? 'medium' : findings.length > 3 ? 'small' : 'trivial',
  };
}

/** Criteria that need files which a diff does not contain. */
const ids = new Set(['text-links', 'text-task-files', 'code-task-files', 'responsive']);

export function needsWholeWork(id: string): boolean {
  return ids.has(id);
}
