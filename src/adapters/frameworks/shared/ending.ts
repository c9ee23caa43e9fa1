import { ReviewLoopError } from '../../../core/errors.js';
import { frameworkErrors } from '../errors.js';

export function incomplete(why: string, value?: unknown): ReviewLoopError {
  return new ReviewLoopError(frameworkErrors.agent_incomplete, `the agent ${why}`, { value });
}

export function checkWords(words: readonly string[], value?: unknown): void {
  const word = words.find((one) => !whole.has(one.toLowerCase().replaceAll('-', '_')));
  if (word !== undefined)
    throw incomplete(
      `ended with ${JSON.stringify(word)}: its last answer was cut off, filtered or has failed`,
      value,
    );
}

const whole = new Set([
  ...['stop', 'end', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'complete', 'completed'],
  ...['tool_calls', 'tool_call', 'tool_use', 'function_call'],
]);

export function endWords(result: unknown): string[] {
  const of = membersOf(result);
  const { finishReason: reason } = of;
  const told = [
    of['finish_reason'],
    typeof reason === 'object' ? membersOf(reason)['unified'] : reason,
    of['stop_reason'],
    of['stopReason'],
    membersOf(of['messageStop'])['stopReason'],
    of['done_reason'],
    of['status'],
    membersOf(of['incomplete_details'])['reason'],
    typeof of['refusal'] === 'string' && of['refusal'] !== '' ? 'refusal' : undefined,
  ];
  const [choice] = Array.isArray(of['choices']) ? of['choices'] : [];
  const words = told.filter((word): word is string => typeof word === 'string' && word !== '');
  return choice === undefined ? words : [...words, ...endWords(choice)];
}

/** Includes the members of its class. Only objects have members. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  // every member of an object may be read, and each is checked where it is used
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * Members without a value are left out, and bytes become base64, which the frameworks accept in
 * their place.
 */
export function plainJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, function (this: Record<string, unknown>, key: string, shown: unknown) {
      const held = this[key];
      return held instanceof Uint8Array ? base64Of(held) : shown;
    }),
  );
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
