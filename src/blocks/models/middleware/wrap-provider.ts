import * as z from 'zod';
import { builtOnUse } from '../../../core/built-on-use.js';
import { digestOf } from '../../../core/json.js';
import {
  type LLMProvider,
  type LLMRequest,
  ReliedResultSchema,
} from '../../../core/llm-provider.js';
import type { TokenCounter } from '../../../ports/token-counter.js';
import { checkProvider } from '../answer/ask-options.js';

export function wrapProvider(
  provider: LLMProvider,
  generate: LLMProvider['generate'],
): LLMProvider {
  checkProvider(provider);
  const { id, model, capabilities } = provider;
  return { id, ...(model === undefined ? {} : { model }), capabilities, generate };
}

/** Covers everything that an answer depends on: provider, model, question and settings. */
export function requestKey(
  { id, model, capabilities }: Pick<LLMProvider, 'id' | 'model' | 'capabilities'>,
  request: LLMRequest,
): string {
  const { signal: _, idempotencyKey: __, cacheHint: ___, criteria: ____, ...asked } = request;
  return digestOf({ id, model, structured: capabilities.structured, ...asked });
}

/** Without the raw response of the service. */
export const StoredResultSchema = builtOnUse(() =>
  ReliedResultSchema.extend({
    reasoning: z.string().optional(),
    warnings: z.array(z.string()),
    attempts: z.int().min(1),
  }),
);
export interface StoredResult extends z.infer<typeof StoredResultSchema> {}

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

const bounds = (
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern ' +
  'minItems maxItems uniqueItems'
).split(' ');
const data = ['const', 'enum', 'default', 'examples'];
const named = ['properties', '$defs', 'definitions'];

export function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !bounds.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      data.includes(keyword)
        ? value
        : named.includes(keyword)
          ? ofMembers(value)
          : withoutBounds(value),
    ]),
  );
}

function ofMembers(members: unknown): unknown {
  if (typeof members !== 'object' || members === null) return members;
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, withoutBounds(value)]),
  );
}
