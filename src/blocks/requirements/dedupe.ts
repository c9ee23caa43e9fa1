import type { Requirement, RequirementStrength } from './requirement.js';

const ranks: Readonly<Record<RequirementStrength, number>> = { MUST: 2, SHOULD: 1, MAY: 0 };
/** For a statement that is compared in parts: n words have n² parts. */
const mostWords = 30;
/** Fewer words, such as "password field", can match by chance. */
const fewestWords = 4;

/** The words in lower case, without punctuation and markup. */
export function requirementKey(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  return words === null ? text.trim() : words.join(' ');
}

/**
 * Returns the requirements without repetitions. A repetition has equal words, or is a part of a
 * statement at most twice as long. The first place and the strongest strength stay. Equal items
 * under different headings all stay, because their headings are a part of their meaning.
 */
export function dedupeRequirements(requirements: readonly Requirement[]): Requirement[] {
  const kept = new Map<string, Requirement>();
  const lengths = new Set<number>();
  for (const requirement of requirements) {
    const words = requirementKey(requirement.text);
    if (requirement.kind === 'statement') lengths.add(words.split(' ').length);
    const key = scoped(scopeOf(requirement), words);
    const before = kept.get(key);
    kept.set(key, before === undefined ? requirement : stronger(before, requirement));
  }
  for (const [key, requirement] of [...kept]) {
    if (kept.has(key)) absorb(key, requirement, { kept, lengths });
  }
  return [...kept.values()];
}

function absorb(
  key: string,
  requirement: Requirement,
  { kept, lengths }: { readonly kept: Map<string, Requirement>; readonly lengths: Set<number> },
): void {
  const scopes = new Set([requirement.section.join('\n'), '']);
  const whole = requirementKey(requirement.text);
  for (const part of partsOf(whole, lengths)) {
    for (const scope of scopes) {
      const other = scoped(scope, part);
      const contained = other === key ? undefined : kept.get(other);
      if (contained === undefined || (part !== whole && contained.kind !== 'statement')) continue;
      kept.delete(other);
      kept.set(key, stronger(kept.get(key) ?? requirement, contained));
    }
  }
}

/** Returns the statement itself, and its runs of words that are at least half as long. */
function partsOf(key: string, lengths: ReadonlySet<number>): string[] {
  const words = key.split(' ', mostWords + 1);
  const parts = [key];
  if (words.length > mostWords) return parts;
  const least = Math.max(fewestWords, Math.ceil(words.length / 2));
  for (const length of lengths) {
    if (length < least || length >= words.length) continue;
    for (let from = 0; from + length <= words.length; from += 1)
      parts.push(words.slice(from, from + length).join(' '));
  }
  return parts;
}

/**
 * Returns the scope of a requirement. An outcome belongs to the action before it: the same outcome
 * after another action is another requirement.
 */
function scopeOf({ kind, section, line }: Requirement): string {
  if (kind === 'step' || kind === 'task') return [...section, String(line)].join('\n');
  return kind === 'statement' || section[0] === 'acceptanceCriteria' ? '' : section.join('\n');
}

function scoped(scope: string, key: string): string {
  return `${scope}\n\n${key}`;
}

function stronger(stays: Requirement, goes: Requirement): Requirement {
  return ranks[goes.strength] > ranks[stays.strength]
    ? { ...stays, strength: goes.strength }
    : stays;
}
