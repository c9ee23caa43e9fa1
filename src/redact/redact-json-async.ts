import { redactSecretsAsync } from './redact-with-secretlint.js';

/**
 * Returns JSON data with the secrets removed from every text, by {@link redactSecretsAsync}.
 *
 * @example
 * ```ts
 * await redactJsonAsync({ notes: ['password = "hunter2"'] });
 * // { notes: ['password = "[REDACTED:assignment]"'] }
 * ```
 */
export async function redactJsonAsync<Value>(value: Value): Promise<Value> {
  return (await redacted(value)) as Value;
}

async function redacted(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return redactSecretsAsync(value);
  if (Array.isArray(value)) return Promise.all(value.map(redacted));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    await Promise.all(
      Object.entries(value).map(async ([name, member]) => [name, await redacted(member)] as const),
    ),
  );
}
