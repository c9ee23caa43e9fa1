import type { CheckCall } from '../core/step.js';

/**
 * What a function of a user is given beside its input: the signal of its call, which is made when it is asked for. It is an own member,
 * so that copies of a context have it. The getter is one for all: one for each object would cost each a hidden class, which lives in
 * old memory and holds on to all that the getter can see.
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

/** What `address` is given and most do not read: a prompt, which is made when it is asked for; an own member as the signal is. */
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
