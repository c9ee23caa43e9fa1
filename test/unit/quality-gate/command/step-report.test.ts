import { describe, expect, it } from 'vitest';
import { type StepEnd, stepReport } from '../../../../src/quality-gate/command/step-report.js';
import { GateStepSchema } from '../../../../src/quality-gate/index.js';

const step = GateStepSchema.parse({
  id: 'draft',
  outputs: { report: 'file', pages: { type: 'files', required: false }, note: 'string' },
  reviews: [
    { run_each: 'report', quality_criteria: { Complete: 'Is it?', Short: 'Is it?' } },
    { run_each: 'step', quality_criteria: { Complete: 'Is all?' } },
  ],
});
const closed: StepEnd['answer'] = {
  status: 'needs_work',
  outcome: null,
  feedback: 'no source',
  failed_reviews: null,
  error: null,
  unanswered: [],
};
const open = (outcome: 'approved' | 'accepted', more: Partial<StepEnd['answer']> = {}) =>
  ({ ...closed, status: 'next_step', outcome, feedback: null, ...more }) as const;
const reportOf = (answer: StepEnd['answer'], more: Partial<StepEnd> = {}) =>
  stepReport({
    step,
    session: 'default',
    outputs: { report: 'report.md', pages: ['a.md', 'b.md'], note: 'a text, no path' },
    exitCode: 50,
    began: Date.parse('2026-11-22T10:00:00Z'),
    now: Date.parse('2026-11-22T10:00:03Z'),
    answer,
    ...more,
  });
const failed = (more: object = {}) => ({
  review_run_each: 'report',
  target_file: 'report.md',
  passed: false,
  feedback: 'it is thin',
  criteria_results: [],
  ...more,
});

describe('the report of a step', () => {
  it('has the status that its exit code and its answer mean', () => {
    const rows = [
      [open('approved'), 0, 'approved', 'approved'],
      [open('accepted'), 0, 'accepted', 'accepted'],
      [{ ...open('approved'), outcome: null }, 0, 'approved', 'next_step'],
      [closed, 50, 'exhausted', 'needs_work'],
      [closed, 53, 'suspended', 'needs_work'],
      [{ ...closed, error: 'timed_out' }, 52, 'timed_out', 'timed_out'],
      [{ ...closed, error: 'review_failed' }, 50, 'inconclusive', 'review_failed'],
      [{ ...closed, error: 'reviewer_missing' }, 2, 'inconclusive', 'reviewer_missing'],
    ] as const;
    for (const [answer, exitCode, status, code] of rows)
      expect(reportOf(answer, { exitCode }), `${status} ${code}`).toMatchObject({
        ...{ status, code, exitCode, approved: status === 'approved' },
        reviews: [{ complete: answer.error === null }],
      });
  });

  it('names the step, its files and its time, but no text as a file', () => {
    expect(reportOf(closed)).toMatchObject({
      runId: 'gate-default-draft',
      pipeline: 'quality-gate draft',
      at: '2026-11-22T10:00:00.000Z',
      durationMs: 3000,
      task: { source: 'step draft' },
      files: [{ path: 'report.md' }, { path: 'a.md' }, { path: 'b.md' }],
    });
    // a clock that was set back
    expect(reportOf(closed, { now: 0 }).durationMs).toBe(0);
  });

  it('says who accepted what nobody reviewed', () => {
    expect(reportOf(open('accepted', { feedback: 'no criteria' })).acceptance).toEqual({
      kind: 'not_reviewed',
      by: 'nobody',
      reason: 'no criteria',
    });
    expect(reportOf(open('accepted')).acceptance).toMatchObject({ reason: '' });
    const override = { by: 'Ada', reason: 'two looks' };
    const accepted = reportOf(open('accepted'), { override });
    expect(accepted.acceptance).toEqual({ kind: 'override', ...override });
    expect(accepted.reason).toBe('two looks');
    expect(reportOf(open('approved'), { override })).not.toHaveProperty('acceptance');
    expect(reportOf(closed, { override })).not.toHaveProperty('acceptance');
    expect(reportOf(open('approved')).reason).toBe('the gate is open');
    expect(reportOf(closed, { override }).reason).toBe('no source');
  });

  it('passes each criterion once, after an approval and with an answer only', () => {
    const verdicts = (answer: StepEnd['answer']) =>
      reportOf(answer).reviews[0]?.assessments.map(
        ({ criterion, verdict, text, mandatory }) =>
          `${criterion} ${verdict} ${text} ${mandatory ?? ''}`,
      );
    expect(verdicts(open('approved', { unanswered: ['Short'] }))).toEqual([
      'Complete pass  ',
      'Short undecided the reviewer gave no answer false',
    ]);
    expect(verdicts(open('accepted'))).toEqual([
      'Complete undecided it was not reviewed false',
      'Short undecided it was not reviewed false',
    ]);
    expect(verdicts(closed)).toEqual([
      'Complete undecided the reviewer gave no answer ',
      'Short undecided the reviewer gave no answer ',
    ]);
    expect(verdicts({ ...closed, error: 'timed_out' })?.[0]).toBe('draft errored no source ');
    expect(verdicts({ ...closed, error: 'timed_out', feedback: null })?.[0]).toBe(
      'draft errored timed_out ',
    );
  });

  it('has a gap for each criterion that failed, with its file, or one for a whole review', () => {
    const results = [
      { criterion: 'Complete', passed: false, feedback: 'no sources' },
      { criterion: 'Short', passed: true, feedback: 'fine' },
    ];
    const [named, nameless] = [
      failed({ criteria_results: results }),
      failed({ review_run_each: 'step', target_file: null, feedback: ' ' }),
    ];
    const { gaps, reviews } = reportOf({ ...closed, failed_reviews: [named, nameless] });
    expect(gaps).toMatchObject([
      {
        ...{ severity: 'major', category: 'quality', criterionId: 'Complete' },
        ...{ description: 'no sources', suggestedFix: 'no sources', affectedArtifact: 'report.md' },
        ...{ estimatedEffort: 'medium', autoFixable: true },
      },
      { criterionId: 'step', description: 'step is not met' },
    ]);
    expect(gaps[1]).not.toHaveProperty('affectedArtifact');
    expect(reviews[0]?.assessments).toMatchObject([
      { criterion: 'Complete', verdict: 'fail', score: 0, text: 'no sources' },
      { criterion: 'Short', verdict: 'undecided' },
      { criterion: 'step', verdict: 'fail', text: ' ' },
    ]);
    const silent = failed({
      criteria_results: [{ criterion: 'Short', passed: false, feedback: null }],
    });
    expect(reportOf({ ...closed, failed_reviews: [silent] }).gaps).toMatchObject([
      { criterionId: 'Short', description: 'it is thin' },
    ]);
  });

  it('takes no text for a finding where the review broke off', () => {
    const passed = failed({
      criteria_results: [{ criterion: 'Complete', passed: true, feedback: null }],
    });
    const found = failed({
      criteria_results: [{ criterion: 'Short', passed: false, feedback: 'long' }],
    });
    expect(
      reportOf({ ...closed, error: 'review_failed', failed_reviews: [failed(), passed, found] })
        .gaps,
    ).toMatchObject([{ criterionId: 'Short' }]);
  });
});
