import { describe, expect, it } from 'vitest';
import {
  HumanAnswerSchema,
  type HumanRequest,
  HumanRequestSchema,
  isAboutWork,
  isExpired,
  isOverride,
} from '@/core/human.js';

const person = 'ada';

const accepts = (answer: unknown): boolean => HumanAnswerSchema.safeParse(answer).success;

describe('what a person can answer', () => {
  it.each([
    ['an override without a reason', { kind: 'override', by: person }],
    ['an override with an empty reason', { kind: 'override', by: person, reason: '' }],
    ['an override with a blank reason', { kind: 'override', by: person, reason: ' \n' }],
    ['a revision without a note', { kind: 'revise', by: person }],
    ['a revision with a blank note', { kind: 'revise', by: person, note: ' ' }],
    ['an answer by nobody', { kind: 'approve', by: '' }],
    ['an answer without a name', { kind: 'approve' }],
    ['another kind', { kind: 'yes', by: person }],
    ['silence', undefined],
    ['a text', 'approve'],
  ])('refuses %s', (_, answer) => {
    expect(accepts(answer)).toBe(false);
  });

  it('is asked about one version of one run', () => {
    const request = {
      id: 'q',
      runId: 'r',
      digest: 'd',
      question: '?',
      gaps: [],
      allowed: ['approve', 'override'],
    };
    expect(HumanRequestSchema.parse(request)).toEqual(request);
    expect(HumanRequestSchema.safeParse({ ...request, allowed: ['agree'] }).success).toBe(false);
    expect(HumanRequestSchema.safeParse({ ...request, digest: undefined }).success).toBe(false);
  });
});

const by = 'ada';

const asked: HumanRequest = {
  id: 'q',
  runId: 'r',
  digest: 'd',
  question: '?',
  gaps: [],
  allowed: ['approve', 'override'],
};

const found = {
  id: 'g',
  severity: 'major',
  category: 'quality',
  description: 'wrong',
  suggestedFix: 'mend it',
  estimatedEffort: 'small',
  autoFixable: true,
} as const;

it('answers of a person are read in every kind, and refused if they lack what their kind needs', () => {
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

describe('questions to a person', () => {
  it('name who asks and the kinds of answer, and nothing else', () => {
    const allowed = ['approve', 'reject', 'revise', 'override', 'skip', 'decide', 'reply'];
    for (const from of ['produce', 'address', 'reviewer', 'policy'])
      expect(HumanRequestSchema.parse({ ...asked, from, allowed })).toEqual({
        ...asked,
        from,
        allowed,
      });
    for (const bad of [{ from: 'model' }, { from: '' }, { allowed: [''] }])
      expect(HumanRequestSchema.safeParse({ ...asked, ...bad }).success).toBe(false);
  });

  it('need a reason for approving what reviewers did not approve', () => {
    expect(isOverride({ ...asked, approved: false })).toBe(true);
    expect(isOverride({ ...asked, gaps: [found] })).toBe(true);
    expect(isOverride({ ...asked, from: 'policy', gaps: [found] })).toBe(true);
    expect(isOverride({ ...asked, approved: true, gaps: [found] })).toBe(false);
    expect(isOverride(asked)).toBe(false);
  });

  it('override nothing while the work is being done: there is no version yet', () => {
    for (const from of ['produce', 'address'] as const) {
      expect(isAboutWork({ from })).toBe(true);
      expect(isOverride({ ...asked, from, approved: false, gaps: [found] })).toBe(false);
    }
    for (const from of ['reviewer', 'policy', undefined] as const)
      expect(isAboutWork({ from })).toBe(false);
  });

  it('expire after their time, and never without one', () => {
    const expiresAt = '2026-01-01T00:00:00.000Z';
    const at = Date.parse(expiresAt);
    expect(isExpired({ ...asked, expiresAt }, at)).toBe(false);
    expect(isExpired({ ...asked, expiresAt }, at + 1)).toBe(true);
    expect(isExpired(asked, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
