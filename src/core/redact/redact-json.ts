import { redactSecrets } from './secrets.js';

/**
 * Returns JSON data with the secrets removed from every text, by {@link redactSecrets}.
 *
 * @example
 * ```ts
 * redactJson({ note: 'password = "hunter2"' }); // { note: 'password = "[REDACTED:assignment]"' }
 * ```
 */
export function redactJson<Value>(value: Value): Value {
  // a report repeats its gaps in each review
  const known = new Map<string, string>();
  return mapTexts(value, (text) => {
    const redacted = known.get(text) ?? redactSecrets(text);
    known.set(text, redacted);
    return redacted;
  });
}

export function mapTexts<Value>(value: Value, replace: (text: string) => string): Value {
  const mapped = (each: unknown): unknown => {
    if (typeof each === 'string') return replace(each);
    if (Array.isArray(each)) return each.map(mapped);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, one]) => [name, mapped(one)]));
  };
  return mapped(value) as Value;
}
