import type { Gap } from '../../core/gap.js';
import { fence, promptNonce } from '../models/prompt/fence.js';
import { outputAndGaps, untrustedRule } from './address-prompt.js';

export interface RevisionPromptInput {
  readonly output: unknown;
  readonly gaps: readonly Gap[];
  /** A text that the author of the output does not know. */
  readonly secret: string;
}

/** Asks for the whole output again, without the gaps. The task stands before the message. */
export function revisionPrompt({ output, gaps, secret }: RevisionPromptInput): string {
  const nonce = promptNonce(secret, [output, gaps]);
  return [
    'You produced the output below for this task. A review found gaps in it, which must be closed.',
    untrustedRule(nonce),
    ...outputAndGaps(output, gaps, nonce),
    'Answer with the whole output, in the same form as before, with these gaps closed. Keep what ' +
      'is already correct. Do not describe what you changed.',
  ].join('\n\n');
}

export interface RevisionNotes {
  readonly note: string | undefined;
  readonly regressed: readonly Gap[];
  readonly lessons: string;
  /** A text that the author of the lessons does not know. */
  readonly secret: string;
}

export function revisionNotes({ note, regressed, lessons, secret }: RevisionNotes): string[] {
  const descriptions = regressed.map(({ description }) => `- ${description}`).join('\n');
  const nonce = promptNonce(secret, [descriptions, lessons]);
  return [
    note === undefined ? '' : `A person asks for this:\n${note}`,
    regressed.length === 0
      ? ''
      : [
          'The last attempt was not kept because it added these gaps; do not bring them back:',
          fence('gaps', descriptions, nonce),
        ].join('\n'),
    lessons === '' ? '' : `What earlier runs taught:\n${fence('lessons', lessons, nonce)}`,
  ].filter((part) => part !== '');
}

export function editsPrompt(notes: RevisionNotes): string {
  const rules =
    'A small change of a large artifact is best given in "edits": [{"path": "...", "search": ' +
    '"...", "replace": "..."}]. "search" is copied character by character from the artifact, ' +
    'and long enough to occur in it exactly once. Give each artifact either in "artifacts", ' +
    'whole, or in "edits". Change only artifacts that the gaps are about. "result" is a text ' +
    'that holds JSON.';
  return [...revisionNotes(notes), rules].join('\n\n');
}
