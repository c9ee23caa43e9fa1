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
  return redacted(value) as Value;
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redacted(member)]),
  );
}
