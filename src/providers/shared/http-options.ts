import { checkKeys, checkPositive, checkWhole, invalid } from '../../core/options.js';

/** The options of each provider that uses HTTP. */
export interface HttpOptions {
  /** The name in messages and in keys of caches. @default the kind of the provider, the model, and the host where one is given */
  readonly id?: string | undefined;
  /** How long one call may take. Node itself gives up after five minutes without an answer. @default 300000 */
  readonly timeoutMs?: number | undefined;
  /** The largest answer that is read. @default 16 MiB */
  readonly maxAnswerBytes?: number | undefined;
}

/** The options that a provider has beside its own. */
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

/** @throws ReviewLoopError `invalid_options` unless the value is a text that is not empty, or left out where it may be. */
export function checkText(name: string, value: unknown, required: boolean): void {
  if (value === undefined && !required) return;
  if (typeof value !== 'string' || value.trim() === '')
    throw invalid(name, 'a text that is not empty', value);
}

/** @throws ReviewLoopError `invalid_options` unless the value is left out or the address of a web service. */
function checkAddress(name: string, value: string | undefined): void {
  if (value === undefined) return;
  if (
    typeof value !== 'string' ||
    !URL.canParse(value) ||
    !/^https?:$/.test(new URL(value).protocol)
  )
    throw invalid(name, 'an address that begins with http:// or https://', value);
}

/** The id of a provider: its kind, the model, and where it is when that was chosen. */
export function idOf(kind: string, model: string, baseURL: string | undefined): string {
  return baseURL === undefined ? `${kind}:${model}` : `${kind}:${model}@${new URL(baseURL).host}`;
}
