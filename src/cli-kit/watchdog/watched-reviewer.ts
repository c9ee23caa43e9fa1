import type { ReviewerContext } from '../../core/reviewer.js';
import type { FileReviewer } from '../inputs/file-reviewer.js';

/** Is called when a call of a judge begins and ends. */
export interface CallWatch {
  readonly begin: (reviewer: string) => void;
  readonly end: (reviewer: string) => void;
}

/** Wraps a reviewer so that a blocking call can be named. */
export function watchedReviewer(reviewer: FileReviewer, watch: CallWatch): FileReviewer {
  return {
    ...reviewer,
    review: async (subject, context) => {
      try {
        return await reviewer.review(subject, watchedContext(context, reviewer.id, watch));
      } finally {
        watch.end(reviewer.id);
      }
    },
  };
}

function watchedContext(
  context: ReviewerContext,
  reviewer: string,
  watch: CallWatch,
): ReviewerContext {
  const { step, check, join, ask, reportUsage, budget, runId, iteration, previous, best, nonce } =
    context;
  return {
    step: (name, options, work) =>
      step(name, options, (attempt) => {
        watch.begin(reviewer);
        return work(attempt);
      }),
    check: (schema, work, name) =>
      check(
        schema,
        (call) => {
          watch.begin(reviewer);
          return work(call);
        },
        name,
      ),
    join,
    ask,
    reportUsage,
    budget,
    runId,
    iteration,
    nonce,
    previous,
    best,
    get signal() {
      return context.signal;
    },
  };
}
