import { describe, expect, it, test } from 'vitest';
import { hashText } from '@/core/hash.js';
import { decisionsOf, questionFor } from '@/faces/cli-kit/answer-question.js';
import { withCode } from '../../../support/matchers.js';
import { emptyReport, question } from './support.js';

const asking = {
  ...emptyReport,
  requests: [
    { ...question, id: 'aa1' },
    { ...question, id: 'ab2' },
  ],
};

test('one of several questions has to be named, by a start that only it has', () => {
  expect(questionFor(asking, 'ab').id).toBe('ab2');
  expect(() => questionFor(asking, undefined)).toThrow(
    /2 questions are open; name one with --question; open questions: question aa1: Fine\? \(approve, reject\) \/ question ab2/,
  );
  expect(() => questionFor(asking, 'a')).toThrow(withCode('usage'));
  expect(() => questionFor(asking, 'b')).toThrow(withCode('request_unknown'));
});

const requirements = ['The page shows tea', 'The heading is blue', 'It is friendly'];
const criterionOf = (requirement: string): string =>
  `requirement:${hashText(requirement).slice(0, 16)}`;
const open = (criterion: string) =>
  ({ criterion, verdict: 'undecided', text: 'why', decidableBy: ['person'] }) as const;
const report = {
  coverage: requirements.map((requirement) => ({
    requirement,
    source: 'explicit',
    covered: false,
    coverageDetails: '',
    confidence: 0,
  })),
  undecided: [{ ...open(criterionOf('The heading is blue')), id: 'R2' }, open('tone')],
} as unknown as typeof emptyReport;

describe('decisions of the command line', () => {
  it('name requirements by number, and criteria by id', () => {
    expect(decisionsOf(['R2=yes', 'tone=no'], report)).toEqual({
      [criterionOf('The heading is blue')]: 'yes',
      tone: 'no',
    });
    expect(decisionsOf(['r2=N'], report)).toEqual({ [criterionOf('The heading is blue')]: 'no' });
  });

  it.each([
    [[], 'decide what? Pass for example R2=yes; undecided: R2, tone'],
    [['R2'], "'R2' is not like R3=yes or R3=no"],
    [['R2=perhaps'], "'R2=perhaps' is not like R3=yes or R3=no"],
    [['=yes'], "'=yes' is not like R3=yes or R3=no"],
    [['R1=yes'], 'R1 is not undecided; undecided: R2, tone'],
    [['R99=yes'], 'R99 is not undecided'],
    [['toString=yes'], 'toString is not undecided'],
    [['R2=yes', 'R2=no'], 'R2 is decided twice'],
  ])('refuse %j', (given, message) => {
    expect(() => decisionsOf(given, report)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
    );
  });
});
