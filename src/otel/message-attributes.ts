import type { Attributes } from '@opentelemetry/api';
import type { ModelReply } from '../core/model-call.js';
import type { ModelSpan } from '../core/span.js';
import { redactSecrets } from '../redact/secrets.js';
import { names } from './names.js';
import { known } from './span-attributes.js';

/** Returns what a model was asked, as the conventions write messages; without secrets. */
export function questionAttributes({ request }: ModelSpan): Attributes {
  if (request === undefined) return {};
  const { system, messages } = request;
  return known({
    [names.systemInstructions]: system === undefined ? undefined : written([textPart(system)]),
    [names.inputMessages]: written(
      messages.map(({ role, content }) => ({ role, parts: [textPart(content)] })),
    ),
  });
}

/** Returns what a model answered, as the conventions write messages; without secrets. */
export function replyAttributes({ text, finish }: ModelReply): Attributes {
  if (text === undefined) return {};
  const message = { role: 'assistant', parts: [textPart(text)], finish_reason: finish ?? 'stop' };
  return { [names.outputMessages]: written([message]) };
}

function textPart(content: string): object {
  return { type: 'text', content };
}

function written(value: unknown): string {
  return redactSecrets(JSON.stringify(value));
}
