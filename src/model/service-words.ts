/** What a service says in an error, whatever its protocol. */
export interface ServiceWords {
  readonly message: string;
  /** The body of the response, as text. */
  readonly body: string;
}

/** A cause that services tell by words, more exactly than by the status. */
export type NamedCause = 'account used up' | 'filtered';

const account =
  /insufficient_quota|billing_(?:hard_limit|not_active)|exceeded your current quota|credit balance/i;
/** Programs have no codes. A service says the same words of a limit of calls in a minute. */
const accountOfProgram = /credit|balance|billing|quota|usage limit|hit your .{0,20}limit/i;
const filter = /content_filter|content_policy_violation|ResponsibleAIPolicyViolation/;
const key = /\blog ?in\b|api key|authenticat|credential|token.{0,40}(?:revoked|expired|invalid)/i;

/** Returns the cause that the words of a refused request name. */
export function causeNamed({ message, body }: ServiceWords): NamedCause | undefined {
  if (filter.test(body) || filter.test(message)) return 'filtered';
  return account.test(message) || account.test(body) ? 'account used up' : undefined;
}

/** Returns whether a program says that the account is used up, for now or until it is paid. */
export function saysUsedUp(message: string): boolean {
  return accountOfProgram.test(message);
}

/** Returns whether a program says that it has no valid key. */
export function lacksKey(message: string): boolean {
  return key.test(message);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Returns how long a service asks to wait, in milliseconds, where it says so in words or a body. */
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

/** Returns the error in a response, in each form in which services and gateways send it. */
export function errorInside(answer: unknown): ErrorInside | undefined {
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

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
