import { describe, expect, it } from 'vitest';
import { type RepairLedger, repairLedger } from '@/engine/policies/attempts.js';
import { askDisputed, holdProtected } from '@/engine/policies/guards.js';
import { bestOf, refineOrResample } from '@/engine/policies/sampling.js';
import {
  definePipeline,
  doNoHarm,
  keepBest,
  memoryStore,
  type Policy,
  severityByIteration,
  thresholds,
} from '@/index.js';
import { fakeWorkspace } from '@/testing/index.js';
import { evidenceAfter, evidenceOf, fail, gapOf, pass, reviewOf } from './fixtures.js';

const ledger = (changes: Partial<RepairLedger>): RepairLedger => ({
  attempts: 4,
  failing: 10,
  repaired: 5,
  passing: 20,
  broken: 1,
  ...changes,
});

describe('doNoHarm', () => {
  const half = evidenceOf([pass('a'), fail('b')]);
  const none = { attempts: 0, failing: 0, repaired: 0, passing: 0, broken: 0 };

  it('stops when fixing is expected to break as much as it repairs, and says so', () => {
    const policy = doNoHarm(thresholds(), { earlier: [ledger({ repaired: 1, broken: 10 })] });
    expect(policy(half)).toMatchObject({
      kind: 'stop',
      status: 'stalled',
      code: 'harmful',
      reason:
        '4 attempts repaired 1 of 10 failing criteria and broke 10 of 20 passing ones: with 50 % of the criteria passed, another fix is expected to break at least as much as it repairs',
    });
  });

  it('goes by the inequality of Liu and Meng: repair rate over damage rate against accuracy over 1 - accuracy', () => {
    // rates 0.5 and 0.125: ratio 4, so it holds below an accuracy of 0.8
    const policy = doNoHarm(thresholds(), {
      earlier: [ledger({ failing: 10, repaired: 5, passing: 80, broken: 10 })],
    });
    const of = (passing: number, failing: number) =>
      evidenceOf([
        ...Array.from({ length: passing }, (_, index) => pass(`p${index}`)),
        ...Array.from({ length: failing }, (_, index) => fail(`f${index}`)),
      ]);
    expect(policy(of(3, 1))?.kind).toBe('revise');
    expect(policy(of(4, 1))).toMatchObject({ code: 'harmful' });
    expect(policy(of(9, 1))).toMatchObject({ code: 'harmful' });
  });

  it('goes on without damage, with few attempts, and leaves every other decision alone', () => {
    const kindAfter = (changes: Partial<RepairLedger>, evidence = half) =>
      doNoHarm(thresholds(), { earlier: [ledger({ repaired: 0, ...changes })] })(evidence)?.kind;
    expect(kindAfter({ broken: 0 })).toBe('revise');
    expect(kindAfter({ attempts: 1, broken: 20 })).toBe('revise');
    expect(kindAfter({ broken: 20 }, evidenceOf([pass('a')]))).toBe('approve');
    expect(doNoHarm(() => undefined)(half)).toBeUndefined();
  });

  it('counts the attempts of this run, each against what it started from', () => {
    const rounds = [
      [fail('a'), pass('b'), pass('c')],
      [fail('a'), fail('b'), pass('c')],
      [fail('a'), pass('b'), fail('c')],
    ];
    const inner: Policy = thresholds();
    const evidence = evidenceAfter(rounds, inner);
    expect(doNoHarm(inner)(evidence)).toMatchObject({
      code: 'harmful',
      reason: expect.stringContaining(
        '2 attempts repaired 0 of 2 failing criteria and broke 2 of 4 passing ones',
      ) as string,
    });
    const last = { ...evidence.review, decision: { kind: 'approve', reason: '' } as const };
    expect(repairLedger([...evidence.history, last])).toEqual({
      ...{ attempts: 2, failing: 2, repaired: 0, passing: 4, broken: 2 },
    });
    expect(repairLedger([])).toEqual(none);
  });

  it('counts no attempt for an output that was produced anew, and one for the fix after it', () => {
    const blocking = [gapOf()] as const;
    const decided = (
      assessments: Parameters<typeof reviewOf>[0],
      from: 'anew' | 'best',
      changes = {},
    ) => ({
      ...reviewOf(assessments, changes),
      decision: { kind: 'revise', reason: '', from, blocking } as const,
    });
    const reviews = [
      decided([fail('a'), pass('b')], 'anew'),
      decided([fail('a'), fail('b')], 'best', { version: 'v2' }),
      decided([pass('a'), fail('b')], 'best', { parent: 'v2' }),
    ];
    expect(repairLedger(reviews)).toEqual({ ...none, attempts: 1, failing: 2, repaired: 1 });
    expect(repairLedger(reviews.slice(0, 2))).toEqual(none);
  });

  it('refuses what is no ledger', () => {
    const refused = (options: object, says: string) =>
      expect(() => doNoHarm(thresholds(), options)).toThrow(says);
    refused({ earlier: [ledger({ repaired: 11 })] }, 'earlier[0]');
    refused({ earlier: [{}] }, 'earlier[0].attempts');
    refused({ earlier: {} }, 'a list of ledgers');
    refused({ ledgers: [] }, 'doNoHarm has no option');
    expect(() => doNoHarm(1 as unknown as Policy)).toThrow('inner');
  });
});

describe('bestOf', () => {
  const texts = ['a', 'abc', 'ab', 'abcd', 'x'];
  const sampling = (policy: Policy, more: object = {}) => {
    const calls = { produce: 0, address: 0 };
    const pipeline = definePipeline<string, string>({
      produce: async () => texts[calls.produce++] ?? '',
      address: async (text) => {
        calls.address += 1;
        return `${text}d`;
      },
      criteria: Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((letter) => [letter, (text: string) => text.includes(letter)]),
      ),
      policy,
      budget: { reviews: 4 },
      ...more,
    });
    return { pipeline, calls };
  };

  it('produces until n are there, keeps the best, and puts each through the gate', async () => {
    const { pipeline, calls } = sampling(bestOf(3), { budget: { reviews: 3 } });
    const outcome = await pipeline.run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', output: 'abc' });
    expect(outcome.reviews.map(({ assessments }) => assessments.length)).toEqual([4, 4, 4]);
    expect(outcome.reviews.map(({ parent }) => parent)).toEqual([undefined, undefined, undefined]);
    expect(calls).toEqual({ produce: 3, address: 0 });
  });

  it('ends with the first that is approved', async () => {
    const { pipeline, calls } = sampling(bestOf(4));
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'abcd' });
    expect(calls.produce).toBe(4);
  });

  it('refines the best when the samples are spent', async () => {
    const { pipeline, calls } = sampling(bestOf(3));
    expect(await pipeline.run('task')).toMatchObject({ status: 'approved', output: 'abcd' });
    expect(calls).toEqual({ produce: 3, address: 1 });
  });

  it('records every sample: a resumed run produces none again', async () => {
    const store = memoryStore();
    const asking: Policy = (evidence) =>
      evidence.iteration === 3
        ? { kind: 'ask', reason: 'r', question: 'q?', allowed: ['override'] }
        : bestOf(4)(evidence);
    const { pipeline, calls } = sampling(asking, { store });
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('suspended');
    expect((await pipeline.run('task', { runId: 'r' })).status).toBe('suspended');
    expect(calls.produce).toBe(3);
  });

  it('produces each sample in the workspace as it was at first', async () => {
    const workspace = fakeWorkspace();
    const { pipeline } = sampling(bestOf(2), { workspace, budget: { reviews: 2 } });
    expect(await pipeline.run('task')).toMatchObject({ status: 'exhausted', output: 'abc' });
  });

  it('stops when producing fails, with the best, and when it gives the same again', async () => {
    let calls = 0;
    const failing = {
      produce: async () => {
        calls += 1;
        if (calls > 1) throw new Error('down');
        return 'ab';
      },
    };
    expect(await sampling(bestOf(3), failing).pipeline.run('task')).toMatchObject({
      status: 'failed',
      code: 'produce_failed',
      output: 'ab',
    });
    expect(
      await sampling(bestOf(3), { produce: async () => 'same' }).pipeline.run('task'),
    ).toMatchObject({ status: 'stalled', code: 'oscillation' });
  });
});

describe('refineOrResample', () => {
  it('refines while that helps, and begins anew where it does not', async () => {
    const samples = ['stuck', 'abc'];
    const log: string[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async () => {
        log.push('produce');
        return samples.shift() ?? 'none';
      },
      address: async (text) => {
        log.push('address');
        return text.startsWith('a') ? `${text}d` : `${text}.`;
      },
      criteria: { d: (text) => text.includes('d') },
      policy: refineOrResample(),
      ranking: () => true,
      budget: { reviews: 6 },
    }).run('task');
    expect(log).toEqual(['produce', 'address', 'address', 'produce', 'address']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'abcd' });
    expect(outcome.reviews[2]?.decision).toMatchObject({
      kind: 'revise',
      from: 'anew',
      reason: expect.stringContaining('starting over, sample 2 of 3') as string,
    });
  });

  it('stops when the samples are spent', () => {
    const stalled: Policy = () => ({
      kind: 'stop',
      status: 'stalled',
      code: 'harmful',
      reason: 'r',
    });
    const of = (options: object, gap = {}) =>
      refineOrResample(stalled, options)(evidenceOf([fail('a', gap)]));
    expect(of({ samples: 1 })).toMatchObject({ code: 'harmful' });
    expect(of({}, { standing: 'disputed' })).toMatchObject({ code: 'harmful' });
    expect(of({})).toMatchObject({ kind: 'revise', from: 'anew' });
  });
});

describe('protected criteria', () => {
  it('keep the incumbent, by id or by a test of the id', () => {
    const [before, after] = [
      reviewOf([pass('safe'), fail('a'), fail('b')]),
      reviewOf([fail('safe'), pass('a'), pass('b')]),
    ];
    expect(keepBest()(after, before)).toBe(true);
    expect(keepBest({ protect: ['safe'] })(after, before)).toBe(false);
    expect(keepBest({ protect: (id) => id.startsWith('sa') })(after, before)).toBe(false);
    expect(() => keepBest({ protect: 'safe' as unknown as string[] })).toThrow('protect');
    expect(() => keepBest({ keep: [] } as object)).toThrow('keepBest has no option');
  });

  it('are held against approval too: the run goes on from the best', async () => {
    const texts = ['safe', 'a b', 'safe a b'];
    const outcome = await definePipeline<string, string>({
      produce: async () => texts.shift() ?? '',
      address: async () => texts.shift() ?? '',
      criteria: {
        safe: { check: (text) => text.includes('safe'), severity: 'minor' },
        a: (text) => text.includes('a b'),
        b: (text) => text.includes(' b'),
      },
      policy: holdProtected(thresholds({ quality: 0.5 }), ['safe']),
      ranking: keepBest({ protect: ['safe'] }),
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output: 'safe a b' });
    expect(outcome.reviews[1]?.decision).toMatchObject({
      kind: 'revise',
      reason: 'protected criteria turned from pass: safe',
    });
  });

  it('stop the run where the best has nothing left to fix', () => {
    const approve: Policy = () => ({ kind: 'approve', reason: 'r' });
    const before = reviewOf([pass('safe')]);
    const evidence = evidenceOf([fail('safe')], { best: before });
    expect(holdProtected(approve, ['safe'])(evidence)).toMatchObject({
      kind: 'stop',
      code: 'protected_broken',
    });
    expect(holdProtected(approve, ['other'])(evidence)?.kind).toBe('approve');
    expect(() => holdProtected(1 as unknown as Policy, [])).toThrow('inner');
  });
});

describe('askDisputed', () => {
  it('asks a person where the inner policy escalates over disputes, and nothing else', () => {
    const policy = askDisputed(thresholds());
    expect(policy(evidenceOf([pass('b'), fail('a', { standing: 'disputed' })]))).toMatchObject({
      kind: 'ask',
      allowed: ['override', 'revise', 'reject'],
      question: expect.stringContaining('Judges disagree') as string,
    });
    expect(policy(evidenceOf([fail('a')]))?.kind).toBe('revise');
    expect(policy(evidenceOf([fail('a', { autoFixable: false })]))).toMatchObject({
      kind: 'stop',
      code: 'unfixable',
    });
    expect(() => askDisputed(1 as unknown as Policy)).toThrow('inner');
  });

  it('thresholds escalates also where a disputed gap stands beside an open minor one', () => {
    const gaps = [
      gapOf({ severity: 'minor' }),
      gapOf({ standing: 'disputed', severity: 'critical', id: 'other' }),
    ];
    const both = { verdict: 'fail', criterion: 'a', score: 0.9, explanation: '', gaps } as const;
    expect(thresholds()(evidenceOf([both]))).toMatchObject({ kind: 'stop', code: 'disputed' });
  });

  it('a disputed finding weighs no more than a confirmed one: minor ones do not stop what they would not block', () => {
    const good = ['b', 'c', 'd', 'e', 'f', 'g'].map((id) => pass(id));
    const minor = (standing: 'confirmed' | 'disputed') =>
      evidenceOf([...good, fail('a', { standing, severity: 'minor', raisedBy: 'a' })]);
    for (const policy of [thresholds(), severityByIteration({ minorUntil: 1 })]) {
      for (const standing of ['confirmed', 'disputed'] as const)
        expect(policy(minor(standing))?.kind, standing).toBe('approve');
      expect(
        policy(evidenceOf([...good, fail('a', { standing: 'disputed', raisedBy: 'a' })])),
      ).toMatchObject({ code: 'disputed' });
    }
    expect(severityByIteration()(minor('disputed'))).toMatchObject({ code: 'disputed' });
  });

  it('a disputed dissent of a confirming judge is for a person, however small', () => {
    const good = ['b', 'c', 'd', 'e', 'f'].map((id) => pass(id));
    const dissent = fail('a', { standing: 'disputed', severity: 'minor', raisedBy: 'a' });
    const judges = [{ id: 'a', version: '1', tier: 'confirm' }] as const;
    expect(askDisputed(thresholds())({ ...evidenceOf([...good, dissent]), judges })?.kind).toBe(
      'ask',
    );
  });

  it('a score that is too low is worked on through open minor gaps, unless a dispute blocks', () => {
    const disputed = (severity: 'minor' | 'critical') =>
      fail('b', { standing: 'disputed', severity, id: 'd' });
    const open = fail('a', { severity: 'minor' });
    const decided = (...assessments: Parameters<typeof evidenceOf>[0]) =>
      thresholds()(evidenceOf(assessments));
    expect(decided(open, disputed('minor'))).toMatchObject({
      kind: 'revise',
      blocking: [{ severity: 'minor' }],
    });
    expect(decided(open, disputed('critical'))).toMatchObject({ code: 'disputed' });
    const other = fail('a', { standing: 'disputed', severity: 'minor', id: 'e' });
    expect(decided(disputed('minor'), other)).toMatchObject({ code: 'disputed' });
  });
});
