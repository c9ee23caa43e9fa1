import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextCommand, quoted } from '../../../src/cli-kit/show/next-command.js';
import type { RunReport } from '../../../src/reports/run-report.js';

const report: RunReport = {
  ...{
    schemaVersion: 1,
    runId: 'r',
    at: '',
    durationMs: 0,
    status: 'exhausted',
    approved: false,
    code: 'iterations',
    reason: '',
    exitCode: 50,
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
};
const options = {
  again: ({ fix, write }: { readonly fix: boolean; readonly write: boolean }) => [
    'my site',
    '--task',
    't.md',
    ...(fix ? ['--fix'] : []),
    ...(write ? ['--write'] : []),
  ],
  example: false,
  fix: false,
  fixers: true,
  shortId: 'ab12',
  store: '',
};
const version = 'v1';
const question: NonNullable<RunReport['requests']>[number] = {
  id: 'q1',
  runId: 'r',
  digest: 'd',
  question: 'Fine?',
  gaps: [],
  allowed: ['reject', 'skip'],
};

describe('the next command', () => {
  test.each([
    ['repairs what fixers can', report, options, "reviewloop review 'my site' --task t.md --fix"],
    [
      'shows the run where nothing can be repaired',
      report,
      { ...options, fixers: false },
      'reviewloop runs ab12',
    ],
    [
      'writes what was repaired',
      { ...report, changed: ['a'] },
      { ...options, fix: true },
      "reviewloop review 'my site' --task t.md --write",
    ],
    [
      'shows the run after writing',
      { ...report, changed: ['a'], written: ['a'] },
      { ...options, fix: true },
      'reviewloop runs ab12',
    ],
    [
      'offers the override where nothing can be repaired',
      { ...report, version },
      { ...options, fixers: false },
      'reviewloop answer ab12 override --reason "..."',
    ],
    [
      'offers the override after --fix',
      { ...report, version },
      { ...options, fix: true, store: ' --store file:x' },
      'reviewloop answer ab12 override --reason "..." --store file:x',
    ],
    [
      'offers no override of the example',
      { ...report, version },
      { ...options, again: undefined, example: true, fixers: false },
      'reviewloop runs ab12',
    ],
    [
      'offers the answer to a question',
      { ...report, status: 'suspended', requests: [question] },
      options,
      'reviewloop answer ab12 reject',
    ],
    [
      'says where a reason is needed',
      { ...report, status: 'suspended', requests: [{ ...question, allowed: ['revise'] as const }] },
      options,
      'reviewloop answer ab12 revise --reason "..."',
    ],
    [
      'names one of several questions',
      { ...report, status: 'suspended', requests: [question, { ...question, id: 'q2' }] },
      options,
      'reviewloop answer ab12 reject --question q1',
    ],
    [
      'shows the run after a failure',
      { ...report, status: 'failed' },
      options,
      'reviewloop runs ab12',
    ],
    [
      'shows the run where the command cannot be repeated',
      report,
      { ...options, again: undefined },
      'reviewloop runs ab12',
    ],
  ])('%s', (_, given, how, expected) => expect(nextCommand(given, how)).toBe(expected));

  test('a shell reads arguments back as they were', () => {
    const words = fc.array(
      fc.string().filter((word) => !word.includes('\0')),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(
        words,
        (given) =>
          execFileSync('bash', ['-c', `printf '%s\\0' ${given.map(quoted).join(' ')}`], {
            encoding: 'utf8',
          }) === given.map((word) => `${word}\0`).join(''),
      ),
      { numRuns: 50 },
    );
  });
});
