import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import type { HumanRequest } from '../../core/human.js';
import { call, checkKeys, checkPositive, invalid } from '../../core/options.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { peopleErrors } from './errors.js';

export interface WebhookOptions {
  /** The http or https URL that receives the questions. */
  readonly url: string;
  /**
   * The address of an inbox, such as https://reviews.example.org/inbox. The body then has a `link`
   * to the question there.
   *
   * @default no link
   */
  readonly inbox?: string | undefined;
  /** Returns further headers for a body, such as its signature. @default undefined */
  readonly headers?:
    | ((
        body: string,
      ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** Timeout of one request, in milliseconds. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** Sends the requests. @default globalThis.fetch */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Creates a `human.notify` that sends questions to a URL: a POST of
 * `{ schemaVersion: 1, request, link }` with the request's id as `Idempotency-Key`. Secrets in texts are redacted. The response is never
 * an answer of a person, and redirects are not followed.
 *
 * @throws ReviewLoopError `invalid_options`. The returned function: `notify_failed`
 * @example
 * ```ts
 * const notify = webhook({
 *   url: 'https://example.org/reviews',
 *   headers: (body) => ({ 'x-signature': sign(body) }),
 * });
 * const human = { policy: 'require' as const, notify };
 * ```
 */
export function webhook(options: WebhookOptions): (request: HumanRequest) => Promise<void> {
  checkKeys('webhook', options, ['url', 'inbox', 'headers', 'timeoutMs', 'fetch']);
  const { url, inbox, headers, timeoutMs = 10_000, fetch: send = globalThis.fetch } = options;
  checkUrl('url', url);
  if (inbox !== undefined) checkUrl('inbox', inbox);
  if (headers !== undefined) call('headers', headers);
  checkPositive('timeoutMs', timeoutMs);
  return async (request) => {
    const link = inbox === undefined ? undefined : linkTo(inbox, request);
    const body = JSON.stringify({ schemaVersion: 1, request: redactJson(request), link });
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
        `cannot notify ${new URL(url).host}: ${messageOf(error)}`,
        { cause: error, retryable: true },
      );
    }
  };
}

function checkUrl(name: string, url: unknown): void {
  if (typeof url !== 'string' || !/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw invalid(name, 'a URL of http or https', url);
}

function linkTo(inbox: string, { runId, id }: HumanRequest): string {
  const page = inbox.replace(/#.*$/s, '').replace(/\/?$/, '/');
  return `${page}#request/${encodeURIComponent(runId)}/${encodeURIComponent(id)}`;
}
