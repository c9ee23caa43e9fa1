import { scriptHash, styleHash, viewsHash } from '#inbox-shell';

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

/** Returns a response with the headers that every response of an inbox has. */
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

/** Why a request is refused, with the status of HTTP. It is thrown, and becomes a response. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    {
      message,
      headers = {},
    }: { readonly message: string; readonly headers?: Readonly<Record<string, string>> },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function refusalResponse({ status, code, message, headers: more }: Refusal): Response {
  return jsonResponse(status, { error: code, message }, more);
}
