import type * as z from 'zod';
import { hashText } from '../core/hash.js';
import type { Review } from '../core/review.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { Step, StepOptions } from '../core/step.js';
import type { Usage } from '../core/usage.js';
import { CallContext } from './definition.js';
import { OpenWork } from './open-work.js';
import type { Run } from './run.js';
import type { WorkOptions } from './run-options.js';
import {
  checkStep,
  nestedStep,
  parseStep,
  recordStep,
  replayStep,
  type StepKey,
  StepNames,
  stepIdentity,
} from './step-record.js';
import { isThenable, type Leaf, type LeafWork } from './timed-call.js';
import { UsageMeter } from './usage-meter.js';
import type { StepResult, StepSnapshots } from './workspace-snapshots.js';

/**
 * The context that `produce`, `address` and reviewers receive. It records and replays steps under
 * its name, and counts usage once.
 */
export class WorkContext implements ReviewerContext {
  readonly #run: Run;
  readonly #options: WorkOptions;
  #names: StepNames | undefined;
  #insideWork = false;
  readonly #usage: UsageMeter;
  readonly #open: OpenWork;
  /** The snapshots of its work, if it may change the workspace. */
  readonly trees: StepSnapshots | undefined;
  #lasting: boolean | undefined;
  /** The result of its whole work, for the case that recording fails. */
  unrecorded: unknown;

  constructor(run: Run, options: WorkOptions) {
    this.#run = run;
    this.#options = options;
    this.#usage = new UsageMeter(run, options);
    this.#open = new OpenWork(run, options, () => this.#usage.settle());
    const { name: whole, tree: from } = options;
    if (from !== undefined) this.trees = run.trees?.stepsFrom(from, whole);
  }

  get runId(): string {
    return this.#run.id;
  }

  get iteration(): number {
    return this.#run.iteration;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get previous(): readonly Review[] {
    return this.#options.previous ?? [];
  }

  get best(): ReviewerContext['best'] {
    return this.#options.best;
  }

  /** A nonce for each review: texts of earlier reviews may contain theirs. */
  get nonce(): string {
    return hashText(`${this.#run.nonce}\u0000${this.#run.iteration}`).slice(0, 32);
  }

  /** Counts call starts and ends. If it stays the same while idle, no timeout applies. */
  get activity(): number {
    return this.#open.activity;
  }

  get idle(): boolean {
    return !this.#open.asking && !this.#open.working;
  }

  /** Whether later runs may reuse the result: it asked no person, and not only synchronous work. */
  get lasting(): boolean {
    return this.#lasting ?? this.#open.activity === 0;
  }

  get spent(): Usage {
    return this.#usage.settled;
  }

  get waiting(): boolean {
    return this.#open.waiting;
  }

  get reportUsage(): (usage: Usage) => void {
    return (usage) => this.#usage.report(usage, this.#open.working);
  }

  get budget(): ReviewerContext['budget'] {
    return { reserve: (estimate) => this.#usage.reserve(estimate, () => this.#open.working) };
  }

  get step(): Step {
    return async (name, options, work) => {
      checkStep(name, options);
      const fullName = this.#claim(name);
      this.#open.whole?.release();
      const { input, key, attempt } = stepIdentity(this.#run, fullName, options.input);
      return this.#recorded(fullName, input, options, (call) => {
        const more = this.#run.tracer?.ofStep(this.#options.name, call);
        return work(Object.assign(new CallContext(call), { key, attempt }, more));
      });
    };
  }

  get check(): ReviewerContext['check'] {
    return (schema, work, name = 'check') => {
      const options = { schema, input: undefined };
      checkStep(name, options);
      return this.#recorded(this.#claim(name), this.#options.digest, options, work);
    };
  }

  get join(): ReviewerContext['join'] {
    return (call) => {
      this.#open.enter();
      this.#lasting ??= true;
      return call.finally(() => this.#open.leave());
    };
  }

  get ask(): ReviewerContext['ask'] {
    return (name, request) => {
      this.#lasting = false;
      return this.#open.ask(this.#claim(`ask:${name}`), request);
    };
  }

  /** Records the whole work under the scope's name. Its first step frees the slot. */
  whole<Value>(
    given: string | (() => string),
    schema: z.ZodType<Value>,
    work: LeafWork<Value>,
  ): Promise<Value> {
    const input = typeof given === 'string' ? given : this.#run.neverReplays ? '' : given();
    return this.#recorded(this.#options.name, input, { schema, input: undefined }, (call) => {
      this.#open.whole = call;
      this.#insideWork = false;
      const result = this.#run.tracer?.work(this.#options, call, { by: this, work }) ?? work(call);
      return isThenable(result) ? result : Promise.resolve(result);
    });
  }

  /** Replays what is recorded under name and input, or makes the call and records its success. */
  #recorded<Value>(
    name: string,
    input: string,
    options: StepOptions<Value>,
    work: LeafWork<Value>,
  ): Promise<Value> {
    const { trees } = this;
    const replayed = this.#replay(name, input, options.schema);
    this.#usage.replay(name, replayed);
    if (replayed !== undefined)
      return trees === undefined ? Promise.resolve(replayed.value) : trees.follow(name, replayed);
    const make = (given: LeafWork<Value>): Promise<Value> =>
      this.#made({ name, input }, options, given);
    return this.#run.journal?.gate?.pass(name, work, make) ?? make(work);
  }

  #made<Value>(
    { name, input }: StepKey,
    options: StepOptions<Value>,
    work: LeafWork<Value>,
  ): Promise<Value> {
    const { trees } = this;
    this.#open.enter();
    this.#open.activity += 1;
    let paid = false;
    const leaf = { label: name, timeoutMs: options.timeoutMs ?? this.#options.timeoutMs };
    const begin: LeafWork<Value> = (call) => {
      this.#run.throwIfPassed();
      const result = this.#begin(work, call);
      paid = isThenable(result);
      if (paid) this.#run.replaying = false;
      return result;
    };
    const made =
      trees === undefined
        ? this.#run.leaf(leaf, begin)
        : trees.prepare(name).then(() => this.#run.leaf(leaf, begin));
    const fail = (error: unknown): Promise<never> => this.#fail({ name, input }, error, paid);
    const keep = (value: Value): Value | Promise<Value> => {
      try {
        const checked = parseStep(name, options.schema, value);
        const written = paid ? this.#keep({ name, input }, checked) : undefined;
        if (written !== undefined) return written.then(() => this.#leave(checked), fail);
        return this.#leave(checked);
      } catch (error) {
        return fail(error);
      }
    };
    return made.then(
      (value) =>
        this.#open.asking && name === this.#options.name
          ? this.#open.unlessAsking(() => keep(value), fail)
          : keep(value),
      fail,
    );
  }

  async #fail(key: StepKey, thrown: unknown, paid: boolean): Promise<never> {
    let error = thrown;
    try {
      if ((this.#usage.isOpen || paid) && this.#run.ended === undefined) {
        const usage = this.#usage.settleRecord();
        const { recordFailure } = await import('./record-failure.js');
        error = await recordFailure(this.#run, key, error, { usage, asking: this.#open.asking });
      }
    } finally {
      this.#open.leave();
    }
    throw error;
  }

  /** Starts the work. Steps inside its synchronous part are refused. */
  #begin<Value>(work: LeafWork<Value>, call: Leaf): Value | Promise<Value> {
    this.#insideWork = true;
    try {
      const result = work(call);
      if (isThenable(result)) this.#lasting ??= true;
      return result;
    } finally {
      this.#insideWork = false;
    }
  }

  #leave<Value>(value: Value): Value {
    this.#open.leave();
    return value;
  }

  #replay<Value>(
    name: string,
    input: string,
    schema: z.ZodType<Value>,
  ): StepResult<Value> | undefined {
    const { journal } = this.#run;
    if (journal === undefined || !(journal.resumed || this.#options.again)) return undefined;
    const replayed = replayStep(this.#run, { name, input }, schema);
    if (replayed === undefined || (this.trees !== undefined && replayed.workspace === undefined))
      return undefined;
    this.#lasting ??= true;
    return replayed;
  }

  #keep(key: StepKey, value: unknown): Promise<void> | void {
    const { name, phase } = this.#options;
    // a review only records checks of criteria, which are JSON by their schema
    if (this.#run.neverReplays && phase === 'review') return;
    if (key.name === name) this.unrecorded = value;
    if (this.trees === undefined) return this.#record(key, value, undefined);
    return this.trees.keep(key.name).then((tree) => this.#record(key, value, tree));
  }

  #record(key: StepKey, value: unknown, workspace: string | undefined): Promise<void> | void {
    return recordStep(this.#run, key, { value, usage: this.#usage.settleRecord(), workspace });
  }

  #claim(name: string): string {
    if (this.#run.suspension !== undefined) throw this.#run.suspension;
    if (this.#insideWork) throw nestedStep(name, this.#options.name);
    this.#names ??= new StepNames(this.#options.name);
    return this.#names.claim(name);
  }
}
