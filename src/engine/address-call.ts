import type { CheckCall } from '../core/step.js';
import { Signalled } from './signalled.js';

/** What `address` is given and most do not read: a prompt, which is made when it is asked for; an own member as the signal is. */
export class AddressCall extends Signalled {
  static readonly #member: PropertyDescriptor & ThisType<AddressCall> = {
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
    Object.defineProperty(this, 'prompt', AddressCall.#member);
  }
}
