import { describe, expect, it } from 'vitest';
import { modelErrors } from '@/blocks/models/errors.js';
import { ReviewLoopError } from '@/core/errors.js';
import type { Evidence, Policy } from '@/core/policy.js';
import { allPass } from '@/engine/policies/all-pass.js';
import type { RepairLedger } from '@/engine/policies/attempts.js';
import { doNoHarm } from '@/engine/policies/do-no-harm.js';
import { escalateOver } from '@/engine/policies/escalate-over.js';
import { firstOf } from '@/engine/policies/first-of.js';
import { askDisputed, holdProtected } from '@/engine/policies/guards.js';
import { noProgress } from '@/engine/policies/no-progress.js';
import { preferred } from '@/engine/policies/preferred.js';
import { bestOf, refineOrResample } from '@/engine/policies/sampling.js';
import {
  type BlockingTable,
  checkBlocking,
  severityByIteration,
} from '@/engine/policies/severity-by-iteration.js';
import { thresholds } from '@/engine/policies/thresholds.js';
import { levelAtLeast } from '@/products/reviewer-stage/quality-level.js';
import { errorWith } from '../../../support/matchers.js';
import { err, evidenceOf, fail, gapOf, pass, reviewOf, skip } from './fixtures.js';

const deciding: Readonly<Record<string, Policy>> = {
  thresholds: thresholds(),
  allPass: allPass(),
  levelAtLeast: levelAtLeast('good'),
  severityByIteration: severityByIteration(),
};

describe.each(Object.entries(deciding))('%s', (name, policy) => {
  it('approves what is good', () => {
    expect(policy(evidenceOf([pass('a'), pass('b')]))).toMatchObject({ kind: 'approve' });
  });

  it('is inconclusive where a judge failed, and names it', () => {
    expect(policy(evidenceOf([pass('a'), err('b')]))).toMatchObject({
      kind: 'stop',
      status: 'inconclusive',
      code: 'judge_failed',
      reason: expect.stringContaining('b (timeout)'),
    });
  });

  it('tells once what several judges failed for', () => {
    const other = {
      ...err('d'),
      error: new ReviewLoopError(modelErrors.answer_empty, 'nothing came'),
    };
    // a reviewer stage also says what the others said
    const said = name === 'levelAtLeast' ? '; a passed' : '';
    expect(policy(evidenceOf([pass('a'), err('b'), err('c'), other]))).toMatchObject({
      reason: `3 of 4 judges failed: b, c (timeout): late; d (answer_empty): nothing came${said}`,
    });
  });

  it('is inconclusive where nothing was judged', () => {
    expect(policy(evidenceOf([]))).toMatchObject({
      kind: 'stop',
      status: 'inconclusive',
      code: 'nothing_judged',
    });
    expect(policy(evidenceOf([skip('a')]))).toMatchObject({ status: 'inconclusive' });
  });

  it('revises from the best version, for the sake of a gap', () => {
    const decision = policy(evidenceOf([pass('a'), fail('b')]));
    expect(decision).toMatchObject({ kind: 'revise', from: 'best', blocking: [{ id: 'g-b' }] });
  });

  it('takes the gaps of the best version, not of the latest', () => {
    const best = reviewOf([pass('a'), fail('b', { id: 'old' }, 0.4)]);
    const latest = reviewOf([fail('a'), fail('b', { id: 'new' })]);
    expect(policy(evidenceOf([], { review: latest, best }))).toMatchObject({
      kind: 'revise',
      blocking: [{ id: 'old' }],
    });
  });

  it('escalates where no blocking gap can be fixed by the producer', () => {
    expect(policy(evidenceOf([pass('a'), fail('b', { autoFixable: false })]))).toMatchObject({
      kind: 'stop',
      status: 'escalated',
      code: 'unfixable',
    });
  });
});

describe('thresholds', () => {
  it('needs both scores: 0.8 overall and 0.9 completeness by default', () => {
    expect(thresholds()(evidenceOf([pass('a', 0.5)]))).toMatchObject({ kind: 'approve' });
    expect(thresholds()(evidenceOf([pass('a', 0.49)]))).toMatchObject({
      kind: 'revise',
      reason: 'overall score 0.796 is below 0.800',
    });
    const uncovered = [
      pass('a'),
      ...Array.from({ length: 9 }, (_, index) => pass(`requirement:${index}`)),
      fail('requirement:9', { severity: 'minor' }),
    ];
    expect(thresholds()(evidenceOf(uncovered))).toMatchObject({ kind: 'approve' });
    expect(thresholds({ completeness: 0.95 })(evidenceOf(uncovered))).toMatchObject({
      kind: 'revise',
      reason: 'completeness 0.90 is below 0.95',
    });
  });

  it('lets minor gaps through, and no major or critical one', () => {
    expect(
      thresholds()(evidenceOf([pass('a'), pass('b'), fail('c', { severity: 'minor' }, 0.7)])),
    ).toMatchObject({ kind: 'approve' });
    for (const severity of ['major', 'critical'] as const) {
      expect(
        thresholds()(evidenceOf([pass('a'), pass('b'), fail('c', { severity }, 0.9)])),
      ).toMatchObject({ kind: 'revise', reason: '1 critical or major gap' });
    }
  });

  it('names what to improve where a score is short and no gap is open [D004-06]', () => {
    const decision = thresholds()(
      evidenceOf([pass('good'), pass('poor', 0.02), pass('poorer', 0.01)]),
    );
    expect(decision).toMatchObject({
      kind: 'revise',
      blocking: [
        { id: 'score:poorer', criterionId: 'poorer', category: 'quality', severity: 'minor' },
      ],
    });
  });

  it('does not count waived gaps, and escalates where only disputed ones remain', () => {
    const waived = thresholds()(
      evidenceOf([pass('a'), pass('b'), fail('c', { standing: 'waived' }, 0.9)]),
    );
    expect(waived).toMatchObject({ kind: 'approve' });
    const disputed = thresholds()(evidenceOf([fail('a', { standing: 'disputed' })]));
    expect(disputed).toMatchObject({ kind: 'stop', status: 'escalated', code: 'disputed' });
  });

  it('never shows a score as the bar that it missed [D004-46]', () => {
    expect(thresholds()(evidenceOf([pass('a', 0.49999)]))).toMatchObject({
      reason: 'overall score 0.799996 is below 0.800000',
    });
  });

  it('never approves a score that is no number', () => {
    const review = reviewOf([pass('a')], {
      scores: { ...reviewOf([pass('a')]).scores, overall: Number.NaN },
    });
    expect(thresholds()(evidenceOf([], { review, best: review }))?.kind).not.toBe('approve');
  });

  it.each([
    { quality: 1.2 },
    { quality: Number.NaN },
    { completeness: -0.1 },
    { completeness: '0.9' as never },
  ])('refuses the option %s', (options) => {
    expect(() => thresholds(options)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });
});

describe('allPass', () => {
  it('does not approve what was skipped', () => {
    expect(allPass()(evidenceOf([pass('a'), skip('b')]))).toMatchObject({
      kind: 'stop',
      status: 'inconclusive',
      code: 'skipped',
      reason: 'skipped: b',
    });
    expect(allPass()(evidenceOf([pass('a'), skip('b'), fail('c')]))).toMatchObject({
      kind: 'revise',
      reason: 'not passed: b, c',
    });
  });

  it('asks only for what failed, not for remarks of what passed', () => {
    const remark = {
      ...pass('a'),
      gaps: [gapOf({ id: 'remark', criterionId: 'a', severity: 'minor' })],
    };
    expect(allPass()(evidenceOf([remark as ReturnType<typeof pass>, fail('b')]))).toMatchObject({
      blocking: [{ id: 'g-b' }],
    });
  });
});

describe('levelAtLeast', () => {
  it('needs the level of every judged criterion', () => {
    const policy = levelAtLeast('good');
    expect(policy(evidenceOf([pass('a', 0.6), pass('b', 1), skip('c')]))).toMatchObject({
      kind: 'approve',
    });
    expect(policy(evidenceOf([pass('a', 0.59)]))).toMatchObject({
      kind: 'revise',
      reason: 'a is acceptable',
    });
  });

  it('takes another level for single criteria', () => {
    const policy = levelAtLeast('poor', { a: 'excellent' });
    expect(policy(evidenceOf([pass('a', 0.7), pass('b', 0.9)]))).toMatchObject({
      kind: 'revise',
      reason: 'a is good',
      blocking: [{ criterionId: 'a' }],
    });
    expect(levelAtLeast('excellent', { a: 'poor' })(evidenceOf([pass('a', 0.1)]))).toMatchObject({
      kind: 'approve',
    });
  });

  it('takes no failed criterion for good, whatever its score', () => {
    expect(levelAtLeast('poor')(evidenceOf([fail('a', {}, 0.9)]))).toMatchObject({
      kind: 'revise',
    });
  });
});

describe('severityByIteration', () => {
  const decide = (
    severity: 'critical' | 'major' | 'minor',
    iteration: number,
    policy = severityByIteration(),
  ): string | undefined =>
    policy(evidenceOf([pass('a'), fail('b', { severity })], { iteration }))?.kind;

  it('blocks on everything, then on major gaps, and in the end on critical ones only', () => {
    expect([1, 2, 3, 4, 5].map((iteration) => decide('minor', iteration))).toEqual([
      'revise',
      'revise',
      'approve',
      'approve',
      'approve',
    ]);
    expect([1, 2, 3, 4, 5].map((iteration) => decide('major', iteration))).toEqual([
      'revise',
      'revise',
      'revise',
      'revise',
      'approve',
    ]);
    expect([1, 5, 99].map((iteration) => decide('critical', iteration))).toEqual([
      'revise',
      'revise',
      'revise',
    ]);
  });

  it('relaxes when it is told to', () => {
    const policy = severityByIteration({ minorUntil: 1, majorUntil: 2 });
    expect([
      decide('minor', 1, policy),
      decide('major', 1, policy),
      decide('major', 2, policy),
    ]).toEqual(['approve', 'revise', 'approve']);
  });
});

describe('escalateOver', () => {
  const critical = (count: number): Evidence =>
    evidenceOf(
      Array.from({ length: count }, (_, index) => fail(`c${index}`, { severity: 'critical' })),
    );

  it('has no opinion while it is not bad enough', () => {
    expect(escalateOver({ critical: 2 })(critical(2))).toBeUndefined();
    expect(escalateOver({})(critical(99))).toBeUndefined();
  });

  it('stops over a number of critical gaps, open ones only', () => {
    expect(escalateOver({ critical: 2 })(critical(3))).toMatchObject({
      kind: 'stop',
      status: 'escalated',
      code: 'critical_gaps',
      reason: '3 critical gaps, more than 2',
    });
    expect(
      escalateOver({ critical: 0 })(
        evidenceOf([fail('a', { severity: 'critical', standing: 'waived' })]),
      ),
    ).toBeUndefined();
    expect(
      escalateOver({ critical: 0 })(evidenceOf([fail('a', { severity: 'major' })])),
    ).toBeUndefined();
  });

  it('stops on a low score, from an iteration on', () => {
    const policy = escalateOver({ score: 0.7, fromIteration: 2 });
    expect(policy(evidenceOf([fail('a')], { iteration: 1 }))).toBeUndefined();
    expect(policy(evidenceOf([fail('a')], { iteration: 2 }))).toMatchObject({
      status: 'escalated',
      code: 'low_score',
    });
  });

  it('asks a person where it is told to, who cannot simply approve', () => {
    expect(escalateOver({ critical: 0, by: 'ask' })(critical(1))).toMatchObject({
      kind: 'ask',
      allowed: ['override', 'revise', 'reject'],
    });
  });
});

describe('firstOf', () => {
  it('lets the first decide that has an opinion, and asks nobody after it', () => {
    const unreached: Policy = () => expect.unreachable();
    expect(firstOf(() => undefined, allPass(), unreached)(evidenceOf([pass('a')]))).toMatchObject({
      kind: 'approve',
    });
  });

  it('has no opinion where none has one', () => {
    expect(firstOf()(evidenceOf([pass('a')]))).toBeUndefined();
    expect(firstOf(() => undefined)(evidenceOf([pass('a')]))).toBeUndefined();
  });
});

const inner = thresholds();
const ledger: RepairLedger = { attempts: 1, failing: 2, repaired: 1, passing: 2, broken: 1 };

/** What each policy is built from: options, and the names that it knows. */
const known = [
  ['thresholds', thresholds, ['quality', 'completeness']],
  ['severityByIteration', severityByIteration, ['minorUntil', 'majorUntil']],
  ['escalateOver', escalateOver, ['critical', 'score', 'fromIteration', 'by']],
  ['noProgress', (options: object) => noProgress(inner, options), ['unfixed']],
  ['doNoHarm', (options: object) => doNoHarm(inner, options), ['earlier', 'attempts']],
  ['refineOrResample', (options: object) => refineOrResample(inner, options), ['samples']],
  ['preferred', preferred, ['by', 'protect', 'otherwise']],
] as const;

describe('options of policies', () => {
  it.each(known)('%s refuses an unknown option and names those that it has', (name, build, has) => {
    expect(() => build({ nonsense: 1 } as object)).toThrow(
      expect.objectContaining(
        errorWith(
          'invalid_options',
          new RegExp(`^${name} has no option \`nonsense\`; it has ${has.join(', ')}\\.`),
        ),
      ),
    );
  });

  it.each([
    ['quality', () => thresholds({ quality: 2 })],
    ['completeness', () => thresholds({ completeness: 2 })],
    ['minorUntil', () => severityByIteration({ minorUntil: 0 })],
    ['minorUntil', () => severityByIteration({ minorUntil: Number.NaN })],
    ['majorUntil', () => severityByIteration({ minorUntil: 4, majorUntil: 3 })],
    ['critical', () => escalateOver({ critical: -1 })],
    ['critical', () => escalateOver({ critical: 1.5 })],
    ['critical', () => escalateOver({ critical: Number.NaN })],
    ['score', () => escalateOver({ score: 1.1 })],
    ['fromIteration', () => escalateOver({ fromIteration: 0 })],
    ['by', () => escalateOver({ by: 'wait' as 'ask' })],
    ['unfixed', () => noProgress(inner, { unfixed: 0 })],
    ['attempts', () => doNoHarm(inner, { attempts: 0 })],
    ['earlier', () => doNoHarm(inner, { earlier: 1 as never })],
    ['earlier[1]', () => doNoHarm(inner, { earlier: [ledger, null as never] })],
    ['earlier[0]', () => doNoHarm(inner, { earlier: ['ledger' as never] })],
    ['earlier[0]', () => doNoHarm(inner, { earlier: [{ ...ledger, repaired: 3 }] })],
    ['earlier[0]', () => doNoHarm(inner, { earlier: [{ ...ledger, broken: 3 }] })],
    ['otherwise', () => preferred({ otherwise: 'best' as never })],
    ['protect', () => preferred({ protect: 'a' as never })],
    ['samples', () => bestOf(1.5)],
    ['samples', () => refineOrResample(inner, { samples: 0 })],
  ])('a wrong value is refused with the name of the option: %s', (name, build) => {
    expect(build).toThrow(
      expect.objectContaining(
        errorWith('invalid_options', new RegExp(`^expected \`${name.replace(/[[\]]/g, '\\$&')}\``)),
      ),
    );
  });

  it.each([
    ['noProgress', noProgress],
    ['doNoHarm', doNoHarm],
    ['askDisputed', askDisputed],
    ['holdProtected', (policy: Policy) => holdProtected(policy, [])],
    ['bestOf', (policy: Policy) => bestOf(2, policy)],
    ['refineOrResample', refineOrResample],
  ])('%s takes a policy only, and has no opinion where that has none', (_, build) => {
    expect(() => build('thresholds' as never)).toThrow(
      expect.objectContaining(errorWith('invalid_options', '`inner`')),
    );
    expect(build(() => undefined)(evidenceOf([fail('a')]))).toBeUndefined();
  });

  it('a ledger may have repaired all that failed, and broken all that passed', () => {
    const all: RepairLedger = { attempts: 1, failing: 2, repaired: 2, passing: 3, broken: 3 };
    expect(() => doNoHarm(inner, { earlier: [all] })).not.toThrow();
  });

  it('the limits themselves are allowed', () => {
    expect(() =>
      escalateOver({ critical: 0, score: 1, fromIteration: 1, by: 'stop' }),
    ).not.toThrow();
    expect(() => severityByIteration({ minorUntil: 1, majorUntil: 1 })).not.toThrow();
  });
});

describe('a blocking table', () => {
  const [minor, major] = [
    { from: 1, blocks: 'minor' },
    { from: 3, blocks: 'major' },
  ] as const;

  it.each<[string, unknown]>([
    ['blocking', 'minor'],
    ['blocking', []],
    ['blocking[0].from', [{ from: 2, blocks: 'minor' }]],
    ['blocking[0].from', [{ from: 0, blocks: 'minor' }]],
    ['blocking[0].from', [undefined]],
    ['blocking[1].from', [minor, { from: 1, blocks: 'major' }]],
    ['blocking[2].from', [minor, major, { from: 3, blocks: 'critical' }]],
    ['blocking[1].blocks', [minor, { from: 2, blocks: 'huge' }]],
  ])('is refused at %s', (name, table) => {
    expect(() => checkBlocking(table as BlockingTable)).toThrow(
      expect.objectContaining(errorWith('invalid_options', `\`${name}\``)),
    );
  });

  it('may have rows whose iterations follow each other', () => {
    expect(() => checkBlocking([minor])).not.toThrow();
    expect(() => checkBlocking([minor, { from: 2, blocks: 'critical' }])).not.toThrow();
  });
});
