import { describe, expect, it } from 'vitest';
import { checkedDecision } from '../../../src/engine/checked-decision.js';
import { definePipeline, type Gap, gap } from '../../../src/index.js';
import { failed, reviewer } from './support.js';

type Evidence = Parameters<typeof checkedDecision>[1];

const noGaps = { review: { gaps: [] }, best: { gaps: [] } } as unknown as Evidence;
const checked = (given: unknown, evidence = noGaps) => checkedDecision(given, evidence);

const known = [
  { kind: 'approve', reason: 'fine' },
  { kind: 'accept', code: 'advisory', reason: 'good enough' },
  ...(['best', 'latest', 'anew'] as const).map((from) => ({
    ...{ kind: 'revise', reason: 'mend it', from, blocking: [] },
  })),
  ...(['rejected', 'escalated', 'stalled', 'exhausted', 'inconclusive'] as const).map((status) => ({
    ...{ kind: 'stop', status, code: 'enough', reason: 'enough' },
  })),
  ...(['approve', 'reject', 'revise', 'override', 'skip', 'decide'] as const).map((answer) => ({
    ...{ kind: 'ask', reason: 'hm', question: 'what now?', allowed: [answer] },
  })),
];

const wrong = [
  { kind: 'ask', reason: 'hm', question: 'what?', allowed: [] },
  { kind: 'ask', reason: 'hm', allowed: ['approve'] },
  { kind: 'approve' },
  { kind: 'accept', reason: 'fine' },
  { kind: 'revise', reason: 'mend it', from: 'best' },
  { kind: 'revise', reason: 'mend it', from: 'worst', blocking: [] },
  { kind: 'stop', status: 'approved', code: 'x', reason: 'y' },
  { kind: 'stop', status: 'rejected', reason: 'y' },
];

describe('what a policy decides', () => {
  // the schema is built once, so one test tries all of it
  it('is taken as it is, as a copy that nobody changes, or is refused', () => {
    for (const given of known) {
      const decision = checked({ ...given, more: 'unknown' });
      expect(decision).toEqual(given);
      expect(Object.isFrozen(decision)).toBe(true);
    }
    for (const given of wrong)
      expect(() => checked(given)).toThrow(
        expect.objectContaining({ code: 'policy_invalid', value: given }),
      );
  });

  it('is nothing where it has no opinion', () => {
    expect(checked(undefined)).toBeUndefined();
  });
});

describe('the gaps that a policy wants revised', () => {
  const shown: Gap = Object.freeze({ ...gap('shown'), id: 'gap-1' });
  const evidence = { review: { gaps: [shown] }, best: { gaps: [] } } as unknown as Evidence;
  const revised = (blocking: readonly unknown[], given = evidence) =>
    checked({ kind: 'revise', reason: 'mend it', from: 'best', blocking }, given);

  it('are those of the reviews that it was shown, the latest or the best', () => {
    for (const given of [evidence, { review: { gaps: [] }, best: { gaps: [shown] } } as never]) {
      const decision = revised([shown], given);
      expect(decision?.kind === 'revise' && decision.blocking[0]).toBe(shown);
    }
  });

  it('may be its own, which are checked', () => {
    const own = { ...gap('own'), id: 'mine' };
    const decision = revised([{ ...own, more: 'unknown' }]);
    expect(decision).toMatchObject({ kind: 'revise', blocking: [own] });
    expect(decision?.kind === 'revise' && decision.blocking[0]).not.toHaveProperty('more');
    for (const bad of [{ ...own, severity: 'terrible' }, null, 'a gap', {}])
      expect(() => revised([shown, bad])).toThrow(
        expect.objectContaining({
          code: 'policy_invalid',
          cause: expect.objectContaining({ issues: expect.any(Array) }),
        }),
      );
  });

  it('reach `address` as the policy made them', async () => {
    const asked: string[][] = [];
    const own = { ...gap('too long'), id: 'mine' };
    await definePipeline<string, string>({
      produce: async () => 'x',
      address: async (output, gaps) => {
        asked.push(gaps.map(({ id, description }) => `${id}: ${description}`));
        return `${output}!`;
      },
      reviewers: [reviewer('a', async () => [failed('a')])],
      policy: () => ({ kind: 'revise', reason: 'shorter', from: 'best', blocking: [own] }),
      budget: { reviews: 2 },
    }).run('task');
    expect(asked).toEqual([expect.arrayContaining(['mine: too long'])]);
  });
});
