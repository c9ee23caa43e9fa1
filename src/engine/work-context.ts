import type * as z from 'zod';
import { ReviewLoopError } from '../core/errors.js';
import type { HumanAnswer, HumanRequest } from '../core/human.js';
import type { ReviewerContext } from '../core/reviewer.js';
import type { Step, StepOptions } from '../core/step.js';
import { type Usage, UsageSchema } from '../core/usage.js';
import { CallContext } from './call-context.js';
import type { Run } from './run.js';
import { RunView } from './run-view.js';
import {
  parseStep,
  recordFailure,
  recordStep,
  replayStep,
  type StepKey,
  StepNames,
  stepIdentity,
} from './step-record.js';
import type { StepResult } from './step-result.js';
import { isThenable, type Leaf, type LeafWork } from './timed-call.js';
import { UsageMeter } from './usage-meter.js';
import type { WorkOptions } from './work-options.js';
import type { StepSnapshots } from './workspace-snapshots.js';

/**
 * What one function of a user works in: the context that `produce`, `address` and reviewers receive. Its steps are
 * recorded under its name and replayed; its usage is counted once.
 */
export class WorkContext extends RunView implements ReviewerContext {
  readonly #run: Run;
  readonly #options: WorkOptions;
  #names: StepNames | undefined;
  #working = 0;
  #activity = 0;
  #insideWork = false;
  #asking = 0;
  readonly #usage: UsageMeter;
  #releaseWhole: (() => void) | undefined;
  /** What its work makes of the workspace, where it may change it. */
  readonly trees: StepSnapshots | undefined;
  #lasting: boolean | undefined;
  /** What its whole work gave; of use where that could not be recorded. */
  unrecorded: unknown;

  constructor(run: Run, options: WorkOptions) {
    super(run, options);
    this.#run = run;
    this.#options = options;
    this.#usage = new UsageMeter(run, options.phase);
    const { name: whole, tree: from } = options;
    if (from !== undefined) this.trees = run.trees?.stepsFrom(from, whole);
  }

  /** How many calls it has begun and ended; while none is out and this stands still, nothing here is bounded by a timeout. */
  get activity(): number {
    return this.#activity;
  }

  /** Whether no call of it is out and no question open. */
  get idle(): boolean {
    return this.#asking === 0 && this.#working === 0;
  }

  /** Whether what comes of it may stand for doing it again elsewhere: no person was asked, and it was more than computed. */
  get lasting(): boolean {
    return this.#lasting ?? this.#activity === 0;
  }

  get spent(): Usage {
    return this.#usage.settled;
  }

  /** Whether nothing but the answer of a person can bring it on. */
  get waiting(): boolean {
    return this.#asking > 0 && this.#working === 0;
  }

  get reportUsage(): (usage: Usage) => void {
    return (usage) => {
      const known = UsageSchema.parse(usage);
      if (this.#working > 0) this.#usage.report(known);
      else this.#usage.count(known);
    };
  }

  get step(): Step {
    return async (name, options, work) => {
      const fullName = this.#claim(name);
      this.#releaseWhole?.();
      const { input, key, attempt } = stepIdentity(this.#run, fullName, options.input);
      return this.#recorded(fullName, input, options, (call) =>
        work(Object.assign(new CallContext(call), { key, attempt })),
      );
    };
  }

  get check(): ReviewerContext['check'] {
    return (schema, work, name = 'check') =>
      this.#recorded(this.#claim(name), this.#options.digest, { schema, input: undefined }, work);
  }

  get join(): ReviewerContext['join'] {
    return (call) => {
      this.#working += 1;
      this.#lasting ??= true;
      return call.finally(() => this.#leave(undefined));
    };
  }

  get ask(): ReviewerContext['ask'] {
    return (name, request) => this.#ask(this.#claim(`ask:${name}`), request);
  }

  #ask(
    fullName: string,
    request: Pick<HumanRequest, 'question' | 'allowed' | 'gaps'>,
  ): Promise<HumanAnswer> {
    const { name, version } = this.#options;
    this.#lasting = false;
    if (this.#run.journal === undefined)
      return Promise.reject(new ReviewLoopError('ask_needs_run', `${name} asked a person`));
    const answer = this.#run.answerOrPending(fullName, version, request);
    if (answer !== undefined) return Promise.resolve(answer);
    this.#asking += 1;
    this.#options.onWait?.();
    return new Promise<never>(() => {});
  }

  /**
   * Records the whole work of the scope under its own name. It holds a slot until it makes its first step: a slot is for
   * leaf calls only.
   */
  whole<Value>(input: string, schema: z.ZodType<Value>, work: LeafWork<Value>): Promise<Value> {
    return this.#recorded(this.#options.name, input, { schema, input: undefined }, (call) => {
      this.#releaseWhole = () => call.release();
      this.#insideWork = false;
      const result = work(call);
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
    if (replayed !== undefined)
      return trees === undefined ? Promise.resolve(replayed.value) : trees.follow(name, replayed);
    this.#working += 1;
    this.#activity += 1;
    let paid = false;
    const leaf = { label: name, timeoutMs: options.timeoutMs ?? this.#options.timeoutMs };
    const begin: LeafWork<Value> = (call) => {
      const result = this.#begin(work, call);
      paid = isThenable(result);
      return result;
    };
    const made =
      trees === undefined
        ? this.#run.leaf(leaf, begin)
        : trees.prepare(name).then(() => this.#run.leaf(leaf, begin));
    const fail = (error: unknown): Promise<never> => this.#fail({ name, input }, error, paid);
    return made.then((value) => {
      try {
        const checked = parseStep(name, options.schema, value);
        const written = paid ? this.#keep({ name, input }, checked) : undefined;
        if (written !== undefined) return written.then(() => this.#leave(checked), fail);
        return this.#leave(checked);
      } catch (error) {
        return fail(error);
      }
    }, fail);
  }

  /** Records that a call failed. */
  async #fail(key: StepKey, error: unknown, paid: boolean): Promise<never> {
    try {
      if (paid && error !== this.#run.ended) await recordFailure(this.#run, key, error);
    } finally {
      this.#leave(undefined);
    }
    throw error;
  }

  /** Begins work; while its first stretch runs, nothing else can be named. */
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
    this.#working -= 1;
    this.#activity += 1;
    if (this.#working === 0) this.#usage.settle();
    if (this.#asking > 0) this.#options.onWait?.();
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
    if (replayed.usage !== undefined) this.#usage.count(replayed.usage);
    return replayed;
  }

  /** Records what was paid for, with the tree that it left. */
  #keep(key: StepKey, value: unknown): Promise<void> | void {
    const { name, phase } = this.#options;
    // of a review there is only the check of a criterion, which is JSON by its schema
    if (this.#run.neverReplays && phase === 'review') return;
    if (key.name === name) this.unrecorded = value;
    if (this.trees === undefined) return this.#record(key, value, undefined);
    return this.trees.keep(key.name).then((tree) => this.#record(key, value, tree));
  }

  #record(key: StepKey, value: unknown, workspace: string | undefined): Promise<void> | void {
    const usage = this.#usage.settleStep(key.name === this.#options.name);
    return recordStep(this.#run, key, { value, usage, workspace });
  }

  #claim(name: string): string {
    if (this.#insideWork)
      throw new ReviewLoopError(
        'step_nested',
        `\`${name}\` was called from inside another step of ${this.#options.name}`,
      );
    this.#names ??= new StepNames(this.#options.name);
    return this.#names.claim(name);
  }
}
