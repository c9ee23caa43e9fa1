import { mapTexts } from './redact-json.js';
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
  const redacted = new Map<string, string>();
  mapTexts(value, (text) => {
    redacted.set(text, '');
    return text;
  });
  for (const text of redacted.keys()) redacted.set(text, await redactSecretsAsync(text));
  return mapTexts(value, (text) => redacted.get(text) ?? text);
}
