import type { Severity } from '../../core/gap.js';
import { hashText } from '../../core/hash.js';
import { isVisible } from '../../core/human.js';
import { checkKeys, checkList, invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import { detailsOf, type LessonInput } from './lesson.js';
import { keepable, wordsIn } from './lesson-text.js';

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
    for (const { category, severity, frequency, examples } of detailsOf(lesson)?.gapPatterns ??
      []) {
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

export interface RejectionReason {
  /** The run that it is about; reasons of one run count once. */
  readonly run: string;
  readonly reason: string;
}

/** Reasons that are read, the last ones first. */
const mostReasons = 2000;
const longestReason = 200;

/**
 * Returns drafts of checklist items from reasons of people, the most frequent first. Reasons of at
 * least two runs lead to a draft if they share two words and half of those of the shorter one. A draft judges nothing, and its
 * texts are quotes: secrets and control characters are removed. A person must word its question.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const drafts = draftFromReasons([
 *   { run: 'a', reason: 'the prices are missing' },
 *   { run: 'b', reason: 'prices missing again' },
 * ]);
 * ```
 */
export function draftFromReasons(reasons: readonly RejectionReason[]): CriterionDraft[] {
  checkList('reasons', reasons);
  const groups: ReasonGroup[] = [];
  for (const [index, given] of reasons.slice(-mostReasons).entries()) {
    if (typeof given?.reason !== 'string' || typeof given.run !== 'string')
      throw invalid(`reasons[${index}]`, '{ run, reason }', given);
    const text = keepable(given.reason, longestReason);
    const words = wordsIn(text);
    if (words.size === 0) continue;
    const group = groups.find((one) => areAlike(one.words, words));
    if (group === undefined) groups.push({ words, runs: new Set([given.run]), texts: [text] });
    else {
      group.runs.add(given.run);
      if (!group.texts.includes(text)) group.texts.push(text);
    }
  }
  return groups
    .filter(({ runs }) => runs.size >= 2)
    .sort((a, b) => b.runs.size - a.runs.size)
    .map(peopleDraftOf);
}

interface ReasonGroup {
  /** The words of the first reason, so that a group does not drift. */
  readonly words: ReadonlySet<string>;
  readonly runs: Set<string>;
  readonly texts: string[];
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  const shorter = Math.min(a.size, b.size);
  return shared >= Math.min(2, shorter) && shared * 2 >= shorter;
}

function peopleDraftOf({ runs, texts, words }: ReasonGroup): CriterionDraft {
  const examples = texts.slice(0, listedExamples);
  return {
    status: 'draft',
    id: `people-${hashText([...words].sort().join(' ')).slice(0, 8)}`,
    from: 'people',
    question: `Is the output free of what people rejected, such as: ${examples.join(' / ')}?`,
    severity: 'major',
    basis: { seen: runs.size, lessons: runs.size, examples },
  };
}
