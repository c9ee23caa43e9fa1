import { hashText } from '../core/hash.js';
import type { ReviewerContext } from '../core/reviewer.js';

/**
 * The context of another look at the same version: without history, its calls recorded under names of their own, and with a nonce
 * of its own, so that no cache of answers can take it for the first look.
 *
 * @param name - Of the look; unique in the reviewer.
 */
export function freshLook(context: ReviewerContext, name: string): ReviewerContext {
  return {
    nonce: hashText(`${context.nonce}\u0000${name}`).slice(0, 32),
    previous: [],
    best: undefined,
    runId: context.runId,
    iteration: context.iteration,
    reportUsage: context.reportUsage,
    budget: context.budget,
    join: context.join,
    step: (step, options, work) => context.step(`${name}/${step}`, options, work),
    check: (schema, work, check = 'check') => context.check(schema, work, `${name}/${check}`),
    ask: (question, request) => context.ask(`${name}/${question}`, request),
    get signal() {
      return context.signal;
    },
  };
}
