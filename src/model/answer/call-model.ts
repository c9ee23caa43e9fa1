import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { linkFaults } from '../../core/last-fault.js';
import {
  type LLMProvider,
  type LLMRequest,
  type ReliedResult,
  ReliedResultSchema,
} from '../../core/llm-provider.js';
import { onAbort } from '../../core/on-abort.js';
import { modelErrors } from '../errors.js';
import { ensureAllRead } from './whole-prompt.js';

/**
 * Calls a provider once and returns its checked result.
 *
 * @throws ReviewLoopError `view_truncated` before the call if the prompt cannot fit,
 *   `provider_...`, or the reason of the signal if it is aborted
 */
export async function callModel(provider: LLMProvider, request: LLMRequest): Promise<ReliedResult> {
  ensureAllRead(provider, request);
  let result: unknown;
  // a separate signal: clients of services add listeners to the signal that they receive
  const own = new AbortController();
  linkFaults(own.signal, request.signal);
  const ignore = onAbort(request.signal, () => own.abort(request.signal.reason));
  if (request.signal.aborted) own.abort(request.signal.reason);
  try {
    result = await provider.generate({ ...request, signal: own.signal });
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof ReviewLoopError) throw error;
    throw new ReviewLoopError(
      modelErrors.provider_unavailable,
      `${provider.id} failed: ${messageOf(error)}`,
      { cause: error, retryable: true },
    );
  } finally {
    ignore();
  }
  const parsed = ReliedResultSchema.safeParse(result);
  if (!parsed.success)
    throw new ReviewLoopError(
      modelErrors.provider_malformed,
      `${provider.id} gave a result that was refused: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: result, retryable: true },
    );
  return parsed.data;
}
