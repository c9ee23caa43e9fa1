import { describe, expect, it } from 'vitest';
import { recordAnswer } from '@/adapters/engines/index.js';
import { type HumanAnswer, memoryStore, type Store } from '@/index.js';
import type { AuditEntry } from '@/ports/audit-chain.js';
import type { JournalRecord } from '@/ports/store.js';
import { expectCode } from '../support/matchers.js';
import {
  failed,
  openCheck,
  passing,
  pipelineOf,
  reviewer,
  suspended,
  undecided,
} from '../unit/engine/support.js';

type Decisions = Extract<HumanAnswer, { kind: 'decide' }>['decisions'];

const yes: Decisions = { tone: 'yes', colour: 'yes' };

/** A pipeline with two must-haves and one wish that no judge can decide. */
function letters(more: Parameters<typeof pipelineOf>[0] = {}) {
  const entries: AuditEntry[] = [];
  const store: Store = memoryStore();
  const wish = undecided('wish', { mandatory: false, question: 'Is it short?' });
  const pipeline = pipelineOf({
    reviewers: [
      passing('spelling'),
      openCheck('tone'),
      openCheck('colour'),
      reviewer('wishes', async () => [wish]),
    ],
    human: { policy: 'require' },
    address: async (text) => `${text}!`,
    audit: { record: async (entry) => ({ seq: entries.push(entry), hash: '0'.repeat(64) }) },
    store,
    ...more,
  });
  return { pipeline, entries, store };
}

/** What takes one answer to the question about both must-haves. */
type Taker = (decisions: Decisions) => Promise<{ readonly approved: boolean }>;

const engine: Taker = async (decisions) => {
  const { pipeline } = letters();
  const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
  return pipeline.answer(request, { kind: 'decide', by: 'Ann', decisions, approve: true });
};

/** Approves because the answer says so. */
const saboteur: Taker = async () => ({ approved: true });

async function openIsNotApproved(take: Taker): Promise<void> {
  for (const decisions of [{ tone: 'yes' }, { wish: 'yes' }, { ...yes, colour: 'no' }] as const) {
    const { approved } = await take(decisions).catch(() => ({ approved: false }));
    expect(approved, 'approved an open must-have').toBe(false);
  }
}

describe('a decision with approve does not approve an open must-have [R3-078]', () => {
  it('holds for the engine', () => openIsNotApproved(engine));
  it('is broken by what believes the answer', async () => {
    await expect(openIsNotApproved(saboteur)).rejects.toThrow('approved an open must-have');
  });
});

describe('one decision about the last must-have is the approval [R3-078]', () => {
  const answer = { kind: 'decide', by: 'Ann', decisions: yes, approve: true } as const;
  const approvedByAnn = { status: 'approved', code: 'person_approved', decidedBy: 'Ann' };

  it('ends the run without a second question, and is recorded', async () => {
    const { pipeline, entries, store } = letters();
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    expect(request).toMatchObject({ approves: true });
    expect(request.undecided?.map(({ criterion, mandatory }) => [criterion, mandatory])).toEqual([
      ['tone', undefined],
      ['colour', undefined],
      ['wish', false],
    ]);
    expect(await pipeline.answer(request, answer)).toMatchObject(approvedByAnn);
    expect(entries).toMatchObject([
      { decision: 'decide and approve', who: 'Ann', details: yes, verdict: 'not approved' },
    ]);
    expect(await pipeline.resume('r')).toMatchObject(approvedByAnn);
    const records = (await store.read('r')) ?? [];
    expect(records.filter(({ type }) => type === 'request')).toHaveLength(1);
    expect(records.find(({ type }) => type === 'answer')).toMatchObject({ answer });
  });

  it('without approve, the question comes', async () => {
    const { pipeline } = letters();
    const [request] = suspended(await pipeline.run('task')).requests;
    const outcome = await pipeline.answer(request, { kind: 'decide', by: 'Ann', decisions: yes });
    expect(suspended(outcome).requests[0].question).toMatch(/^The reviewers approve/);
  });

  it('counts by every route: decide, and an answer that is only recorded', async () => {
    const first = letters();
    const [{ digest }] = suspended(await first.pipeline.run('task', { runId: 'r' })).requests;
    const { kind: _, ...given } = answer;
    expect(await first.pipeline.decide({ runId: 'r', digest }, given)).toMatchObject(approvedByAnn);
    const second = letters();
    const [request] = suspended(await second.pipeline.run('task', { runId: 'r' })).requests;
    await recordAnswer(second.store, request, answer);
    expect(await second.pipeline.resume('r')).toMatchObject(approvedByAnn);
  });

  const refusals: readonly [string, Partial<typeof answer> | object, string, object?][] = [
    ['an open must-have', { decisions: { tone: 'yes' } }, 'approval_open'],
    ['a gap', { decisions: { ...yes, colour: 'no' } }, 'approval_open'],
    ['a gap of a wish', { decisions: { ...yes, wish: 'no' } }, 'approval_open'],
    ['another version', { digest: 'f'.repeat(64) }, 'request_stale'],
    ['a word in place of true', { approve: 'yes' }, 'answer_invalid'],
    ['false', { approve: false }, 'answer_invalid'],
    [
      'a question that lets nobody approve',
      {},
      'answer_not_allowed',
      { policy: 'auto', notify: async () => {} },
    ],
  ];
  it.each(refusals)('refuses %s', async (_what, given, code, human) => {
    const { pipeline, entries } = letters(human && { human: human as { policy: 'auto' } });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const { digest = request.digest, ...more } = given as { digest?: string };
    const reference = { ...request, digest };
    const wrong = { ...answer, ...more } as HumanAnswer;
    await expect(pipeline.answer(reference, wrong)).rejects.toMatchObject({ code });
    expect(entries).toEqual([]);
  });

  it('refuses the same of `decide`, which names no question', async () => {
    const { pipeline, entries } = letters();
    const [{ digest }] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const given = { by: 'Ann', decisions: { tone: 'yes' }, approve: true } as const;
    const decide = (of: string) => pipeline.decide({ runId: 'r', digest: of }, given);
    await expect(decide(digest)).rejects.toMatchObject({ code: 'approval_open' });
    await expect(decide('f'.repeat(64))).rejects.toMatchObject({ code: 'decision_stale' });
    expect(entries).toEqual([]);
  });

  it('a record that was written past the checks approves nothing', async () => {
    for (const decisions of [{ tone: 'yes' }, { ...yes, colour: 'no' }] as const) {
      const { pipeline, store } = letters();
      const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
      const journal = await store.open('r', true);
      const { id, digest } = request;
      const forged: JournalRecord = {
        ...{ type: 'answer', id, digest, at: 1 },
        answer: { ...answer, decisions },
      };
      await journal.append(forged);
      await journal.close();
      const outcome = await pipeline.resume('r');
      expect(outcome.approved).toBe(false);
    }
  });

  it('asks again if a gap is open that the person did not see', async () => {
    const nit = failed('nit', 'a nit', { severity: 'minor' });
    const open = [openCheck('tone'), openCheck('colour')];
    const first = letters({ reviewers: [...open, passing('nit')] });
    const [request] = suspended(await first.pipeline.run('task', { runId: 'r' })).requests;
    const reviewers = [...open, reviewer('nit', async () => [nit], { version: '2' })];
    const second = letters({ reviewers, store: first.store });
    const outcome = suspended(await second.pipeline.answer(request, answer));
    expect(outcome.requests[0].question).toMatch(/^The reviewers approve/);
  });
});

describe('what is missing describes the gap', () => {
  it('in the words of the person, for `address`', async () => {
    const told: string[] = [];
    const { pipeline, entries } = letters({
      address: async (text, gaps) => {
        told.push(...gaps.map(({ description }) => description));
        return `${text}!`;
      },
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const missing = { colour: 'The blue is too dark' };
    const decisions = { tone: 'yes', colour: 'no' } as const;
    await pipeline.answer(request, { kind: 'decide', by: 'Ann', decisions, missing });
    expect(told).toEqual(['The blue is too dark']);
    expect(entries[0]?.details).toEqual({ tone: 'yes', colour: 'no: The blue is too dark' });
  });

  it.each([{ tone: 'x' }, { other: 'x' }, { colour: ' ' }, { colour: 7 }])(
    'and is refused where nothing is missing: %j',
    async (missing) => {
      const { pipeline } = letters();
      const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
      const decisions = { tone: 'yes', colour: 'no' } as const;
      const wrong = { kind: 'decide', by: 'Ann', decisions, missing } as unknown as HumanAnswer;
      await expectCode(pipeline.answer(request, wrong), 'answer_invalid');
    },
  );
});
