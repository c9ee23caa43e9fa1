import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  definePipeline,
  type Gap,
  memoryStore,
  type PipelineOptions,
  type Policy,
} from '../../../src/index.js';
import { failed, passed, reviewer, suspended } from './support.js';

type Gaps = readonly [string, Partial<Gap>?][];

/** What a judge says: a gap for each description. */
const judged = (gaps: Gaps): Assessment[] =>
  gaps.length === 0
    ? [passed('fine')]
    : gaps.map(([what, more]) => failed(`is ${what}`, what, more));

/** A judge of drafts. It asks a person about one of them, and then says what a table says. */
const judge = (asksAbout: string, says: Record<string, Gaps>) =>
  reviewer<string>('judge', async ({ output }, context) => {
    if (output === asksAbout)
      await context.ask('ok', { question: 'ok?', allowed: ['approve'], gaps: [] });
    return judged(says[output] ?? []);
  });

/** Revises because of the first gap, or of the gap of a name, until there is none. */
const revising =
  (from: 'best' | 'latest' | 'anew', what?: string): Policy =>
  ({ review, best }) => {
    const { gaps } = from === 'best' ? best : review;
    const first = gaps.find(({ description }) => description === what) ?? gaps[0];
    return review.gaps.length === 0 || first === undefined
      ? { kind: 'approve', reason: 'no gap' }
      : { kind: 'revise', reason: 'on', from, blocking: [first] };
  };

/** Runs a pipeline whose first draft waits for a person, and notes what `address` gets. */
async function answered(more: Partial<PipelineOptions<string, string>>) {
  const addressed: string[] = [];
  let produced = 0;
  const pipeline = definePipeline<string, string>({
    produce: async () => {
      produced += 1;
      return `draft ${produced}`;
    },
    address: async (output, gaps) => {
      addressed.push(`${output}: ${gaps.map(({ description }) => description).join()}`);
      return output === 'draft 1' ? 'second' : 'third';
    },
    ranking: () => false,
    store: memoryStore(),
    ...more,
  });
  const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
  const outcome = await pipeline.answer(request, { kind: 'approve', by: 'Ann' });
  return { addressed, outcome };
}

/** The first draft ranks above the second one. */
const firstIsBest: PipelineOptions<string, string>['ranking'] = (one, other) =>
  one.gaps.length < other.gaps.length;

describe('a revision after a person answered about the best version', () => {
  it('begins with the latest one, and with all that `address` can do about it', async () => {
    const disputed = { standing: 'disputed' } as const;
    const { addressed, outcome } = await answered({
      reviewers: [
        judge('draft 1', {
          'draft 1': [['short']],
          second: [['loud'], ['rude'], ['old', { autoFixable: false }], ['odd', disputed]],
        }),
      ],
      policy: revising('best'),
      ranking: firstIsBest,
    });
    expect(addressed).toEqual(['draft 1: short', 'second: loud,rude']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'third' });
  });

  it('keeps its reason where nothing about the latest one can be fixed', async () => {
    const { addressed, outcome } = await answered({
      reviewers: [
        judge('draft 1', {
          'draft 1': [['short']],
          second: [
            ['old', { autoFixable: false }],
            ['odd', { autoFixable: false }],
          ],
        }),
      ],
      policy: revising('best'),
      ranking: firstIsBest,
    });
    expect(addressed).toEqual(['draft 1: short', 'second: short']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'third' });
  });

  it('begins with the best one if nobody was asked about that', async () => {
    const { addressed } = await answered({
      reviewers: [judge('second', { 'draft 1': [['short']], second: [['loud'], ['rude']] })],
      policy: revising('best'),
      ranking: firstIsBest,
    });
    expect(addressed).toEqual(['draft 1: short', 'draft 1: short']);
  });

  it('is because of what the policy names while the best one is the latest', async () => {
    const { addressed } = await answered({
      reviewers: [judge('draft 1', { 'draft 1': [['short', { severity: 'critical' }], ['loud']] })],
      policy: revising('best', 'loud'),
    });
    expect(addressed).toEqual(['draft 1: loud,short']);
  });

  it('is because of what the policy names if it names the latest one', async () => {
    const { addressed } = await answered({
      reviewers: [
        judge('draft 1', {
          'draft 1': [['short']],
          second: [['old', { severity: 'critical' }], ['loud']],
        }),
      ],
      policy: revising('latest', 'loud'),
      ranking: firstIsBest,
    });
    expect(addressed).toEqual(['draft 1: short', 'second: loud,old']);
  });

  it('produces anew if the policy says so', async () => {
    const { addressed, outcome } = await answered({
      reviewers: [judge('draft 1', { 'draft 1': [['short']], 'draft 2': [['loud'], ['rude']] })],
      policy: revising('anew'),
      ranking: firstIsBest,
    });
    expect(addressed).toEqual([]);
    expect(outcome).toMatchObject({ status: 'approved', output: 'draft 3' });
  });
});
