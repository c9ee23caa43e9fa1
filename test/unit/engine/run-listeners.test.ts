import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type HumanAnswer,
  memoryStore,
  type PipelineOptions,
  type ReviewEventName,
  type RunOptions,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

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

const judged = ({ output }: { readonly output: string }) =>
  output.endsWith('!') ? [passed('a')] : [failed('a')];

const options: PipelineOptions<string, string> = {
  produce: async () => 'x',
  address: async (output) => `${output}!`,
  reviewers: [reviewer<string>('a', async (view) => judged(view))],
};
const asking = { ...options, human: { policy: 'require' as const } };

describe('listeners of one run', () => {
  it('hear that run and no other, and the pipeline keeps none of them [R2-070]', async () => {
    const pipeline = definePipeline<string, string>(options);
    const runs: string[] = [];
    await Promise.all([
      pipeline.run('task', { runId: 'a', on: { 'run-end': ({ runId }) => runs.push(runId) } }),
      pipeline.run('task', { runId: 'b' }),
    ]);
    await pipeline.run('task', { runId: 'c' });
    expect(runs).toEqual(['a']);
  });

  it('hear what the listeners of the pipeline hear, after them [R2-070]', async () => {
    const pipeline = definePipeline<string, string>(options);
    const order: string[] = [];
    pipeline.on('run-end', () => order.push('pipeline'));
    await pipeline.run('task', { on: { 'run-end': () => order.push('run') } });
    expect(order).toEqual(['pipeline', 'run']);
  });

  it('that throw or reject change nothing, and are logged', async () => {
    const errors: unknown[] = [];
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (data: unknown) => errors.push(data),
    };
    const outcome = await definePipeline<string, string>({
      ...options,
      logger,
    }).run('task', {
      on: {
        'review-start': () => {
          throw new Error('broken');
        },
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

  it.each([
    ['an unknown event', { 'run-ends': () => {} }, /event.*run-end/],
    ['no function', { 'run-end': 'log' }, /listener.*function/],
    ['a list', [() => {}], /on takes a plain object/],
  ])('are refused where they are %s', async (_, on, message) => {
    const given = { on } as unknown as { on: RunListeners };
    await expect(definePipeline(options).run('task', given)).rejects.toThrow(message);
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
    const pipeline = definePipeline<string, string>({ ...options, store });
    const live = heard();
    await pipeline.run('task', { runId: 'r', on: live.on });
    const again = heard();
    await pipeline.run('task', { runId: 'r', on: again.on });
    expect(live.lines).toEqual([...first, '2 run-end'].map((line) => line.split(' (')[0]));
    expect(again.lines).toEqual([...first, '2 run-end (replayed)']);
  });

  it('is new where a person decided what was undecided [R2-070]', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        reviewer<string>('a', async () => [
          { verdict: 'undecided', criterion: 'a', reason: 'cannot tell', decidableBy: ['person'] },
        ]),
      ],
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
