import type { Gap } from '../core/gap.js';
import { fence } from '../model/prompt/fence.js';
import { promptNonce } from '../model/prompt/prompt-nonce.js';

/** Further messages for a model that fixes an output. */
export interface EditsPromptInput {
  readonly note: string | undefined;
  readonly regressed: readonly Gap[];
  readonly lessons: string;
  /** A text that the author of the lessons does not know. */
  readonly secret: string;
}

/**
 * Returns the message after the prompt for `address`: notes of people, lessons, and the format of
 * edits.
 */
export function editsPrompt({ note, regressed, lessons, secret }: EditsPromptInput): string {
  const descriptions = regressed.map(({ description }) => `- ${description}`).join('\n');
  const nonce = promptNonce(secret, [descriptions, lessons]);
  const told = [
    note === undefined ? '' : `A person asks for this:\n${note}`,
    regressed.length === 0
      ? ''
      : [
          'The last attempt was not kept because it added these gaps; do not bring them back:',
          fence('gaps', descriptions, nonce),
        ].join('\n'),
    lessons === '' ? '' : `What earlier runs taught:\n${fence('lessons', lessons, nonce)}`,
  ].filter((part) => part !== '');
  const rules =
    'A small change of a large artifact is best given in "edits": [{"path": "...", "search": ' +
    '"...", "replace": "..."}]. "search" is copied character by character from the artifact, ' +
    'and long enough to occur in it exactly once. Give each artifact either in "artifacts", ' +
    'whole, or in "edits". Change only artifacts that the gaps are about. "result" is a text ' +
    'that holds JSON.';
  return [...told, rules].join('\n\n');
}
