import type { LLMProvider } from '../kernel/llm-provider.js';
import { fence } from './fence.js';
import { truncate } from './truncate.js';

/** How much of an answer that could not be used is shown to the model that gave it. */
const answerShown = 2000;

/** The instructions, with the shape of the answer where the service does not enforce it. */
export function answerFormat(system: string | undefined, schema: unknown, structured: LLMProvider['capabilities']['structured']): string | undefined {
  if (structured === 'strict' || structured === 'tool') return system;
  const format = `Answer with one JSON value and nothing else. It must satisfy this JSON Schema:\n${JSON.stringify(schema)}`;
  return system === undefined || system === '' ? format : `${system}\n\n${format}`;
}

/** The message that asks again, with what was wrong. */
export function reaskText(problem: string, raw: string, nonce: string): string {
  return [
    `Your answer could not be used: ${truncate(problem, answerShown).text}`,
    raw.trim() === '' ? 'It was empty.' : `It was:\n${fence('your answer', truncate(raw, answerShown).text, nonce)}`,
    'Answer the question again, with one complete JSON value of the asked shape and nothing else.',
  ].join('\n\n');
}
