import * as z from 'zod';
import { builtOnUse } from './built-on-use.js';
import { copyJson } from './json.js';
import { checkKeys, invalid } from './options.js';

export const GapCategorySchema = builtOnUse(() =>
  z.enum(['missing', 'incorrect', 'incomplete', 'quality']),
);

/** The kind of problem: something is missing, incorrect, incomplete, or of poor quality. */
export type GapCategory = z.infer<typeof GapCategorySchema>;

export const EffortSchema = builtOnUse(() => z.enum(['trivial', 'small', 'medium', 'large']));

/** How much work a fix is likely to be. */
export type Effort = z.infer<typeof EffortSchema>;

/** Lines are 1-based. */
export const LocationSchema = builtOnUse(() =>
  z.object({
    file: z.string(),
    line: z.int().min(1).optional(),
    endLine: z.int().min(1).optional(),
  }),
);

/** A place in an artifact; lines are 1-based. */
export interface Location extends z.infer<typeof LocationSchema> {}

/**
 * One problem of an output. `lifecycle` says whether it is new, persists, is fixed or came back.
 * `standing` says whether judges confirm or dispute it.
 */
export const GapSchema = builtOnUse(() =>
  z.object({
    /** Equal for the same gap in all reviews of a run. */
    id: z.string(),
    severity: GapSeveritySchema,
    category: GapCategorySchema,
    /** What is wrong. */
    description: z.string(),
    /** How to fix it. */
    suggestedFix: z.string(),
    estimatedEffort: EffortSchema,
    /** Whether the producer may be asked to fix it. @default true */
    autoFixable: z.boolean().default(true),
    /** The requirement that is not covered. */
    affectedRequirement: z.string().optional(),
    /** The path of the artifact. */
    affectedArtifact: z.string().optional(),
    /** The criterion that found it. */
    criterionId: z.string().optional(),
    /** The reviewer that raised it; only that reviewer can close it. */
    raisedBy: z.string().optional(),
    location: LocationSchema.optional(),
    /** A quote that occurs in the artifact. */
    evidence: z.string().optional(),
    /** A picture of the place, as a `data:` address. */
    picture: z.string().optional(),
    /**
     * Whether the gap is new, was in the parent version, is fixed, or came back. `gone` and `unknown`
     * are gaps of the parent version that nobody judged again: what they were about is gone, or
     * nobody could tell.
     */
    lifecycle: z.enum(['new', 'persisting', 'fixed', 'regressed', 'gone', 'unknown']).optional(),
    /** Whether judges checked the gap, and what they decided. */
    standing: z.enum(['unchecked', 'confirmed', 'disputed', 'waived']).optional(),
  }),
);

/** One problem of an output. */
export interface Gap extends z.infer<typeof GapSchema> {
  location?: Location | undefined;
}

/**
 * Returns whether a gap counts against an output. A disputed or waived gap is reported, but it
 * neither blocks approval nor gets fixed.
 */
export function isOpen(gap: Gap): boolean {
  return gap.standing !== 'disputed' && gap.standing !== 'waived';
}

export function countOf(gaps: readonly Gap[], severity: Severity): number {
  return gaps.filter((gap) => gap.severity === severity).length;
}

export interface GapOptions
  extends Partial<
    Pick<
      Gap,
      | 'severity'
      | 'category'
      | 'suggestedFix'
      | 'estimatedEffort'
      | 'autoFixable'
      | 'affectedRequirement'
      | 'evidence'
    >
  > {
  /** The path of the artifact. @default none */
  readonly file?: string | undefined;
  /** The first line, from 1; requires `file`. @default none */
  readonly line?: number | undefined;
  /** The last line, from 1; requires `line`. @default none */
  readonly endLine?: number | undefined;
}

/**
 * Creates a gap, for reviewers that you write yourself. The engine adds the id, the reviewer and
 * the criterion.
 *
 * @param description - What is wrong, for people and for the model that fixes it.
 * @param options - Defaults: severity `'major'`, category `'quality'`, effort `'medium'`,
 *   `autoFixable: true`, and the description as the suggested fix.
 * @throws ReviewLoopError `invalid_options` if the description is empty or an option is invalid
 * @example
 * ```ts
 * const titled: Reviewer<string, string> = {
 *   id: 'titled',
 *   version: '1',
 *   tier: 'code',
 *   review: async ({ output }) =>
 *     output.startsWith('# ')
 *       ? [{ verdict: 'pass', criterion: 'titled', score: 1, explanation: '', gaps: [] }]
 *       : [
 *           {
 *             verdict: 'fail',
 *             criterion: 'titled',
 *             score: 0,
 *             explanation: '',
 *             gaps: [gap('no title', { file: 'README.md', line: 1 })],
 *           },
 *         ],
 * };
 * ```
 */
export function gap(description: string, options: GapOptions = {}): Gap {
  checkKeys('gap', options, gapOptions);
  if (typeof description !== 'string' || description.trim() === '')
    throw invalid('description', 'a text that is not empty', description);
  const { file, line, endLine, ...given } = options;
  if (file === undefined && line !== undefined) throw invalid('line', 'given with `file`', line);
  const place = file === undefined ? undefined : { file, line, endLine };
  const made = z.safeParse(GapSchema, {
    id: '',
    severity: 'major',
    category: 'quality',
    description,
    suggestedFix: description,
    estimatedEffort: 'medium',
    ...given,
    affectedArtifact: file,
    location: place,
  });
  if (made.success) return copyJson(made.data, { freeze: false });
  throw invalid('gap', 'a gap', z.prettifyError(made.error));
}

const gapOptions = [
  'severity',
  'category',
  'suggestedFix',
  'estimatedEffort',
  'autoFixable',
  'affectedRequirement',
  'evidence',
  'file',
  'line',
  'endLine',
];

/**
 * How bad a gap is: `critical` blocks completion, `major` should be fixed, `minor` is nice to fix.
 */
export const GapSeveritySchema = builtOnUse(() => z.enum(['critical', 'major', 'minor']));

/** How bad a gap is; in RFC 2119 words MUST, SHOULD, MAY. */
export type Severity = z.infer<typeof GapSeveritySchema>;

const ranks: Readonly<Record<Severity, number>> = { critical: 2, major: 1, minor: 0 };

export function severityRank(severity: Severity): number {
  return ranks[severity];
}

export function bySeverity(
  a: { readonly severity: Severity },
  b: { readonly severity: Severity },
): number {
  return ranks[b.severity] - ranks[a.severity];
}

export function severityAtLeast(severity: Severity, floor: Severity): boolean {
  return ranks[severity] >= ranks[floor];
}
