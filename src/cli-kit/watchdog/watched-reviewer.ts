import { decorate, deriveContext } from '../../core/decorate-reviewer.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import type { FileReviewer } from '../inputs/file-reviewer.js';

/** Is called when a call of a judge begins and ends. */
export interface CallWatch {
  readonly begin: (reviewer: string) => void;
  readonly end: (reviewer: string) => void;
}

/** Creates a reviewer that reports its calls to a watch, so that one that blocks for good has a name. */
export function watchedReviewer(reviewer: FileReviewer, watch: CallWatch): FileReviewer {
  return decorate(reviewer, {
    tag: undefined,
    context: (context) => watchedContext(context, reviewer.id, watch),
    reply: async ({ answer }) => {
      try {
        return await answer();
      } finally {
        watch.end(reviewer.id);
      }
    },
  });
}

function watchedContext(
  context: ReviewerContext,
  reviewer: string,
  watch: CallWatch,
): ReviewerContext {
  const watched =
    <Call, Result>(work: (call: Call) => Result) =>
    (call: Call): Result => {
      watch.begin(reviewer);
      return work(call);
    };
  return deriveContext(context, {
    step: (name, options, work) => context.step(name, options, watched(work)),
    check: (schema, work, name) => context.check(schema, watched(work), name),
  });
}
