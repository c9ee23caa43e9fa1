import { deriveContext } from '../core/decorate-reviewer.js';
import { hashText } from '../core/hash.js';
import type { ReviewerContext } from '../core/reviewer.js';

/**
 * Returns the context of another opinion on the same version. It has no history and its own names
 * for calls. Its own nonce keeps every cache of answers from returning the first opinion.
 *
 * @param name - Name of the opinion; unique in the reviewer.
 */
export function secondOpinionContext(context: ReviewerContext, name: string): ReviewerContext {
  return deriveContext(namedContext(context, name), { previous: [], best: undefined });
}

/**
 * Returns a context with its own nonce and its own names for calls, and with the history of
 * `context`.
 */
export function namedContext(context: ReviewerContext, name: string): ReviewerContext {
  return deriveContext(context, {
    nonce: hashText(`${context.nonce}\u0000${name}`).slice(0, 32),
    step: (step, options, work) => context.step(`${name}/${step}`, options, work),
    check: (schema, work, check = 'check') => context.check(schema, work, `${name}/${check}`),
    ask: (question, request) => context.ask(`${name}/${question}`, request),
  });
}
