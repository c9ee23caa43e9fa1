import { describe, expect, it } from 'vitest';
import {
  HumanAnswerSchema,
  type HumanRequest,
  HumanRequestSchema,
  isAboutWork,
  isExpired,
  isOverride,
} from '../../../src/core/human.js';

const by = 'ada';
const request: HumanRequest = {
  id: 'q',
  runId: 'r',
  digest: 'd',
  question: '?',
  gaps: [],
  allowed: ['approve', 'override'],
};
const gap = {
  id: 'g',
  severity: 'major',
  category: 'quality',
  description: 'wrong',
  suggestedFix: 'mend it',
  estimatedEffort: 'small',
  autoFixable: true,
} as const;

describe('answers of a person', () => {
  // one test, because a schema is built by the first test that uses it
  it('are read in every kind, and refused if they lack what their kind needs', () => {
    const good = [
      { kind: 'approve', by },
      { kind: 'reject', by },
      { kind: 'revise', by, note: 'shorter' },
      { kind: 'override', by, reason: 'known' },
      { kind: 'skip', by, reason: 'not now' },
      { kind: 'decide', by, decisions: { a: 'yes', b: 'no' } },
      { kind: 'reply', by, value: { any: ['data'] } },
      { kind: 'reply', by, value: null },
      { kind: 'reply', by, value: false },
    ];
    expect(good.map((answer) => HumanAnswerSchema.parse(answer))).toEqual(good);
    const bad = [
      { kind: '', by },
      { kind: 'reject', by: ' ' },
      { kind: 'revise', by },
      { kind: 'override', by },
      { kind: 'decide', by, decisions: {} },
      { kind: 'decide', by, decisions: { a: 'maybe' } },
      { kind: 'decide', by, decisions: { a: '' } },
      { kind: 'decide', by },
      { kind: 'reply', by },
      { kind: 'reply', by, value: undefined },
    ];
    expect(bad.filter((answer) => HumanAnswerSchema.safeParse(answer).success)).toEqual([]);
  });
});

describe('questions to a person', () => {
  it('name who asks and the kinds of answer, and nothing else', () => {
    const allowed = ['approve', 'reject', 'revise', 'override', 'skip', 'decide', 'reply'];
    for (const from of ['produce', 'address', 'reviewer', 'policy'])
      expect(HumanRequestSchema.parse({ ...request, from, allowed })).toEqual({
        ...request,
        from,
        allowed,
      });
    for (const bad of [{ from: 'model' }, { from: '' }, { allowed: [''] }])
      expect(HumanRequestSchema.safeParse({ ...request, ...bad }).success).toBe(false);
  });

  it('need a reason for approving what reviewers did not approve', () => {
    expect(isOverride({ ...request, approved: false })).toBe(true);
    expect(isOverride({ ...request, gaps: [gap] })).toBe(true);
    expect(isOverride({ ...request, from: 'policy', gaps: [gap] })).toBe(true);
    expect(isOverride({ ...request, approved: true, gaps: [gap] })).toBe(false);
    expect(isOverride(request)).toBe(false);
  });

  it('override nothing while the work is being done: there is no version yet', () => {
    for (const from of ['produce', 'address'] as const) {
      expect(isAboutWork({ from })).toBe(true);
      expect(isOverride({ ...request, from, approved: false, gaps: [gap] })).toBe(false);
    }
    for (const from of ['reviewer', 'policy', undefined] as const)
      expect(isAboutWork({ from })).toBe(false);
  });

  it('expire after their time, and never without one', () => {
    const expiresAt = '2026-01-01T00:00:00.000Z';
    const at = Date.parse(expiresAt);
    expect(isExpired({ ...request, expiresAt }, at)).toBe(false);
    expect(isExpired({ ...request, expiresAt }, at + 1)).toBe(true);
    expect(isExpired(request, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
