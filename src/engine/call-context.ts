import type { CheckCall } from '../core/step.js';

/**
 * The context of a user's function. Its signal is created on first use. The signal is an own
 * member, so that copies of a context have it. All objects share one getter: a getter per object
 * would cost a hidden class each, and keep alive what it closes over.
 */
export class CallContext {
  static readonly #member: PropertyDescriptor & ThisType<CallContext> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#call.signal;
    },
  };
  readonly #call: CheckCall;
  declare readonly signal: AbortSignal;

  constructor(call: CheckCall) {
    this.#call = call;
    Object.defineProperty(this, 'signal', CallContext.#member);
  }
}

/**
 * The context of `address`. Its prompt is created on first use, because most do not read it. It is
 * an own member, like the signal.
 */
export class AddressCallContext extends CallContext {
  static readonly #member: PropertyDescriptor & ThisType<AddressCallContext> = {
    enumerable: true,
    configurable: true,
    get() {
      this.#prompt ??= this.#makePrompt();
      return this.#prompt;
    },
  };
  readonly #makePrompt: () => string;
  #prompt: string | undefined;
  declare readonly prompt: string;

  constructor(call: CheckCall, makePrompt: () => string) {
    super(call);
    this.#makePrompt = makePrompt;
    Object.defineProperty(this, 'prompt', AddressCallContext.#member);
  }
}
