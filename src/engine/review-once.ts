import { onAbort } from '../core/abort-signal.js';
import { ReviewLoopError } from '../core/errors.js';
import { copyJson } from '../core/json.js';
import { parseInput } from '../core/options.js';
import type { Review } from '../core/review.js';
import type { Version } from '../core/version.js';
import type { Definition } from './definition.js';
import { engineErrors } from './errors.js';
import { decide, enforceInvariants } from './fail-closed.js';
import { reviewVersion } from './review-version.js';
import { Run } from './run.js';
import { checkedTask, inWorkspace } from './run-pipeline.js';
import { RunEnd } from './run-result.js';
import { trace } from './trace-run.js';
import { VersionHistory } from './version-history.js';

/** Nothing is recorded. */
export async function reviewOnce<Task, Output>(
  definition: Definition<Task, Output>,
  givenTask: Task,
  givenOutput: Output,
  signal?: AbortSignal,
): Promise<Review> {
  const task = checkedTask(definition, givenTask);
  const output = checkedOutput(definition, givenOutput);
  const end = new RunEnd(definition);
  const run = new Run(
    { id: definition.random.id(), nonce: definition.random.nonce(), end },
    definition,
    undefined,
  );
  const cancel = (): void =>
    run.end(
      new ReviewLoopError('cancelled', 'the review was cancelled', { cause: signal?.reason }),
    );
  if (signal?.aborted) cancel();
  const ignore = onAbort(signal, cancel);
  try {
    run.throwIfEnded();
    await trace(run, definition);
    return await inWorkspace(run, () => reviewIn(run, definition, task, output));
  } finally {
    run.close();
    ignore();
  }
}

async function reviewIn<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  task: Task,
  output: Output,
): Promise<Review> {
  const tree = await run.trees?.begin();
  try {
    const state = new VersionHistory<Output>(run, definition.reviewers);
    const version = state.versionOf({ output, tree }, undefined);
    const work = (): Promise<Review> => reviewAlone(run, definition, { task, version, state });
    return await (run.tracer === undefined
      ? work()
      : run.tracer.review(version, definition.reviewers.length, work));
  } finally {
    if (tree !== undefined) await run.trees?.verify(tree);
  }
}

async function reviewAlone<Task, Output>(
  run: Run,
  definition: Definition<Task, Output>,
  {
    task,
    version,
    state,
  }: {
    readonly task: Task;
    readonly version: Version<Output>;
    readonly state: VersionHistory<Output>;
  },
): Promise<Review> {
  const reviewed = await reviewVersion(
    { run, definition, task, version, verdicts: state.verdicts, best: undefined },
    { parent: undefined, seen: state.seenGaps, decisionIf: (review) => state.evidence(review) },
  );
  if (reviewed === undefined)
    throw new ReviewLoopError(engineErrors.ask_needs_run, 'a reviewer asked a person');
  const { review: undecided } = reviewed;
  const review = Object.freeze({
    ...undecided,
    decision: await enforceInvariants(await decide(definition.policy, state.evidence(undecided)), {
      review: undecided,
      best: undecided,
      dissent: reviewed.dissent,
    }),
  });
  run.reviews = [review];
  run.emit('review-end', () => ({ iteration: 1, review, best: true }));
  return review;
}

function checkedOutput<Output>(
  { outputSchema }: Pick<Definition<never, Output>, 'outputSchema'>,
  given: Output,
): Output {
  if (outputSchema === undefined) return given;
  return parseInput(outputSchema, copyJson(given, { freeze: true }), {
    error: engineErrors.output_invalid,
    what: 'output',
  });
}
