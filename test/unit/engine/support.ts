import { expect } from 'vitest';
import type { StopStatus } from '@/core/decision.js';
import {
  type AskRequest,
  type Assessment,
  type AuditSink,
  criterion,
  definePipeline,
  type HumanRequest,
  type Logger,
  memoryStore,
  type Outcome,
  type Pipeline,
  type PipelineOptions,
  type Policy,
  type ProduceContext,
  type Reviewer,
  type ReviewerContext,
  ReviewLoopError,
  type Store,
} from '@/index.js';
import type { AuditEntry } from '@/ports/audit-chain.js';
import { silentLogger } from '@/ports/logger.js';
import type { Journal } from '@/ports/store.js';

/** A passing assessment. */
export function passed(criterion: string): Assessment {
  return { verdict: 'pass', criterion, score: 1, explanation: '', gaps: [] };
}

/** A failing assessment with one gap. */
export function failed(
  criterion: string,
  description = 'wrong',
  more: Partial<Extract<Assessment, { verdict: 'fail' }>['gaps'][number]> = {},
): Assessment {
  const gap = {
    id: '',
    severity: 'major',
    category: 'quality',
    description,
    suggestedFix: 'mend it',
    estimatedEffort: 'small',
    autoFixable: true,
    ...more,
  } as const;
  return { verdict: 'fail', criterion, score: 0, explanation: description, gaps: [gap] };
}

/** A reviewer from a function. */
export function reviewer<Output, Task = unknown>(
  id: string,
  review: Reviewer<Task, Output>['review'],
  more: Partial<Reviewer<Task, Output>> = {},
): Reviewer<Task, Output> {
  return { id, version: '1', tier: 'code', review, ...more };
}

/** A reviewer that passes every version. */
export function passing(
  id: string,
  more: Partial<Reviewer<unknown, string>> = {},
): Reviewer<unknown, string> {
  return reviewer<string>(id, async () => [passed(id)], more);
}

/** A reviewer that does this before it passes the version. */
export function working(
  id: string,
  work: (context: ReviewerContext) => unknown,
  more: Partial<Reviewer<unknown, string>> = {},
): Reviewer<unknown, string> {
  const review: Reviewer<unknown, string>['review'] = async (_, context) => {
    await work(context);
    return [passed(id)];
  };
  return reviewer(id, review, more);
}

/** A reviewer that fails every version. */
export function failing(
  id: string,
  more: Partial<Reviewer<unknown, string>> = {},
): Reviewer<unknown, string> {
  return reviewer<string>(id, async () => [failed(id)], more);
}

/** Options of a pipeline, or what its only reviewer does. */
export type Loop = Partial<PipelineOptions<string, string>> & {
  /** How the reviewer `judge` reviews. */
  readonly judge?: Reviewer<unknown, string>['review'];
  /** What the reviewer `judge` does before it passes the version. */
  readonly work?: (context: ReviewerContext) => unknown;
};

/** A pipeline that makes an `x`, with which nothing is wrong unless a test says so. */
export function pipelineOf({ judge, work, ...more }: Loop = {}): Pipeline<string, string> {
  const only = judge ? reviewer('judge', judge) : work && working('judge', work);
  return definePipeline<string, string>({
    produce: async () => 'x',
    ...(only && { reviewers: [only] }),
    ...(!only && !more.reviewers && !more.criteria && { criteria: { fine: () => true } }),
    ...more,
  });
}

/** A criterion that nobody could judge. */
export function undecided(
  criterion: string,
  more: Partial<Extract<Assessment, { verdict: 'undecided' }>> = {},
): Assessment {
  return {
    verdict: 'undecided',
    criterion,
    reason: 'it needs eyes',
    decidableBy: ['person'],
    ...more,
  };
}

/** A check that cannot tell, with the question that it leaves to a person. */
export function openCheck(id: string, description = `Is ${id} met?`): Reviewer<unknown, string> {
  const open = { passed: false, score: 0, details: '', undecided: `${id} needs eyes` };
  return criterion<string>(id, () => open, { version: '1', description });
}

/** A logger that keeps what it is told of some levels, as the level and the fields. */
export function logged(...levels: readonly (keyof Logger)[]) {
  const lines: object[] = [];
  const note = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const heard = Object.fromEntries(levels.map((level) => [level, note(level)]));
  return { lines, logger: { ...silentLogger, ...heard } satisfies Logger };
}

/** A memory store, of which a test replaces parts of each journal. */
export function storeWith(change: (journal: Journal) => Partial<Journal>): Store {
  const inner = memoryStore();
  return {
    ...inner,
    open: async (runId, keep) => {
      const journal = await inner.open(runId, keep);
      return { ...journal, ...change(journal) };
    },
  };
}

/** Criteria that each want a letter in the output. */
export const lettersOf = (letters: string) =>
  Object.fromEntries(
    [...letters].map((letter) => [letter, (output: string) => output.includes(letter)]),
  );

/** Revises because of the first gap, or of the gap of a name, until there is none. */
export const revising =
  (from: 'best' | 'latest' | 'anew', what?: string): Policy =>
  ({ review, best }) => {
    const { gaps } = from === 'best' ? best : review;
    const first = gaps.find(({ description }) => description === what) ?? gaps[0];
    return review.gaps.length === 0 || first === undefined
      ? { kind: 'approve', reason: 'no gap' }
      : { kind: 'revise', reason: 'on', from, blocking: [first] };
  };

/** Revises the latest version as long as there is a gap. */
export const untilNoGap = revising('latest');

/** Options of a pipeline whose second version is approved. */
export const exclaiming: PipelineOptions<string, string> = {
  produce: async () => 'x',
  address: async (output) => `${output}!`,
  reviewers: [
    reviewer<string>('a', async ({ output }) => [output.endsWith('!') ? passed('a') : failed('a')]),
  ],
};

/** A pipeline that adds an x to its output as long as there is a gap. */
export const growing = (
  start: string,
  reviewers: readonly Reviewer<unknown, string>[],
  more: Loop = {},
): Pipeline<string, string> =>
  pipelineOf({
    ...{ produce: async () => start, address: async (output) => `${output}x` },
    ...{ reviewers, policy: untilNoGap, retries: 0 },
    ...more,
  });

/** Options of a pipeline that keeps what its runs record. */
export const keeping = (more: Partial<PipelineOptions<string, string>> = {}) => ({
  produce: async () => 'x',
  criteria: { a: () => true },
  store: memoryStore(),
  ...more,
});

export const asksAbout: Policy = () => ({
  kind: 'ask',
  reason: 'risky',
  question: 'let it through?',
  allowed: ['approve', 'override', 'reject', 'revise', 'skip'],
});

/** A pipeline that asks a person about a version which fails. */
export const askingAbout = (more: Loop = {}): Pipeline<string, string> =>
  pipelineOf({
    produce: async () => 'v1',
    criteria: { a: (text) => text.includes('fixed') || 'no' },
    policy: asksAbout,
    ...more,
  });

/** A pipeline whose policy stops with this status. */
export const stopped = (status: StopStatus): Pipeline<string, string> =>
  pipelineOf({
    produce: async () => 'draft',
    criteria: { a: () => 'no' },
    policy: () => ({ kind: 'stop', status, code: 'mine', reason: 'enough' }),
  });

/** The version of a run, as an override or a decision names it. */
export const placeOf = ({ runId, version = '' }: Outcome<string>) => ({ runId, digest: version });

/** An audit log that is a list. */
export const auditOf = (audited: AuditEntry[]): AuditSink => ({
  record: async (entry) => ({ seq: audited.push(entry), hash: 'f'.repeat(64) }),
});

/** The outcome of a run that must have been suspended. */
export function suspended<Output>(
  outcome: Outcome<Output>,
): Extract<Outcome<Output>, { status: 'suspended' }> {
  if (outcome.status !== 'suspended')
    throw new Error(`expected a suspended run, got ${outcome.status}: ${outcome.reason}`);
  return outcome;
}

/** Throws unless the promise rejects with an error of this code. */
export async function failsWith(promise: Promise<unknown>, code: string): Promise<void> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof ReviewLoopError) || error.code !== code)
    throw new Error(`expected an error with the code ${code}`, { cause: error });
}

/** A promise that the test settles. */
export function deferred<Value>(): {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Never settles. */
export function never<Value>(): Promise<Value> {
  return new Promise(() => {});
}

/** The question before something is published. */
export const publish: AskRequest = {
  question: 'Publish the price?',
  allowed: ['approve', 'reject', 'revise'],
  subject: { tool: 'publish', input: { price: 12 } },
};

/** A pipeline whose `produce` is given. */
export function asking(
  produce: (task: string, context: ProduceContext) => Promise<string>,
  more: Partial<Parameters<typeof definePipeline<string, string>>[0]> = {},
) {
  return pipelineOf({
    produce,
    criteria: { long: (text) => text.length > 2 || 'too short' },
    ...more,
  });
}

/** The only question of a run that waits. */
export function only(outcome: Outcome<string>): HumanRequest {
  const { requests } = suspended(outcome);
  expect(requests).toHaveLength(1);
  return requests[0];
}

/** Counts the listeners that a signal has, from now on. */
export function listenersOf(signal: AbortSignal): () => number {
  let count = 0;
  for (const name of ['addEventListener', 'removeEventListener'] as const) {
    const call = signal[name].bind(signal);
    signal[name] = (...given: unknown[]) => {
      count += name === 'addEventListener' ? 1 : -1;
      Reflect.apply(call, undefined, given);
    };
  }
  return () => count;
}

/** Lets everything run that can. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export const turns = async (count: number) => {
  for (let i = 0; i < count; i += 1) await turn();
};

export async function until(what: () => boolean): Promise<void> {
  // a busy machine loads slowly what is loaded on first use
  for (const end = Date.now() + 10_000; !what() && Date.now() < end; ) await turn();
  expect(what()).toBe(true);
}
