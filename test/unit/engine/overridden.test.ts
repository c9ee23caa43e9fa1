import { describe, expect, it } from 'vitest';
import type { StopStatus } from '../../../src/core/decision.js';
import { definePipeline, type Outcome } from '../../../src/index.js';
import { suspended } from './support.js';

const given = { by: 'Ann', reason: 'prototype' };
const ref = ({ runId, version = '' }: Outcome<string>) => ({
  runId,
  digest: version,
});

/** Runs a pipeline whose policy stops with this status. */
function stopped(status: StopStatus) {
  return definePipeline<string, string>({
    produce: async () => 'draft',
    criteria: { a: () => 'no' },
    policy: () => ({ kind: 'stop', status, code: 'mine', reason: 'enough' }),
  });
}

describe('a person accepts the version of a run', () => {
  it.each(['rejected', 'escalated', 'stalled', 'exhausted', 'inconclusive'] as const)(
    'that ended as %s',
    async (status) => {
      const pipeline = stopped(status);
      const outcome = await pipeline.run('task', { runId: 'r' });
      expect(outcome).toMatchObject({ status, code: 'mine' });
      expect(await pipeline.override(ref(outcome), given)).toMatchObject({
        status: 'accepted',
        approved: false,
        code: 'person_overrode',
        output: 'draft',
        acceptance: { kind: 'override', ...given },
      });
    },
  );

  it('but not of one that failed', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'draft',
      address: () => Promise.reject(new Error('no ink')),
      criteria: { a: () => 'no' },
    });
    const outcome = await pipeline.run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', output: 'draft' });
    expect(await pipeline.override(ref(outcome), given)).toMatchObject({ status: 'failed' });
  });

  it('nor of one that waits for an answer about it', async () => {
    const pipeline = definePipeline<string, string>({
      produce: async () => 'draft',
      criteria: { a: () => true },
      human: { policy: 'require' },
    });
    const outcome = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(await pipeline.override(ref(outcome), given)).toMatchObject({ status: 'suspended' });
  });
});

describe('decisions about a version in which nothing is undecided', () => {
  it('are refused, and name the version', async () => {
    const pipeline = stopped('escalated');
    const outcome = await pipeline.run('task', { runId: 'r' });
    await expect(
      pipeline.decide(ref(outcome), { by: 'Ann', decisions: { a: 'yes' } }),
    ).rejects.toMatchObject({ code: 'decision_stale', value: outcome.version });
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'escalated' });
  });
});
