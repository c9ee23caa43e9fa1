import { checkPositive, checkTable, filled, fits, required, whole } from '../../core/options.js';

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

export const defaultTimeoutMs = 300_000;
export const defaultAnswerBytes = 16 * 2 ** 20;

/** @throws ReviewLoopError `invalid_options` */
export function checkHttpOptions(factory: string, options: HttpOptions, own: object): void {
  checkTable(factory, { ...own, ...httpTable }, options);
}

const address = fits('an address that begins with http:// or https://', isAddress);
const httpTable = {
  ...{ model: required(filled()), id: filled(), baseURL: address },
  ...{ timeoutMs: checkPositive, maxAnswerBytes: whole(1) },
};

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value);
}

/** Returns the id of a provider: its kind, the model and, with `baseURL`, the host. */
export function idOf(kind: string, model: string, baseURL: string | undefined): string {
  return baseURL === undefined ? `${kind}:${model}` : `${kind}:${model}@${new URL(baseURL).host}`;
}
