import { describe, expect, it } from 'vitest';
import { HumanAnswerSchema, HumanRequestSchema } from '../../../src/core/human.js';

const by = 'ada';
const accepts = (answer: unknown): boolean => HumanAnswerSchema.safeParse(answer).success;

describe('what a person can answer', () => {
  it.each([
    { kind: 'approve', by },
    { kind: 'reject', by, reason: 'no' },
    { kind: 'revise', by, note: 'shorter' },
    { kind: 'override', by, reason: 'known' },
    { kind: 'skip', by },
  ])('takes %s', (answer) => {
    expect(HumanAnswerSchema.parse(answer)).toEqual(answer);
  });

  it.each([
    ['an override without a reason', { kind: 'override', by }],
    ['an override with an empty reason', { kind: 'override', by, reason: '' }],
    ['an override with a blank reason', { kind: 'override', by, reason: ' \n' }],
    ['a revision without a note', { kind: 'revise', by }],
    ['a revision with a blank note', { kind: 'revise', by, note: ' ' }],
    ['an answer by nobody', { kind: 'approve', by: '' }],
    ['an answer without a name', { kind: 'approve' }],
    ['another kind', { kind: 'yes', by }],
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
