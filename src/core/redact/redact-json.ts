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
  return mapTexts(value, redactSecrets);
}

export function mapTexts<Value>(value: Value, replace: (text: string) => string): Value {
  // a report repeats its gaps in each review
  const known = new Map<string, string>();
  const mapped = (each: unknown): unknown => {
    if (typeof each === 'string') {
      const text = known.get(each) ?? replace(each);
      known.set(each, text);
      return text;
    }
    if (Array.isArray(each)) return each.map(mapped);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([name, one]) => [name, mapped(one)]));
  };
  return mapped(value) as Value;
}
