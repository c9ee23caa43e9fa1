import { ReviewLoopError } from '../../../core/errors.js';
import { type Clock, elapsedOn } from '../../../ports/clock.js';
import type { AgentName } from '../../hooks/agent-event.js';
import { hookErrors } from '../../hooks/errors.js';

/** It is below the default of most agents, 60. */
export const defaultSeconds = 45;

/** Copilot and VS Code wait for 30 seconds. */
export function usualSeconds(agent: AgentName): number {
  return agent === 'copilot' || agent === 'vs-code' ? 24 : defaultSeconds;
}

export interface HookDeadlineOptions {
  readonly clock: Clock;
  /** A time limit that the configuration does not change, in seconds. @default none */
  readonly seconds?: number | undefined;
  /** The limit until the configuration names another one, in seconds. @default 45 */
  readonly usual?: number | undefined;
  readonly signal: AbortSignal;
}

export class HookDeadline {
  readonly #options: HookDeadlineOptions;
  readonly #startedAt: number;
  readonly #controller = new AbortController();
  readonly #late: Promise<never>;
  #fail: (error: unknown) => void = () => {};
  #cancel: () => void = () => {};

  constructor(options: HookDeadlineOptions) {
    this.#options = options;
    this.#startedAt = elapsedOn(options.clock);
    this.#late = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.#late.catch(() => {});
    this.#set(options.seconds ?? options.usual ?? defaultSeconds);
  }

  limit(seconds: number): void {
    if (this.#options.seconds === undefined) this.#set(seconds);
  }

  /** Calls a function with a signal that ends its processes at the deadline. */
  async within<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const signal = AbortSignal.any([this.#controller.signal, this.#options.signal]);
    try {
      return await Promise.race([work(signal), this.#late]);
    } finally {
      this.#cancel();
    }
  }

  #set(seconds: number): void {
    const { clock } = this.#options;
    this.#cancel();
    const left = this.#startedAt + seconds * 1000 - elapsedOn(clock);
    this.#cancel = clock.after(Math.max(0, left), () => {
      const error = new ReviewLoopError(
        hookErrors.hook_timeout,
        `the review did not end within ${seconds} s (hook.timeoutSeconds)`,
        { value: seconds },
      );
      this.#controller.abort(error);
      // the processes get their signal before the answer
      clock.after(graceMs, () => this.#fail(error));
    });
  }
}

/** In it, processes end before the hook answers. */
const graceMs = 1000;
