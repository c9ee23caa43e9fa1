import * as z from 'zod';
import type { LLMRequest, LLMResult } from '../../core/llm-provider.js';
import {
  type FaultPlace,
  misshapen,
  refused,
  throwErrorInside,
} from '../../model/provider-fault.js';
import { usageFromCounts } from '../shared/service-client.js';
import { objectOf, unsupported } from '../shared/structured-output.js';

const text = z.string().nullish();
const count = z.number().nullish().catch(undefined);

const MessageSchema = z.looseObject({
  id: text,
  model: text,
  stop_reason: text,
  stop_details: z.looseObject({ explanation: text, category: text }).nullish().catch(undefined),
  content: z.array(z.looseObject({ type: z.string(), text, thinking: text })),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
    })
    .nullish()
    .catch(undefined),
});

const finishes: Readonly<Record<string, LLMResult['finish']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
};

/** Returns the result in a response of the Messages API. */
export function readMessage(place: FaultPlace, request: LLMRequest, answer: unknown): LLMResult {
  throwErrorInside(place, answer);
  const parsed = MessageSchema.safeParse(answer);
  if (!parsed.success) throw misshapen(place, parsed.error, answer);
  const { id, model, content, usage, stop_reason: stopReason, stop_details: details } = parsed.data;
  const written = content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
  const reasoning = content
    .map((part) => (part.type === 'thinking' ? (part.thinking ?? '') : ''))
    .join('');
  const used = usageOf(usage);
  if (stopReason === 'refusal')
    throw refused(
      place,
      [details?.category, details?.explanation ?? written].filter(Boolean).join(': '),
      used,
    );
  return {
    text: written,
    ...objectOf(request, written),
    finish: finishes[stopReason ?? ''] ?? 'other',
    finishReason: stopReason ?? undefined,
    usage: used,
    model: model || place.id,
    ...(reasoning === '' ? {} : { reasoning }),
    warnings: unsupported(request, ['seed']),
    attempts: 1,
    raw: { id, stop_reason: stopReason, usage },
  };
}

/** Returns the usage. Tokens that were read from or written to the cache count as input too. */
function usageOf(usage: z.infer<typeof MessageSchema>['usage']): LLMResult['usage'] {
  const input = [
    usage?.input_tokens,
    usage?.cache_read_input_tokens,
    usage?.cache_creation_input_tokens,
  ];
  const known = typeof usage?.input_tokens === 'number';
  return usageFromCounts({
    input: known ? input.reduce<number>((sum, part) => sum + (part ?? 0), 0) : undefined,
    output: usage?.output_tokens,
    cached: usage?.cache_read_input_tokens,
  });
}
