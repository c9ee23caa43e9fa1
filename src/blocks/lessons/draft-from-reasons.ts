import { hashText } from '../../core/hash.js';
import { checkList, invalid } from '../../core/options.js';
import type { CriterionDraft } from './draft-criteria.js';
import { keepable, wordsIn } from './lesson-text.js';

export interface RejectionReason {
  /** The run that it is about; reasons of one run count once. */
  readonly run: string;
  readonly reason: string;
}

/** Reasons that are read, the last ones first. */
const mostReasons = 2000;
const longestReason = 200;
const listedExamples = 3;

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
    .map(draftOf);
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

function draftOf({ runs, texts, words }: ReasonGroup): CriterionDraft {
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
