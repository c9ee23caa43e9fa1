import type { LLMProvider } from '../../core/llm-provider.js';

/** A provider that presents itself as another one and answers in its own way. */
export function wrapping(
  { id, model, capabilities }: LLMProvider,
  generate: LLMProvider['generate'],
): LLMProvider {
  return { id, ...(model === undefined ? {} : { model }), capabilities, generate };
}
