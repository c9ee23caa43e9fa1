import { digestOf } from '../../core/json.js';
import type { LLMProvider, LLMRequest } from '../../core/llm-provider.js';

/** What an answer depends on, as a digest: who is asked, what, and with which settings. */
export function requestKey(
  { id, model, capabilities }: Pick<LLMProvider, 'id' | 'model' | 'capabilities'>,
  request: LLMRequest,
): string {
  const { signal: _, idempotencyKey: __, cacheHint: ___, ...asked } = request;
  return digestOf({ id, model, structured: capabilities.structured, ...asked });
}
