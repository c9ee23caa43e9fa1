import type { Outcome } from '../core/outcome.js';
import type { RunOptions } from '../engine/run-options.js';
import type { RunStream } from '../engine/run-stream.js';

/**
 * Starts or continues a run at once, and returns its events; the stream of them is loaded on first
 * use.
 */
export function streamed<Output>(
  run: (options: RunOptions) => Promise<Outcome<Output>>,
  options: RunOptions | undefined,
): RunStream<Output> {
  const loading = import('../engine/run-stream.js').then(
    ({ EventStream }) => new EventStream<Output>(run, options),
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
