import type { Severity } from '../../core/gap.js';
import { hashText } from '../../core/hash.js';
import { isVisible } from '../../core/human.js';
import { checkKeys, invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import { LessonDetailsSchema, type LessonInput } from './lesson.js';

/**
 * A proposed checklist item. It judges nothing until {@link acceptDraft} makes a criterion of it.
 */
export interface CriterionDraft {
  readonly status: 'draft';
  readonly id: string;
  /** `people` if it comes from their reasons: then a person must word the question. @default lessons */
  readonly from?: 'people' | undefined;
  /** A yes-or-no question, to be reworded by a person. */
  readonly question: string;
  readonly severity: Severity;
  /** The lessons behind the proposal. */
  readonly basis: {
    /** How often the gap was seen. */
    readonly seen: number;
    /** The number of lessons that contain it. */
    readonly lessons: number;
    /** At most three descriptions of the gap. */
    readonly examples: readonly string[];
  };
}

/** An accepted checklist item: the options of `llmCriterion`. */
export interface AcceptedCriterion {
  readonly id: string;
  readonly question: string;
  readonly severity: Severity;
  readonly description: string;
}

const listedExamples = 3;

/**
 * Returns drafts of checklist items from lessons, the most frequent first. A kind of gap leads to a
 * draft if it occurs in at least two lessons, or twice in one. A draft judges nothing, because
 * unreviewed rubrics judge worse than none.
 *
 * @example
 * ```ts
 * const drafts = draftCriteria(lessons);
 * ```
 */
export function draftCriteria(lessons: readonly LessonInput[]): CriterionDraft[] {
  const found = new Map<string, GapKind>();
  for (const lesson of lessons)
    for (const { category, severity, frequency, examples } of patternsOf(lesson)) {
      const key = `${category}/${severity}`;
      const kind = found.get(key) ?? newGapKind(severity, category);
      kind.seen += frequency;
      kind.lessons += 1;
      for (const example of examples) kind.examples.add(example);
      found.set(key, kind);
    }
  return [...found.values()]
    .filter(({ seen, lessons: count }) => seen >= 2 || count >= 2)
    .sort((a, b) => b.lessons - a.lessons || b.seen - a.seen)
    .map(draftOf);
}

interface GapKind {
  readonly severity: Severity;
  readonly category: string;
  seen: number;
  lessons: number;
  readonly examples: Set<string>;
}

function newGapKind(severity: Severity, category: string): GapKind {
  return { severity, category, seen: 0, lessons: 0, examples: new Set() };
}

function draftOf({ severity, category, seen, lessons, examples }: GapKind): CriterionDraft {
  const listed = [...examples].slice(0, listedExamples);
  return {
    status: 'draft',
    id: `lesson-${category}-${severity}-${hashText(listed.join('\n')).slice(0, 6)}`,
    question: `Is the output free of what earlier outputs were faulted for (${category}), such as: ${listed.join(' / ')}?`,
    severity,
    basis: { seen, lessons, examples: listed },
  };
}

function patternsOf({
  details,
}: LessonInput): ReturnType<typeof LessonDetailsSchema.parse>['gapPatterns'] {
  try {
    const parsed = LessonDetailsSchema.safeParse(JSON.parse(details));
    return parsed.success ? parsed.data.gapPatterns : [];
  } catch {
    return [];
  }
}

/**
 * Returns the options of a criterion from a draft that a person accepts.
 *
 * @param given - Its `by` is the name of the person who accepts the draft.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const question = 'Does every form field have a label?';
 * const criterion = llmCriterion(acceptDraft(draft, { by: 'ann', question }));
 * ```
 */
export function acceptDraft(
  draft: CriterionDraft,
  given: { readonly by: string } & Partial<Pick<CriterionDraft, 'id' | 'question' | 'severity'>>,
): AcceptedCriterion {
  checkKeys('acceptDraft', given, ['by', 'question', 'severity', 'id']);
  if (draft?.status !== 'draft') throw invalid('draft', 'a draft of draftCriteria', draft);
  if (draft.from === 'people' && given.question === undefined)
    throw invalid('question', 'a text: people must word what comes from their reasons', undefined);
  const { by, question = draft.question, severity = draft.severity, id = draft.id } = given;
  if (typeof by !== 'string' || !isVisible(by))
    throw invalid('by', 'the person who accepts the draft', by);
  if (typeof question !== 'string' || question.trim() === '')
    throw invalid('question', 'a text that is not empty', question);
  return {
    id,
    question,
    severity,
    description: `${question} (drafted from ${plural(draft.basis.lessons, draft.from === 'people' ? 'answer' : 'lesson')}, accepted by ${by})`,
  };
}

export function basisText({ from, basis: { seen, lessons } }: CriterionDraft): string {
  return from === 'people'
    ? `said in ${plural(seen, 'answer')}`
    : `seen ${plural(seen, 'time')} in ${plural(lessons, 'lesson')}`;
}
