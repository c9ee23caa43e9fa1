import { hashText } from '../../core/hash.js';

/**
 * Returns the nonce for the fences of one prompt. It depends on every text that the prompt fences,
 * so no text can contain its own nonce, even if its author knows all earlier prompts. Equal
 * material gets an equal nonce: services can cache it, and a resumed run can replay it.
 *
 * @param secret - The nonce of the run. It must not occur in a prompt.
 * @param material - All fenced texts, as JSON data.
 */
export function promptNonce(secret: string, material: unknown): string {
  return hashText(JSON.stringify(['nonce', secret, material])).slice(0, 32);
}

/**
 * Returns the token that the answer to one prompt must repeat.
 *
 * @param nonce - The nonce of the prompt, from {@link promptNonce}.
 * @param questions - What the prompt asks, as JSON data.
 */
export function answerToken(nonce: string, questions: unknown): string {
  return hashText(JSON.stringify(['token', nonce, questions])).slice(0, 12);
}
