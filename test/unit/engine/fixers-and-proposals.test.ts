import { describe, expect, it } from 'vitest';
import {
  criterion,
  definePipeline,
  type Gap,
  memoryStore,
  type PipelineOptions,
  type Policy,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

/** A check that wants a word, and adds it itself if it may. */
const wants = (word: string, fixes = true) =>
  criterion<string, string>(word, (output) => output.includes(word) || `no ${word}`, {
    ...(fixes && { fix: async (output: string) => `${output} ${word}` }),
  });

function noting(more: Partial<PipelineOptions<string, string>>) {
  const addressed: string[] = [];
  const pipeline = definePipeline<string, string>({
    produce: async () => 'tea',
    address: async (output, gaps) => {
      addressed.push(`${output} <- ${gaps.map(({ criterionId }) => criterionId).join()}`);
      return `${output} ${gaps.map(({ criterionId }) => criterionId).join(' ')}`;
    },
    store: memoryStore(),
    ...more,
  });
  return { addressed, pipeline };
}

describe('fixers', () => {
  it('that mend all that blocks leave nothing to address', async () => {
    const { addressed, pipeline } = noting({ reviewers: [wants('milk'), wants('sugar')] });
    expect(await pipeline.run('task')).toMatchObject({
      status: 'approved',
      output: 'tea milk sugar',
    });
    expect(addressed).toEqual([]);
  });

  it('mend what they found, whatever the criterion is called', async () => {
    const linter = reviewer<string>(
      'linter',
      async ({ output }) => [output.endsWith('.') ? passed('full stop') : failed('full stop')],
      { fix: async (output) => `${output}.` },
    );
    const { addressed, pipeline } = noting({ reviewers: [linter] });
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'tea.' });
    expect(addressed).toEqual([]);
  });

  it('that mend a part leave the rest', async () => {
    const { addressed, pipeline } = noting({ reviewers: [wants('milk'), wants('sugar', false)] });
    expect(await pipeline.run('task')).toMatchObject({ output: 'tea milk sugar' });
    expect(addressed).toEqual(['tea milk <- sugar']);
  });

  it('that mend what blocks leave a remark alone', async () => {
    const policy: Policy = ({ review: { gaps } }) => {
      const blocking = gaps.filter(({ criterionId }) => criterionId === 'milk');
      return blocking.length === 0
        ? { kind: 'approve', reason: 'enough' }
        : { kind: 'revise', reason: 'on', from: 'best', blocking: blocking as [Gap] };
    };
    const { addressed, pipeline } = noting({
      reviewers: [wants('milk'), wants('sugar', false)],
      policy,
    });
    expect(await pipeline.run('task')).toMatchObject({ output: 'tea milk' });
    expect(addressed).toEqual([]);
  });

  it('that mend everything do not keep the wish of a person from `address`', async () => {
    const told: (string | undefined)[] = [];
    const { pipeline } = noting({
      reviewers: [wants('milk')],
      address: async (output, _gaps, context) => {
        told.push(context.note);
        return `${output} with honey`;
      },
      policy: ({ review }) =>
        review.iteration > 1
          ? { kind: 'approve', reason: 'fine' }
          : { kind: 'ask', reason: 'who knows', question: 'fine?', allowed: ['revise'] },
    });
    const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
    const wish = { kind: 'revise', by: 'Ann', note: 'add honey' } as const;
    expect(await pipeline.answer(waiting.requests[0], wish)).toMatchObject({
      status: 'approved',
      output: 'tea milk with honey',
    });
    expect(told).toEqual(['add honey']);
  });

  it('that mend in another way since make `address` work again', async () => {
    const store = memoryStore();
    const made = (word: string) =>
      noting({
        reviewers: [
          criterion<string, string>('milk', (output) => output.includes('milk') || 'no milk', {
            version: '1',
            fix: async (output) => `${output} ${word}`,
          }),
          wants('sugar', false),
        ],
        human: { policy: 'require' },
        store,
      });
    const first = made('milk');
    await first.pipeline.run('task', { runId: 'r' });
    await first.pipeline.run('task', { runId: 'r' });
    expect(first.addressed).toEqual(['tea milk <- sugar']);
    const second = made('oat milk');
    expect(await second.pipeline.run('task', { runId: 'r' })).toMatchObject({
      output: 'tea oat milk sugar',
    });
    expect(second.addressed).toEqual(['tea oat milk <- sugar']);
  });
});

describe('the proposal of a reviewer', () => {
  it('counts for the version that it was made of, and not for a better one before', async () => {
    const versions = ['worse'];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'first',
      address: async (output) => versions.shift() ?? `${output}, mended`,
      reviewers: [
        reviewer<string>('judge', async ({ output }) =>
          output === 'worse'
            ? { assessments: [failed('judge', 'much worse')], proposal: 'from worse' }
            : [output === 'first' ? failed('judge') : passed('judge')],
        ),
        criterion<string, string>('never worse', (output) => output !== 'worse' || 'worse'),
      ],
      policy: ({ review, best }) =>
        review.gaps.length === 0
          ? { kind: 'approve', reason: 'fine' }
          : { kind: 'revise', reason: 'on', from: 'best', blocking: [best.gaps[0] as Gap] },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'first, mended' });
    expect(outcome.reviews).toHaveLength(3);
  });
});

describe('a judge of the last stage', () => {
  it('sees neither earlier reviews nor the best version, which others see', async () => {
    const seen: Record<string, string[]> = { model: [], confirm: [] };
    const judge = (tier: 'model' | 'confirm') =>
      reviewer<string>(
        tier,
        async ({ output }, { previous, best }) => {
          seen[tier]?.push(`${output} after ${previous.length}, best ${String(best?.output)}`);
          return [output === 'two' ? passed(tier) : failed(tier)];
        },
        { tier },
      );
    await definePipeline<string, string>({
      produce: async () => 'one',
      address: async () => 'two',
      reviewers: [judge('model'), judge('confirm')],
      policy: ({ review }) =>
        review.iteration > 1
          ? { kind: 'approve', reason: 'fine' }
          : review.gaps.length === 0
            ? { kind: 'approve', reason: 'fine' }
            : { kind: 'revise', reason: 'on', from: 'latest', blocking: [review.gaps[0] as Gap] },
    }).run('task');
    expect(seen).toEqual({
      model: ['one after 0, best undefined', 'two after 1, best one'],
      confirm: ['two after 0, best undefined'],
    });
  });
});

describe('produce', () => {
  it.each([[null], [undefined]])('that gives %s has produced nothing', async (nothing) => {
    const outcome = await definePipeline<string, unknown>({
      produce: async () => nothing,
      criteria: { fine: () => true },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_invalid' });
  });
});
