import type { ReviewerContext } from '../core/reviewer.js';

/**
 * Creates the context of a reviewer without a pipeline. It runs steps and checks immediately,
 * records nothing, and rejects questions to a person.
 *
 * @param overrides - Members that replace the defaults.
 * @example
 * ```ts
 * const subject = { task: 'tea', output: '# Tea', iteration: 1 };
 * const answer = await hasTitle.review(subject, fakeReviewerContext());
 * ```
 */
export function fakeReviewerContext(overrides: Partial<ReviewerContext> = {}): ReviewerContext {
  const signal = overrides.signal ?? new AbortController().signal;
  return {
    runId: 'run',
    iteration: 1,
    nonce: 'nonce',
    previous: [],
    best: undefined,
    reportUsage: () => {},
    step: async (name, { schema }, work) =>
      schema.parse(await work({ key: name, attempt: 1, signal })),
    check: async (schema, work) => schema.parse(await work({ signal })),
    ask: (name) => Promise.reject(new Error(`no person can answer ${name}`)),
    join: (call) => call,
    budget: { reserve: () => ({ settle: () => {} }) },
    ...overrides,
    signal,
  };
}
