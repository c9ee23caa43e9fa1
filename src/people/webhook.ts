import { isReviewError, messageOf, ReviewLoopError } from '../core/errors.js';
import type { HumanRequest } from '../core/human.js';
import { checkKeys, checkPositive, invalid } from '../core/options.js';
import { redactJson } from '../redact/redact-json.js';
import { peopleErrors } from './errors.js';

/** Where questions are told. */
export interface WebhookOptions {
  /** An address of http or https. */
  readonly url: string;
  /** Further headers for a body, such as its signature. @default none */
  readonly headers?:
    | ((
        body: string,
      ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** @default the platform's */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Tells a web address of questions, for `human.notify`: a POST of `{ schemaVersion: 1, request }` with the request's id as `Idempotency-Key`.
 * Secrets in texts are taken out. What the address answers is never an answer of a person; redirections are not followed.
 *
 * @throws ReviewLoopError `invalid_options`; what it returns rejects with `notify_failed`.
 * @example
 * ```ts
 * const human = { policy: 'require' as const, notify: webhook({ url: 'https://example.org/reviews', headers: (body) => ({ 'x-signature': sign(body) }) }) };
 * ```
 */
export function webhook(options: WebhookOptions): (request: HumanRequest) => Promise<void> {
  checkKeys('webhook', options, ['url', 'headers', 'timeoutMs', 'fetch']);
  const { url, headers, timeoutMs = 10_000, fetch: send = globalThis.fetch } = options;
  if (typeof url !== 'string' || !/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw invalid('url', 'an address of http or https', url);
  if (headers !== undefined && typeof headers !== 'function')
    throw invalid('headers', 'a function', headers);
  checkPositive('timeoutMs', timeoutMs);
  return async (request) => {
    const body = JSON.stringify({ schemaVersion: 1, request: redactJson(request) });
    try {
      const more = await headers?.(body);
      const init = {
        method: 'POST',
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      } as const;
      const response = await send(url, {
        ...init,
        headers: { 'content-type': 'application/json', 'idempotency-key': request.id, ...more },
      });
      await response.body?.cancel();
      if (!response.ok)
        throw new ReviewLoopError(
          peopleErrors.notify_failed,
          `${new URL(url).host} answered ${response.status}`,
          { value: response.status, retryable: response.status >= 500 },
        );
    } catch (error) {
      if (isReviewError(error)) throw error;
      throw new ReviewLoopError(
        peopleErrors.notify_failed,
        `${new URL(url).host} could not be told: ${messageOf(error)}`,
        { cause: error, retryable: true },
      );
    }
  };
}
