import { describe, expect, it } from 'vitest';
import { memoryStore, memoryVerdicts, type PipelineOptions, type Store } from '@/index.js';
import { type FakeClock, fakeClock, fakeWorkspace, settle } from '@/testing/index.js';
import { never, pipelineOf } from './support.js';

type Options = Partial<PipelineOptions<string, string>>;

const storeThat = (hangs: 'open' | 'append' | 'review' | 'close'): Store => {
  const inner = memoryStore();
  return {
    ...inner,
    open: async (runId, keep) => {
      if (hangs === 'open') return never();
      const journal = await inner.open(runId, keep);
      return {
        records: journal.records,
        append: async (record) =>
          hangs === 'append' && record.type === 'step' ? never() : journal.append(record),
        review: async () => (hangs === 'review' ? never() : undefined),
        close: async () => (hangs === 'close' ? never() : journal.close()),
      };
    },
  };
};

const workspaceThat = (hangs: 'snapshot' | 'restore' | 'claim' | 'release') => {
  const inner = fakeWorkspace();
  return {
    ...inner,
    [hangs]: () => never(),
    claim: async () => {
      if (hangs === 'claim') return never<{ release: () => Promise<void> }>();
      return { release: async () => (hangs === 'release' ? never<void>() : undefined) };
    },
  };
};

/** Every method of every port that a run waits for. */
const ports: Readonly<Record<string, () => Options>> = {
  'store.open': () => ({ store: storeThat('open') }),
  'journal.append': () => ({ store: storeThat('append') }),
  'journal.review': () => ({ store: storeThat('review') }),
  'journal.close': () => ({ store: storeThat('close') }),
  'workspace.claim': () => ({ workspace: workspaceThat('claim') }),
  'workspace.snapshot': () => ({ workspace: workspaceThat('snapshot') }),
  'workspace.restore': () => ({
    workspace: workspaceThat('restore'),
    criteria: { a: () => 'never' },
    address: async (text) => `${text}!`,
  }),
  'workspace.release': () => ({ workspace: workspaceThat('release') }),
  'verdicts.get': () => ({ verdicts: { ...memoryVerdicts(), get: () => never() } }),
  'verdicts.put': () => ({ verdicts: { ...memoryVerdicts(), put: () => never() } }),
  'learn.relevantTo': () => ({ learn: { relevantTo: () => never() } }),
  'learn.capture': () => ({ learn: { relevantTo: async () => '', capture: () => never() } }),
  'human.notify': () => ({ human: { policy: 'require', notify: () => never() } }),
  'limiter.enter': () => ({
    limiter: { concurrency: 1, age: () => 0, spend: () => {}, enter: () => {} },
  }),
  produce: () => ({ produce: () => never() }),
  address: () => ({ criteria: { a: () => 'no' }, address: () => never() }),
  criterion: () => ({ criteria: { a: () => never<boolean>() } }),
};

const runWith = (options: Options, clock: FakeClock, timeoutMs?: number) => {
  const pipeline = pipelineOf({
    criteria: { a: { check: () => true, version: '1', scope: (text) => text } },
    clock,
    ...(timeoutMs !== undefined && { budget: { timeoutMs } }),
    ...options,
  });
  return pipeline;
};

/** Advances the clock until the run has ended; modules that load take real time. */
async function ended<Value>(running: Promise<Value>, clock: FakeClock, ms: number): Promise<Value> {
  let done = false;
  const watched = running.finally(() => {
    done = true;
  });
  for (let turn = 0; turn < 40; turn += 1) await new Promise((next) => setImmediate(next));
  await clock.advanceAsync(ms);
  for (let turn = 0; turn < 20_000 && !done; turn += 1)
    await new Promise((next) => setImmediate(next));
  for (let more = 0; more < 3 && !done; more += 1) await clock.advanceAsync(2_000);
  for (let turn = 0; turn < 20_000 && !done; turn += 1)
    await new Promise((next) => setImmediate(next));
  expect(done, 'the run did not end').toBe(true);
  return watched;
}

describe.each(Object.entries(ports))('%s that never answers', (_, optionsOf) => {
  it('does not outlast `budget.timeoutMs` [R2-048]', async () => {
    const clock = fakeClock();
    const running = runWith(optionsOf(), clock, 1000).run('task', { runId: 'r' });
    const outcome = await ended(running, clock, 1000);
    expect(['timed_out', 'approved', 'suspended', 'failed']).toContain(outcome.status);
  });

  it('does not outlast the signal [R2-048]', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const running = runWith(optionsOf(), clock).run('task', {
      runId: 'r',
      signal: controller.signal,
    });
    for (let turn = 0; turn < 40; turn += 1) await new Promise((next) => setImmediate(next));
    controller.abort();
    const outcome = await ended(running, clock, 0);
    expect(['cancelled', 'approved', 'suspended', 'failed']).toContain(outcome.status);
  });
});

it('an audit log that never answers does not outlast `budget.timeoutMs`, and nothing is decided [R2-048]', async () => {
  const clock = fakeClock();
  const store = memoryStore();
  const options: Options = { store, human: { policy: 'require' } };
  const first = await runWith(options, clock).run('task', { runId: 'r' });
  if (first.status !== 'suspended') throw new Error(first.reason);
  const audited = runWith({ ...options, audit: { record: () => never() } }, clock, 1000);
  const answering = audited.answer(first.requests[0], { kind: 'approve', by: 'ann' });
  expect(await ended(answering, clock, 1000)).toMatchObject({ status: 'timed_out' });
  await settle();
  const records = await store.read('r');
  expect(records?.some(({ type }) => type === 'answer')).toBe(false);
});
