import { decorate, deriveContext } from '../../core/decorate-reviewer.js';
import type { ReviewerContext } from '../../core/reviewer.js';
import type { FileReviewer } from '../inputs/file-reviewer.js';

/** Callbacks for the begin and the end of a judge's calls. */
export interface CallWatch {
  readonly begin: (reviewer: string) => void;
  readonly end: (reviewer: string) => void;
}

/** Creates a reviewer that reports its calls, so that the watchdog can name a call that blocks. */
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
