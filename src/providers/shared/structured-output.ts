import type { LLMProvider, LLMRequest } from '../../core/llm-provider.js';

/** How a provider gets an answer of a given shape. */
export type Structured = LLMProvider['capabilities']['structured'];

/** The object of an answer that was asked for by a schema, where its text is JSON as it stands. */
export function objectOf(request: LLMRequest, text: string): { readonly object?: unknown } {
  if (request.schema === undefined) return {};
  try {
    return { object: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}

/** The system text; for services that do not take the schema it is told there. */
export function systemOf(
  { system, schema }: LLMRequest,
  structured: Structured,
): string | undefined {
  if (schema === undefined || structured === 'strict' || structured === 'tool') return system;
  const told = `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
  return system === undefined || system === '' ? told : `${system}\n\n${told}`;
}

/** The name of a schema as services take it. */
export function schemaNameOf({ schemaName }: LLMRequest): string {
  const name = (schemaName ?? '').replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return name === '' ? 'answer' : name;
}

/** A warning for each setting of the request that the service has no word for. */
export function unsupported(
  request: LLMRequest,
  settings: readonly ('temperature' | 'seed' | 'maxOutputTokens' | 'providerOptions')[],
): string[] {
  return settings
    .filter((name) => request[name] !== undefined)
    .map((name) => `${name} is not supported and was left out`);
}
