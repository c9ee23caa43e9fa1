import { describe, expect, it } from 'vitest';
import {
  criterion,
  definePipeline,
  memoryStore,
  type PipelineOptions,
  type Store,
} from '../../../src/index.js';
import type { AuditEntry } from '../../../src/ports/audit-chain.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, reviewer, suspended } from './support.js';

const open = (id: string) =>
  criterion<string>(
    id,
    () => ({ passed: false, score: 0, details: '', undecided: `${id} needs eyes` }),
    { version: '1', description: `Is ${id} met?` },
  );

/** A pipeline with an audit log, and its records. */
function recording(more: Partial<PipelineOptions<string, string>> = {}) {
  const entries: AuditEntry[] = [];
  const store: Store = memoryStore();
  const pipeline = definePipeline<string, string>({
    produce: async () => 'draft',
    criteria: { long: () => true },
    store,
    clock: fakeClock(77),
    audit: {
      record: async (entry) => ({ seq: entries.push(entry), hash: '0'.repeat(64) }),
    },
    ...more,
  });
  const answers = async () =>
    ((await store.read('r')) ?? []).filter(({ type }) => type === 'answer');
  return { pipeline, entries, answers, store };
}

describe('the records of an answer', () => {
  it('say what reviewers had approved', async () => {
    const { pipeline, entries, answers } = recording({ human: { policy: 'require' } });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const { id, digest } = request;
    const outcome = await pipeline.answer(request, { kind: 'approve', by: 'Ann', reason: 'good' });
    expect(outcome.status).toBe('approved');
    const audited = { kind: 'answer', who: 'Ann', runId: 'r', version: digest, request: id };
    expect(entries).toEqual([
      { ...audited, verdict: 'approved', decision: 'approve', reason: 'good' },
    ]);
    expect(await answers()).toEqual([
      {
        type: 'answer',
        id,
        digest,
        answer: { kind: 'approve', by: 'Ann', reason: 'good' },
        at: 77,
      },
    ]);
  });

  it('say that reviewers had not approved, and that the answer is an override', async () => {
    const { pipeline, entries } = recording({
      criteria: { long: () => 'too short' },
      policy: () => ({ kind: 'ask', reason: 'hm', question: 'well?', allowed: ['override'] }),
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'override', by: 'Ann', reason: 'a draft' });
    expect(entries).toMatchObject([
      { kind: 'override', verdict: 'not approved', decision: 'override', reason: 'a draft' },
    ]);
    expect(entries[0]).not.toHaveProperty('details');
  });

  it('have the note of a revision', async () => {
    const { pipeline, entries } = recording({
      human: { policy: 'require' },
      address: async (text) => `${text}!`,
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'louder' });
    expect(entries).toMatchObject([{ decision: 'revise', reason: 'louder' }]);
  });

  it('of an override of an ended run say how it had ended', async () => {
    const { pipeline, entries, answers } = recording({
      reviewers: [reviewer('a', async () => [failed('a')])],
    });
    const ended = await pipeline.run('task', { runId: 'r' });
    const digest = ended.version ?? '';
    const given = { by: 'Ann', reason: 'a draft' };
    const outcome = await pipeline.override({ runId: 'r', digest }, given);
    expect(outcome).toMatchObject({
      status: 'accepted',
      code: 'person_overrode',
      decidedBy: 'Ann',
      acceptance: { kind: 'override', ...given },
    });
    expect(entries).toEqual([
      {
        ...{ kind: 'override', who: 'Ann', runId: 'r', version: digest, decision: 'override' },
        ...{ verdict: `${ended.status} (${ended.code})`, reason: 'a draft' },
      },
    ]);
    expect(await answers()).toMatchObject([{ digest, answer: { kind: 'override' }, at: 77 }]);
  });

  it('of decisions have each of them, and what was asked', async () => {
    const reviewers = [open('tone'), open('colour')];
    const human = { policy: 'auto', notify: async () => {} } as const;
    const { pipeline, entries, answers } = recording({ reviewers, human });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    const decisions = { tone: 'yes' } as const;
    await pipeline.answer(request, { kind: 'decide', by: 'Ann', decisions });
    expect(entries).toMatchObject([
      { kind: 'answer', verdict: 'not approved', decision: 'decide', details: decisions },
    ]);
    expect(entries[0]).not.toHaveProperty('reason');
    const questions = { tone: 'Is tone met?', colour: 'Is colour met?' };
    expect(await answers()).toMatchObject([{ id: request.id, questions }]);
  });

  it('of decisions about an ended run have them too, the last one counts', async () => {
    const reviewers = [open('tone'), open('colour')];
    const { pipeline, entries, answers } = recording({ reviewers });
    const { version: digest = '' } = await pipeline.run('task', { runId: 'r' });
    const decide = (decisions: Record<string, 'yes' | 'no'>, by: string) =>
      pipeline.decide({ runId: 'r', digest }, { by, decisions, reason: `by ${by}` });
    await decide({ tone: 'no' }, 'Ann');
    expect(entries).toMatchObject([
      { kind: 'answer', version: digest, decision: 'decide', details: { tone: 'no' } },
    ]);
    expect(entries[0]).not.toHaveProperty('request');
    const outcome = await decide({ tone: 'yes', colour: 'yes' }, 'Bo');
    expect(outcome.status).toBe('approved');
    expect(outcome.review?.assessments).toMatchObject([
      { criterion: 'long' },
      { criterion: 'tone', decidedBy: 'Bo', explanation: 'decided by Bo: by Bo' },
      { criterion: 'colour', decidedBy: 'Bo' },
    ]);
    const records = await answers();
    const questions = { tone: 'Is tone met?', colour: 'Is colour met?' };
    expect(records[0]).toMatchObject({ digest, questions, at: 77 });
    expect(new Set(records.map((record) => 'id' in record && record.id)).size).toBe(records.length);
  });
});
