import type { AskRequest, HumanAnswer } from '../core/human.js';
import type { Run } from './run.js';
import type { WorkOptions } from './run-options.js';
import type { Leaf } from './timed-call.js';

/** Loaded on first use: most work asks nobody. */
const loadAsking = (): Promise<typeof import('./suspend-run.js')> => import('./suspend-run.js');

export class OpenWork {
  readonly #run: Run;
  readonly #options: WorkOptions;
  /** Called when no call is running any more. */
  readonly #settle: () => void;
  #calls = 0;
  #questions = 0;
  whole: Leaf | undefined;
  /** Counts call starts and ends. If it stays the same while idle, no timeout applies. */
  activity = 0;

  constructor(run: Run, options: WorkOptions, settle: () => void) {
    this.#run = run;
    this.#options = options;
    this.#settle = settle;
  }

  get working(): boolean {
    return this.#calls > 0;
  }

  get asking(): boolean {
    return this.#questions > 0;
  }

  get waiting(): boolean {
    return this.asking && this.#calls === (this.whole === undefined ? 0 : 1);
  }

  enter(): void {
    this.#calls += 1;
  }

  leave(): void {
    this.#calls -= 1;
    this.activity += 1;
    if (this.#calls === 0) this.#settle();
    if (this.asking) this.#wait();
  }

  /** Settles when the answer comes. */
  async ask(name: string, request: AskRequest): Promise<HumanAnswer> {
    this.#questions += 1;
    this.enter();
    let isOpen = false;
    try {
      const { askInWork } = await loadAsking();
      const answer = askInWork(this.#run, this.#options, name, request);
      isOpen = answer === undefined;
      return answer ?? new Promise<never>(() => {});
    } finally {
      if (!isOpen) this.#questions -= 1;
      this.leave();
    }
  }

  /** Keeps the result of the whole work, unless a question is open. */
  async unlessAsking<Value>(
    keep: () => Value | Promise<Value>,
    fail: (error: unknown) => Promise<never>,
  ): Promise<Value> {
    const error = await (await loadAsking()).suspensionOf(this.#run, this);
    return error === undefined ? keep() : fail(error);
  }

  #wait(): void {
    const { whole } = this;
    if (whole === undefined) this.#options.onWait?.();
    else void loadAsking().then(({ suspendWork }) => suspendWork(this.#run, this, whole));
  }
}
