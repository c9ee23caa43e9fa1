import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/audit.js';
import {
  type AuditSink,
  definePipeline,
  type HumanAnswer,
  type HumanRequest,
  memoryStore,
  type PipelineOptions,
  type Policy,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, reviewer, suspended } from './support.js';

const escalate: Policy = () => ({
  kind: 'ask',
  reason: 'risky',
  question: 'let it through?',
  allowed: ['approve', 'override', 'reject', 'revise', 'skip'],
});
const failing = (more: Partial<PipelineOptions<string, string>> = {}) =>
  definePipeline<string, string>({
    produce: async () => 'v1',
    criteria: { a: (text) => text.includes('fixed') || 'no' },
    policy: escalate,
    ...more,
  });

function auditOf(audited: AuditEntry[]): AuditSink {
  return { record: async (entry) => ({ seq: audited.push(entry), hash: 'f'.repeat(64) }) };
}

async function asked(pipeline: ReturnType<typeof failing>) {
  return suspended(await pipeline.run('task', { runId: 'r' })).requests[0];
}

describe('a person decides about what reviewers did not approve', () => {
  it('an override with a reason is accepted, never approved, beside the verdict of the machine', async () => {
    const pipeline = failing();
    const outcome = await pipeline.answer(await asked(pipeline), {
      kind: 'override',
      by: 'ann',
      reason: 'prototype',
    });
    expect(outcome).toMatchObject({
      status: 'accepted',
      approved: false,
      output: 'v1',
      acceptance: { kind: 'override', by: 'ann', reason: 'prototype' },
    });
    expect(outcome.reviews[0]?.assessments[0]?.verdict).toBe('fail');
  });

  it('an override, and an approval of what has gaps, need a reason', async () => {
    const pipeline = failing();
    const request = await asked(pipeline);
    await expect(
      pipeline.answer(request, { kind: 'override', by: 'ann' } as HumanAnswer),
    ).rejects.toMatchObject({ code: 'reason_required' });
    await expect(
      pipeline.answer(request, { kind: 'override', by: 'ann', reason: '  ' }),
    ).rejects.toMatchObject({ code: 'reason_required' });
    await expect(pipeline.answer(request, { kind: 'approve', by: 'ann' })).rejects.toMatchObject({
      code: 'reason_required',
    });
    expect(
      await pipeline.answer(request, { kind: 'approve', by: 'ann', reason: 'seen' }),
    ).toMatchObject({ status: 'accepted', acceptance: { kind: 'override' } });
  });

  it('a rejection ends the run as rejected, a skip as accepted', async () => {
    const first = failing();
    expect(await first.answer(await asked(first), { kind: 'reject', by: 'bob' })).toMatchObject({
      status: 'rejected',
      approved: false,
    });
    const second = failing();
    expect(await second.answer(await asked(second), { kind: 'skip', by: 'bob' })).toMatchObject({
      status: 'accepted',
      acceptance: { kind: 'skip' },
    });
  });

  it('a revision hands the note to address, and the new version is reviewed', async () => {
    let note: string | undefined;
    let described: string[] = [];
    const pipeline = failing({
      policy: (evidence) =>
        evidence.review.gaps.length === 0
          ? { kind: 'approve', reason: 'clean' }
          : escalate(evidence),
      address: async (text, gaps, context) => {
        note = context.note;
        described = gaps.map((gap) => gap.description);
        return `${text} fixed`;
      },
    });
    const outcome = await pipeline.answer(await asked(pipeline), {
      kind: 'revise',
      by: 'ann',
      note: 'say it politely',
    });
    expect(note).toBe('say it politely');
    expect(described).toEqual(['say it politely', 'a: no']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'v1 fixed' });
    expect(outcome.reviews).toHaveLength(2);
  });

  it('each answer names run, question and version, and is consumed once', async () => {
    const pipeline = failing();
    const request = await asked(pipeline);
    const yes: HumanAnswer = { kind: 'reject', by: 'ann' };
    await expect(pipeline.answer({ ...request, runId: 'other' }, yes)).rejects.toMatchObject({
      code: 'run_unknown',
    });
    await expect(pipeline.answer({ ...request, id: 'other' }, yes)).rejects.toMatchObject({
      code: 'request_unknown',
    });
    await expect(pipeline.answer({ ...request, digest: 'other' }, yes)).rejects.toMatchObject({
      code: 'request_stale',
    });
    await expect(pipeline.answer(request, { kind: 'approve', by: '' })).rejects.toMatchObject({
      code: 'answer_invalid',
    });
    await expect(pipeline.answer(request, null as unknown as HumanAnswer)).rejects.toMatchObject({
      code: 'answer_invalid',
    });
    await pipeline.answer(request, yes);
    await expect(pipeline.answer(request, yes)).rejects.toMatchObject({ code: 'request_answered' });
  });

  it('refuses a kind of answer that the question does not allow', async () => {
    const pipeline = failing({
      policy: () => ({ kind: 'ask', reason: 'r', question: 'q', allowed: ['reject'] }),
    });
    await expect(
      pipeline.answer(await asked(pipeline), { kind: 'skip', by: 'ann' }),
    ).rejects.toMatchObject({ code: 'answer_not_allowed' });
  });
});

describe('the human option asks after an approval', () => {
  const approving = (
    policy: 'auto' | 'prompt' | 'require',
    notify?: (request: HumanRequest) => Promise<void>,
  ) =>
    definePipeline<string, string>({
      produce: async () => 'v1',
      criteria: { a: () => true },
      human: { policy, ...(notify && { notify }) },
    });

  it('auto never asks; prompt and require do, and only prompt can be skipped', async () => {
    expect(await approving('auto').run('task')).toMatchObject({ approved: true });
    expect(suspended(await approving('prompt').run('task')).requests[0].allowed).toContain('skip');
    expect(suspended(await approving('require').run('task')).requests[0].allowed).not.toContain(
      'skip',
    );
  });

  it('an approval by both is approved', async () => {
    const pipeline = approving('require');
    const request = suspended(await pipeline.run('task', { runId: 'r' })).requests[0];
    expect(await pipeline.answer(request, { kind: 'approve', by: 'ann' })).toMatchObject({
      status: 'approved',
      approved: true,
      code: 'person_approved',
    });
  });

  it('notifies once for each question, and a notification that fails leaves the question open', async () => {
    const told: string[] = [];
    const pipeline = approving('require', async (request) => {
      told.push(request.id);
    });
    const first = suspended(await pipeline.run('task', { runId: 'r' }));
    suspended(await pipeline.run('task', { runId: 'r' }));
    expect(told).toEqual([first.requests[0].id]);
    const broken = approving('require', async () => {
      throw new Error('mail server down');
    });
    expect(suspended(await broken.run('task', { runId: 'r' })).requests).toHaveLength(1);
  });

  it('a run that is asked twice about the same version asks the same question', async () => {
    const pipeline = approving('prompt');
    const one = suspended(await pipeline.run('task', { runId: 'r' })).requests[0];
    const two = suspended(await pipeline.run('task', { runId: 'r' })).requests[0];
    expect(two.id).toBe(one.id);
  });

  it('review has nobody to ask', async () => {
    const pipeline = definePipeline<string, string>({
      reviewers: [
        reviewer('r', async (_, context) => {
          await context.ask('x', { question: '?', allowed: ['approve'], gaps: [] });
          return [failed('r')];
        }),
      ],
    });
    const review = await pipeline.review('task', 'output');
    expect(review.assessments[0]).toMatchObject({
      verdict: 'errored',
      error: { code: 'ask_needs_run' },
    });
  });

  it('a question expires: a late answer is refused, and the run ends timed out, never approved', async () => {
    const clock = fakeClock(Date.parse('2026-01-01T00:00:00Z'));
    const pipeline = definePipeline<string, string>({
      produce: async () => 'v1',
      criteria: { a: () => true },
      human: { policy: 'require', expiresAfterMs: 60_000 },
      clock,
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    expect(request.expiresAt).toBe('2026-01-01T00:01:00.000Z');
    clock.advance(30_000);
    expect(suspended(await pipeline.run('task', { runId: 'r' })).requests[0].expiresAt).toBe(
      request.expiresAt,
    );
    clock.advance(30_001);
    await expect(pipeline.answer(request, { kind: 'approve', by: 'ann' })).rejects.toMatchObject({
      code: 'request_expired',
    });
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({
      status: 'timed_out',
      approved: false,
      code: 'request_expired',
      output: 'v1',
    });
  });
});

describe('a question that has expired', () => {
  const late: readonly (readonly [string, HumanAnswer])[] = [
    ['approve', { kind: 'approve', by: 'ann' }],
    ['reject', { kind: 'reject', by: 'ann' }],
    ['decide', { kind: 'decide', by: 'ann', decisions: { open: 'yes' } }],
  ];
  it.each(late)('stays expired by any clock, in any process: %s [R3-009]', async (_, answer) => {
    const store = memoryStore();
    const at = Date.parse('2026-01-01T00:00:00Z');
    const later = (ms: number) =>
      definePipeline<string, string>({
        produce: async () => 'v1',
        criteria: { a: () => true },
        human: { policy: 'require', expiresAfterMs: 60_000 },
        clock: fakeClock(at + ms),
        store,
      });
    const [request] = suspended(await later(0).run('task', { runId: 'r' })).requests;
    const code = 'request_expired';
    await expect(later(60_001).answer(request, answer)).rejects.toMatchObject({ code });
    expect((await store.read('r'))?.at(-1)).toMatchObject({ status: 'timed_out', code });
    for (const ms of [55_100, 0, 90_000]) {
      await expect(later(ms).answer(request, answer)).rejects.toMatchObject({ code });
      expect(await later(ms).run('task', { runId: 'r' })).toMatchObject({
        status: 'timed_out',
        code,
      });
    }
    expect((await store.read('r'))?.some(({ type }) => type === 'answer')).toBe(false);
  });
});

describe('the name of a person', () => {
  const unseen = [
    '',
    ' ',
    '\u200b',
    '\0',
    '\u2060\ufeff',
    '\u0301',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\ufe0f',
  ];
  it.each(unseen.map((name) => [JSON.stringify(name), name]))(
    'shows something: not %s [R3-010]',
    async (_, by) => {
      const audited: AuditEntry[] = [];
      const pipeline = failing({ audit: auditOf(audited) });
      const [request] = suspended(await pipeline.run('task')).requests;
      const reason = 'fine';
      const given: readonly HumanAnswer[] = [
        { kind: 'approve', by, reason },
        { kind: 'reject', by },
        { kind: 'revise', by, note: 'more' },
        { kind: 'override', by, reason },
        { kind: 'skip', by },
      ];
      for (const answer of given)
        await expect(pipeline.answer(request, answer), answer.kind).rejects.toMatchObject({
          code: answer.kind === 'override' ? 'reason_required' : 'answer_invalid',
        });
      await expect(
        pipeline.override({ runId: request.runId, digest: request.digest }, { by, reason }),
      ).rejects.toMatchObject({ code: 'reason_required' });
      expect(audited).toEqual([]);
    },
  );

  it('may be of any script [R3-010]', async () => {
    for (const by of ['Ann', '王', 'ん', 'Ζ', '7', '🙂', 'e\u0301']) {
      const pipeline = failing();
      const [request] = suspended(await pipeline.run('task')).requests;
      expect(await pipeline.answer(request, { kind: 'reject', by })).toMatchObject({
        decidedBy: by,
      });
    }
  });
});

describe('an override of a run that has ended', () => {
  const ended = () =>
    definePipeline<string, string>({ produce: async () => 'v1', criteria: { a: () => 'no' } });
  /** A pipeline whose revisions are worse, so that the last version is not the one that comes back. */
  const watched = (record?: AuditSink['record']) => {
    const audited: AuditEntry[] = [];
    const store = memoryStore();
    const audit = record === undefined ? auditOf(audited) : { record };
    const criteria = { a: () => 'no', b: (text: string) => text === 'v1' || 'worse' };
    const pipeline = definePipeline<string, string>({
      produce: async () => 'v1',
      address: async (_, __, { iteration }) => `worse ${iteration}`,
      criteria,
      store,
      audit,
    });
    return { audited, pipeline, store };
  };

  it('is accepted with who and why, beside the verdict of the machine', async () => {
    const pipeline = ended();
    const outcome = await pipeline.run('task', { runId: 'r' });
    expect(outcome.status).toBe('exhausted');
    const accepted = await pipeline.override(
      { runId: 'r', digest: outcome.reviews[0]?.version ?? '' },
      { by: 'ann', reason: 'prototype' },
    );
    expect(accepted).toMatchObject({
      status: 'accepted',
      approved: false,
      output: 'v1',
      acceptance: { kind: 'override', by: 'ann', reason: 'prototype' },
    });
    expect(accepted.reviews[0]?.assessments[0]?.verdict).toBe('fail');
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'accepted' });
  });

  it('needs a reason and a known run, and holds for the version that was seen', async () => {
    const pipeline = ended();
    const { reviews } = await pipeline.run('task', { runId: 'r' });
    const digest = reviews[0]?.version ?? '';
    await expect(
      pipeline.override({ runId: 'r', digest }, { by: 'ann', reason: ' ' }),
    ).rejects.toMatchObject({ code: 'reason_required' });
    await expect(
      pipeline.override({ runId: 'other', digest }, { by: 'ann', reason: 'x' }),
    ).rejects.toMatchObject({ code: 'run_unknown' });
    const refused = pipeline.override(
      { runId: 'r', digest: 'another version' },
      { by: 'ann', reason: 'x' },
    );
    await expect(refused).rejects.toMatchObject({
      code: 'override_stale',
      message: expect.stringContaining(`exhausted with version ${digest}`),
    });
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({
      status: 'exhausted',
      version: digest,
    });
  });

  it('is audited and recorded only when it takes effect', async () => {
    const { audited, pipeline, store } = watched();
    const { version = '', reviews } = await pipeline.run('task', { runId: 'r' });
    expect(reviews.map((review) => review.version)).not.toEqual([version, version]);
    const worse = reviews.at(-1)?.version ?? '';
    await expect(
      pipeline.override({ runId: 'r', digest: worse }, { by: 'ann', reason: 'x' }),
    ).rejects.toMatchObject({ code: 'override_stale' });
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
    const { pipeline } = watched(async () => {
      throw new Error('disk full');
    });
    const { version = '' } = await pipeline.run('task', { runId: 'r' });
    await expect(
      pipeline.override({ runId: 'r', digest: version }, { by: 'ann', reason: 'x' }),
    ).rejects.toMatchObject({ code: 'audit_unwritable' });
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'stalled' });
  });

  it('never touches what was approved, waits or was cancelled', async () => {
    const audited: AuditEntry[] = [];
    const audit = auditOf(audited);
    const approving = definePipeline<string, string>({
      produce: async () => 'v1',
      criteria: { a: () => true },
      audit,
    });
    const { version = '' } = await approving.run('task', { runId: 'r' });
    const given = { by: 'ann', reason: 'x' };
    expect(await approving.override({ runId: 'r', digest: version }, given)).toMatchObject({
      status: 'approved',
    });
    await expect(approving.override({ runId: 'r', digest: 'other' }, given)).rejects.toMatchObject({
      code: 'override_stale',
    });
    const waiting = failing({ audit });
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
    const slow = definePipeline<string, string>({
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
