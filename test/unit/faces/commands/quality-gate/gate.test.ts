import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { gateLines } from '@/faces/commands/quality-gate/gate-text.js';
import { type StepEnd, stepReport } from '@/faces/commands/quality-gate/run-gate.js';
import type { FinishedStep } from '@/products/quality-gate/finished-step.js';
import { GateStepSchema } from '@/products/quality-gate/gate-job.js';
import { fakeClaude } from '../../../../support/fake-claude.js';
import { gateCall } from '../../../../support/gate-call.js';
import { failing } from '../../../../support/matchers.js';
import { folderOf, runCli } from '../../cli/harness.js';

const job = `name: article
steps:
  - id: draft
    outputs:
      report: { type: file, path: report.md }
      pages: { type: files, required: false }
    reviews:
      - run_each: step
        quality_criteria:
          Complete: Is everything there?
  - id: publish
    outputs: { page: file }
`;
const folder = (more: Record<string, string> = {}) =>
  folderOf({ 'job.yml': job, 'report.md': 'text', 'page.md': 'page', ...more });
const gate = (cwd: string, ...more: string[]) =>
  runCli(cwd, ['gate', '--job', 'job.yml', '--step', 'draft', ...more]);

it('approves, and names the next step', async () => {
  const { executable } = fakeClaude('pass');
  const result = await gate(await folder(), '--cli', executable);
  expect(result).toEqual({
    code: 0,
    err: '',
    out: `APPROVED: step draft\nwhy: All criteria met\nnext: reviewloop gate --job job.yml --step publish --output page=FILE --cli ${executable}\n`,
  });
});

it('needs work with 50, names what failed, and is closed after three attempts [R3-086]', async () => {
  const cwd = await folder();
  const { executable } = fakeClaude('fail');
  const failed = '  step: Not complete\n    Complete: no conclusion\n';
  const end = 'exit code 50 (exhausted)\n';
  for (const attempt of [1, 2]) {
    writeFileSync(join(cwd, 'report.md'), `text ${attempt}`);
    const { code, out } = await gate(cwd, '--cli', executable);
    expect(code).toBe(50);
    const next = `next: reviewloop gate --job job.yml --step draft --cli ${executable} # after you changed the outputs`;
    const why = `NOT APPROVED: step draft\nwhy: Not complete (attempt ${attempt} of 3)\n`;
    expect(out).toBe(`${why}${failed}${next}\n${end}`);
    expect((await gate(cwd, '--cli', executable)).out).toContain(`(attempt ${attempt} of 3)`);
  }
  const run = await runCli(cwd, ['runs', 'gate-article-default-draft'], { outColumns: 80 });
  const lines = run.out.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(23);
  // a command is never cut
  for (const line of lines) expect(line.startsWith('next: ') || line.length <= 80, line).toBe(true);
  expect(run.out).toMatch(/^NOT APPROVED: 1 major gap\n/m);
  expect(run.out).toMatch(/major +no conclusion/);
  expect(run.out).toContain(`\nnext: reviewloop gate --job job.yml --step draft --cli `);
  for (const argv of [
    ['answer', 'gate-', 'approve'],
    ['override', 'gate-', '--reason', 'x'],
    ['resume', 'gate-'],
  ])
    expect(await runCli(cwd, argv)).toMatchObject(failing(2, /of a gate .*\[run_elsewhere\]/));
  writeFileSync(join(cwd, 'report.md'), 'text 3');
  const third = await gate(cwd, '--cli', executable);
  expect(third.code).toBe(50);
  expect(third.out).toMatch(
    /^NOT APPROVED: step draft\nwhy: Quality gate failed after 3 attempts\..*\n {2}step: Not complete\n/,
  );
  const json = await gate(cwd, '--cli', executable, '--format', 'json');
  expect(JSON.parse(json.out)).toMatchObject({
    status: 'failed',
    code: 'gate_attempts_used',
    failed_reviews: [{ feedback: 'Not complete' }],
    exitCode: 50,
  });
  expect((await gate(cwd, '--cli', executable, '--session', 'other')).code).toBe(50);
});

it('tells what a service said once, however many reviews it ended [R3-052]', async () => {
  const pages = job.replace('run_each: step', 'run_each: pages');
  const cwd = await folder({ 'job.yml': pages, 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' });
  const { executable } = fakeClaude('api-error');
  const outputs = ['a', 'b', 'c'].flatMap((name) => ['--output', `pages=${name}.md`]);
  const { code, out } = await gate(cwd, '--cli', executable, ...outputs);
  expect(code).toBe(50);
  const [first, why, said] = out.split('\n');
  expect(first).toBe('NO VERDICT: step draft, the reviewer gave none. The gate stays closed.');
  expect(why).toMatch(/^why: The review could not be completed: /);
  expect(said).toMatch(/^Nothing is said about the outputs: 0 of \d criteri\w+ were judged\.$/);
  expect(out).toContain('\nThis attempt does not count: 0 of 3 are used.\n');
  expect(out.match(/could not be completed/g)).toHaveLength(1);
});

it('writes whole files into instructions if they are not more than the limit [R3-087]', async () => {
  const cwd = await folder();
  const instructions = async (...more: string[]) => {
    await gate(cwd, '--mode', 'self', ...more);
    return readFileSync(join(cwd, '.deepwork/tmp/quality_review_default_draft.md'), 'utf8');
  };
  const unread = 'too many to include inline';
  expect(await instructions()).toContain(unread);
  expect(await instructions('--max-inline-files', '5')).not.toContain(unread);
  expect(await instructions('--max-inline-files', '0')).toContain(unread);
});

it('writes instructions with 53, and accepts a reason, which is audited', async () => {
  const cwd = await folder();
  const { code, out } = await gate(cwd, '--mode', 'self');
  expect(code).toBe(53);
  expect(out).toContain('NOT APPROVED YET: step draft is not reviewed');
  expect(existsSync(join(cwd, '.deepwork/tmp/quality_review_default_draft.md'))).toBe(true);
  const reason = ['--override-reason', 'two looks', '--by', 'ann'];
  const accepted = await gate(cwd, '--mode', 'self', ...reason, '--format', 'json');
  expect([accepted.code, JSON.parse(accepted.out)]).toEqual([
    0,
    expect.objectContaining({
      schemaVersion: 1,
      status: 'next_step',
      outcome: 'accepted',
      exitCode: 0,
    }),
  ]);
  expect(readFileSync(join(cwd, '.reviewloop/audit.jsonl'), 'utf8')).toContain('"who":"ann"');
});

it('says what is wrong with a job file, by its line', async () => {
  const wrong = {
    'yaml.yml': ['name: a\nsteps:\n  - id: [\n', /yaml\.yml:\d+: /],
    'key.yml': [
      job.replace('quality_criteria', 'quality_criterias'),
      /key\.yml:9: .*quality_criterias/,
    ],
    'each.yml': [
      job.replace('run_each: step', 'run_each: repotr'),
      /each\.yml:8: .*"repotr" is neither/,
    ],
    'type.yml': [job.replace('type: files', 'type: folder'), /type\.yml:6: /],
    'none.yml': ['name: a\nsteps: []\n', /none\.yml:2: /],
    'bad.json': ['{"name": "a", "steps": [}', /bad\.json/],
  } as const;
  const cwd = await folder(
    Object.fromEntries(Object.entries(wrong).map(([name, [text]]) => [name, text])),
  );
  for (const [name, [, message]] of Object.entries(wrong)) {
    const argv = ['gate', '--job', name, '--step', 'draft'];
    expect(await runCli(cwd, argv), name).toMatchObject(failing(2, message));
  }
});

it('refuses wrong use with 2', async () => {
  const cwd = await folder();
  const uses = [
    ['--output', 'report'],
    ['--output', 'typo=x'],
    ['--output', 'report=a', '--output', 'report=b'],
    ['--output', 'report=gone.md'],
    ['--output', 'report=../x.md'],
    ['--max-inline-files', 'many'],
    ['--model', 'x'],
    ['--cli', 'x', '--provider', 'ollama:y'],
    ['--mode', 'both'],
  ];
  for (const use of uses) expect((await gate(cwd, ...use)).code, use.join(' ')).toBe(2);
  expect(await runCli(cwd, ['gate', '--job', 'gone.yml', '--step', 'x'])).toMatchObject(
    failing(2, /cannot read gone\.yml: no such file.*\[file_unreadable\]/),
  );
  expect((await runCli(cwd, ['gate', '--job', 'job.yml', '--step', 'x'])).code).toBe(2);
  expect((await runCli(cwd, ['gate', '--job', 'job.yml'])).code).toBe(2);
});

it('names what to set up where the reviewer is not installed, with exit code 2 [R2-024]', async () => {
  const cwd = await folder();
  for (const _ of [1, 2, 3, 4]) {
    const { code, out } = await gate(cwd, '--cli', '/nowhere/claude');
    expect(code).toBe(2);
    expect(out).toContain('Claude CLI command not found: /nowhere/claude');
    expect(out).toMatch(/^next: reviewloop gate .*--cli \/nowhere\/claude #/m);
  }
  const { executable } = fakeClaude('pass');
  expect((await gate(cwd, '--cli', executable)).code).toBe(0);
});

it('names only what its user has at hand [R2-110]', async () => {
  const cwd = await folder();
  const outside = await gate(cwd, '--output', 'report=../x.md');
  expect(outside).toMatchObject({ code: 2, err: expect.stringContaining('--root') as string });
  const absent = await gate(cwd, '--output', 'report=gone.md');
  expect(absent.err).toContain('Create the files, or hand in other paths.');
  const killed = await scripted('kill -9 $$');
  const ended = await gate(cwd, '--cli', killed);
  expect(ended.out).toMatch(
    /why: .*Claude CLI failed: cli:deepwork was ended by SIGKILL and printed nothing$/m,
  );
  const silent = await gate(cwd, '--cli', await scripted('exit 3'), '--session', 'b');
  expect(silent.out).toMatch(
    /exit code 3: stderr: cli:deepwork failed with exit code 3 and printed nothing$/m,
  );
  const poor = await scripted(
    `echo '{"type":"result","is_error":true,"result":"Credit balance is too low"}'`,
  );
  const credit = await gate(cwd, '--cli', poor, '--session', 'c');
  expect(credit.out).toMatch(/why: .*Credit balance is too low$/m);
  const prose = await gate(cwd, '--cli', await scripted('echo fine'), '--session', 'd');
  for (const { out, err } of [outside, absent, ended, silent, credit, prose])
    expect(out + err).not.toMatch(
      /`value`|allowOutside|maxAttempts|everyCriterion|Check the address/,
    );
});

/** A program that ignores its input and runs a line of shell. */
async function scripted(line: string): Promise<string> {
  const path = join(await folderOf({ claude: `#!/bin/sh\ncat >/dev/null\n${line}\n` }), 'claude');
  chmodSync(path, 0o755);
  return path;
}

const call = gateCall({ job: 'my job.yml' });
const base: FinishedStep = {
  ...{ status: 'needs_work', outcome: null, feedback: null, failed_reviews: null },
  ...{ instructions_path: null, hash: '', attempts: 1, review_errors: 0, error: null },
  ...{ unanswered: [], stale: [], begin_step: null },
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
  const results = [
    { criterion: 'Complete', passed: false, feedback: null },
    { criterion: 'Short', passed: true, feedback: null },
  ];
  const about = { review_run_each: 'pages', target_file: 'a.md', feedback: 'no' };
  const failed_reviews = [
    failed({ ...about, criteria_results: results }),
    failed({ review_run_each: 'step', target_file: null, feedback: 'neither' }),
  ];
  const tries = [0, 3].map((second) => ({
    ...{ at: `2026-11-22T10:00:0${second}.000Z`, durationMs: 500, what: 'overloaded' },
  }));
  expect(gateLines(answer({ error: 'review_failed', failed_reviews, tries }), call)).toEqual([
    'NO VERDICT: step draft, the reviewer gave none. The gate stays closed.',
    ...['why: ', 'No answer in 2 tries, 10:00:00 to 10:00:03 UTC.'],
    ...['  try 1  at 0.0 s  overloaded', '  try 2  at 3.0 s  overloaded'],
    ...['  a.md: no', '    Complete: not met'],
    'This attempt does not count: 1 of 3 are used.',
    "next: reviewloop gate --job 'my job.yml' --step draft # asks again",
    expect.stringMatching(/^ {2}or: .* --override-reason "\.\.\." # opens the gate/),
    'exit code 50 (inconclusive)',
  ]);
  const long = tries.map((one) => ({ ...one, what: 'overloaded '.repeat(20) }));
  const narrow = { ...call, columns: 80 };
  const cut = gateLines(answer({ error: 'review_failed', tries: long }), narrow);
  for (const line of cut.filter((one) => one.includes('try '))) expect(line).toHaveLength(80);
  expect(gateLines(answer({ feedback: 'Complete it' }), call)).toContain(
    'NOT APPROVED: step draft',
  );
});

test('instructions are shown, with where they are and how to go on', () => {
  const lines = gateLines(
    answer({ instructions_path: '.deepwork/tmp/x.md' }),
    gateCall({ job: 'job.yml', mode: 'self' }),
  );
  expect(lines.slice(1)).toEqual([
    '',
    'NOT APPROVED YET: step draft is not reviewed',
    'why: the instructions for the reviewer are in .deepwork/tmp/x.md',
    'next: reviewloop gate --job job.yml --step draft --mode self --override-reason "..."',
    'exit code 53 (suspended)',
  ]);
});

const step = GateStepSchema.parse({
  id: 'draft',
  outputs: { report: 'file', pages: { type: 'files', required: false }, note: 'string' },
  reviews: [
    { run_each: 'report', quality_criteria: { Complete: 'Is it?', Short: 'Is it?' } },
    { run_each: 'step', quality_criteria: { Complete: 'Is all?' } },
  ],
});
const closed: StepEnd['answer'] = {
  ...{ status: 'needs_work', outcome: null, feedback: 'no source' },
  ...{ failed_reviews: null, error: null, unanswered: [] },
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
  ...{ review_run_each: 'report', target_file: 'report.md', passed: false },
  ...{ feedback: 'it is thin', criteria_results: [], ...more },
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
