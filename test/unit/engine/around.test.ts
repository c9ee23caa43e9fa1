import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Around, Span, SpanEnd } from '../../../src/core/span.js';
import {
  definePipeline,
  limiter,
  llmCriterion,
  memoryStore,
  type PipelineOptions,
} from '../../../src/index.js';
import { scriptedJudge } from '../../../src/testing/scripted-judge.js';
import { deferred, failed, never, passed, reviewer, suspended } from './support.js';

/** A tracer that nests its lines by the async context alone. */
function tracer(): { readonly around: Around; readonly lines: string[]; readonly ends: SpanEnd[] } {
  const lines: string[] = [];
  const ends: SpanEnd[] = [];
  const place = new AsyncLocalStorage<string>();
  const around: Around = (span, next) => {
    const path = `${place.getStore() ?? ''}/${span.name}`;
    lines.push(`${path}${span.replayed ? ' (replayed)' : ''}`);
    return place.run(path, async () => {
      const end = await next();
      ends.push(end);
      lines.push(`${path} ended`);
    });
  };
  return { around, lines, ends };
}

const judged = ({ output }: { readonly output: string }) =>
  output.endsWith('!') ? [passed('a')] : [failed('a')];

const options: PipelineOptions<string, string> = {
  produce: async () => 'x',
  address: async (output) => `${output}!`,
  reviewers: [reviewer<string>('a', async (view) => judged(view))],
};

describe('the hook around', () => {
  it('is called round each piece of work, in the async context of what contains it', async () => {
    const { around, lines } = tracer();
    await definePipeline<string, string>({ ...options, around }).run('task');
    expect(lines.filter((line) => !line.endsWith('ended'))).toEqual([
      '/pipeline',
      '/pipeline/produce',
      '/pipeline/review 1',
      '/pipeline/review 1/a',
      '/pipeline/address',
      '/pipeline/review 2',
      '/pipeline/review 2/a',
    ]);
    expect(lines.at(-1)).toBe('/pipeline ended');
    expect(lines.filter((line) => line.endsWith('ended'))).toHaveLength(7);
  });

  it('of the run is called inside that of the pipeline', async () => {
    const order: string[] = [];
    const named =
      (name: string): Around =>
      async (span, next) => {
        if (span.kind === 'produce') order.push(`${name} begins`);
        await next();
        if (span.kind === 'produce') order.push(`${name} ends`);
      };
    await definePipeline<string, string>({ ...options, around: named('pipeline') }).run('task', {
      around: named('run'),
    });
    expect(order).toEqual(['pipeline begins', 'run begins', 'run ends', 'pipeline ends']);
  });
});

describe('the hook around and model calls', () => {
  it('contains them, with the question and the usage', async () => {
    const { around, lines, ends } = tracer();
    const spans: Span[] = [];
    await definePipeline<string, string>({
      produce: async (_, context) =>
        context.step('write', { input: 0, schema: z.string() }, async (step) => {
          const call = async () => ({ text: 'x', usage: { inputTokens: 3 }, model: 'm-2' });
          const { text } = await (step.traceModel?.({ provider: 'mine', model: 'm' }, call) ??
            call());
          return text;
        }),
      reviewers: [
        llmCriterion({
          id: 'clear',
          question: 'Is it clear?',
          provider: scriptedJudge({ clear: 'yes' }),
        }),
      ],
      around: (span, next) => {
        spans.push(span);
        return around(span, next);
      },
    }).run('task');
    expect(lines.filter((line) => !line.endsWith('ended'))).toEqual([
      '/pipeline',
      '/pipeline/produce',
      '/pipeline/produce/m',
      '/pipeline/review 1',
      '/pipeline/review 1/clear',
      '/pipeline/review 1/clear/scripted-judge',
    ]);
    expect(ends.filter(({ kind }) => kind === 'model')).toMatchObject([
      { text: 'x', usage: { inputTokens: 3 }, model: 'm-2' },
      { model: 'scripted-judge', finish: 'stop' },
    ]);
    const parents = spans.map(({ name, parent }) => `${parent?.name ?? ''}/${name}`);
    expect(parents).toEqual([
      '/pipeline',
      'pipeline/produce',
      'produce/m',
      'pipeline/review 1',
      'review 1/clear',
      'clear/scripted-judge',
    ]);
  });
});

describe('the async context of a run', () => {
  it('reaches calls that waited for a slot which another run freed', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: string[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async (task) => {
        await Promise.resolve();
        seen.push(`${task}: produce of ${request.getStore()}`);
        return 'x!';
      },
      reviewers: [
        reviewer<string>('a', async (_, context) => {
          await context.step('look', { input: 0, schema: z.number() }, async () => {
            seen.push(`step of ${request.getStore()}`);
            return 1;
          });
          return [passed('a')];
        }),
      ],
      limiter: limiter({ concurrency: 1 }),
    });
    await Promise.all(
      ['one', 'two', 'three'].map((name) => request.run(name, () => pipeline.run(name))),
    );
    expect(seen.sort()).toEqual([
      'one: produce of one',
      'step of one',
      'step of three',
      'step of two',
      'three: produce of three',
      'two: produce of two',
    ]);
  });
});
