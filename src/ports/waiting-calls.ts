import type { ReviewLoopError } from '../core/errors.js';
import { pop, push } from '../core/heap.js';

export interface WaitingCall {
  readonly work: () => Promise<void>;
  /** Called instead of the work if there will be no slot. */
  readonly fail?: ((error: ReviewLoopError) => void) | undefined;
}

interface Waiting extends WaitingCall {
  readonly order: number;
}

/** The calls of one loop that wait for a slot, in order. */
interface WaitingLoop {
  readonly age: number;
  readonly calls: Waiting[];
  /** How many of the calls have started. */
  taken: number;
}

/**
 * Calls that wait for a slot. The oldest loop goes first, so that loops end one after another. If
 * too few loops wait to fill the slots, the earliest call goes first.
 */
export class WaitingCalls {
  readonly #few: number;
  readonly #loops = new Map<number, WaitingLoop>();
  /** A heap by age. */
  #heap: WaitingLoop[] = [];
  #orders = 0;

  constructor(few: number) {
    this.#few = few;
  }

  add(age: number, { work, fail }: WaitingCall): void {
    let loop = this.#loops.get(age);
    if (loop === undefined) {
      loop = { age, calls: [], taken: 0 };
      this.#loops.set(age, loop);
      push(this.#heap, loop);
    }
    loop.calls.push({ order: this.#orders++, work, fail });
  }

  /** Removes and returns the next call. */
  take(): WaitingCall | undefined {
    const loop = this.#heap.length <= this.#few ? this.#first() : this.#heap[0];
    if (loop === undefined) return undefined;
    const call = loop.calls[loop.taken];
    loop.taken += 1;
    if (loop.taken === loop.calls.length) this.#remove(loop);
    return call;
  }

  #first(): WaitingLoop | undefined {
    let first = this.#heap[0];
    for (const loop of this.#heap) if (orderOf(loop) < orderOf(first)) first = loop;
    return first;
  }

  #remove(loop: WaitingLoop): void {
    this.#loops.delete(loop.age);
    if (this.#heap[0] === loop) pop(this.#heap);
    // a sorted list is a heap, and here it is short
    else this.#heap = this.#heap.filter((one) => one !== loop).sort((a, b) => a.age - b.age);
  }
}

function orderOf(loop: WaitingLoop | undefined): number {
  return loop?.calls[loop.taken]?.order ?? Number.POSITIVE_INFINITY;
}
