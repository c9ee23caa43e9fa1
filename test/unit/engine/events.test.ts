import { describe, expect, it } from 'vitest';
import type { ReviewEventName } from '@/core/event.js';
import { eventHub } from '@/engine/events.js';
import {
  definePipeline,
  type HumanAnswer,
  type Logger,
  memoryStore,
  type PipelineOptions,
  type ReviewEvents,
  type RunOptions,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import { fakeClock, fakeWorkspace, settle } from '@/testing/index.js';
import { throwing } from '../../support/throwing.js';
import {
  exclaiming,
  failed,
  passed,
  pipelineOf,
  reviewer,
  suspended,
  undecided,
} from './support.js';

/** A hub, and what it logged. */
function hub() {
  const logged: unknown[] = [];
  const error = (fields: object): void => void logged.push(fields);
  return { ...eventHub({ ...silentLogger, error }), logged };
}

const start = { runId: 'r', iteration: 1 };

describe('the listeners of an event', () => {
  it('are called in order, that of the run last, with the same frozen data', () => {
    const { on, emit, logged } = hub();
    const heard: [string, unknown][] = [];
    on('run-start', (event) => void heard.push(['one', event]));
    on('run-start', (event) => void heard.push(['two', event]));
    on('run-end', () => void heard.push(['another', undefined]));
    let made = 0;
    const payload = () => {
      made += 1;
      return { ...start };
    };
    emit('run-start', payload, (event) => void heard.push(['own', event]));
    expect(heard.map(([name]) => name)).toEqual(['one', 'two', 'own']);
    for (const [, event] of heard) expect(event).toBe(heard[0]?.[1]);
    expect(heard[0]?.[1]).toEqual(start);
    expect(Object.isFrozen(heard[0]?.[1])).toBe(true);
    expect(made).toBe(1);
    expect(logged).toEqual([]);
  });

  it('get data that is only made for them', () => {
    const { on, emit } = hub();
    const payload = throwing('made in vain');
    emit('run-start', payload);
    const stop = on('run-start', () => {});
    expect(() => emit('run-start', payload)).toThrow('made in vain');
    stop();
    emit('run-start', payload);
    expect(() => emit('run-start', payload, () => {})).toThrow('made in vain');
  });

  it('are removed one by one', () => {
    const { on, emit } = hub();
    const heard: string[] = [];
    const stop = on('run-start', () => void heard.push('one'));
    on('run-start', () => void heard.push('two'));
    stop();
    stop();
    emit('run-start', () => start);
    expect(heard).toEqual(['two']);
  });

  it('that throw or reject are logged by event, and the others are called', async () => {
    const { on, emit, logged } = hub();
    const heard: string[] = [];
    on('run-start', throwing('thrown'));
    on('run-start', (() => Promise.reject(new Error('rejected'))) as () => void);
    on('run-start', () => void heard.push('fine'));
    emit('run-start', () => start, throwing('own'));
    await settle();
    expect(heard).toEqual(['fine']);
    expect(logged).toEqual([
      { event: 'run-start', error: 'thrown' },
      { event: 'run-start', error: 'own' },
      { event: 'run-start', error: 'rejected' },
    ]);
  });

  it('are functions, for events that exist', () => {
    const { on } = hub();
    const invalid = expect.objectContaining({ code: 'invalid_options' });
    expect(() => on('run-begin' as 'run-start', () => {})).toThrow(invalid);
    expect(() => on('toString' as 'run-start', () => {})).toThrow(invalid);
    for (const wrong of [undefined, null, {}, 'log'])
      expect(() => on('run-start', wrong as never)).toThrow(invalid);
  });
});

type RunListeners = NonNullable<RunOptions['on']>;

const names = [
  'run-start',
  'version-produce',
  'review-start',
  'reviewer-start',
  'reviewer-end',
  'review-end',
  'fix-apply',
  'address-start',
  'human-request',
  'budget-warn',
  'run-end',
] as const satisfies readonly ReviewEventName[];

/** Listeners for every event, and what they heard: the review, the event, and whether it is old. */
function heard(): { readonly on: RunListeners; readonly lines: string[] } {
  const lines: string[] = [];
  const on = Object.fromEntries(
    names.map((name) => [
      name,
      ({ iteration, replayed }: { iteration: number; replayed?: true }) =>
        lines.push(`${iteration} ${name}${replayed ? ' (replayed)' : ''}`),
    ]),
  );
  return { on, lines };
}

const asking = { ...exclaiming, human: { policy: 'require' as const } };

describe('listeners of one run', () => {
  it('hear that run and no other, and the pipeline keeps none of them [R2-070]', async () => {
    const pipeline = definePipeline<string, string>(exclaiming);
    const runs: string[] = [];
    await Promise.all([
      pipeline.run('task', { runId: 'a', on: { 'run-end': ({ runId }) => runs.push(runId) } }),
      pipeline.run('task', { runId: 'b' }),
    ]);
    await pipeline.run('task', { runId: 'c' });
    expect(runs).toEqual(['a']);
  });

  it('hear what the listeners of the pipeline hear, after them [R2-070]', async () => {
    const pipeline = definePipeline<string, string>(exclaiming);
    const order: string[] = [];
    pipeline.on('run-end', () => order.push('pipeline'));
    await pipeline.run('task', { on: { 'run-end': () => order.push('run') } });
    expect(order).toEqual(['pipeline', 'run']);
  });

  it('that throw or reject change nothing, and are logged', async () => {
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (data: unknown) => errors.push(data) };
    const outcome = await pipelineOf({ ...exclaiming, logger }).run('task', {
      on: {
        'review-start': throwing('broken'),
        'run-end': (): unknown => Promise.reject(new Error('rejected')),
      },
    });
    expect(outcome.status).toBe('approved');
    await expect
      .poll(() => errors)
      .toEqual([
        { event: 'review-start', error: 'broken' },
        { event: 'review-start', error: 'broken' },
        { event: 'run-end', error: 'rejected' },
      ]);
  });
});

describe('an event of a continued run', () => {
  async function answered(answer: HumanAnswer): Promise<readonly string[]> {
    const pipeline = definePipeline<string, string>(asking);
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const { on, lines } = heard();
    await pipeline.answer(requests[0]!, answer, { on });
    return lines;
  }

  const first = [
    '1 run-start (replayed)',
    '1 version-produce (replayed)',
    '1 review-start (replayed)',
    '1 reviewer-start (replayed)',
    '1 reviewer-end (replayed)',
    '1 review-end (replayed)',
    '1 address-start (replayed)',
    '2 version-produce (replayed)',
    '2 review-start (replayed)',
    '2 reviewer-start (replayed)',
    '2 reviewer-end (replayed)',
    '2 review-end (replayed)',
  ];

  it('is marked as replayed up to the question that was answered [R2-070]', async () => {
    expect(await answered({ kind: 'approve', by: 'ann' })).toEqual([...first, '2 run-end']);
  });

  it('is new after the answer: the revision that it asks for [R2-070]', async () => {
    expect(await answered({ kind: 'revise', by: 'ann', note: 'shorter' })).toEqual([
      ...first,
      '2 address-start',
      '3 version-produce',
      '3 review-start',
      '3 reviewer-start',
      '3 reviewer-end',
      '3 review-end',
      '3 human-request',
      '3 run-end',
    ]);
  });

  it('is marked throughout where the run had ended, and never in its first call [R2-070]', async () => {
    const store = memoryStore();
    const pipeline = pipelineOf({ ...exclaiming, store });
    const live = heard();
    await pipeline.run('task', { runId: 'r', on: live.on });
    const again = heard();
    await pipeline.run('task', { runId: 'r', on: again.on });
    expect(live.lines).toEqual([...first, '2 run-end'].map((line) => line.split(' (')[0]));
    expect(again.lines).toEqual([...first, '2 run-end (replayed)']);
  });

  it('is new where a person decided what was undecided [R2-070]', async () => {
    const pipeline = pipelineOf({
      judge: async () => [undecided('a')],
      human: { policy: 'require' },
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const { on, lines } = heard();
    const answer: HumanAnswer = { kind: 'decide', by: 'ann', decisions: { a: 'yes' } };
    await pipeline.answer(requests[0]!, answer, { on });
    expect(lines.filter((line) => line.includes('review-end') || line.includes('run-end'))).toEqual(
      ['1 review-end', '1 run-end'],
    );
  });
});

type Options = Partial<PipelineOptions<string, string>>;

async function told(names: readonly (keyof ReviewEvents)[], more: Options, runId = 'r') {
  const payloads = new Map<string, object>();
  const on = Object.fromEntries(
    names.map((name) => [name, (payload: object) => void payloads.set(name, payload)]),
  );
  const pipeline = pipelineOf({ criteria: { fine: () => true }, ...more });
  const outcome = await pipeline.run('task', { runId, on });
  return { heard: Object.fromEntries(payloads), outcome };
}

describe('the events of work', () => {
  it('say what it used and how long it took', async () => {
    const clock = fakeClock(1000);
    const { heard } = await told(['run-start', 'produce-end', 'address-end', 'run-end'], {
      produce: async (_, context) => {
        context.reportUsage({ totalTokens: 7 });
        clock.advance(20);
        return 'x';
      },
      address: async (_output, _gaps, context) => {
        context.reportUsage({ totalTokens: 5 });
        clock.advance(300);
        return 'y';
      },
      criteria: { fine: (text) => text === 'y' || 'no' },
      clock,
    });
    expect(heard).toStrictEqual({
      'run-start': { runId: 'r', iteration: 1 },
      'produce-end': { runId: 'r', iteration: 1, usage: { totalTokens: 7 }, durationMs: 20 },
      'address-end': { runId: 'r', iteration: 1, usage: { totalTokens: 5 }, durationMs: 300 },
      'run-end': expect.objectContaining({ status: 'approved', durationMs: 320 }),
    });
  });

  it.each<[string, Options, string]>([
    [
      'with an error of its own',
      { produce: () => Promise.reject(new Error('no')) },
      'produce_failed',
    ],
    ['by giving nothing', { produce: async () => null as never }, 'step_invalid'],
  ])('say that it failed %s', async (_, more, error) => {
    const { heard } = await told(['produce-end'], more);
    expect(heard['produce-end']).toMatchObject({ error, usage: {} });
  });

  it('do not say that work failed which waits for a person', async () => {
    const { heard, outcome } = await told(['produce-end'], {
      produce: async (_, context) =>
        (await context.ask('go', { question: 'go?', allowed: ['approve'] })).by,
    });
    expect(outcome.status).toBe('suspended');
    expect(heard['produce-end']).not.toHaveProperty('error');
  });
});

it('the end of a continued run is news if it differs from the one before, also in its code alone', async () => {
  const store = memoryStore();
  const end = async (code: string) => {
    const { heard } = await told(['run-end'], {
      store,
      produce: async () => 'x',
      policy: () => ({ kind: 'stop', status: 'stalled', code, reason: 'enough' }),
    });
    return (heard['run-end'] as { readonly replayed?: true }).replayed;
  };
  expect([await end('one'), await end('one'), await end('two'), await end('two')]).toEqual([
    undefined,
    true,
    undefined,
    true,
  ]);
});

it('an output without content is reviewed where a workspace may have the content', async () => {
  const asked: string[] = [];
  const { outcome } = await told([], {
    produce: async () => '',
    criteria: {},
    reviewers: [
      reviewer('reads files', async () => {
        asked.push('asked');
        return [passed('reads files')];
      }),
    ],
    workspace: fakeWorkspace({ 'a.txt': 'content' }),
  });
  expect(outcome).toMatchObject({ status: 'approved', output: '' });
  expect(asked).toEqual(['asked']);
});

it('a pipeline without a store of decisions has nothing to complain about', async () => {
  const lines: object[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields) => void lines.push(fields) };
  const { outcome } = await told([], {
    logger,
    criteria: {},
    reviewers: [reviewer('tone', async () => [undecided('tone')])],
  });
  expect(outcome.code).toBe('undecided');
  expect(lines).toEqual([]);
});

it('the log of a run tells of each review', async () => {
  const told: unknown[] = [];
  await pipelineOf({
    name: 'essay',
    criteria: { a: () => 'no' },
    logger: { ...silentLogger, info: (data: unknown, text: string) => told.push([text, data]) },
    budget: { reviews: 1 },
  }).run('task', { runId: 'r' });
  expect(told).toEqual([
    [
      'review finished',
      { run: 'r', pipeline: 'essay', iteration: 1, overall: 0.6, gaps: 1, decision: 'revise' },
    ],
  ]);
});

it('the event for the end of a review has the review, its place, and whether its version is now the best', async () => {
  const told: unknown[] = [];
  const next = ['worse', 'good'];
  const outcome = await pipelineOf({
    address: async () => next.shift() ?? '',
    reviewers: [
      reviewer<string>('a', async ({ output }) => [
        output === 'good' ? passed('a') : failed('a', `wrong: ${output}`),
      ]),
      reviewer<string>('b', async ({ output }) => [output === 'worse' ? failed('b') : passed('b')]),
    ],
  }).run('task', {
    on: { 'review-end': ({ iteration, review, best }) => told.push([iteration, review, best]) },
  });
  expect(outcome.reviews).toHaveLength(3);
  expect(told).toEqual(outcome.reviews.map((review, i) => [i + 1, review, i !== 1]));
});
