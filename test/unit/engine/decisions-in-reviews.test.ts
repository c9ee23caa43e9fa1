import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  memoryStore,
  type Outcome,
  type PipelineOptions,
  type ReviewEvents,
} from '../../../src/index.js';
import type { JournalRecord } from '../../../src/ports/store.js';
import { passed, reviewer } from './support.js';

const open = reviewer<string>('tone', async () => [
  {
    verdict: 'undecided',
    criterion: 'tone',
    reason: 'it needs eyes',
    question: 'Is it kind?',
    decidableBy: ['person'],
  },
]);

const pipeline = (more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async () => 'draft',
    reviewers: [open, reviewer('a', async () => [passed('a')])],
    store: memoryStore(),
    ...more,
  });

const idOf = ({ runId, version }: Outcome<string>) => ({ runId, digest: version ?? '' });

describe('the decision of a person in a review', () => {
  it('is not there without a run, and nobody else decides', async () => {
    const review = await pipeline().review('task', 'draft');
    expect(review.assessments).toMatchObject([{ verdict: 'undecided' }, { verdict: 'pass' }]);
    expect(review.decision).toMatchObject({ kind: 'stop', code: 'undecided' });
  });

  it('is news once', async () => {
    const made = pipeline();
    const ended = await made.run('task', { runId: 'r' });
    const heard: unknown[] = [];
    const on = {
      'review-end': ({ replayed }: Parameters<ReviewEvents['review-end']>[0]) =>
        void heard.push(replayed),
    };
    await made.decide(idOf(ended), { by: 'Ada', decisions: { tone: 'yes' } }, { on });
    expect((await made.run('task', { runId: 'r', on })).status).toBe('approved');
    expect(heard).toEqual([undefined, true]);
  });

  it('counts although its record is so old that it does not tell what was asked', async () => {
    const store = memoryStore();
    const first = pipeline({ store });
    const ended = await first.run('task', { runId: 'r' });
    await first.decide(idOf(ended), { by: 'Ada', decisions: { tone: 'yes' } });
    const old = memoryStore();
    const journal = await old.open('r', true);
    for (const record of (await store.read('r')) ?? [])
      await journal.append(withoutQuestions(record));
    await journal.close();
    const outcome = await pipeline({ store: old }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'approved' });
    expect(outcome.review?.assessments[0]).toMatchObject({ verdict: 'pass', decidedBy: 'Ada' });
  });

  it('that says no asks for a change of a middling size', async () => {
    const made = pipeline();
    const ended = await made.run('task', { runId: 'r' });
    const outcome = await made.decide(idOf(ended), { by: 'Ada', decisions: { tone: 'no' } });
    expect(outcome.review?.gaps).toMatchObject([
      { lifecycle: 'new', estimatedEffort: 'medium', autoFixable: true },
    ]);
    expect(outcome.review?.gaps[0]?.suggestedFix).toContain('Is it kind?');
  });
});

function withoutQuestions(record: JournalRecord): JournalRecord {
  if (record.type !== 'answer') return record;
  const { questions: _questions, ...rest } = record;
  return rest;
}
