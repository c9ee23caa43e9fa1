import * as z from 'zod';
import { type FaultPlace, malformed, refused } from '../../../blocks/models/provider-fault.js';
import type { LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { givenOf } from '../../../core/options.js';
import {
  answerAs,
  resultOf,
  schemaNameOf,
  systemMessage,
  usageFromCounts,
} from '../shared/service-client.js';
import type { OpenAIApi, OpenAIOptions } from './openai-options.js';

const text = z.string().nullish();
const count = z.number().nullish().catch(undefined);

const PartSchema = z.looseObject({ type: z.string(), text: text.catch(undefined) });

const ChatSchema = z.looseObject({
  id: text,
  model: text,
  choices: z
    .array(
      z.looseObject({
        finish_reason: text,
        message: z.looseObject({
          content: z.union([z.string(), z.array(PartSchema)]).nullish(),
          refusal: text,
          reasoning_content: text,
          reasoning: text.catch(undefined),
        }),
      }),
    )
    .min(1),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

export const chatApi: OpenAIApi = { body, read };

function body(request: LLMRequest, options: OpenAIOptions): object {
  const {
    structured = 'strict',
    tokenLimit = options.baseURL === undefined ? 'max_completion_tokens' : 'max_tokens',
  } = options;
  return {
    ...request.providerOptions,
    model: options.model,
    messages: [...systemMessage(request, structured), ...request.messages],
    ...(request.schema === undefined ? {} : formatOf(request, structured)),
    ...givenOf({ [tokenLimit]: request.maxOutputTokens }, [tokenLimit]),
    ...givenOf(request, ['temperature', 'seed']),
  };
}

function formatOf(request: LLMRequest, structured: 'strict' | 'json' | 'prompt'): object {
  if (structured === 'prompt') return {};
  if (structured === 'json') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: schemaNameOf(request), schema: request.schema, strict: true },
    },
  };
}

const finishes: Readonly<Record<string, LLMResult['finish']>> = {
  stop: 'stop',
  end: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  safety: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

function read(place: FaultPlace, request: LLMRequest, answer: unknown): LLMResult {
  const { choices, usage, model, id } = answerAs(ChatSchema, { place, answer });
  const [choice] = choices;
  if (choice === undefined) throw malformed(place, 'no choices', answer);
  const { message, finish_reason: finishReason } = choice;
  const used = usageFromCounts({
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    total: usage?.total_tokens,
    cached: usage?.prompt_tokens_details?.cached_tokens,
  });
  if (typeof message.refusal === 'string' && message.refusal !== '')
    throw refused(place, message.refusal, used);
  return resultOf(place, request, {
    text: textIn(message.content),
    ...finishOf(finishReason),
    usage: used,
    model,
    reasoning: message.reasoning_content ?? message.reasoning ?? undefined,
    raw: { id, finish_reason: finishReason, usage },
  });
}

function textIn(
  content: string | readonly z.infer<typeof PartSchema>[] | null | undefined,
): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .map(({ type, text: said }) => (type === 'text' ? (said ?? '') : ''))
    .join('');
}

/** A server that gives no reason has ended its answer. */
function finishOf(reason: string | null | undefined): Pick<LLMResult, 'finish' | 'finishReason'> {
  if (!reason) return { finish: 'stop' };
  return { finish: finishes[reason.toLowerCase()] ?? 'other', finishReason: reason };
}
