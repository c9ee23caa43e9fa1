import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import type { HumanAnswer, HumanRequest } from '../kernel/human.js';
import { copyJson, digestOf, hashText } from '../kernel/json.js';
import type { Review } from '../kernel/review.js';
import type { ReviewerContext } from '../kernel/reviewer.js';
import type { Step, StepAttempt, StepOptions } from '../kernel/step.js';
import { addUsage, UsageSchema, type Usage } from '../kernel/usage.js';
import type { Phase } from './budget.js';
import { isThenable, type LeafWork } from './leaf.js';
import type { Run } from './run.js';

/** What a scope is for. */
export interface ScopeOptions {
  /** Unique in the run: `produce`, `iter:2/address`, `iter:2/review:has-title`. */
  readonly name: string;
  readonly phase: Phase;
  /** The digest of what it works on; part of the key of checks and questions. */
  readonly digest: string;
  readonly timeoutMs: number | undefined;
  readonly previous?: readonly Review[] | undefined;
  /** Called when it begins to wait for a person, and when it no longer does. */
  readonly onWait?: (() => void) | undefined;
}

/**
 * What one function of a user works in: the context that `produce`, `address` and reviewers receive. Its steps are
 * recorded under its name and replayed; its usage is counted once.
 */
export class Scope implements ReviewerContext {
  readonly #run: Run;
  readonly #options: ScopeOptions;
  readonly #names = new Set<string>();
  #working = 0;
  #insideWork = false;
  #asking = 0;
  /** Reported by calls that are out, */
  #usage: Usage | undefined;
  /** and by those that are done. */
  #settled: Usage = {};
  #releaseWhole: (() => void) | undefined;

  constructor(run: Run, options: ScopeOptions) {
    this.#run = run;
    this.#options = options;
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

  get budget(): ReviewerContext['budget'] {
    return { reserve: (estimate) => this.#run.ledger.reserve(this.#options.phase, estimate) };
  }

  /** Whether nothing but the answer of a person can bring it on. */
  get waiting(): boolean {
    return this.#asking > 0 && this.#working === 0;
  }

  readonly reportUsage = (usage: Usage): void => {
    const known = UsageSchema.parse(usage);
    if (this.#working > 0) this.#usage = addUsage(this.#usage ?? {}, known);
    else this.#run.account(this.#options.phase, known);
  };

  readonly step: Step = async (name, options, work) => {
    const fullName = this.#claim(name);
    this.#releaseWhole?.();
    return this.#recorded(fullName, digestOf(copyJson(options.input, { freeze: false })), options, (signal) => {
      const attempt: StepAttempt = {
        key: hashText(`${this.#run.id}\u0000${fullName}\u0000${digestOf(options.input)}`),
        attempt: (this.#run.journal?.attempts(fullName) ?? 0) + 1,
        get signal() {
          return signal();
        },
      };
      return work(attempt);
    });
  };

  readonly check = <Value>(schema: z.ZodType<Value>, work: LeafWork<Value>, name = 'check'): Promise<Value> =>
    this.#recorded(this.#claim(name), this.#options.digest, { schema, input: undefined }, work);

  readonly ask = (name: string, request: Pick<HumanRequest, 'question' | 'allowed' | 'gaps'>): Promise<HumanAnswer> => {
    const fullName = this.#claim(`ask:${name}`);
    const run = this.#run;
    if (run.journal === undefined) return Promise.reject(new ReviewLoopError('ask_needs_run', `${this.#options.name} asked a person`));
    const id = requestId(run.id, fullName, this.#options.digest);
    const answer = run.answerTo(id);
    if (answer !== undefined) return Promise.resolve(answer);
    run.pending.set(id, { ...request, id, runId: run.id, digest: this.#options.digest });
    this.#asking += 1;
    this.#options.onWait?.();
    return new Promise<never>(() => {});
  };

  /**
   * Records the whole work of the scope under its own name. It holds a slot until it makes its first step: a slot is for
   * leaf calls only.
   */
  whole<Value>(input: string, schema: z.ZodType<Value>, work: LeafWork<Value>): Promise<Value> {
    return this.#recorded(this.#options.name, input, { schema, input: undefined }, (signal, release) => {
      this.#releaseWhole = release;
      this.#insideWork = false;
      const result = work(signal, release);
      return isThenable(result) ? result : Promise.resolve(result);
    });
  }

  /** Replays what is recorded under name and input, or makes the call and records its success. */
  async #recorded<Value>(name: string, input: string, options: StepOptions<Value>, work: LeafWork<Value>): Promise<Value> {
    const run = this.#run;
    const replayed = this.#replay(name, input, options.schema);
    if (replayed !== undefined) return replayed.value;
    let paid = false;
    this.#working += 1;
    try {
      const value = await run.leaf({ label: name, timeoutMs: options.timeoutMs ?? this.#options.timeoutMs }, (signal, release) => {
        this.#insideWork = true;
        try {
          const result = work(signal, release);
          paid = isThenable(result);
          return result;
        } finally {
          this.#insideWork = false;
        }
      });
      const checked = parse(name, options.schema, value);
      if (paid) await this.#record(name, input, checked);
      return checked;
    } catch (error) {
      if (paid && error !== run.ended) await this.#recordFailure(name, input, error);
      throw error;
    } finally {
      this.#working -= 1;
      if (this.#working === 0) this.#settleUsage();
      if (this.#asking > 0) this.#options.onWait?.();
    }
  }

  #replay<Value>(name: string, input: string, schema: z.ZodType<Value>): { readonly value: Value } | undefined {
    const record = this.#run.journal?.step(name, input);
    if (record === undefined) return undefined;
    const parsed = z.safeParse(schema, record.value);
    if (!parsed.success) {
      this.#run.ports.logger.warn({ run: this.#run.id, step: name }, 'a recorded value no longer fits its schema; the step is done again');
      return undefined;
    }
    if (record.usage !== undefined) this.#count(record.usage);
    return { value: parsed.data };
  }

  async #record(name: string, input: string, value: unknown): Promise<void> {
    const run = this.#run;
    if (run.journal === undefined) return;
    const own = this.#usage;
    this.#settleUsage();
    const usage = name === this.#options.name && Object.keys(this.#settled).length > 0 ? this.#settled : own;
    try {
      await run.journal.append({ type: 'step', name, input, value: copyJson(value ?? null, { freeze: true }), ...(usage !== undefined && { usage }), at: run.ports.clock.now() });
    } catch (error) {
      if (error instanceof ReviewLoopError && error.code === 'journal_write_failed') run.end(error);
      throw error;
    }
  }

  async #recordFailure(name: string, input: string, error: unknown): Promise<void> {
    const run = this.#run;
    const code = error instanceof ReviewLoopError ? error.code : 'error';
    if (code === 'journal_write_failed') return;
    try {
      await run.journal?.append({ type: 'attempt', name, input, code, message: messageOf(error).slice(0, 2000), at: run.ports.clock.now() });
    } catch (writing) {
      if (writing instanceof ReviewLoopError) run.end(writing);
    }
  }

  #settleUsage(): void {
    if (this.#usage === undefined) return;
    this.#count(this.#usage);
    this.#usage = undefined;
  }

  #count(usage: Usage): void {
    this.#settled = addUsage(this.#settled, usage);
    this.#run.account(this.#options.phase, usage);
  }

  #claim(name: string): string {
    if (this.#insideWork) throw new ReviewLoopError('step_nested', `\`${name}\` was called from inside another step of ${this.#options.name}`);
    const fullName = `${this.#options.name}/${name}`;
    if (this.#names.has(fullName)) throw new ReviewLoopError('step_reused', `${this.#options.name} used the name \`${name}\` twice`);
    this.#names.add(fullName);
    return fullName;
  }
}

/** The id of a question: the same for the same run, place and version, in every process. */
export function requestId(runId: string, name: string, digest: string): string {
  return hashText(`${runId}\u0000${name}\u0000${digest}`).slice(0, 16);
}

function parse<Value>(name: string, schema: z.ZodType<Value>, value: Value): Value {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new ReviewLoopError('step_invalid', `the value of ${name} was refused: ${z.prettifyError(parsed.error)}`, { cause: parsed.error, value, retryable: true });
}
