import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { ReviewLoopError } from '../core/errors.js';
import { copyJson, digestJson } from '../core/json.js';
import { elapsedOn } from '../ports/clock.js';
import { CallContext, type Definition, type ProduceContext } from './definition.js';
import type { Run } from './run.js';
import type { UserErrors } from './user-error.js';
import type { ProducedVersion } from './version-history.js';
import { WorkContext } from './work-context.js';

export interface ProduceJob<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  /** Called with an output that could not be recorded. */
  readonly onUnrecorded?: ((output: Output) => void) | undefined;
  /** The iteration after which a policy decided to start over. */
  readonly after?: number | undefined;
}

export async function produce<Task, Output>({
  run,
  definition,
  task,
  onUnrecorded,
  after,
}: ProduceJob<Task, Output>): Promise<ProducedVersion<Output>> {
  const { produce: make, timeouts, outputSchema } = definition;
  if (make === undefined) throw noProduce(definition);
  const scope = new WorkContext(run, {
    name: after === undefined ? 'produce' : `iter:${after}/produce`,
    phase: 'produce',
    digest: '',
    version: '',
    timeoutMs: timeouts.produceMs,
    tree: run.trees?.start,
  });
  try {
    run.emit('produce-start', () => ({}));
    const output = await reported(run, scope, 'produce', () =>
      scope.whole(
        () => digestJson(task),
        outputSchemaOf(outputSchema),
        (call) => {
          const context: ProduceContext = Object.assign(
            new CallContext(call),
            surroundings(run, scope),
          );
          return make(copyJson(task, { freeze: false }), context);
        },
      ),
    );
    return { output, tree: scope.trees?.tree };
  } catch (error) {
    const { produceErrors, userError } = await import('./user-error.js');
    const known = userError(error, produceErrors);
    if (scope.unrecorded !== undefined && known.code !== 'produce_invalid')
      onUnrecorded?.(scope.unrecorded as Output);
    throw known;
  }
}

export function noProduce({ name }: Pick<Definition<never, never>, 'name'>): ReviewLoopError {
  return new ReviewLoopError('no_produce', `${name} has no \`produce\``);
}

export async function reported<Value>(
  run: Run,
  scope: WorkContext,
  what: UserErrors['what'],
  work: () => Promise<Value>,
): Promise<Value> {
  const { clock } = run.ports;
  const start = elapsedOn(clock);
  let error: string | undefined;
  try {
    return await work();
  } catch (thrown) {
    // a run that waits for a person has not failed
    if (thrown !== run.suspension)
      error = thrown instanceof ReviewLoopError ? thrown.code : `${what}_failed`;
    throw thrown;
  } finally {
    run.emit(`${what}-end`, () => ({
      usage: scope.spent,
      durationMs: elapsedOn(clock) - start,
      ...(error !== undefined && { error }),
    }));
  }
}

export function surroundings(run: Run, scope: WorkContext): Omit<ProduceContext, 'signal'> {
  return {
    lessons: run.lessons,
    step: scope.step,
    runId: run.id,
    iteration: run.iteration,
    reportUsage: scope.reportUsage,
    budget: scope.budget,
    ask: scope.ask,
  };
}

/** Without a schema, any output but null and undefined is valid. */
export function outputSchemaOf<Output>(schema: z.ZodType<Output> | undefined): z.ZodType<Output> {
  return (schema ?? anyOutput) as z.ZodType<Output>;
}

const anyOutput = builtOnUse(() =>
  z.unknown().refine((value) => value !== undefined && value !== null, {
    message: 'expected an output, got nothing',
  }),
);
