import { decorate } from '../core/decorate-reviewer.js';
import type { Reviewer } from '../core/reviewer.js';
import type { CompletedWork } from './completed-work.js';

/**
 * Returns a reviewer that is asked about verified work only. Work whose verification failed is
 * rejected in any case, so asking a model about it would cost a call for nothing.
 */
export function afterVerification(
  reviewer: Reviewer<unknown, CompletedWork>,
): Reviewer<unknown, CompletedWork> {
  return decorate(reviewer, {
    tag: undefined,
    reply: async ({ subject, answer }) =>
      subject.output.verificationResults.every(({ passed }) => passed)
        ? answer()
        : [
            {
              verdict: 'skipped',
              criterion: reviewer.id,
              reason: 'not asked: a verification failed, which prevents approval',
            },
          ],
  });
}
