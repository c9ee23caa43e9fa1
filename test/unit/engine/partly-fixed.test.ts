import { describe, expect, it } from 'vitest';
import {
  criterion,
  definePipeline,
  type Gap,
  memoryStore,
  type Policy,
} from '../../../src/index.js';
import { suspended } from './support.js';

/** A check that wants a word, and adds it itself if it may. */
const wants = (word: string, fixes: boolean) =>
  criterion<string, string>(word, (output) => output.includes(word) || `no ${word}`, {
    ...(fixes && { fix: async (output: string) => `${output} ${word}` }),
  });

describe('a version that fixers mend in part', () => {
  it('is addressed before anybody reviews it again', async () => {
    const addressed: string[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'tea',
      address: async (output, gaps) => {
        addressed.push(`${output} <- ${gaps.map(({ criterionId }) => criterionId).join()}`);
        return `${output} sugar`;
      },
      reviewers: [wants('milk', true), wants('sugar', false)],
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'tea milk sugar' });
    expect(addressed).toEqual(['tea milk <- sugar']);
    expect(outcome.reviews).toHaveLength(2);
  });

  it('is no wish of a person, though a check has that name', async () => {
    const told: unknown[] = [];
    const pipeline = definePipeline<string, string>({
      produce: async () => 'tea',
      address: async (output, gaps, { note }) => {
        told.push([output, note, ...gaps.map(({ description }) => description)]);
        return `${output}, hot`;
      },
      reviewers: [
        criterion<string, string>('person', () => true, { fix: async (output) => `${output}!` }),
      ],
      human: { policy: 'require' },
      store: memoryStore(),
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'hotter' });
    expect(told).toEqual([['tea', 'hotter', 'hotter']]);
  });

  it('may be mended where a policy found the gap in the name of a check', async () => {
    const policy: Policy = ({ review }) =>
      review.iteration > 1
        ? { kind: 'approve', reason: 'enough' }
        : { kind: 'revise', reason: 'on', from: 'best', blocking: [dull] };
    const outcome = await definePipeline<string, string>({
      produce: async () => 'tea',
      reviewers: [wants('tea', true), { ...wants('e', true), fix: async (text) => `${text}!` }],
      policy,
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'tea!' });
  });
});

/** A gap that no check found. */
const dull: Gap = {
  id: 'dull',
  severity: 'major',
  category: 'quality',
  description: 'it is dull',
  suggestedFix: 'shout',
  estimatedEffort: 'small',
  autoFixable: true,
  raisedBy: 'e',
};
