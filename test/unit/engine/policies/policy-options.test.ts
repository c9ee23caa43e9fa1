import { describe, expect, it } from 'vitest';
import type { Policy } from '@/core/policy.js';
import type { RepairLedger } from '@/engine/policies/attempts.js';
import { doNoHarm } from '@/engine/policies/do-no-harm.js';
import { escalateOver } from '@/engine/policies/escalate-over.js';
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
import { errorWith } from '../../../support/matchers.js';
import { evidenceOf, fail } from './fixtures.js';

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
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringMatching(
          new RegExp(`^${name} has no option \`nonsense\`; it has ${has.join(', ')}\\.`),
        ),
      }),
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
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringMatching(
          new RegExp(`^expected \`${name.replace(/[[\]]/g, '\\$&')}\``),
        ),
      }),
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
