import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import {
  bySeverity,
  type Gap,
  GapCategorySchema,
  GapSeveritySchema,
  isOpen,
} from '../../core/gap.js';
import { jsonIn } from '../../core/json-or-text.js';
import { checkKeys } from '../../core/options.js';
import type { Outcome } from '../../core/outcome.js';
import { keepable, taskTextOf } from './lesson-text.js';

/** A kind of gap in a run, with its frequency and at most three examples. */
export const GapPatternSchema = builtOnUse(() =>
  z.object({
    category: GapCategorySchema,
    severity: GapSeveritySchema,
    frequency: z.int().min(1),
    examples: z.array(z.string()).max(3),
  }),
);
export interface GapPattern extends z.infer<typeof GapPatternSchema> {}

export const LessonDetailsSchema = builtOnUse(() =>
  z.object({
    agentId: z.string(),
    taskType: z.enum(['design', 'backend', 'frontend', 'testing', 'general']),
    iterations: z.int().min(0),
    /** `null` is unknown. */
    initialScore: z.number().nullable(),
    finalScore: z.number().nullable(),
    gapPatterns: z.array(GapPatternSchema),
    successfulFixes: z.array(z.string()),
  }),
);
/** The details of a lesson; `LessonInput.details` contains them as JSON text. */
export interface LessonDetails extends z.infer<typeof LessonDetailsSchema> {}

/** A lesson from the reviews of a run. */
export const LessonInputSchema = builtOnUse(() =>
  z.object({
    category: z.literal('pattern'),
    title: z.string(),
    summary: z.string(),
    /** The details of the lesson as JSON text. */
    details: z.string(),
    tags: z.array(z.string()),
    sourceAgent: z.string(),
    confidence: z.number().min(0).max(1),
  }),
);
/** A lesson from the reviews of a run. */
export interface LessonInput extends z.infer<typeof LessonInputSchema> {}

export function detailsOf({ details }: Pick<LessonInput, 'details'>): LessonDetails | undefined {
  return LessonDetailsSchema.safeParse(jsonIn(details)).data;
}

/** What a lesson needs of a review: a `SelfReviewResult` has it. */
export interface LearnableReview {
  /** `null` is unknown. */
  readonly overallScore: number | null;
  readonly gaps: readonly Gap[];
  /** Gaps of the version before that nobody judged again: gone, or unknown. */
  readonly closedGaps?: readonly Gap[] | undefined;
}

/** Scores are sums of binary fractions: 0.9 - 0.8 is less than 0.1. */
const epsilon = 1e-9;
const maxCharacters = { agentId: 64, text: 200, fix: 400, summary: 360, title: 160 } as const;
const maxFixes = 20;

/**
 * Returns the lesson of reviews, without secrets. Returns `null` for fewer than two reviews. It
 * also does so if the run neither improved by 0.1, nor fixed a gap, nor repeated a kind of gap.
 */
export function createLessonFromReview(
  agentId: string,
  taskDescription: string,
  reviews: readonly LearnableReview[],
): LessonInput | null {
  return lessonOf({ agentId, taskDescription, reviews, fixed: fixedGaps(reviews) });
}

/**
 * Returns the lesson of any run, as {@link createLessonFromReview} does. Reviews without an answer
 * of a judge are ignored. A gap counts as fixed when the judge that raised it no longer reports it.
 *
 * @param about - The task, the agent (default `'pipeline'`), and the least number of reviews
 *   (default 2).
 */
export function lessonsFrom(
  outcome: Outcome<unknown>,
  about: {
    readonly task: unknown;
    readonly agentId?: string | undefined;
    readonly minReviews?: number | undefined;
  },
): LessonInput | null {
  checkKeys('lessonsFrom', about, ['task', 'agentId', 'minReviews']);
  const { agentId = 'pipeline', task, minReviews } = about;
  const judged = outcome.reviews.filter(({ scores }) => scores.judged > 0 || scores.total === 0);
  return lessonOf({
    agentId,
    taskDescription: taskTextOf(task),
    reviews: judged.map(({ scores, gaps }) => ({ overallScore: scores.overall, gaps })),
    fixed: judged.flatMap((review) => review.fixed),
    minReviews,
  });
}

interface LessonSource {
  readonly agentId: string;
  readonly taskDescription: string;
  readonly reviews: readonly LearnableReview[];
  readonly fixed: readonly Gap[];
  /** @default 2 */
  readonly minReviews?: number | undefined;
}

function lessonOf({
  agentId: given,
  taskDescription,
  reviews,
  fixed,
  minReviews = 2,
}: LessonSource): LessonInput | null {
  const first = reviews[0];
  const last = reviews.at(-1);
  if (first === undefined || last === undefined || reviews.length < minReviews) return null;
  const [from, to] = [first.overallScore, last.overallScore];
  const improvement = from === null || to === null ? 0 : to - from;
  const gapPatterns = analyzeGapPatterns(reviews);
  const successfulFixes = [...new Set(fixed.filter(isOpen).map(fixText))].slice(0, maxFixes);
  const teaches =
    improvement >= 0.1 - epsilon ||
    successfulFixes.length > 0 ||
    gapPatterns.some(({ frequency }) => frequency > 1 || reviews.length === 1);
  if (!teaches) return null;
  const agentId = keepable(given, maxCharacters.agentId) || 'agent';
  const details: LessonDetails = {
    agentId,
    taskType: inferTaskType(taskDescription),
    iterations: reviews.length,
    initialScore: from,
    finalScore: to,
    gapPatterns,
    successfulFixes,
  };
  const categories = [...new Set(gapPatterns.map(({ category }) => category))];
  return {
    category: 'pattern',
    title: keepable(
      `${agentId} self-review pattern: ${categories.slice(0, 2).join(', ') || 'no gaps'}`,
      maxCharacters.title,
    ),
    summary: keepable(summaryOf(details), maxCharacters.summary),
    details: JSON.stringify(details),
    tags: [
      ...new Set([
        `agent:${agentId}`,
        'self-review',
        ...categories.map((category) => `gap:${category}`),
      ]),
    ],
    sourceAgent: agentId,
    confidence: improvement > 0.2 + epsilon ? 0.9 : 0.7,
  };
}

/** The most frequent first, then the worst. */
function analyzeGapPatterns(reviews: readonly LearnableReview[]): GapPattern[] {
  const patterns = new Map<string, GapPattern>();
  for (const { category, severity, description } of reviews
    .flatMap((review) => review.gaps)
    .filter(isOpen)) {
    const key = `${category}-${severity}`;
    const pattern = patterns.get(key) ?? { category, severity, frequency: 0, examples: [] };
    patterns.set(key, pattern);
    pattern.frequency += 1;
    if (pattern.examples.length === 3) continue;
    const example = keepable(description, maxCharacters.text);
    if (example !== '' && !pattern.examples.includes(example)) pattern.examples.push(example);
  }
  return [...patterns.values()].sort((a, b) => b.frequency - a.frequency || bySeverity(a, b));
}

/** Returns the gaps of each review that the next one looked for, and no longer has. */
function fixedGaps(reviews: readonly LearnableReview[]): Gap[] {
  return reviews.slice(1).flatMap((review, index) => {
    const ids = new Set([...review.gaps, ...(review.closedGaps ?? [])].map((gap) => gap.id));
    return (reviews[index]?.gaps ?? []).filter((gap) => !ids.has(gap.id));
  });
}

function fixText({ category, description, suggestedFix }: Gap): string {
  const fix = keepable(suggestedFix, maxCharacters.text);
  return keepable(
    `Fixed ${category}: ${keepable(description, maxCharacters.text)}${fix === '' ? '' : ` via ${fix}`}`,
    maxCharacters.fix + 40,
  );
}

function summaryOf({
  agentId,
  iterations,
  initialScore,
  finalScore,
  gapPatterns,
}: LessonDetails): string {
  const [from, to] = [percent(initialScore), percent(finalScore)];
  const isLess = initialScore !== null && finalScore !== null && finalScore < initialScore;
  const change =
    from === to
      ? `stayed at ${from}`
      : `${isLess ? 'worsened' : [from, to].includes('unknown') ? 'went' : 'improved'} from ${from} to ${to}`;
  const common =
    gapPatterns.length === 0
      ? ''
      : ` Common gaps: ${[...countsOf(gapPatterns)].map(([category, count]) => `${category} (${count}x)`).join(', ')}.`;
  return `Agent ${agentId} ${change} quality over ${iterations} iterations.${common}`;
}

function countsOf(patterns: readonly GapPattern[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { category, frequency } of patterns)
    counts.set(category, (counts.get(category) ?? 0) + frequency);
  return counts;
}

function percent(score: number | null): string {
  if (score === null) return 'unknown';
  return `${(Math.floor(score * 1000 + epsilon) / 10).toFixed(1).replace(/\.0$/, '')}%`;
}

const taskTypes: readonly (readonly [LessonDetails['taskType'], RegExp])[] = [
  ['design', /^(?:design|designs|designed|designing|redesign|mockups?)$/],
  ['backend', /^(?:apis?|endpoints?)$/],
  ['frontend', /^(?:components?|uis?)$/],
  ['testing', /^(?:tests?|tested|testing)$/],
];

function inferTaskType(description: string): LessonDetails['taskType'] {
  const words = description.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return (
    taskTypes.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? 'general'
  );
}
