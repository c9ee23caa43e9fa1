import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  type HumanAnswer,
  memoryStore,
  type Policy,
  thresholds,
} from '@/index.js';
import type { AuditEntry } from '@/ports/audit-chain.js';
import { fakeClock } from '@/testing/index.js';
import {
  askingAbout,
  asksAbout,
  auditOf,
  failed,
  failsWith,
  type Loop,
  only,
  passed,
  pipelineOf,
  placeOf,
  reviewer,
  stopped,
  suspended,
  undecided,
} from './support.js';

const approve = { kind: 'approve', by: 'ann' } as const;

async function asked(pipeline: ReturnType<typeof askingAbout>) {
  return suspended(await pipeline.run('task', { runId: 'r' })).requests[0];
}

describe('a person decides about what reviewers did not approve', () => {
  it('an override, and an approval of what has gaps, need a reason', async () => {
    const pipeline = askingAbout();
    const request = await asked(pipeline);
    for (const answer of [
      { kind: 'override', by: 'ann' } as HumanAnswer,
      { kind: 'override', by: 'ann', reason: '  ' } as const,
      approve,
    ])
      await failsWith(pipeline.answer(request, answer), 'reason_required');
    const outcome = await pipeline.answer(request, { ...approve, reason: 'seen' });
    expect(outcome).toMatchObject({ status: 'accepted', acceptance: { kind: 'override' } });
  });

  it('a revision hands the note to address, and the new version is reviewed', async () => {
    let note: string | undefined;
    let described: string[] = [];
    const pipeline = askingAbout({
      policy: (evidence) =>
        evidence.review.gaps.length === 0
          ? { kind: 'approve', reason: 'clean' }
          : asksAbout(evidence),
      address: async (text, gaps, context) => {
        note = context.note;
        described = gaps.map((gap) => gap.description);
        return `${text} fixed`;
      },
    });
    const answer = { kind: 'revise', by: 'ann', note: 'say it politely' } as const;
    const outcome = await pipeline.answer(await asked(pipeline), answer);
    expect(note).toBe('say it politely');
    expect(described).toEqual(['say it politely', 'a: no']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'v1 fixed' });
    expect(outcome.reviews).toHaveLength(2);
  });

  it('each answer names run, question and version, and is consumed once', async () => {
    const pipeline = askingAbout();
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
  it('auto never asks; prompt and require do, and only prompt can be skipped', async () => {
    const approving = (policy: 'auto' | 'prompt' | 'require') =>
      pipelineOf({ human: { policy } }).run('task');
    expect(await approving('auto')).toMatchObject({ approved: true });
    expect(only(await approving('prompt')).allowed).toContain('skip');
    expect(only(await approving('require')).allowed).not.toContain('skip');
  });

  it('a question expires: a late answer is refused, and the run ends timed out, never approved', async () => {
    const clock = fakeClock(Date.parse('2026-01-01T00:00:00Z'));
    const pipeline = pipelineOf({ human: { policy: 'require', expiresAfterMs: 60_000 }, clock });
    const request = await asked(pipeline);
    expect(request.expiresAt).toBe('2026-01-01T00:01:00.000Z');
    clock.advance(30_000);
    expect((await asked(pipeline)).expiresAt).toBe(request.expiresAt);
    clock.advance(30_001);
    await failsWith(pipeline.answer(request, approve), 'request_expired');
    const outcome = await pipeline.run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'timed_out', approved: false, output: 'x' });
    expect(outcome.code).toBe('request_expired');
  });
});

describe('a question that has expired', () => {
  const late: readonly (readonly [string, HumanAnswer])[] = [
    ['approve', approve],
    ['reject', { kind: 'reject', by: 'ann' }],
    ['decide', { kind: 'decide', by: 'ann', decisions: { open: 'yes' } }],
  ];
  it.each(late)('stays expired by any clock, in any process: %s [R3-009]', async (_, answer) => {
    const store = memoryStore();
    const at = Date.parse('2026-01-01T00:00:00Z');
    const later = (ms: number) =>
      pipelineOf({
        human: { policy: 'require', expiresAfterMs: 60_000 },
        clock: fakeClock(at + ms),
        store,
      });
    const request = await asked(later(0));
    const code = 'request_expired';
    await expect(later(60_001).answer(request, answer)).rejects.toMatchObject({ code });
    expect((await store.read('r'))?.at(-1)).toMatchObject({ status: 'timed_out', code });
    for (const ms of [55_100, 0, 90_000]) {
      await expect(later(ms).answer(request, answer)).rejects.toMatchObject({ code });
      const outcome = await later(ms).run('task', { runId: 'r' });
      expect(outcome).toMatchObject({ status: 'timed_out', code });
    }
    expect((await store.read('r'))?.some(({ type }) => type === 'answer')).toBe(false);
  });
});

describe('the name of a person', () => {
  const unseen = ['', ' ', '\u200b', '\0', '\u2060\ufeff'];
  const marks = ['\u0301', '\u00ad', '\u3164', '\u2800', '\ufe0f'];
  it.each([...unseen, ...marks].map((name) => [JSON.stringify(name), name]))(
    'shows something: not %s [R3-010]',
    async (_, by) => {
      const audited: AuditEntry[] = [];
      const pipeline = askingAbout({ audit: auditOf(audited) });
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
      const { runId, digest } = request;
      await failsWith(pipeline.override({ runId, digest }, { by, reason }), 'reason_required');
      expect(audited).toEqual([]);
    },
  );

  it('may be of any script [R3-010]', async () => {
    for (const by of ['Ann', '王', 'ん', 'Ζ', '7', '🙂', 'e\u0301']) {
      const pipeline = askingAbout();
      const [request] = suspended(await pipeline.run('task')).requests;
      expect((await pipeline.answer(request, { kind: 'reject', by })).decidedBy).toBe(by);
    }
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
  const request = await asked(pipeline);
  const given = { ...approve, reason: 'a draft' };
  const { status, approved } = await pipeline.answer(request, given);
  return { told: request.approved, status, approved };
}

describe('the yes of a person', () => {
  it.each([
    [true, 'approved', 'passed and skipped a part', [passed('short'), skipped('links')]],
    [false, 'accepted', 'failed a part', [passed('short'), failed('polite')]],
    [false, 'accepted', 'skipped everything', [skipped('links'), skipped('pictures')]],
  ])('approves (%s: %s) where the judges %s', async (approved, status, _, assessments) => {
    expect(await approvedAfter(...assessments)).toEqual({ told: approved, status, approved });
  });
});

/** A pipeline whose versions are v1, v2 and so on, and which asks about each of them. */
function versions(more: Loop = {}) {
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
  return { told, pipeline, asked: () => asked(pipeline) };
}

const reject = { kind: 'reject', by: 'Ann' } as const;

const rejected = { status: 'rejected', code: 'person_rejected' };

describe('a rejection', () => {
  it('is a wish for another version where the pipeline says so, with its reason', async () => {
    const { told, pipeline, asked } = versions();
    const answer = { ...reject, reason: 'too long' };
    const second = suspended(await pipeline.answer(await asked(), answer));
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
    const [request] = suspended(await pipeline.answer(await asked(), reject)).requests;
    const reason = 'still too long';
    const outcome = await pipeline.answer(request, { ...reject, reason });
    expect(outcome).toMatchObject({ ...rejected, reason, decidedBy: 'Ann', output: 'v2' });
    expect(told).toHaveLength(1);
  });

  it('ends the run where nobody could make another version', async () => {
    const pipeline = pipelineOf({ human: { policy: 'require', onReject: 'revise' } });
    const outcome = await pipeline.answer(await asked(pipeline), reject);
    expect(outcome).toMatchObject({ ...rejected, reason: 'rejected by Ann' });
  });

  it('ends the run by default', async () => {
    const { told, pipeline, asked } = versions({ human: { policy: 'require' } });
    const outcome = await pipeline.answer(await asked(), { ...reject, reason: 'no' });
    expect(outcome).toMatchObject({ ...rejected, reason: 'no', output: 'v1' });
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
    judge: async ({ output }) =>
      output === 'v3'
        ? [passed('judge')]
        : [failed('judge', 'wrong', { severity: output === 'v2' ? 'critical' : 'minor' })],
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

it('decisions about a version in which nothing is undecided are refused, and name the version', async () => {
  const pipeline = stopped('escalated');
  const outcome = await pipeline.run('task', { runId: 'r' });
  await expect(
    pipeline.decide(placeOf(outcome), { by: 'Ann', decisions: { a: 'yes' } }),
  ).rejects.toMatchObject({ code: 'decision_stale', value: outcome.version });
  expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'escalated' });
});

it('a run that was answered, and then not again ends without a version if it has none by then', async () => {
  const clock = fakeClock();
  const pipeline = pipelineOf({
    produce: async (_, context) => {
      for (const name of ['first', 'second'])
        await context.ask(name, { question: `${name}?`, allowed: ['approve'] });
      return 'x';
    },
    human: { policy: 'auto', expiresAfterMs: 1000 },
    clock,
  });
  suspended(await pipeline.answer(await asked(pipeline), approve));
  clock.advance(1001);
  const end = { status: 'timed_out', code: 'request_expired', output: undefined };
  expect(await pipeline.run('task', { runId: 'r' })).toMatchObject(end);
});

it('a person who decided what no judge could tell has not decided against a judge that can tell by now', async () => {
  const store = memoryStore();
  const must = { mandatory: true };
  const pipeline = (version: string, isOpen: boolean) =>
    pipelineOf({
      reviewers: [
        reviewer('tone', async () => [isOpen ? undecided('tone', must) : failed('tone')], {
          version,
        }),
        reviewer('a', async () => [undecided('a')]),
      ],
      store,
    });
  const blind = pipeline('1', true);
  const { version = '' } = await blind.run('task', { runId: 'r' });
  const yes = { by: 'Ann', decisions: { tone: 'yes' } } as const;
  const decided = await blind.decide({ runId: 'r', digest: version }, yes);
  expect(decided.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'pass', decidedBy: 'Ann' });
  const seeing = await pipeline('2', false).run('task', { runId: 'r' });
  expect(seeing.approved).toBe(false);
  expect(seeing.reviews[0]?.assessments[0]).toMatchObject({ verdict: 'fail', criterion: 'tone' });
});

it('an approval that reviewers did not give needs a reason, also where a judge failed and there is no gap to name', async () => {
  const broken = reviewer<string>('a', () => Promise.reject(new Error('the judge broke')));
  const pipeline = pipelineOf({ reviewers: [broken], retries: 0, policy: asks });
  const request = await asked(pipeline);
  await expect(pipeline.answer(request, approve)).rejects.toMatchObject({
    code: 'reason_required',
    // its way to fix it says so too
    what: expect.stringMatching(/^reviewers did not approve/),
  });
  const outcome = await pipeline.answer(request, { ...approve, reason: 'I read it' });
  const acceptance = { by: 'ann', reason: 'I read it' };
  expect(outcome).toMatchObject({ status: 'accepted', approved: false, acceptance });
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
  const request = await asked(pipeline);
  expect(request).toMatchObject({ approved: true, gaps: [{ severity: 'minor' }] });
  const outcome = await pipeline.answer(request, approve);
  expect(outcome).toMatchObject({ status: 'approved', code: 'person_approved' });
});
