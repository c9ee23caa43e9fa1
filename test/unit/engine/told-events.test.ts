import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  type Logger,
  memoryStore,
  type PipelineOptions,
  type ReviewEvents,
} from '../../../src/index.js';
import { fakeClock, fakeWorkspace } from '../../../src/testing/index.js';
import { passed, reviewer } from './support.js';

type Options = Partial<PipelineOptions<string, string>>;

/** Runs a pipeline, and returns the payloads of some events by their names. */
async function told(names: readonly (keyof ReviewEvents)[], more: Options, runId = 'r') {
  const payloads = new Map<string, object>();
  const on = Object.fromEntries(
    names.map((name) => [name, (payload: object) => void payloads.set(name, payload)]),
  );
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    criteria: { fine: () => true },
    store: memoryStore(),
    ...more,
  });
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

describe('the end of a continued run', () => {
  it('is news if it differs from the one before, also in its code alone', async () => {
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
});

describe('an output without content', () => {
  it('is reviewed where a workspace may have the content', async () => {
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
});

describe('a pipeline without a store of decisions', () => {
  it('has nothing to complain about', async () => {
    const lines: object[] = [];
    const quiet = (): void => {};
    const logger: Logger = {
      ...{ debug: quiet, info: quiet, error: quiet },
      warn: (fields) => void lines.push(fields),
    };
    const { outcome } = await told([], {
      logger,
      criteria: {},
      reviewers: [
        reviewer('tone', async () => [
          { verdict: 'undecided', criterion: 'tone', reason: 'who knows', decidableBy: ['person'] },
        ]),
      ],
    });
    expect(outcome.code).toBe('undecided');
    expect(lines).toEqual([]);
  });
});

describe('a reference to a run', () => {
  const pipeline = definePipeline<string, string>({
    produce: async () => 'x',
    criteria: { fine: () => true },
  });
  const good = { runId: 'r', id: 'a', digest: 'b' };

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'r'],
    ['no run', { ...good, runId: undefined }],
    ['an id that no run can have', { ...good, runId: 'a b' }],
    ['no digest', { ...good, digest: undefined }],
    ['a digest that is none', { ...good, digest: 7 }],
  ])('that has %s is refused as such', async (_, wrong) => {
    const refused = (name: string) => ({
      code: 'invalid_options',
      message: expect.stringContaining(`\`${name}\``),
    });
    const approve = { kind: 'approve', by: 'Ann' } as const;
    await expect(async () => pipeline.answer(wrong as never, approve)).rejects.toMatchObject(
      refused('request'),
    );
    const given = { by: 'Ann', reason: 'prototype' };
    await expect(async () => pipeline.override(wrong as never, given)).rejects.toMatchObject(
      refused('version'),
    );
    const decisions = { by: 'Ann', decisions: { a: 'yes' } } as const;
    await expect(async () => pipeline.decide(wrong as never, decisions)).rejects.toMatchObject(
      refused('version'),
    );
  });
});
