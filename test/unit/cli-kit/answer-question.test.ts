import { expect, test } from 'vitest';
import { questionFor } from '../../../src/cli-kit/answer-question.js';
import type { RunReport } from '../../../src/reports/run-report.js';

const question = {
  runId: 'r',
  digest: 'd',
  question: 'Fine?',
  gaps: [],
  allowed: ['approve', 'reject'] as const,
};
const report: RunReport = {
  ...{
    schemaVersion: 1,
    runId: 'r',
    at: '',
    durationMs: 0,
    status: 'suspended',
    approved: false,
    code: 'waiting',
    reason: '',
    exitCode: 53,
    task: { source: 't' },
  },
  ...{
    criteria: { chosen: [], reason: '', names: {} },
    files: [],
    notReviewed: [],
    gaps: [],
    coverage: [],
    failures: [],
    undecided: [],
    fixed: [],
    changed: [],
    written: [],
    reviews: [],
  },
  requests: [
    { ...question, id: 'aa1' },
    { ...question, id: 'ab2' },
  ],
};

test('one of several questions has to be named, by a start that only it has', () => {
  expect(questionFor(report, 'ab').id).toBe('ab2');
  expect(() => questionFor(report, undefined)).toThrow(
    /2 questions are open; name one with --question; open questions: question aa1: Fine\? \(approve, reject\) \/ question ab2/,
  );
  expect(() => questionFor(report, 'a')).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(() => questionFor(report, 'b')).toThrow(
    expect.objectContaining({ code: 'request_unknown' }),
  );
});
