import type { LLMRequest } from '@/core/llm-provider.js';

/** A question to a provider. */
export const request = (more: Partial<LLMRequest> = {}): LLMRequest => ({
  messages: [{ role: 'user', content: 'Is it fine?' }],
  signal: new AbortController().signal,
  ...more,
});
