import type * as z from 'zod';
import { isReviewError, messageOf, ReviewLoopError } from '../../core/errors.js';
import { memberOf } from '../../core/json.js';
import { jsonIn } from '../../core/json-or-text.js';
import { cutAroundSecrets, redactSecrets } from '../../core/redact/secrets.js';
import { oneLine } from '../../core/text/truncate.js';
import type { Usage } from '../../core/usage.js';
import { systemClock } from '../../ports/clock.js';
import { modelErrors } from './errors.js';
import {
  type Cause,
  causeNamed,
  causeOf,
  causeOfProgram,
  causes,
  type ServiceWords,
  waitNamed,
} from './service-causes.js';

export interface FaultPlace {
  readonly id: string;
  /** Keys that no message may contain. */
  readonly secrets: readonly (string | undefined)[];
}

export interface BadAnswer {
  readonly status: number;
  readonly message: string;
  readonly headers?: unknown;
  readonly body?: unknown;
}

const longestMessage = 500;

const longestBody = 4000;

function faultOf(
  place: FaultPlace,
  cause: Cause,
  { how, said, value }: { readonly how: string; readonly said: string; readonly value?: object },
): ReviewLoopError {
  const { error, retryable } = causes[cause];
  return new ReviewLoopError(error, `${place.id} ${how}, ${cause}: ${inLine(place, said)}`, {
    retryable,
    value: { ...value, cause },
  });
}

/**
 * Returns the error for an HTTP status of 400 or more. `value` contains the status and, if the
 * service sent it, `retryAfterMs`.
 */
export function faultOfStatus(
  place: FaultPlace,
  { status, message, headers, body }: BadAnswer,
): ReviewLoopError {
  const words = { message, body: textOf(body) };
  const retryAfterMs = retryAfterOf(headers) ?? waitNamed(words);
  return faultOf(place, causeOf(status, words, retryAfterMs), {
    how: `answered with status ${status}`,
    said: saidIn(words),
    value: {
      status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(body === undefined ? {} : { body: clean(place, words.body, longestBody) }),
    },
  });
}

export function faultOfWords(
  place: FaultPlace,
  message: string,
  given?: number | null,
): ReviewLoopError {
  const [, named] = /\b(?:status:?|API Error:) (\d{3})\b/i.exec(message) ?? [];
  // a program passes on the body of a refused request
  const status = given ?? named ?? (/^\s*\{.*"error"/s.test(message) ? 400 : undefined);
  if (status !== undefined) return faultOfStatus(place, { status: Number(status), message });
  return faultOf(place, causeOfProgram(message), { how: 'failed', said: message });
}

/**
 * Gateways send errors with status 200. A cause that the service does not name is not asked again.
 */
export function throwErrorInside(place: FaultPlace, answer: unknown): void {
  const inside = errorInside(answer);
  if (inside === undefined) return;
  const { message, status } = inside;
  if (status !== undefined) throw faultOfStatus(place, { status, message, body: answer });
  const body = textOf(answer);
  throw faultOf(place, causeNamed({ message, body }, 400) ?? 'request refused', {
    how: 'answered with an error',
    said: message,
    value: { body: clean(place, body, longestBody) },
  });
}

export function refusesSchema(error: unknown): boolean {
  const value: unknown = error instanceof ReviewLoopError ? error.value : undefined;
  return memberOf(value, 'cause') === ('schema not supported' satisfies Cause);
}

export function misshapen(
  place: FaultPlace,
  { issues }: z.ZodError,
  body?: unknown,
): ReviewLoopError {
  const problems = issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return malformed(place, problems.join('; '), body);
}

export function malformed(place: FaultPlace, why: string, body?: unknown): ReviewLoopError {
  const value = body === undefined ? undefined : { body: clean(place, textOf(body), longestBody) };
  return new ReviewLoopError(
    modelErrors.provider_malformed,
    `the answer of ${place.id} cannot be read: ${inLine(place, why)}`,
    { retryable: true, value },
  );
}

export function refused(place: FaultPlace, text: string, usage: Usage): ReviewLoopError {
  return new ReviewLoopError(
    modelErrors.answer_refused,
    `the model behind ${place.id} refused: ${inLine(place, text === '' ? 'no reason given' : text)}`,
    {
      value: { text: clean(place, text, longestBody), usage },
    },
  );
}

/** Looks at the shape only, and imports no SDK. */
export function faultOfThrown(place: FaultPlace, thrown: unknown): ReviewLoopError {
  const chain = causesOf(thrown);
  const own = chain.find((cause) => cause instanceof ReviewLoopError);
  if (own !== undefined) return own;
  const answer = chain.map(answerOf).find((found) => found !== undefined);
  if (answer !== undefined && answer.status >= 400) return faultOfStatus(place, answer);
  const said = chain.map(messageOf).join(': ');
  const code = chain.map(codeOf).find((found) => found !== undefined);
  const message = `${place.id} cannot be reached: ${inLine(place, said)}`;
  // clients keep no code of a timeout
  if (/^(UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/.test(code ?? '') || isLate(chain))
    return new ReviewLoopError(modelErrors.provider_timeout, message, { retryable: true });
  if (code !== undefined || chain.some(isNetwork))
    return new ReviewLoopError(modelErrors.provider_unavailable, message, { retryable: true });
  if (answer !== undefined || chain.some(isUnreadable)) return malformed(place, said, answer?.body);
  if (/api.?key|credential|authentication method/i.test(said))
    return new ReviewLoopError(
      modelErrors.provider_unauthorized,
      `${place.id} has no key: ${inLine(place, said)}`,
    );
  // nothing shows that the service was not reached
  return new ReviewLoopError(
    modelErrors.provider_unavailable,
    `${place.id} failed: ${inLine(place, said)}`,
  );
}

export function cancelledBy(signal: AbortSignal, id: string): Error {
  if (isReviewError(signal.reason)) return signal.reason;
  return new ReviewLoopError(
    'cancelled',
    `the call of ${id} was cancelled: ${messageOf(signal.reason)}`,
    { cause: signal.reason },
  );
}

/** Without the known keys and without other secrets. */
export function clean({ secrets }: FaultPlace, text: string, longest: number): string {
  let cleaned = cutAroundSecrets(text, longest * 4);
  for (const secret of secrets)
    if (secret !== undefined && secret.length >= 4)
      cleaned = cleaned.replaceAll(secret, '[REDACTED:key]');
  cleaned = redactSecrets(cleaned);
  return cleaned.length > longest ? `${cutAroundSecrets(cleaned, longest)}...` : cleaned;
}

/** No control character leaves the line. */
function inLine(place: FaultPlace, text: string): string {
  return clean(place, oneLine(text), longestMessage);
}

function causesOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (
    let at = thrown;
    at !== undefined && at !== null && chain.length < 8 && !chain.includes(at);
    at = at instanceof Error ? at.cause : undefined
  )
    chain.push(at);
  return chain;
}

/** Vendors' clients have `status`, the AI SDK has `statusCode`. */
function answerOf(error: unknown): BadAnswer | undefined {
  if (!(error instanceof Error)) return undefined;
  const {
    status,
    statusCode,
    headers,
    responseHeaders,
    responseBody,
    error: body,
  } = error as Error & Readonly<Record<string, unknown>>;
  const found = typeof status === 'number' ? status : statusCode;
  if (typeof found !== 'number') return undefined;
  return {
    status: found,
    message: error.message,
    headers: headers ?? responseHeaders,
    body: responseBody ?? body,
  };
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code) ? code : undefined;
}

function isLate(chain: readonly unknown[]): boolean {
  return chain.some((cause) => cause instanceof Error && /Timeout/.test(cause.constructor.name));
}

function isNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /Connection/.test(error.constructor.name) ||
    (error instanceof TypeError &&
      /^(terminated|fetch failed|Failed to fetch|network error)$/i.test(error.message))
  );
}

function isUnreadable(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    (error instanceof Error &&
      /^AI_(JSONParse|TypeValidation|EmptyResponseBody|InvalidResponseData|NoContentGenerated)Error$/.test(
        error.name,
      ))
  );
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  try {
    return JSON.stringify(body) ?? '';
  } catch {
    return '';
  }
}

/** From `Headers` or a plain object. Case does not matter. */
function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}

/** In milliseconds. Services send seconds, a date, or milliseconds. */
export function retryAfterOf(
  headers: unknown,
  now: () => number = systemClock.now,
): number | undefined {
  const milliseconds = Number(headerOf(headers, 'retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headerOf(headers, 'retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now());
}

/** The message in the error, else the text as it came. */
function saidIn({ message, body }: ServiceWords): string {
  return messageInside(body) ?? messageInside(message) ?? message;
}

function messageInside(text: string): string | undefined {
  const json = jsonIn(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const error = memberOf(json, 'error') ?? json;
  const said = [error, memberOf(error, 'message'), memberOf(error, 'detail')];
  return said.find((found): found is string => typeof found === 'string' && found !== '');
}

/** The status that an error in a response of status 200 stands for, by the words of services. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|too_many_requests|resource_exhausted|insufficient_quota/i, 429],
  [/overloaded|unavailable|server_error|internal|timeout/i, 503],
  [/authentication|unauthorized|invalid_api_key|permission/i, 401],
];

/** An error in a response of status 200. */
export interface ErrorInside {
  readonly message: string;
  /** `undefined` for a cause that the service does not name. */
  readonly status: number | undefined;
}

function errorInside(answer: unknown): ErrorInside | undefined {
  const error = memberOf(answer, 'error');
  if (typeof error === 'string')
    return error === '' ? undefined : { message: error, status: undefined };
  if (typeof error !== 'object' || error === null) return undefined;
  const words = ['code', 'status', 'type'].map((name) => memberOf(error, name));
  const message = memberOf(error, 'message');
  const number = words.map(Number).find((found) => found >= 400 && found <= 599);
  const named = words.filter((word) => typeof word === 'string').join(' ');
  return {
    message: typeof message === 'string' && message !== '' ? message : JSON.stringify(error),
    status: number ?? statuses.find(([word]) => word.test(named))?.[1],
  };
}
