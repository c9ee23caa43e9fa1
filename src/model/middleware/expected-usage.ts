import type { LLMRequest } from '../../core/llm-provider.js';
import type { TokenCounter } from '../../ports/token-counter.js';

/** The tokens of everything that a request sends. */
export function inputTokensOf(
  { system = '', messages, schema }: LLMRequest,
  counter: TokenCounter,
): Promise<number> {
  return counter.count(
    [
      system,
      ...messages.map(({ content }) => content),
      schema === undefined ? '' : JSON.stringify(schema),
    ].join('\n'),
  );
}
