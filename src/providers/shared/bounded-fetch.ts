import { ReviewLoopError } from '../../core/errors.js';
import { modelErrors } from '../../model/errors.js';

/** A `fetch` whose answers end with an error when they are larger than a bound. */
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
