import * as z from 'zod';
import { modelErrors } from '../../../blocks/models/errors.js';
import { type FaultPlace, refused } from '../../../blocks/models/provider-fault.js';
import { ReviewLoopError } from '../../../core/errors.js';
import type { LLMRequest, LLMResult } from '../../../core/llm-provider.js';
import { givenOf } from '../../../core/options.js';
import {
  answerAs,
  resultOf,
  schemaNameOf,
  systemOf,
  unsupported,
  usageFromCounts,
} from '../shared/service-client.js';
import type { OpenAIApi, OpenAIOptions } from './openai-options.js';

const text = z.string().nullish();
const count = z.number().nullish().catch(undefined);
const Parts = z.array(z.looseObject({ type: z.string(), text, refusal: text })).nullish();

const ResponseSchema = z.looseObject({
  id: text,
  model: text,
  status: text,
  incomplete_details: z.looseObject({ reason: text }).nullish(),
  output: z.array(z.looseObject({ type: z.string(), content: Parts, summary: Parts })),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      total_tokens: count,
      input_tokens_details: z.looseObject({ cached_tokens: count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});
type Response = z.infer<typeof ResponseSchema>;

export const responsesApi: OpenAIApi = { body, read };

function body(request: LLMRequest, { model, structured = 'strict' }: OpenAIOptions): object {
  const { maxOutputTokens: max_output_tokens, temperature } = request;
  const given = { instructions: systemOf(request, structured), max_output_tokens, temperature };
  return {
    store: false,
    ...request.providerOptions,
    model,
    input: request.messages.map(({ role, content }) => ({ role, content })),
    ...(request.schema !== undefined &&
      structured !== 'prompt' && { text: { format: formatOf(request, structured) } }),
    ...givenOf(given, ['instructions', 'max_output_tokens', 'temperature']),
  };
}

function formatOf(request: LLMRequest, structured: 'strict' | 'json'): object {
  return structured === 'json'
    ? { type: 'json_object' }
    : { type: 'json_schema', name: schemaNameOf(request), schema: request.schema, strict: true };
}

function read(place: FaultPlace, request: LLMRequest, answer: unknown): LLMResult {
  const response = answerAs(ResponseSchema, { place, answer });
  const { usage, id, status, incomplete_details: incomplete } = response;
  const used = usageFromCounts({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    total: usage?.total_tokens,
    cached: usage?.input_tokens_details?.cached_tokens,
  });
  if (status === 'failed') throw failed(place);
  const refusal = partsOf(response, 'message', 'refusal');
  if (refusal !== '') throw refused(place, refusal, used);
  return resultOf(place, request, {
    text: partsOf(response, 'message', 'output_text'),
    finish: finishOf(response),
    finishReason: incomplete?.reason ?? status ?? undefined,
    usage: used,
    model: response.model,
    reasoning: response.output
      .flatMap(({ summary }) => (summary ?? []).map((part) => part.text ?? ''))
      .join('\n'),
    warnings: unsupported(request, ['seed']),
    raw: { id, status, incomplete_details: incomplete, usage },
  });
}

function finishOf({
  status,
  incomplete_details: incomplete,
  output,
}: Response): LLMResult['finish'] {
  if (status === 'incomplete')
    return incomplete?.reason === 'max_output_tokens'
      ? 'length'
      : incomplete?.reason === 'content_filter'
        ? 'content-filter'
        : 'other';
  if (output.some(({ type }) => type === 'function_call')) return 'tool-calls';
  return status === 'completed' || status === undefined || status === null ? 'stop' : 'other';
}

function failed({ id }: FaultPlace): ReviewLoopError {
  return new ReviewLoopError(modelErrors.provider_unavailable, `${id} failed: no reason given`, {
    retryable: true,
  });
}

function partsOf({ output }: Response, type: string, part: 'output_text' | 'refusal'): string {
  return output
    .filter((item) => item.type === type)
    .flatMap(({ content }) => content ?? [])
    .filter((found) => found.type === part)
    .map((found) => (part === 'refusal' ? found.refusal : found.text) ?? '')
    .join('');
}
