import { expect, test } from 'vitest';
import { gateLines } from '../../../../src/quality-gate/command/gate-text.js';
import type { FinishedStep } from '../../../../src/quality-gate/finished-step.js';
import { gateCall } from '../../../support/gate-call.js';

const call = gateCall({ job: 'my job.yml' });
const base: FinishedStep = {
  status: 'needs_work',
  outcome: null,
  feedback: null,
  failed_reviews: null,
  instructions_path: null,
  hash: '',
  attempts: 1,
  review_errors: 0,
  error: null,
  unanswered: [],
  stale: [],
  begin_step: null,
};
const answer = (more: Partial<FinishedStep>): FinishedStep => ({ ...base, ...more });
const next = { step_id: 'publish it', name: null, description: null, outputs: {} };

test('what goes through names what comes next, in the same mode, or that nothing does', () => {
  expect(
    gateLines(
      answer({ status: 'next_step', outcome: 'approved', begin_step: next }),
      gateCall({ job: 'my job.yml', mode: 'self' }),
    ),
  ).toEqual([
    'APPROVED: step draft',
    "next: reviewloop gate --job 'my job.yml' --step 'publish it' --mode self",
  ]);
  expect(
    gateLines(
      answer({ status: 'workflow_complete', outcome: 'accepted', feedback: 'ann: fine\u001b[31m' }),
      call,
    ),
  ).toEqual(['ACCEPTED: step draft', 'why: ann: fine', 'next: nothing, the job is done']);
});

test('what does not names the error, each output and each criterion that failed', () => {
  const failed = [
    {
      review_run_each: 'pages',
      target_file: 'a.md',
      passed: false,
      feedback: 'no',
      criteria_results: [
        { criterion: 'Complete', passed: false, feedback: null },
        { criterion: 'Short', passed: true, feedback: null },
      ],
    },
    {
      review_run_each: 'step',
      target_file: null,
      passed: false,
      feedback: 'neither',
      criteria_results: [],
    },
  ];
  expect(gateLines(answer({ error: 'review_failed', failed_reviews: failed }), call)).toEqual([
    ...[
      'a.md: no',
      '  Complete: not met',
      'step: neither',
      'NOT APPROVED (inconclusive): step draft',
      'why: ',
      "next: reviewloop gate --job 'my job.yml' --step draft # asks again",
    ],
  ]);
  expect(gateLines(answer({ feedback: 'Complete it' }), call)).toContain(
    'NOT APPROVED (exhausted): step draft',
  );
});

test('instructions are shown, with where they are and how to go on', () => {
  const lines = gateLines(
    answer({ instructions_path: '.deepwork/tmp/x.md' }),
    gateCall({ job: 'job.yml', mode: 'self' }),
  );
  expect(lines.slice(1)).toEqual([
    '',
    'SUSPENDED: step draft is not reviewed yet',
    'why: the instructions for the reviewer are in .deepwork/tmp/x.md',
    'next: reviewloop gate --job job.yml --step draft --mode self --override-reason "..."',
  ]);
});
