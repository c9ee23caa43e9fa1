import { invalid } from '../core/options.js';

export function isRunId(runId: unknown): runId is string {
  return typeof runId === 'string' && /^[\w.:@-]{1,200}$/.test(runId);
}

export function checkRunId(runId: unknown): asserts runId is string {
  if (!isRunId(runId)) throw invalid('runId', '1 to 200 letters, digits and . : @ _ -', runId);
}
