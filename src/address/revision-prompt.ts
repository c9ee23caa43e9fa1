import type { Gap } from '../core/gap.js';
import { promptNonce } from '../model/prompt/prompt-nonce.js';
import { outputAndGaps, untrustedRule } from './address-prompt.js';

/** The parts of {@link revisionPrompt}. */
export interface RevisionPromptInput {
  readonly output: unknown;
  readonly gaps: readonly Gap[];
  /** A text that the author of the output does not know. */
  readonly secret: string;
}

/**
 * Returns the message that asks an agent to make its output again, whole and without the gaps. The
 * task stands before it.
 */
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
