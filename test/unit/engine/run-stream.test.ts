import { describe, expect, it } from 'vitest';
import { definePipeline, type PipelineOptions, type RunEvent } from '../../../src/index.js';
import { deferred, failed, passed, reviewer } from './support.js';

const judged = ({ output }: { readonly output: string }) =>
  output.endsWith('!') ? [passed('a')] : [failed('a')];

const options: PipelineOptions<string, string> = {
  produce: async () => 'x',
  address: async (output) => `${output}!`,
  reviewers: [reviewer<string>('a', async (view) => judged(view))],
};

describe('the stream of a run', () => {
  it('gives its events in order, then the outcome', async () => {
    const stream = definePipeline<string, string>(options).stream('task');
    const events: RunEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ type, iteration }) => `${iteration} ${type}`)).toEqual([
      '1 run-start',
      '1 produce-start',
      '1 produce-end',
      '1 version-produce',
      '1 review-start',
      '1 reviewer-start',
      '1 reviewer-end',
      '1 review-end',
      '1 address-start',
      '1 address-end',
      '2 version-produce',
      '2 review-start',
      '2 reviewer-start',
      '2 reviewer-end',
      '2 review-end',
      '2 run-end',
    ]);
    expect((await stream.outcome).status).toBe('approved');
  });
});
