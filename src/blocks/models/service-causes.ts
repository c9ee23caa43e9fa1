import type { ErrorEntry } from '../../core/error-table.js';
import { modelErrors } from './errors.js';

/** Why a service did not answer, with the one value that a cause has in every provider. */
export const causes = {
  'wrong key': { error: modelErrors.provider_unauthorized, retryable: false },
  'account used up': { error: modelErrors.provider_refused_request, retryable: false },
  'too many calls': { error: modelErrors.provider_rate_limited, retryable: true },
  'unknown model': { error: modelErrors.provider_refused_request, retryable: false },
  'prompt too long': { error: modelErrors.view_truncated, retryable: false },
  'text filtered': { error: modelErrors.answer_filtered, retryable: false },
  'schema not supported': { error: modelErrors.provider_refused_request, retryable: false },
  'service overloaded or down': { error: modelErrors.provider_unavailable, retryable: true },
  'cause unknown': { error: modelErrors.provider_unavailable, retryable: false },
  'request refused': { error: modelErrors.provider_refused_request, retryable: false },
} satisfies Record<string, { readonly error: ErrorEntry; readonly retryable: boolean }>;

export type Cause = keyof typeof causes;

/** A used-up account has no waiting time; a limit of calls has one. */
export function causeOf(
  status: number,
  words: ServiceWords,
  retryAfterMs: number | undefined,
): Cause {
  const named = causeNamed(words, status);
  if (named !== undefined && (named !== 'account used up' || retryAfterMs === undefined))
    return named;
  if (status === 401 || status === 403) return 'wrong key';
  // 498: a service without free capacity
  if (status === 429 || status === 498) return 'too many calls';
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return 'service overloaded or down';
  return status === 413 ? 'prompt too long' : 'request refused';
}

export interface ServiceWords {
  readonly message: string;
  readonly body: string;
}

/** Programs have no codes. A service says the same words of a limit of calls in a minute. */
const accountOfProgram = /credit|balance|billing|quota|usage limit|hit your .{0,20}limit/i;

const keyOfProgram =
  /\blog ?in\b|api key|authenticat|credential|token.{0,40}(?:revoked|expired|invalid)/i;

const passing =
  /high demand|overloaded|stream disconnected|error sending request|connection|unable to connect|timed? ?out|network/i;

/** How a request names a schema, and how a service says that it takes none. */
const schemaWords =
  'response.?format|json.?schema|structured.?outputs?|output.?(?:config|schema)|text\\.format';
const not =
  "(?:not|n't) (?:support|available|permitted|allowed)|un(?:supported|available|known)|invalid";

/** Causes that services tell by words, more exactly than by the status, and where those count. */
const wordsOfCauses: readonly (readonly [Cause, RegExp, (status: number) => boolean])[] = [
  [
    'text filtered',
    /content_filter|content_policy_violation|ResponsibleAIPolicyViolation/,
    (status) => status < 500,
  ],
  [
    'schema not supported',
    new RegExp(
      `(?:${schemaWords}).{0,200}(?:${not})|(?:${not}).{0,80}(?:${schemaWords})|` +
        'required for format|expected "json" or a JSON schema',
      'is',
    ),
    () => true,
  ],
  [
    'prompt too long',
    /context_length_exceeded|request_too_large|prompt is too long|maximum context length|exceeds? the (?:available )?context|context window/i,
    (status) => ![401, 403, 429].includes(status),
  ],
  [
    'unknown model',
    /model_not_found|"model: |\bmodel\b.{0,80}(?:not (?:exist|found)|is not supported when)|access to (?:the )?model/is,
    (status) => [400, 403, 404, 422].includes(status),
  ],
  [
    'account used up',
    /insufficient_quota|billing_(?:hard_limit|not_active|error)|exceeded your current quota|credit balance|usage_limit_reached/i,
    (status) => status < 500 && status !== 401,
  ],
];

/** In characters. */
const mostWords = 20_000;

export function causeNamed({ message, body }: ServiceWords, status: number): Cause | undefined {
  const told = [message, body].map((text) => text.slice(0, mostWords));
  return wordsOfCauses.find(
    ([, words, counts]) => counts(status) && told.some((text) => words.test(text)),
  )?.[0];
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** In milliseconds, where the service says it in words or a body. */
export function waitNamed({ message, body }: ServiceWords): number | undefined {
  const [, seconds] = /"retryDelay"\s{0,5}:\s{0,5}"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body) ?? [];
  if (seconds !== undefined) return Math.round(Number(seconds) * 1000);
  const [, said] =
    /\b(?:try again|retry) in ((?:\d{1,9}(?:\.\d{1,9})? ?(?:ms|h|m|s)[a-z]{0,8} ?){1,4})/i.exec(
      message,
    ) ?? [];
  if (said === undefined) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of said.matchAll(/(\d{1,9}\.?\d{0,9}) ?(ms|h|m|s)/gi))
    sum += Number(count) * (units[unit.toLowerCase()] ?? 0);
  return Math.round(sum);
}

export function causeOfProgram(message: string): Cause {
  const named = causeNamed({ message, body: '' }, 400);
  if (named !== undefined) return named;
  if (/limiting requests/i.test(message)) return 'too many calls';
  if (keyOfProgram.test(message)) return 'wrong key';
  if (accountOfProgram.test(message)) return 'account used up';
  return passing.test(message) ? 'service overloaded or down' : 'cause unknown';
}
