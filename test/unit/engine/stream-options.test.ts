import { describe, expect, it } from 'vitest';
import type { Span, SpanEnd } from '../../../src/core/span.js';
import { definePipeline, type PipelineOptions } from '../../../src/index.js';

const options: PipelineOptions<string, string> = {
  produce: async () => 'x',
  criteria: { fine: () => true },
};

describe('a stream with options', () => {
  it('whose signal is aborted beforehand is cancelled, and produces nothing', async () => {
    let produced = 0;
    const pipeline = definePipeline<string, string>({
      ...options,
      produce: async () => {
        produced += 1;
        return 'x';
      },
    });
    const reason = new Error('too late');
    const stream = pipeline.stream('task', { signal: AbortSignal.abort(reason) });
    expect(await stream.outcome).toMatchObject({
      status: 'cancelled',
      error: { cause: reason },
    });
    expect(produced).toBe(0);
  });

  it('calls the hook of the caller round each piece of work', async () => {
    const seen: string[] = [];
    const around = async (span: Span, next: () => Promise<SpanEnd>): Promise<void> => {
      seen.push(`${span.name} begins`);
      await next();
      seen.push(`${span.name} ends`);
    };
    const stream = definePipeline<string, string>(options).stream('task', { around });
    expect((await stream.outcome).status).toBe('approved');
    expect(seen).toEqual([
      'pipeline begins',
      'produce begins',
      'produce ends',
      'review 1 begins',
      'fine begins',
      'fine ends',
      'review 1 ends',
      'pipeline ends',
    ]);
  });

  it.each([
    ['a hook that is no function', { around: 'log' }],
    ['a signal that is none', { signal: { aborted: true } }],
    ['a signal that is null', { signal: null }],
    ['a release that is none', { release: 'now' }],
    ['an option that it does not know', { runid: 'r' }],
    ['a listener that is none', { on: { 'run-end': 'log' } }],
    ['listeners that are no object', { on: [] }],
  ])('refuses %s, as `run` does', async (_, wrong) => {
    const pipeline = definePipeline<string, string>(options);
    const refused = { code: 'invalid_options' };
    await expect(pipeline.run('task', wrong as never)).rejects.toMatchObject(refused);
    await expect(pipeline.stream('task', wrong as never).outcome).rejects.toMatchObject(refused);
  });

  it('takes options that are undefined as if they were left out', async () => {
    const none = { signal: undefined, release: undefined, around: undefined };
    const on = { 'run-end': undefined };
    const outcome = await definePipeline<string, string>(options).run('task', { ...none, on });
    expect(outcome.status).toBe('approved');
  });
});

describe('one review without a run', () => {
  const pipeline = (seen: string[]) =>
    definePipeline<string, string>({
      criteria: { fine: () => true },
      around: async (span, next) => {
        seen.push(span.name);
        const end = await next();
        if (end.kind === 'review') seen.push(`${end.review?.decision.kind}`);
      },
    });

  it('is a span of the hook, with what was decided', async () => {
    const seen: string[] = [];
    await pipeline(seen).review('task', 'x');
    expect(seen).toEqual(['review 1', 'fine', 'approve']);
  });

  it('that is cancelled rejects with the reason', async () => {
    const reason = new Error('too late');
    const seen: string[] = [];
    await expect(
      pipeline(seen).review('task', 'x', { signal: AbortSignal.abort(reason) }),
    ).rejects.toMatchObject({ code: 'cancelled', cause: reason });
    expect(seen).toEqual([]);
  });
});
