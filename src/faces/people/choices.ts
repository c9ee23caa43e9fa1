import type { HumanAnswerKind, HumanRequest } from '../../core/human.js';
import type { HumanTexts } from '../../ports/human-gate.js';

/** An answer, a text to show, or leaving. */
export type ChoiceKind = HumanAnswerKind | 'changes' | 'details' | 'later';

export interface Choice {
  readonly kind: ChoiceKind;
  readonly key: string;
  readonly label: string;
  /** Further words that a person may type. */
  readonly words: readonly string[];
}

const all: readonly Choice[] = [
  { kind: 'approve', key: 'a', label: 'approve', words: ['approve', 'yes'] },
  { kind: 'reject', key: 'r', label: 'reject', words: ['reject', 'no'] },
  {
    kind: 'revise',
    key: 'f',
    label: 'fix-and-retry',
    words: ['fix', 'fix-and-retry', 'fix and retry', 'revise'],
  },
  { kind: 'skip', key: 's', label: 'skip', words: ['skip'] },
  { kind: 'override', key: 'o', label: 'override', words: ['override'] },
  { kind: 'decide', key: 'y', label: 'decide yes or no', words: ['decide'] },
  { kind: 'reply', key: 'p', label: 'reply', words: ['reply'] },
  { kind: 'changes', key: 'v', label: 'view changes', words: ['view', 'changes'] },
  { kind: 'details', key: 'd', label: 'view details', words: ['details'] },
  { kind: 'later', key: 'q', label: 'decide later', words: ['later', 'quit'] },
];

export function choicesOf({ allowed }: HumanRequest, texts: HumanTexts): Choice[] {
  const there: Readonly<Record<string, boolean>> = {
    changes: texts.changes !== undefined,
    details: texts.details !== undefined,
    later: true,
  };
  return all.filter(({ kind }) => there[kind] ?? (allowed as readonly string[]).includes(kind));
}

export function choiceOf(choices: readonly Choice[], typed: string): Choice | undefined {
  const word = typed.trim().toLowerCase();
  return choices.find(({ key, words }) => key === word || words.includes(word));
}

export function invalidChoice(choices: readonly Choice[]): string {
  const keys = choices.filter(({ kind }) => kind !== 'later').map(({ key }) => key);
  const later = choices.find(({ kind }) => kind === 'later');
  const listed =
    keys.length < 2 ? keys.join('') : `${keys.slice(0, -1).join(', ')}, or ${keys.at(-1)}`;
  return `Invalid choice. Use: ${listed}${later === undefined ? '' : `; ${later.key} to ${later.label}`}`;
}

export function choiceLine(choices: readonly Choice[]): string {
  return choices
    .map(({ key, label }) =>
      label.startsWith(key) ? `[${key}]${label.slice(key.length)}` : `[${key}] ${label}`,
    )
    .join('  ');
}
