import { describe, expect, it } from 'vitest';
import {
  definePipeline,
  memoryStore,
  type Outcome,
  type PipelineOptions,
  type VerdictStore,
} from '../../../src/index.js';
import type { StoredVerdict } from '../../../src/ports/index.js';
import { passed, reviewer, suspended } from './support.js';

const open = (mandatory = true) =>
  reviewer<string>('tone', async () => [
    {
      verdict: 'undecided',
      criterion: 'tone',
      reason: 'it needs eyes',
      question: 'Is it kind?',
      decidableBy: ['person'],
      mandatory,
    },
  ]);

/** A store of decisions whose content the test sees. */
function kept() {
  const held = new Map<string, StoredVerdict>();
  const decisions: VerdictStore = {
    get: async (key) => held.get(key),
    put: async (key, verdict) => void held.set(key, verdict),
  };
  return { held, decisions };
}

const pipeline = (more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async () => 'draft',
    reviewers: [open(), reviewer('a', async () => [passed('a')])],
    store: memoryStore(),
    ...more,
  });

const idOf = ({ runId, version }: Outcome<string>) => ({ runId, digest: version ?? '' });

describe('a decision that is kept for later runs', () => {
  it('is taken once by a run, which keeps it although the store lost or changed it', async () => {
    const { held, decisions } = kept();
    const first = pipeline({ decisions });
    const ended = await first.run('task', { runId: 'r' });
    await first.decide(idOf(ended), { by: 'Ada', decisions: { tone: 'yes' } });
    expect(held.size).toBe(1);
    const later = pipeline({ decisions, human: { policy: 'require' } });
    const waiting = suspended(await later.run('task', { runId: 'later' }));
    expect(waiting.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'pass', decidedBy: 'Ada' });
    for (const [key, verdict] of held)
      held.set(key, {
        ...verdict,
        assessments: [{ ...passed('tone'), decidedBy: 'Bob' } as never],
      });
    const still = suspended(await later.run('task', { runId: 'later' }));
    expect(still.reviews[0]?.assessments[0]).toMatchObject({ decidedBy: 'Ada' });
    held.clear();
    expect(await later.answer(waiting.requests[0], { kind: 'approve', by: 'Ann' })).toMatchObject({
      status: 'approved',
      reviews: [{ assessments: [{ verdict: 'pass', decidedBy: 'Ada' }, { verdict: 'pass' }] }],
    });
  });

  it('is recorded once in a run that takes it', async () => {
    const { decisions } = kept();
    const store = memoryStore();
    const first = pipeline({ decisions });
    await first.decide(idOf(await first.run('task', { runId: 'r' })), {
      by: 'Ada',
      decisions: { tone: 'yes' },
    });
    const later = pipeline({ decisions, store, human: { policy: 'require' } });
    for (let times = 0; times < 3; times += 1) await later.run('task', { runId: 'later' });
    const steps = (await store.read('later'))?.filter(
      (record) => record.type === 'step' && record.name === 'iter:1/decision:tone',
    );
    expect(steps).toHaveLength(1);
  });

  it('does not hold for another reviewer, task, output or criterion', async () => {
    const { held, decisions } = kept();
    const decide = async (more: Partial<PipelineOptions<string, string>>, task = 'task') => {
      const made = pipeline({ decisions, ...more });
      const ended = await made.run(task, { runId: 'r' });
      expect(ended.code).toBe('undecided');
      const [assessment] = ended.reviews[0]?.assessments ?? [];
      await made.decide(idOf(ended), {
        by: 'Ada',
        decisions: { [assessment?.criterion ?? '']: 'yes' },
      });
    };
    await decide({});
    await decide({}, 'another task');
    await decide({ produce: async () => 'another draft' });
    await decide({ reviewers: [{ ...open(), id: 'manner' }] });
    expect(held.size).toBe(4);
  });
});

describe('a decision of no', () => {
  const decided = async (mandatory: boolean) => {
    const made = pipeline({
      reviewers: [open(mandatory), reviewer('a', async () => [passed('a')])],
    });
    const ended = await made.run('task', { runId: 'r' });
    return made.decide(idOf(ended), { by: 'Ada', decisions: { tone: 'no' }, reason: 'too harsh' });
  };

  it('blocks an approval where the criterion does', async () => {
    const outcome = await decided(true);
    expect(outcome.approved).toBe(false);
    expect(outcome.reviews[0]?.gaps).toMatchObject([
      { severity: 'major', category: 'quality', criterionId: 'tone', raisedBy: 'tone' },
    ]);
  });

  it('is a remark about an optional one', async () => {
    const outcome = await decided(false);
    expect(outcome.reviews[0]?.gaps).toMatchObject([{ severity: 'minor' }]);
  });
});
