import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { DecisionAnswer, HumanAnswer, HumanRequest } from '../core/human.js';
import { deepFrozen } from '../core/json.js';
import type { Review } from '../core/review.js';
import { forgetsSteps } from '../ports/memory-store.js';
import type { Journal, JournalRecord, RunRecord } from '../ports/store.js';
import type { CallGate } from './call-gate.js';
import type { PastUsage } from './recorded-usage.js';

type StepRecord = Extract<JournalRecord, { type: 'step' }>;

/** The name of the step that saves the workspace before a run. */
export const startName = 'workspace/start';

export class RunJournal {
  readonly #journal: Journal;
  readonly #steps = new Map<string, StepRecord>();
  /** Steps of this process that are not indexed yet; only a retry looks them up. */
  readonly #fresh: StepRecord[] = [];
  readonly #attempts = new Map<string, number>();
  readonly #trees = new Set<string>();
  past: PastUsage | undefined;
  gate: CallGate | undefined;
  restarts = 0;
  /** The workspace tree before the run, also if the run began anew since. */
  startTree: string | undefined;
  readonly resumed: boolean;
  readonly answers = new Map<string, HumanAnswer>();
  readonly decisions: Decided[] = [];
  readonly requests = new Map<string, HumanRequest>();
  /** Answers that came after the last recorded end: no call has acted on them yet. */
  readonly unheard = new Set<HumanAnswer>();
  /** The questions that nobody answered in time. They stay expired, whatever a clock says later. */
  readonly expired = new Set<string>();
  /** How many questions were recorded before the last end. */
  before = 0;
  header: RunRecord | undefined;
  ended: Extract<JournalRecord, { type: 'end' }> | undefined;
  onFailure: (error: ReviewLoopError) => void = () => {};

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const record of journal.records) this.#index(record);
    this.resumed = journal.records.length > 0;
    journal.onLost?.((cause: unknown) => this.onFailure(unwritten(cause)));
  }

  /** The records from before it was opened. */
  get records(): readonly JournalRecord[] {
    return this.#journal.records;
  }

  /** Whether nobody can read the steps after the run has ended. */
  get forgetsSteps(): boolean {
    return !this.resumed && forgetsSteps(this.#journal);
  }

  step(name: string, input: string): StepRecord | undefined {
    const record = this.#indexed().get(name);
    return record?.input === input ? record : undefined;
  }

  hasTree(tree: string): boolean {
    return this.#trees.has(tree);
  }

  began(prefix: string): boolean {
    return [...this.#indexed().keys()].some((name) => name.startsWith(prefix));
  }

  #indexed(): ReadonlyMap<string, StepRecord> {
    for (const step of this.#fresh.splice(0)) this.#steps.set(step.name, step);
    return this.#steps;
  }

  attempts(name: string): number {
    return this.#attempts.get(name) ?? 0;
  }

  /** Appends a record; synchronous if the store is. */
  append(record: JournalRecord): Promise<void> | void {
    try {
      const written = this.#journal.append(deepFrozen(record));
      if (written === undefined) return this.#index(record);
      return written.then(
        () => this.#index(record),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  review(review: Review): Promise<void> | void {
    if (this.#journal.review === undefined) return;
    return this.#tell(review);
  }

  async #tell(review: Review): Promise<void> {
    try {
      await this.#journal.review?.(review);
    } catch (error) {
      this.#fail(error);
    }
  }

  close(): Promise<void> | void {
    return this.#journal.close();
  }

  #fail(cause: unknown): never {
    const error = unwritten(cause);
    this.onFailure(error);
    throw error;
  }

  /** Begins anew: nothing that was recorded counts for the rest of the run. */
  #forget(): void {
    this.restarts += 1;
    this.before = 0;
    this.#fresh.length = 0;
    for (const kept of [this.#steps, this.answers, this.requests, this.unheard, this.expired])
      kept.clear();
    this.decisions.length = 0;
  }

  #index(record: JournalRecord): void {
    switch (record.type) {
      case 'run':
        this.header = record;
        return;
      case 'step':
        if (record.name === 'restart') {
          this.#forget();
          return;
        }
        this.#fresh.push(record);
        if (record.workspace !== undefined) this.#trees.add(record.workspace);
        if (record.name === startName) this.startTree ??= record.workspace;
        return;
      case 'attempt':
        this.#attempts.set(record.name, this.attempts(record.name) + 1);
        return;
      case 'request':
        this.requests.set(record.request.id, record.request);
        return;
      case 'answer':
        this.answers.set(record.id, record.answer);
        this.unheard.add(record.answer);
        if (record.answer.kind === 'decide')
          this.decisions.push({ ...record, answer: record.answer });
        return;
      case 'end':
        this.ended = record;
        for (const id of expiredIn(record, this)) this.expired.add(id);
        this.before = this.requests.size;
        this.unheard.clear();
        return;
    }
  }
}

function unwritten(cause: unknown): ReviewLoopError {
  return cause instanceof ReviewLoopError
    ? cause
    : new ReviewLoopError(
        'journal_write_failed',
        `the journal could not be written: ${messageOf(cause)}`,
        { cause },
      );
}

/** Returns the open questions that an end expires: all, because it ends the wait for each. */
export function expiredIn(
  ended: Extract<JournalRecord, { type: 'end' }> | undefined,
  {
    requests,
    answers,
  }: {
    readonly requests: ReadonlyMap<string, unknown>;
    readonly answers: ReadonlyMap<string, unknown>;
  },
): string[] {
  return ended?.code === 'request_expired'
    ? [...requests.keys()].filter((id) => !answers.has(id))
    : [];
}

/** An override whose version the run has not reached yet. */
export interface PendingOverride {
  readonly digest: string;
  readonly record: () => Promise<void>;
  /** The error, if the override does not count. */
  refused?: unknown;
}

interface Decided {
  readonly digest: string;
  readonly answer: DecisionAnswer;
  /** What was asked, by criterion: another question is not decided. */
  readonly questions?: Readonly<Record<string, string>> | undefined;
}

/** Decisions about a version that the run has not reached yet. */
export interface PendingDecisions extends Omit<PendingOverride, 'record'> {
  readonly record: (questions: NonNullable<Decided['questions']>) => Promise<void>;
  readonly answer: DecisionAnswer;
  taken: boolean;
}
