import { checkKeys, checkPositive, checkWhole, invalid } from '../../core/options.js';

/** The options of each provider that uses HTTP. */
export interface HttpOptions {
  /**
   * The id of the provider, in messages and cache keys.
   *
   * @default kind, model and, with `baseURL`, host
   */
  readonly id?: string | undefined;
  /**
   * Timeout of one call, in milliseconds. Node itself stops after five minutes without an answer.
   *
   * @default 300000
   */
  readonly timeoutMs?: number | undefined;
  /** The largest response, in bytes; from 1. @default 16777216 */
  readonly maxAnswerBytes?: number | undefined;
}

/** The names of the options that all these providers share. */
const httpOptionNames = ['id', 'timeoutMs', 'maxAnswerBytes'] as const;

export const defaultTimeoutMs = 300_000;
export const defaultAnswerBytes = 16 * 2 ** 20;

/** @throws ReviewLoopError `invalid_options` */
export function checkHttpOptions(
  factory: string,
  options: HttpOptions & { readonly model?: unknown; readonly baseURL?: string | undefined },
  known: readonly string[],
): void {
  checkKeys(factory, options, [...known, ...httpOptionNames]);
  checkText('model', options.model, true);
  checkText('id', options.id, false);
  checkAddress('baseURL', options.baseURL);
  checkPositive('timeoutMs', options.timeoutMs);
  if (options.maxAnswerBytes !== undefined) checkWhole('maxAnswerBytes', options.maxAnswerBytes, 1);
}

/**
 * Checks that an option is a text that is not empty. It may be undefined if it is not required.
 *
 * @throws ReviewLoopError `invalid_options`
 */
export function checkText(name: string, value: unknown, required: boolean): void {
  if (value === undefined && !required) return;
  if (typeof value !== 'string' || value.trim() === '')
    throw invalid(name, 'a text that is not empty', value);
}

/**
 * Checks that an option is undefined or an HTTP URL.
 *
 * @throws ReviewLoopError `invalid_options`
 */
function checkAddress(name: string, value: string | undefined): void {
  if (value === undefined) return;
  if (
    typeof value !== 'string' ||
    !URL.canParse(value) ||
    !/^https?:$/.test(new URL(value).protocol)
  )
    throw invalid(name, 'an address that begins with http:// or https://', value);
}

/** Returns the id of a provider: its kind, the model and, with `baseURL`, the host. */
export function idOf(kind: string, model: string, baseURL: string | undefined): string {
  return baseURL === undefined ? `${kind}:${model}` : `${kind}:${model}@${new URL(baseURL).host}`;
}
