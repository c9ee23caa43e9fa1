import * as z from 'zod';

export function camelKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [camelKey(key), member]));
}

export function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Refuses the key `__proto__`, which zod drops from records: a dropped question would open a gate.
 */
export function namedValues<Value extends z.ZodType>(
  value: Value,
): z.ZodPreprocess<z.ZodRecord<z.ZodString, Value>> {
  return z.preprocess(withoutProto, z.record(z.string().min(1), value));
}

function withoutProto(given: unknown, context: z.RefinementCtx): unknown {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
    context.addIssue({
      code: 'custom',
      path: ['__proto__'],
      message: 'no name can be `__proto__`',
    });
  return given;
}
