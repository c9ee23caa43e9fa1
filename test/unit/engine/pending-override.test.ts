import { describe, expect, it } from 'vitest';
import { type AuditSink, definePipeline, memoryStore } from '@/index.js';
import type { AuditEntry } from '@/ports/audit-chain.js';
import { fakeClock } from '@/testing/index.js';
import {
  askingAbout,
  auditOf,
  failed,
  failsWith,
  keeping,
  passed,
  pipelineOf,
  placeOf,
  reviewer,
  stopped,
} from './support.js';

describe('an override of a run that has ended', () => {
  /** A pipeline whose revisions are worse, so that the last version is not the one that comes back. */
  const watched = (record?: AuditSink['record']) => {
    const audited: AuditEntry[] = [];
    const store = memoryStore();
    const audit = record === undefined ? auditOf(audited) : { record };
    const criteria = { a: () => 'no', b: (text: string) => text === 'v1' || 'worse' };
    const pipeline = pipelineOf({
      produce: async () => 'v1',
      address: async (_, __, { iteration }) => `worse ${iteration}`,
      criteria,
      store,
      audit,
    });
    return { audited, pipeline, store };
  };

  it('is audited and recorded only when it takes effect', async () => {
    const { audited, pipeline, store } = watched();
    const { version = '', reviews } = await pipeline.run('task', { runId: 'r' });
    expect(reviews.map((review) => review.version)).not.toEqual([version, version]);
    const worse = reviews.at(-1)?.version ?? '';
    await failsWith(
      pipeline.override({ runId: 'r', digest: worse }, { by: 'ann', reason: 'x' }),
      'override_stale',
    );
    const answers = async () =>
      (await store.read('r'))?.filter(({ type }) => type === 'answer').length;
    expect([audited.length, await answers()]).toEqual([0, 0]);
    expect(
      await pipeline.override({ runId: 'r', digest: version }, { by: 'ann', reason: 'x' }),
    ).toMatchObject({ status: 'accepted', output: 'v1', version });
    expect([audited.length, await answers()]).toEqual([1, 1]);
    expect(audited[0]).toMatchObject({
      kind: 'override',
      version,
      verdict: expect.stringContaining('stalled'),
    });
  });

  it('is not decided when the audit log cannot be written', async () => {
    const { pipeline } = watched(() => Promise.reject(new Error('disk full')));
    const { version = '' } = await pipeline.run('task', { runId: 'r' });
    await failsWith(
      pipeline.override({ runId: 'r', digest: version }, { by: 'ann', reason: 'x' }),
      'audit_unwritable',
    );
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'stalled' });
  });

  it('never touches what was approved, waits or was cancelled', async () => {
    const audited: AuditEntry[] = [];
    const audit = auditOf(audited);
    const approving = pipelineOf({ produce: async () => 'v1', criteria: { a: () => true }, audit });
    const { version = '' } = await approving.run('task', { runId: 'r' });
    const given = { by: 'ann', reason: 'x' };
    expect(await approving.override({ runId: 'r', digest: version }, given)).toMatchObject({
      status: 'approved',
    });
    await failsWith(approving.override({ runId: 'r', digest: 'other' }, given), 'override_stale');
    const waiting = askingAbout({ audit });
    await waiting.run('task', { runId: 'r' });
    expect(await waiting.override({ runId: 'r', digest: version }, given)).toMatchObject({
      status: 'suspended',
    });
    expect(
      await waiting.override({ runId: 'r', digest: version }, given, {
        signal: AbortSignal.abort(),
      }),
    ).toMatchObject({ status: 'cancelled' });
    expect(audited).toEqual([]);
  });

  it('lets through what a run held when its time was up', async () => {
    const clock = fakeClock(0);
    const slow = pipelineOf({
      produce: async () => 'v1',
      address: () => {
        clock.advance(1001);
        return new Promise<string>(() => {});
      },
      criteria: { a: () => 'no' },
      budget: { timeoutMs: 1000 },
      clock,
    });
    const late = await slow.run('task', { runId: 'r' });
    expect(late).toMatchObject({ status: 'timed_out', code: 'run_timed_out' });
    expect(
      await slow.override({ runId: 'r', digest: late.version ?? '' }, { by: 'ann', reason: 'x' }),
    ).toMatchObject({ status: 'accepted', output: 'v1', acceptance: { by: 'ann' } });
  });
});

const given = { by: 'Ann', reason: 'prototype' };

it.each(['rejected', 'escalated', 'stalled', 'exhausted', 'inconclusive'] as const)(
  'a person accepts the version of a run that ended as %s',
  async (status) => {
    const pipeline = stopped(status);
    const outcome = await pipeline.run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status, code: 'mine' });
    expect(await pipeline.override(placeOf(outcome), given)).toMatchObject({
      status: 'accepted',
      approved: false,
      code: 'person_overrode',
      output: 'draft',
      acceptance: { kind: 'override', ...given },
    });
  },
);

const judge = (version: string, isGood: boolean) =>
  reviewer<string>('judge', async () => [isGood ? passed('judge') : failed('judge')], { version });

it('an override that is recorded accepts the version in each later call, and gives no reason to approve it', async () => {
  const store = memoryStore();
  const pipeline = (version: string, isGood: boolean) =>
    pipelineOf({
      reviewers: [judge(version, isGood)],
      policy: ({ review: { gaps } }) =>
        gaps.length === 0
          ? { kind: 'approve', reason: 'fine' }
          : { kind: 'stop', status: 'rejected', code: 'bad', reason: 'bad' },
      store,
    });
  const strict = pipeline('1', false);
  const { version = '' } = await strict.run('task', { runId: 'r' });
  const given = { by: 'Ann', reason: 'demo' };
  const accepted = { status: 'accepted', code: 'person_overrode', approved: false };
  expect(await strict.override({ runId: 'r', digest: version }, given)).toMatchObject(accepted);
  expect(await strict.run('task', { runId: 'r' })).toMatchObject(accepted);
  expect(await pipeline('2', true).run('task', { runId: 'r' })).toMatchObject({
    status: 'approved',
    approved: true,
  });
});

describe('an override of a run that nobody can override', () => {
  it('changes nothing, whatever version it names', async () => {
    const given = { by: 'ann', reason: 'x' };
    const failing = definePipeline<string, string>({
      ...keeping({ criteria: { a: () => 'no' } }),
      address: () => Promise.reject(new Error('broken')),
    });
    const { version = '' } = await failing.run('task', { runId: 'r' });
    for (const digest of [version, 'another'])
      expect(await failing.override({ runId: 'r', digest }, given)).toMatchObject({
        status: 'failed',
        code: 'address_failed',
      });
    const nothing = pipelineOf({
      ...keeping(),
      produce: () => Promise.reject(new Error('broken')),
    });
    await nothing.run('task', { runId: 'r' });
    expect(await nothing.override({ runId: 'r', digest: 'a' }, given)).toMatchObject({
      status: 'failed',
      code: 'produce_failed',
    });
    const clock = fakeClock();
    const late = pipelineOf({
      ...keeping(),
      produce: () => {
        clock.advance(1001);
        return new Promise<string>(() => {});
      },
      budget: { timeoutMs: 1000 },
      clock,
    });
    await late.run('task', { runId: 'r' });
    expect(await late.override({ runId: 'r', digest: 'a' }, given)).toMatchObject({
      status: 'timed_out',
      output: undefined,
    });
    const controller = new AbortController();
    const cancelled = definePipeline<string, string>({
      ...keeping({ criteria: { a: () => 'no' } }),
      address: () => {
        controller.abort();
        return new Promise<string>(() => {});
      },
    });
    const { signal } = controller;
    await cancelled.run('task', { runId: 'r', signal });
    expect(
      await cancelled.override({ runId: 'r', digest: 'another' }, given, { signal }),
    ).toMatchObject({ status: 'cancelled' });
  });

  it('is refused with what was given, and why', async () => {
    const pipeline = definePipeline<string, string>(keeping({ criteria: { a: () => 'no' } }));
    const { version = '' } = await pipeline.run('task', { runId: 'r' });
    await expect(
      pipeline.override({ runId: 'r', digest: version }, { by: 'ann', reason: '' }),
    ).rejects.toMatchObject({
      code: 'reason_required',
      value: { by: 'ann', reason: '' },
      cause: { issues: [{ path: ['reason'] }] },
    });
    await expect(
      pipeline.override({ runId: 'r', digest: 'other' }, { by: 'ann', reason: 'x' }),
    ).rejects.toMatchObject({
      ...{ code: 'override_stale', value: 'other' },
      message: expect.stringContaining(`exhausted with version ${version}`),
    });
    const decisions = { by: '', decisions: { a: 'yes' } } as const;
    await expect(pipeline.decide({ runId: 'r', digest: version }, decisions)).rejects.toMatchObject(
      {
        code: 'answer_invalid',
        what: expect.stringMatching(/^the decisions were refused: .*\bby\b/s),
        value: decisions,
      },
    );
  });
});
