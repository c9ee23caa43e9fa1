import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/audit.js';
import type { StopStatus } from '../../../src/core/decision.js';
import {
  type Assessment,
  type AuditSink,
  definePipeline,
  type HumanAnswer,
  type HumanRequest,
  memoryStore,
  type Outcome,
  type PipelineOptions,
  type Policy,
  thresholds,
} from '../../../src/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { failed, failsWith, passed, pipelineOf, reviewer, suspended } from './support.js';

const escalate: Policy = () => ({
  kind: 'ask',
  reason: 'risky',
  question: 'let it through?',
  allowed: ['approve', 'override', 'reject', 'revise', 'skip'],
});

const failing = (more: Partial<PipelineOptions<string, string>> = {}) =>
  pipelineOf({
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
  it('an override, and an approval of what has gaps, need a reason', async () => {
    const pipeline = failing();
    const request = await asked(pipeline);
    await failsWith(
      pipeline.answer(request, { kind: 'override', by: 'ann' } as HumanAnswer),
      'reason_required',
    );
    await failsWith(
      pipeline.answer(request, { kind: 'override', by: 'ann', reason: '  ' }),
      'reason_required',
    );
    await failsWith(pipeline.answer(request, { kind: 'approve', by: 'ann' }), 'reason_required');
    expect(
      await pipeline.answer(request, { kind: 'approve', by: 'ann', reason: 'seen' }),
    ).toMatchObject({ status: 'accepted', acceptance: { kind: 'override' } });
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
    await failsWith(pipeline.answer({ ...request, runId: 'other' }, yes), 'run_unknown');
    await failsWith(pipeline.answer({ ...request, id: 'other' }, yes), 'request_unknown');
    await failsWith(pipeline.answer({ ...request, digest: 'other' }, yes), 'request_stale');
    await failsWith(pipeline.answer(request, { kind: 'approve', by: '' }), 'answer_invalid');
    await failsWith(pipeline.answer(request, null as unknown as HumanAnswer), 'answer_invalid');
    await pipeline.answer(request, yes);
    await expect(pipeline.answer(request, yes)).rejects.toMatchObject({ code: 'request_answered' });
  });
});

describe('the human option asks after an approval', () => {
  const approving = (
    policy: 'auto' | 'prompt' | 'require',
    notify?: (request: HumanRequest) => Promise<void>,
  ) =>
    pipelineOf({
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

  it('a question expires: a late answer is refused, and the run ends timed out, never approved', async () => {
    const clock = fakeClock(Date.parse('2026-01-01T00:00:00Z'));
    const pipeline = pipelineOf({
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
    await failsWith(pipeline.answer(request, { kind: 'approve', by: 'ann' }), 'request_expired');
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
      pipelineOf({
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
      await failsWith(
        pipeline.override({ runId: request.runId, digest: request.digest }, { by, reason }),
        'reason_required',
      );
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
  const _ended = () => pipelineOf({ produce: async () => 'v1', criteria: { a: () => 'no' } });
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
    const { pipeline } = watched(async () => {
      throw new Error('disk full');
    });
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

const skipped = (criterion: string): Assessment => ({
  verdict: 'skipped',
  criterion,
  reason: 'there is no page',
});

const asks: Policy = () => ({ kind: 'ask', reason: 'hm', question: 'well?', allowed: ['approve'] });

/** Asks a person about a version of which a judge says this, and returns what her yes makes of it. */
async function approvedAfter(...assessments: Assessment[]) {
  const pipeline = pipelineOf({ judge: async () => assessments, policy: asks });
  const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
  const { status, approved } = await pipeline.answer(request, {
    kind: 'approve',
    by: 'Ann',
    reason: 'a draft',
  });
  return { told: request.approved, status, approved };
}

describe('the yes of a person', () => {
  it('approves what the judges passed, also where they skipped a part', async () => {
    expect(await approvedAfter(passed('short'), skipped('links'))).toEqual({
      told: true,
      status: 'approved',
      approved: true,
    });
  });

  it.each([
    ['where they failed a part', [passed('short'), failed('polite')]],
    ['where they skipped everything', [skipped('links'), skipped('pictures')]],
  ])('approves nothing for the judges %s', async (_where, assessments) => {
    expect(await approvedAfter(...assessments)).toEqual({
      told: false,
      status: 'accepted',
      approved: false,
    });
  });
});

/** A pipeline whose versions are v1, v2 and so on, and which asks about each of them. */
function versions(more: Partial<PipelineOptions<string, string>> = {}) {
  const told: unknown[] = [];
  const pipeline = pipelineOf({
    produce: async () => 'v1',
    address: async (output, _gaps, { note }) => {
      told.push([output, note]);
      return `v${Number(output.slice(1)) + 1}`;
    },
    criteria: { fine: () => true },
    human: { policy: 'require', onReject: 'revise' },
    budget: { reviews: 2 },
    ...more,
  });
  const asked = async () => suspended(await pipeline.run('task', { runId: 'r' })).requests[0];
  return { told, pipeline, asked };
}

const reject = { kind: 'reject', by: 'Ann' } as const;

describe('a rejection', () => {
  it('is a wish for another version where the pipeline says so, with its reason', async () => {
    const { told, pipeline, asked } = versions();
    const second = suspended(
      await pipeline.answer(await asked(), { ...reject, reason: 'too long' }),
    );
    expect(second).toMatchObject({ output: 'v2', requests: [{ allowed: expect.any(Array) }] });
    expect(told).toEqual([['v1', 'too long']]);
  });

  it('needs no reason for that', async () => {
    const { told, pipeline, asked } = versions();
    suspended(await pipeline.answer(await asked(), reject));
    expect(told).toEqual([['v1', 'rejected by Ann']]);
  });

  it('ends the run once all reviews are done', async () => {
    const { told, pipeline, asked } = versions();
    const second = suspended(await pipeline.answer(await asked(), reject));
    expect(
      await pipeline.answer(second.requests[0], { ...reject, reason: 'still too long' }),
    ).toMatchObject({
      status: 'rejected',
      code: 'person_rejected',
      reason: 'still too long',
      decidedBy: 'Ann',
      output: 'v2',
    });
    expect(told).toHaveLength(1);
  });

  it('ends the run where nobody could make another version', async () => {
    const pipeline = pipelineOf({
      produce: async () => 'v1',
      human: { policy: 'require', onReject: 'revise' },
    });
    const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
    expect(await pipeline.answer(request, reject)).toMatchObject({
      status: 'rejected',
      code: 'person_rejected',
      reason: 'rejected by Ann',
    });
  });

  it('ends the run by default', async () => {
    const { told, pipeline, asked } = versions({ human: { policy: 'require' } });
    expect(await pipeline.answer(await asked(), { ...reject, reason: 'no' })).toMatchObject({
      status: 'rejected',
      reason: 'no',
      output: 'v1',
    });
    expect(told).toEqual([]);
  });
});

it('a wish of a person is about the version that the person saw, although another one is better', async () => {
  const policy: Policy = ({ review }) =>
    review.iteration === 2
      ? { kind: 'ask', reason: 'who knows', question: 'fine?', allowed: ['revise'] }
      : review.iteration === 1
        ? { kind: 'revise', reason: 'on', from: 'latest', blocking: [review.gaps[0]!] }
        : { kind: 'approve', reason: 'fine' };
  const { told, pipeline, asked } = versions({
    criteria: {},
    reviewers: [
      reviewer('judge', async ({ output }) =>
        output === 'v3'
          ? [passed('judge')]
          : [failed('judge', 'wrong', { severity: output === 'v2' ? 'critical' : 'minor' })],
      ),
    ],
    policy,
    budget: { reviews: 3 },
    human: { policy: 'auto' },
  });
  const request = await asked();
  const outcome = await pipeline.answer(request, { kind: 'revise', by: 'Ann', note: 'shorter' });
  expect(outcome).toMatchObject({ status: 'approved', output: 'v3' });
  expect(told).toEqual([
    ['v1', undefined],
    ['v2', 'shorter'],
  ]);
});

const given = { by: 'Ann', reason: 'prototype' };

const ref = ({ runId, version = '' }: Outcome<string>) => ({ runId, digest: version });

/** Runs a pipeline whose policy stops with this status. */
function stopped(status: StopStatus) {
  return pipelineOf({
    produce: async () => 'draft',
    criteria: { a: () => 'no' },
    policy: () => ({ kind: 'stop', status, code: 'mine', reason: 'enough' }),
  });
}

it.each(['rejected', 'escalated', 'stalled', 'exhausted', 'inconclusive'] as const)(
  'a person accepts the version of a run that ended as %s',
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

it('decisions about a version in which nothing is undecided are refused, and name the version', async () => {
  const pipeline = stopped('escalated');
  const outcome = await pipeline.run('task', { runId: 'r' });
  await expect(
    pipeline.decide(ref(outcome), { by: 'Ann', decisions: { a: 'yes' } }),
  ).rejects.toMatchObject({ code: 'decision_stale', value: outcome.version });
  expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'escalated' });
});

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

it('a run that was answered, and then not again ends without a version if it has none by then', async () => {
  const clock = fakeClock();
  const pipeline = pipelineOf({
    produce: async (_, context) => {
      for (const name of ['first', 'second'])
        await context.ask(name, { question: `${name}?`, allowed: ['approve'] });
      return 'x';
    },
    criteria: { a: () => true },
    human: { policy: 'auto', expiresAfterMs: 1000 },
    clock,
  });
  const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
  suspended(await pipeline.answer(request, { kind: 'approve', by: 'Ann' }));
  clock.advance(1001);
  expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({
    status: 'timed_out',
    code: 'request_expired',
    output: undefined,
  });
});

it('a person who decided what no judge could tell has not decided against a judge that can tell by now', async () => {
  const store = memoryStore();
  const pipeline = (version: string, isOpen: boolean) =>
    pipelineOf({
      reviewers: [
        reviewer(
          'tone',
          async () => [
            isOpen
              ? {
                  verdict: 'undecided',
                  criterion: 'tone',
                  reason: 'it needs eyes',
                  question: 'Is it kind?',
                  decidableBy: ['person'],
                  mandatory: true,
                }
              : failed('tone'),
          ],
          { version },
        ),
        reviewer('a', async () => [
          {
            verdict: 'undecided',
            criterion: 'a',
            reason: 'nobody knows',
            question: 'Is it?',
            decidableBy: ['person'],
          },
        ]),
      ],
      store,
    });
  const blind = pipeline('1', true);
  const { version = '' } = await blind.run('task', { runId: 'r' });
  const decided = await blind.decide(
    { runId: 'r', digest: version },
    { by: 'Ann', decisions: { tone: 'yes' } },
  );
  expect(decided.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'pass', decidedBy: 'Ann' });
  const seeing = await pipeline('2', false).run('task', { runId: 'r' });
  expect(seeing.approved).toBe(false);
  expect(seeing.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'fail', criterion: 'tone' });
});

const asking: Policy = () => ({
  kind: 'ask',
  question: 'may it go?',
  reason: 'to be seen',
  allowed: ['approve', 'reject'],
});

it('an approval that reviewers did not give needs a reason, also where a judge failed and there is no gap to name', async () => {
  const broken = reviewer<string>('a', async () => {
    throw new Error('the judge broke');
  });
  const pipeline = pipelineOf({ reviewers: [broken], retries: 0, policy: asking });
  const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
  await expect(pipeline.answer(requests[0]!, { kind: 'approve', by: 'ann' })).rejects.toMatchObject(
    {
      code: 'reason_required',
      // its way to fix it says so too
      what: expect.stringMatching(/^reviewers did not approve/),
    },
  );
  expect(
    await pipeline.answer(requests[0]!, { kind: 'approve', by: 'ann', reason: 'I read it' }),
  ).toMatchObject({
    status: 'accepted',
    approved: false,
    acceptance: { by: 'ann', reason: 'I read it' },
  });
});

const keeping = (more: Partial<PipelineOptions<string, string>> = {}) => ({
  produce: async () => 'x',
  criteria: { a: () => true },
  store: memoryStore(),
  ...more,
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

it('a person who agrees with the reviewers approves also where minor gaps are open, and without a reason', async () => {
  const pipeline = pipelineOf({
    criteria: {
      a: () => true,
      b: () => true,
      style: { severity: 'minor', check: () => 'could be nicer' },
    },
    policy: thresholds({ quality: 0.5 }),
    human: { policy: 'require' },
  });
  const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
  expect(requests[0]).toMatchObject({ approved: true, gaps: [{ severity: 'minor' }] });
  expect(await pipeline.answer(requests[0], { kind: 'approve', by: 'ann' })).toMatchObject({
    status: 'approved',
    code: 'person_approved',
  });
});
