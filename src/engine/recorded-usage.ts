import { addUsage, type Usage } from '../core/usage.js';
import type { JournalRecord } from '../ports/store.js';
import { negative, type Phase } from './budget.js';

/** Each part is counted once. */
export class PastUsage {
  /** By step: its results and its failed attempts. */
  readonly #steps = new Map<string, Usage>();
  /** By activity: what no step contains. */
  readonly #others = new Map<string, Usage>();

  /** What is not counted yet. */
  left: Usage = {};

  constructor(records: readonly JournalRecord[]) {
    for (const record of records) this.#add(record);
  }

  /**
   * Returns what was used for a step, once.
   *
   * @param within - Whether the steps inside it count too, because it is the whole work.
   */
  take(name: string, within: boolean): Usage | undefined {
    let sum = this.#steps.get(name);
    this.#steps.delete(name);
    if (within) sum = this.#within(name, sum);
    if (sum !== undefined) this.left = addUsage(this.left, negative(sum));
    return sum;
  }

  #within(name: string, own: Usage | undefined): Usage | undefined {
    let sum = own;
    for (const [step, usage] of this.#steps) {
      if (!step.startsWith(`${name}/`)) continue;
      sum = addUsage(sum ?? {}, usage);
      this.#steps.delete(step);
    }
    return sum;
  }

  others(): readonly (readonly [Phase, Usage])[] {
    return [...this.#others].map(([name, usage]) => [phaseOf(name), usage] as const);
  }

  /**
   * Returns what an activity reported outside of its steps, once. An activity whose steps are
   * replayed reports it again.
   */
  takeOther(name: string): Usage | undefined {
    const usage = this.#others.get(name);
    this.#others.delete(name);
    return usage;
  }

  /** Returns what is left: steps that this process did not come to. */
  takeRest(): readonly (readonly [Phase, Usage])[] {
    const rest = [...this.#steps].map(([name, usage]) => [phaseOf(name), usage] as const);
    this.#steps.clear();
    return rest;
  }

  #add(record: JournalRecord): void {
    if (record.type === 'end')
      for (const [name, usage] of Object.entries(record.usage ?? {})) this.#addOther(name, usage);
    if (record.type === 'attempt' && record.code === 'released') {
      this.#addOther(record.name, record.usage ?? {});
      return;
    }
    if ((record.type !== 'step' && record.type !== 'attempt') || record.usage === undefined) return;
    this.#steps.set(record.name, addUsage(this.#steps.get(record.name) ?? {}, record.usage));
    this.left = addUsage(this.left, record.usage);
  }

  #addOther(name: string, usage: Usage): void {
    this.#others.set(name, addUsage(this.#others.get(name) ?? {}, usage));
  }
}

/** The lessons of earlier runs belong to `produce`. */
function phaseOf(name: string): Phase {
  const part = name.replace(/^iter:\d+\//, '');
  return (['review', 'address'] as const).find((phase) => part.startsWith(phase)) ?? 'produce';
}
