import * as z from 'zod';

/**
 * Returns a schema of an object with names as keys. It refuses the key `__proto__`, which zod drops
 * from records: a dropped question would open a gate.
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
