import { expect, it } from 'vitest';
import type { HumanAnswer, HumanRequest } from '@/core/human.js';
import { waitsOf } from '@/faces/reports/recorded-report.js';
import type { JournalRecord } from '@/ports/store.js';

const request = (id: string, more: Partial<HumanRequest> = {}): JournalRecord => ({
  type: 'request',
  request: { id, runId: 'run-1', digest: 'v1', question: `${id}?`, gaps: [], allowed: [], ...more },
  at: 0,
});
const answer = (id: string, given: HumanAnswer): JournalRecord => ({
  type: 'answer',
  id,
  digest: 'v1',
  answer: given,
  at: 1000,
});

it('a decision answers the question about what is undecided, whatever its own id', () => {
  const undecided = [{ criterion: 'tone', question: 'Is it friendly?', reason: 'no check' }];
  const records = [
    request('open', { undecided }),
    answer('decide/tone', { kind: 'decide', by: 'Ann', decisions: { tone: 'yes' } }),
    request('sign'),
    answer('override', { kind: 'override', by: 'Ben', reason: 'today' }),
  ];
  expect(waitsOf(records, new Map([['tone', 'R2']]))).toMatchObject([
    {
      question: 'open?',
      answer: 'decide R2=yes',
      by: 'Ann',
      answeredAt: '1970-01-01T00:00:01.000Z',
    },
    { question: 'sign?' },
    { question: 'the version as it is', answer: 'override', reason: 'today' },
  ]);
});
