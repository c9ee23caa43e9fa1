import { ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { checkKeys, checkWhole, invalid } from '../../core/options.js';
import type { AddressContext } from '../../engine/definition.js';
import { isInterrupt } from '../../engine/end-of-error.js';
import type { ModelAddress } from './address-with-model.js';

/** A function that fixes gaps, as `address` of a pipeline. */
export interface Address<Task, Output> {
  (output: Output, gaps: Gap[], context: AddressContext<Task>): Output | Promise<Output>;
  /** Returns the same function with a provider. Present only while it needs one. */
  readonly withProvider?: ((provider: LLMProvider) => Address<Task, Output>) | undefined;
}

/** A guarded function for outputs of any kind, as `addressWithModel` makes it. */
export interface GuardedAddress {
  <Task, Output>(output: Output, gaps: Gap[], context: AddressContext<Task>): Promise<Output>;
  /** Returns the same function with a provider. Present only while it needs one. */
  readonly withProvider?: ((provider: LLMProvider) => GuardedAddress) | undefined;
}

export interface OnlyAskedOptions {
  /** How often an edit is made at most; from 1. @default 3 */
  readonly tries?: number | undefined;
}

/**
 * Guards an `address` function: an edit that also changed texts that it was told nothing of is made
 * again, and the one with the fewest such changes is kept, also if making it again fails. Texts are
 * what the `scope` of each reviewer selects; only digests are compared, and no judge is asked. A
 * guarded function stays as it is.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const article = definePipeline({ ...options, address: onlyAsked(addressWithModel()) });
 * ```
 */
export function onlyAsked(address: ModelAddress, options?: OnlyAskedOptions): GuardedAddress;
export function onlyAsked<Task, Output>(
  address: Address<Task, Output>,
  options?: OnlyAskedOptions,
): Address<Task, Output>;
export function onlyAsked<Task, Output>(
  address: Address<Task, Output>,
  options: OnlyAskedOptions = {},
): Address<Task, Output> {
  if (typeof address !== 'function') throw invalid('address', 'a function', address);
  checkKeys('onlyAsked', options, ['tries']);
  const { tries = 3 } = options;
  checkWhole('tries', tries, 1);
  return isGuarded.has(address) ? address : guarded(address, tries);
}

const isGuarded = new WeakSet<object>();

function guarded<Task, Output>(
  address: Address<Task, Output>,
  tries: number,
): Address<Task, Output> {
  const { withProvider } = address;
  const guard: Address<Task, Output> = async (output, gaps, context) => {
    const attempt = async (number: number): Promise<Attempt<Output>> => {
      const edited = await address(
        structuredClone(output),
        gaps.map((gap) => ({ ...gap })),
        number === 1 ? context : another(context, number),
      );
      return { edited, untold: (await context.untold(edited)).length };
    };
    let best = await attempt(1);
    for (let number = 2; number <= tries && best.untold > 0; number += 1) {
      const again = await attempt(number).catch((error: unknown) => {
        if (context.signal.aborted || endsTheRun(error)) throw error;
        return best;
      });
      if (again.untold < best.untold) best = again;
    }
    return best.edited;
  };
  isGuarded.add(guard);
  if (withProvider === undefined) return guard;
  return Object.assign(guard, {
    withProvider: (provider: LLMProvider) => guarded(withProvider.call(address, provider), tries),
  });
}

/** Whether an error is no failed edit, after which the edit before it is still good. */
function endsTheRun(error: unknown): boolean {
  if (!(error instanceof ReviewLoopError)) return isInterrupt(error);
  const { code, cause } = error;
  return (
    code === 'suspended' ||
    code === 'budget_exceeded' ||
    code.startsWith('journal_') ||
    isInterrupt(cause)
  );
}

interface Attempt<Output> {
  readonly edited: Output;
  /** How many texts it changed that it was told nothing of. */
  readonly untold: number;
}

function another<Task>(context: AddressContext<Task>, number: number): AddressContext<Task> {
  const { step, ask } = context;
  return {
    ...context,
    step: (name, options, work) => step(`again${number}/${name}`, options, work),
    ask: (name, request) => ask(`again${number}/${name}`, request),
  };
}
