import type { ReviewerContext } from '../core/reviewer.js';

/**
 * Creates the context of a reviewer without a pipeline: it runs steps and checks at once, records nothing,
 * and rejects questions to a person.
 *
 * @param overrides - Members with other values.
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
    ask: (name) => Promise.reject(new Error(`nobody is there to answer ${name}`)),
    join: (call) => call,
    budget: { reserve: () => ({ settle: () => {} }) },
    ...overrides,
    signal,
  };
}
