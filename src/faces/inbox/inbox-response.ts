import { scriptHash, styleHash, viewsHash } from '#inbox-shell';
import { isReviewError, messageOf } from '../../core/errors.js';
import { redactSecrets } from '../../core/redact/secrets.js';

const policy = [
  "default-src 'none'",
  `script-src '${scriptHash}' '${viewsHash}'`,
  `style-src '${styleHash}'`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export function inboxResponse(
  status: number,
  body: ReadableStream<Uint8Array> | string | null,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { ...headers, ...more } });
}

export function jsonResponse(
  status: number,
  value: unknown,
  more: Readonly<Record<string, string>> = {},
): Response {
  return inboxResponse(status, JSON.stringify(value), {
    'content-type': 'application/json; charset=utf-8',
    ...more,
  });
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const statuses: Readonly<Record<string, number>> = {
  run_unknown: 404,
  request_unknown: 404,
  request_stale: 409,
  request_answered: 409,
  decision_stale: 409,
  override_stale: 409,
  request_expired: 410,
  usage: 422,
  invalid_options: 422,
  answer_invalid: 422,
  answer_not_allowed: 422,
  reason_required: 422,
  decision_unknown: 422,
  run_busy: 423,
  workspace_busy: 423,
  store_busy: 423,
};

/** Who answers is not in it. */
const needs =
  'Pass `kind`, and what it needs: `note` for revise, `reason` for override, `decisions` for ' +
  'decide, `value` for reply.';

/** An error without a code says nothing about itself. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!isReviewError(error))
    return new Refusal(500, 'failed', 'the inbox failed; its log says why');
  const { code } = error;
  const message = code === 'answer_invalid' ? `${messageOf(error)}. ${needs}` : error.message;
  return new Refusal(statuses[code] ?? 500, code, redactSecrets(message));
}
