import { hashText } from '../../core/hash.js';
import { requirementKey } from './dedupe.js';
import { linesOf } from './plain-text.js';
import type { Requirement, RequirementStrength } from './requirement.js';
import { wholeKind } from './task-text.js';

export interface ListedRequirement {
  /** The id, such as `R1`. It stays when the list is read from the task again. */
  readonly id: string;
  readonly text: string;
  /** The strength. `OUT` is left out on purpose: nothing judges it. */
  readonly strength: RequirementStrength | 'OUT';
  /** The line in the task, from 1. @default undefined written by hand */
  readonly line?: number | undefined;
  /** The digest of the sentence that was read. @default undefined written by hand */
  readonly sentence?: string | undefined;
  /** Whether it stands for the task as a whole, because no requirement was found in it. */
  readonly whole?: boolean | undefined;
}

/** Returns requirements as a list, with ids in their order. Each text occurs once. */
export function numberRequirements(found: readonly Requirement[]): ListedRequirement[] {
  const texts = new Set<string>();
  const list: ListedRequirement[] = [];
  for (const { text: said, strength, line, kind, section } of found) {
    const above = section.at(-1);
    const text = texts.has(said) && above !== undefined ? `${said} (${above})` : said;
    if (texts.has(text)) continue;
    texts.add(text);
    list.push({
      id: `R${list.length + 1}`,
      text,
      strength,
      line,
      sentence: sentenceDigest(text),
      ...(kind === wholeKind && { whole: true }),
    });
  }
  return list;
}

export function judgedRequirements(list: readonly ListedRequirement[]): Requirement[] {
  return list.flatMap(({ id, text, strength, line = 1, whole }) =>
    strength === 'OUT'
      ? []
      : [
          {
            id,
            text,
            source: 'explicit',
            kind: whole === true ? wholeKind : 'listed',
            strength,
            line,
            endLine: line,
            section: [],
          },
        ],
  );
}

/** Returns the digest of a task. Line ends and white space at its end do not count. */
export function taskDigest(task: string): string {
  const text = linesOf(task).join('\n').trimEnd();
  return `sha256:${hashText(text).slice(0, 32)}`;
}

function sentenceDigest(text: string): string {
  return hashText(requirementKey(text)).slice(0, 8);
}

export interface ListChanges {
  readonly list: readonly ListedRequirement[];
  readonly added: readonly ListedRequirement[];
  readonly removed: readonly ListedRequirement[];
  readonly changed: readonly {
    readonly before: ListedRequirement;
    readonly now: ListedRequirement;
  }[];
}

/**
 * What a person edited, wrote or left out stays while its sentence is in the task; a changed
 * sentence keeps its id.
 */
export function refreshList(
  before: readonly ListedRequirement[],
  found: readonly Requirement[],
): ListChanges {
  const left = new Set(numberRequirements(found));
  const take = (fits: (one: ListedRequirement) => boolean): ListedRequirement | undefined => {
    const one = [...left].find(fits);
    if (one !== undefined) left.delete(one);
    return one;
  };
  const same = before.map((old) =>
    take(({ sentence }) => sentence === (old.sentence ?? sentenceDigest(old.text))),
  );
  const pairs = before.map((old, index) => {
    const now = same[index];
    if (now !== undefined) return { old, now: { ...old, line: now.line, sentence: now.sentence } };
    if (old.sentence === undefined) return { old, now: old };
    const near = take(({ text, whole }) => whole === old.whole && isLike(text, old.text));
    if (near === undefined) return { old, now: undefined };
    const strength = old.strength === 'OUT' ? old.strength : near.strength;
    return { old, now: { ...near, id: old.id, strength } };
  });
  let last = Math.max(0, ...before.map(({ id }) => Number(/^R(\d{1,9})$/.exec(id)?.[1] ?? 0)));
  const added = [...left].map((one) => {
    last += 1;
    return { ...one, id: `R${last}` };
  });
  const list = pairs.flatMap(({ now }) => (now === undefined ? [] : [now]));
  for (const one of added) {
    const at = list.findIndex(({ line = 0 }) => line > (one.line ?? 0));
    list.splice(at === -1 ? list.length : at, 0, one);
  }
  return {
    list,
    added,
    removed: pairs.flatMap(({ old, now }) => (now === undefined ? [old] : [])),
    changed: pairs.flatMap(({ old, now }) =>
      now === undefined || now.text === old.text ? [] : [{ before: old, now }],
    ),
  };
}

function isLike(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new Set(requirementKey(text).split(' ')));
  if (left === undefined || right === undefined) return false;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared * 5 >= Math.max(left.size, right.size) * 3;
}
