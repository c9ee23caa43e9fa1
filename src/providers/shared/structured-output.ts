import type { LLMProvider, LLMRequest } from '../../core/llm-provider.js';

/** How a provider gets a structured answer. */
export type Structured = LLMProvider['capabilities']['structured'];

/** Returns the object of an answer to a question with a schema, if its text is JSON. */
export function objectOf(request: LLMRequest, text: string): { readonly object?: unknown } {
  if (request.schema === undefined) return {};
  try {
    return { object: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}

/**
 * Returns the text of an answer beside its object: what the model said if that is JSON too, so that
 * the two are compared.
 */
export function textBeside(said: string, structured: string): string {
  return /^\s*(?:[{[]|```|~~~)/.test(said) ? said : structured;
}

/** Returns the system text. It contains the schema for services without structured output. */
export function systemOf(
  { system, schema }: LLMRequest,
  structured: Structured,
): string | undefined {
  if (schema === undefined || structured === 'strict' || structured === 'tool') return system;
  const instruction = [
    'Answer with one JSON value and nothing else. It must fit this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n');
  return system === undefined || system === '' ? instruction : `${system}\n\n${instruction}`;
}

/** Returns the name of a schema in the characters that services accept. */
export function schemaNameOf({ schemaName }: LLMRequest): string {
  const name = (schemaName ?? '').replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return name === '' ? 'answer' : name;
}

/** Returns a warning for each setting of the request that the service does not support. */
export function unsupported(
  request: LLMRequest,
  settings: readonly ('temperature' | 'seed' | 'maxOutputTokens' | 'providerOptions')[],
): string[] {
  return settings
    .filter((name) => request[name] !== undefined)
    .map((name) => `${name} is not supported and was left out`);
}
