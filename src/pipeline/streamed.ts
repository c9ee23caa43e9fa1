import type { Definition } from '../engine/definition.js';
import { type RunOptions, startRun } from '../engine/run-pipeline.js';
import type { RunStream } from '../engine/run-stream.js';

/** Starts a run; the stream of its events is loaded on first use. */
export function streamed<Task, Output>(
  definition: Definition<Task, Output>,
  task: Task,
  options: RunOptions | undefined,
): RunStream<Output> {
  const loading = import('../engine/run-stream.js').then(
    ({ EventStream }) => new EventStream<Output>((own) => startRun(definition, task, own), options),
  );
  const stream: RunStream<Output> = {
    next: async () => (await loading).next(),
    return: async () => (await loading).return(),
    get outcome() {
      return loading.then((loaded) => loaded.outcome);
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}
