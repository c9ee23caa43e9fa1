import { ReviewLoopError } from '../../core/errors.js';
import type { Usage } from '../../core/usage.js';
import { modelErrors } from '../../model/errors.js';

/**
 * Returns a function that creates a value on its first call. After a failure, the next call tries
 * again.
 */
export function lazy<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Returns a `fetch` that fails for a response of more than `maxBytes` bytes. */
export function boundedFetch(id: string, maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.length;
        if (bytes > maxBytes)
          throw new ReviewLoopError(
            modelErrors.provider_malformed,
            `the answer of ${id} is larger than the ${maxBytes} bytes allowed`,
            { value: { maxBytes } },
          );
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counter), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** The token counts of a service. */
export interface Counts {
  readonly input?: number | null | undefined;
  readonly output?: number | null | undefined;
  readonly total?: number | null | undefined;
  readonly cached?: number | null | undefined;
  readonly costUsd?: number | null | undefined;
}

/** Returns the usage of a call. If input and output are both 0, they are unknown. */
export function usageFromCounts({ input, output, total, cached, costUsd }: Counts): Usage {
  const usage: Usage = {};
  const set = (key: keyof Usage, value: number | null | undefined): void => {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) usage[key] = value;
  };
  if ((input ?? 0) > 0 || (output ?? 0) > 0) {
    set('inputTokens', input);
    set('outputTokens', output);
    set('cachedInputTokens', cached);
    set('totalTokens', total);
  }
  set('costUsd', costUsd);
  return usage;
}
