import type { ServerContext } from '@modelcontextprotocol/server';

/** How often a client is told that a call still runs, in milliseconds. */
const everyMs = 10_000;

/**
 * Tells a client that a call still runs, if the client asked for progress. A client that counts
 * its timeout from the last notice then waits for a review of minutes.
 *
 * @returns A function that ends the notices.
 */
export function tellProgress({ _meta, notify }: ServerContext['mcpReq'], tool: string): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += everyMs / 1000;
    const params = { progressToken, progress, message: `${tool} runs for ${progress} s` };
    notify({ method: 'notifications/progress', params }).catch(() => {
      // the client has gone; its signal ends the call
    });
  }, everyMs).unref();
  return () => clearInterval(timer);
}
