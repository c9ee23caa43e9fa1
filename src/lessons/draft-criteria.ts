import { hashText } from '../core/hash.js';
import { invalid } from '../core/options.js';
import type { Severity } from '../core/severity.js';
import { LessonDetailsSchema, type LessonInput } from './lesson.js';

/** A checklist item that nobody accepted yet. It judges nothing: only {@link acceptDraft} makes a criterion of it. */
export interface CriterionDraft {
  readonly status: 'draft';
  readonly id: string;
  /** The yes-or-no question, to be put into better words. */
  readonly question: string;
  readonly severity: Severity;
  /** Why it is proposed: how often, where, and what it looked like. */
  readonly because: {
    readonly seen: number;
    readonly lessons: number;
    readonly examples: readonly string[];
  };
}

/** A checklist item that a person answers for: options of `llmCriterion`. */
export interface AcceptedCriterion {
  readonly id: string;
  readonly question: string;
  readonly severity: Severity;
  readonly description: string;
}

const listedExamples = 3;

/**
 * Drafts of checklist items from what runs taught, the most frequent first: a kind of gap that came up in at least two lessons, or
 * twice in one. Rubrics that are made up and not looked at judge worse than none, so a draft is data, and nothing else.
 *
 * @example
 * ```ts
 * const drafts = draftCriteria(lessons);
 * ```
 */
export function draftCriteria(lessons: readonly LessonInput[]): CriterionDraft[] {
  const found = new Map<
    string,
    { severity: Severity; category: string; seen: number; lessons: number; examples: Set<string> }
  >();
  for (const lesson of lessons) {
    for (const { category, severity, frequency, examples } of patternsOf(lesson)) {
      const key = `${category}/${severity}`;
      const known = found.get(key) ?? {
        severity,
        category,
        seen: 0,
        lessons: 0,
        examples: new Set<string>(),
      };
      known.seen += frequency;
      known.lessons += 1;
      for (const example of examples) known.examples.add(example);
      found.set(key, known);
    }
  }
  return [...found.values()]
    .filter(({ seen, lessons: count }) => seen >= 2 || count >= 2)
    .sort((a, b) => b.lessons - a.lessons || b.seen - a.seen)
    .map(({ severity, category, seen, lessons: count, examples }) => {
      const listed = [...examples].slice(0, listedExamples);
      const question = `Is the output free of what earlier outputs were faulted for (${category}), such as: ${listed.join(' / ')}?`;
      return {
        status: 'draft',
        id: `lesson-${category}-${severity}-${hashText(listed.join('\n')).slice(0, 6)}`,
        question,
        severity,
        because: { seen, lessons: count, examples: listed },
      };
    });
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
 * What a person made of a draft: the options of a criterion, with who accepted it.
 *
 * @param by - Who accepts it; nobody else's name, and no program's.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const criterion = llmCriterion(acceptDraft(draft, { by: 'ann', question: 'Does every form field have a label?' }));
 * ```
 */
export function acceptDraft(
  draft: CriterionDraft,
  {
    by,
    question = draft.question,
    severity = draft.severity,
    id = draft.id,
  }: { readonly by: string } & Partial<Pick<CriterionDraft, 'id' | 'question' | 'severity'>>,
): AcceptedCriterion {
  if (draft?.status !== 'draft') throw invalid('draft', 'a draft of draftCriteria', draft);
  if (typeof by !== 'string' || by.trim() === '')
    throw invalid('by', 'the person who accepts the draft', by);
  if (typeof question !== 'string' || question.trim() === '')
    throw invalid('question', 'a text that is not empty', question);
  return {
    id,
    question,
    severity,
    description: `${question} (drafted from ${draft.because.lessons} lessons, accepted by ${by})`,
  };
}
