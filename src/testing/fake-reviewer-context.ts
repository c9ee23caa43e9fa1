import type { ReviewerContext } from '../core/reviewer.js';

/**
 * What a reviewer may do while it judges, without an engine: steps and checks are simply made, nothing is recorded, and
 * asking a person rejects.
 *
 * @param overrides - What the test needs otherwise.
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
