import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/audit.js';
import {
  type AuditSink,
  definePipeline,
  type PipelineOptions,
  type Policy,
  ReviewLoopError,
  thresholds,
} from '../../../src/index.js';
import { reviewer, suspended } from './support.js';

const asks: Policy = () => ({
  kind: 'ask',
  reason: 'risky',
  question: 'let it through?',
  allowed: ['approve', 'reject', 'revise', 'skip', 'override'],
});

/** A pipeline whose reviewer fails, and what its audit log is given. */
function audited(more: Partial<PipelineOptions<string, string>> = {}) {
  const entries: AuditEntry[] = [];
  const audit: AuditSink = {
    record: async (entry) => ({ seq: entries.push(entry), hash: 'f'.repeat(64) }),
  };
  const pipeline = definePipeline<string, string>({
    produce: async () => 'v1',
    criteria: { a: () => 'no' },
    policy: asks,
    audit,
    ...more,
  });
  return { entries, pipeline };
}

describe('the entry of an audit log', () => {
  it('about an answer names its question, and has neither a reason nor details that nobody gave', async () => {
    const { entries, pipeline } = audited();
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'skip', by: 'Ann' });
    expect(entries).toStrictEqual([
      {
        kind: 'answer',
        who: 'Ann',
        runId: 'r',
        version: request.digest,
        request: request.id,
        verdict: 'not approved',
        decision: 'skip',
      },
    ]);
  });

  it('about a revision has the note of the person', async () => {
    const { entries, pipeline } = audited({ address: async (text) => `${text}, shorter` });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'shorter' });
    expect(entries).toMatchObject([{ decision: 'revise', reason: 'shorter' }]);
  });

  it('about an override names no question, for nobody was asked', async () => {
    const stops: Policy = () => ({ kind: 'stop', status: 'rejected', code: 'bad', reason: 'bad' });
    const { entries, pipeline } = audited({ policy: stops });
    const { version = '' } = await pipeline.run('task', { runId: 'r' });
    await pipeline.override({ runId: 'r', digest: version }, { by: 'Ann', reason: 'demo' });
    expect(entries).toStrictEqual([
      {
        kind: 'override',
        who: 'Ann',
        runId: 'r',
        version,
        verdict: 'rejected (bad)',
        decision: 'override',
        reason: 'demo',
      },
    ]);
  });

  it('about a decision has each criterion with its answer', async () => {
    const open = reviewer<string>('tone', async () => [
      {
        verdict: 'undecided',
        criterion: 'tone',
        reason: 'it needs eyes',
        question: 'Is it kind?',
        decidableBy: ['person'],
        mandatory: true,
      },
    ]);
    const { entries, pipeline } = audited({
      criteria: {},
      reviewers: [open],
      policy: thresholds(),
    });
    const { version = '' } = await pipeline.run('task', { runId: 'r' });
    await pipeline.decide(
      { runId: 'r', digest: version },
      { by: 'Ann', decisions: { tone: 'yes' } },
    );
    expect(entries).toMatchObject([{ decision: 'decide', details: { tone: 'yes' } }]);
  });
});

describe('an audit log that fails', () => {
  const answered = async (thrown: unknown) => {
    const { pipeline } = audited({ audit: { record: () => Promise.reject(thrown) } });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    return pipeline.answer(request, { kind: 'approve', by: 'Ann', reason: 'fine' });
  };

  it('with an error of its own keeps its code', async () => {
    const thrown = new ReviewLoopError('invalid_options', 'the entry is refused');
    await expect(answered(thrown)).rejects.toBe(thrown);
  });

  it('with any other one is named, and tells why', async () => {
    const thrown = new Error('disk full');
    await expect(answered(thrown)).rejects.toMatchObject({
      code: 'audit_unwritable',
      cause: thrown,
    });
  });
});
