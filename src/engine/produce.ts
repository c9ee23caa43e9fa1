import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { copyJson, digestJson } from '../core/json.js';
import { CallContext } from './call-context.js';
import type { Definition, ProduceContext } from './definition.js';
import type { Run } from './run.js';
import type { ProducedVersion } from './version-history.js';
import { WorkContext } from './work-context.js';

/** What the first output is made from. */
export interface ProduceJob<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  /** Called with an output that was made, but could not be kept. */
  readonly onUnrecorded?: ((output: Output) => void) | undefined;
  /** Which of several first outputs it is: the iteration before it, where a policy decided to begin anew. */
  readonly after?: number | undefined;
}

/**
 * Makes a first output, once: a resumed run replays it.
 *
 * @throws ReviewLoopError `produce_failed`, `produce_invalid`, `timeout`
 */
export async function produce<Task, Output>({
  run,
  definition,
  task,
  onUnrecorded,
  after,
}: ProduceJob<Task, Output>): Promise<ProducedVersion<Output>> {
  const { produce: make, timeouts, outputSchema } = definition;
  if (make === undefined)
    throw new ReviewLoopError('no_produce', `pipeline ${definition.name} has no \`produce\``);
  const scope = new WorkContext(run, {
    name: after === undefined ? 'produce' : `iter:${after}/produce`,
    phase: 'produce',
    digest: '',
    version: '',
    timeoutMs: timeouts.produceMs,
    tree: run.trees?.start,
  });
  try {
    const output = await scope.whole(digestJson(task), outputSchemaOf(outputSchema), (call) => {
      const context: ProduceContext = Object.assign(
        new CallContext(call),
        surroundings(run, scope),
      );
      return make(copyJson(task, { freeze: false }), context);
    });
    return { output, tree: scope.trees?.tree };
  } catch (error) {
    const known = userError(run, error, 'produce');
    if (scope.unrecorded !== undefined && known.code !== 'produce_invalid')
      onUnrecorded?.(scope.unrecorded as Output);
    throw known;
  }
}

/** What `produce` and `address` have in common; their signals are made when they are asked for. */
export function surroundings(run: Run, scope: WorkContext): Omit<ProduceContext, 'signal'> {
  return {
    lessons: run.lessons,
    step: scope.step,
    runId: run.id,
    iteration: run.iteration,
    reportUsage: scope.reportUsage,
    budget: scope.budget,
  };
}

/** What an output must be: what the user's schema says, and JSON in any case. */
export function outputSchemaOf<Output>(schema: z.ZodType<Output> | undefined): z.ZodType<Output> {
  return (schema ?? anyOutput) as z.ZodType<Output>;
}

const anyOutput = builtOnUse(() =>
  z.unknown().refine((value) => value !== undefined && value !== null, {
    message: 'expected an output, got nothing',
  }),
);

/** What went wrong in `produce` or `address`, as an error of this library. */
export function userError(run: Run, error: unknown, what: 'produce' | 'address'): ReviewLoopError {
  if (error === run.ended && run.ended !== undefined) return run.ended;
  if (error instanceof ReviewLoopError) {
    if (error.code === 'step_invalid' || error.code === 'not_json')
      return new ReviewLoopError(
        `${what}_invalid`,
        `what ${what} returned was refused: ${error.what}`,
        { cause: error, value: error.value },
      );
    return error;
  }
  return new ReviewLoopError(`${what}_failed`, `${what} threw: ${messageOf(error)}`, {
    cause: error,
  });
}
