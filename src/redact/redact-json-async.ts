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
  const texts = new Set<string>();
  mapTexts(value, (text) => {
    texts.add(text);
    return text;
  });
  const redacted = new Map<string, string>();
  for (const text of texts) redacted.set(text, await redactSecretsAsync(text));
  return mapTexts(value, (text) => redacted.get(text) ?? text);
}
