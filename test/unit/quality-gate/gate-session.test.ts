import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deepworkCli } from '../../../src/providers/cli/index.js';
import {
  GateSession,
  type GateSessionOptions,
  gateStateFile,
  gateStateMemory,
  QualityGate,
  QualityGateError,
} from '../../../src/quality-gate/index.js';
import { fileAudit, verifyAudit } from '../../../src/stores/file/index.js';
import { fakeClock, scriptedProvider } from '../../../src/testing/index.js';
import { fakeClaude } from '../../support/fake-claude.js';
import { gateFolder } from '../../support/gate-folder.js';

const quality_criteria = { Complete: 'Is everything there?' };
const job = {
  name: 'article',
  summary: 'ignored',
  steps: [
    {
      id: 'draft',
      name: 'Draft',
      outputs: { report: 'file' as const, extra: { type: 'file' as const, required: false } },
      reviews: [{ run_each: 'step', quality_criteria }],
    },
    { id: 'publish', outputs: { page: 'file' as const }, reviews: [] },
  ],
};
const draft = { stepId: 'draft', outputs: { report: 'report.md' } };
const folder = () => gateFolder({ 'report.md': 'text', 'page.md': 'page' });
const external = (
  root: string,
  modes: string,
  more: Partial<GateSessionOptions> = {},
): GateSession =>
  new GateSession({
    gate: new QualityGate({
      root,
      cli: deepworkCli({ executable: fakeClaude(modes).executable, cwd: root, retries: 0 }),
      retries: 0,
    }),
    job,
    ...more,
  });
const self = (root: string, more: Partial<GateSessionOptions> = {}): GateSession =>
  new GateSession({ gate: new QualityGate({ root }), job, sessionId: 's1', ...more });

it('needs work twice, and is an error at the third failed attempt', async () => {
  const session = external(folder(), 'fail');
  for (const attempts of [1, 2]) {
    expect(await session.finishedStep(draft)).toMatchObject({
      status: 'needs_work',
      attempts,
      feedback: 'Not complete',
      failed_reviews: [
        {
          review_run_each: 'step',
          target_file: null,
          passed: false,
          criteria_results: [{ criterion: 'Complete', passed: false, feedback: 'no conclusion' }],
        },
      ],
    });
  }
  await expect(session.finishedStep(draft)).rejects.toThrow(
    'Quality gate failed after 3 attempts. Feedback: Not complete',
  );
  await expect(session.finishedStep(draft)).rejects.toBeInstanceOf(QualityGateError);
  expect((await session.reviewStatus()).steps['draft']).toMatchObject({
    status: 'failed',
    attempts: 3,
  });
});

it('counts errors of the reviewer separately [D000-12]', async () => {
  const root = folder();
  const session = external(root, 'error,fail,error,pass');
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'needs_work',
    attempts: 0,
    review_errors: 1,
    feedback: expect.stringContaining('could not be completed'),
  });
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'needs_work',
    attempts: 1,
    review_errors: 1,
  });
  writeFileSync(join(root, 'report.md'), 'better text');
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'needs_work',
    attempts: 1,
    review_errors: 2,
  });
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'next_step',
    outcome: 'approved',
  });
});

it('is an error from the third evaluation without a verdict, and asks again with each call [D000-12, R2-024]', async () => {
  const session = external(folder(), 'error,error,error,error,pass');
  await session.finishedStep(draft);
  await session.finishedStep(draft);
  for (const errors of [3, 4]) {
    await expect(session.finishedStep(draft)).rejects.toMatchObject({ code: 'gate_review_failed' });
    expect((await session.reviewStatus()).steps['draft']).toMatchObject({
      status: 'needs_work',
      attempts: 0,
      review_errors: errors,
    });
  }
  expect(await session.finishedStep(draft)).toMatchObject({ outcome: 'approved' });
  const failing = external(folder(), 'error,fail', { maxReviewErrors: 1 });
  await expect(failing.finishedStep(draft)).rejects.toMatchObject({ code: 'gate_review_failed' });
  expect(await failing.finishedStep(draft)).toMatchObject({ status: 'needs_work', attempts: 1 });
});

it('goes from step to step, and a step without criteria is accepted, never approved', async () => {
  const session = external(folder(), 'pass');
  expect(await session.start()).toMatchObject({
    begin_step: { step_id: 'draft', name: 'Draft', outputs: { report: 'file', extra: 'file' } },
  });
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'next_step',
    outcome: 'approved',
    begin_step: { step_id: 'publish' },
  });
  expect(
    await session.finishedStep({ stepId: 'publish', outputs: { page: 'page.md' } }),
  ).toMatchObject({ status: 'workflow_complete', outcome: 'accepted', begin_step: null });
  expect(await session.start()).toMatchObject({ begin_step: null });
});

it('reviews changed content again, and equal content never', async () => {
  const root = folder();
  const claude = fakeClaude('pass');
  const session = new GateSession({
    gate: new QualityGate({ root, cli: deepworkCli({ executable: claude.executable, cwd: root }) }),
    job,
  });
  await session.finishedStep(draft);
  await session.finishedStep(draft);
  expect(claude.calls()).toHaveLength(1);
  writeFileSync(join(root, 'report.md'), 'other text');
  await session.finishedStep(draft);
  expect(claude.calls()).toHaveLength(2);
});

it('ignores a verdict on files that changed meanwhile', async () => {
  const root = folder();
  const provider = scriptedProvider(() => {
    writeFileSync(join(root, 'report.md'), 'changed under review');
    return JSON.stringify({ passed: true, feedback: 'good' });
  });
  const session = new GateSession({ gate: new QualityGate({ root, provider }), job });
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'needs_work',
    outcome: null,
    review_errors: 1,
    feedback: expect.stringContaining('changed while'),
  });
});

it('lets the agent start its own reviewer, with instructions in the folder of DeepWork, in five steps [JOBS-REQ-004.2.8, JOBS-REQ-004.2.10, JOBS-REQ-004.2.11, R2-125]', async () => {
  const root = folder();
  const answer = await self(root).finishedStep(draft);
  const path = '.deepwork/tmp/quality_review_s1_draft.md';
  expect(answer).toMatchObject({
    status: 'needs_work',
    failed_reviews: null,
    outcome: null,
    instructions_path: path,
  });
  const [intro = '', ...steps] = (answer.feedback ?? '').split(/\n+(?=\d\. )/);
  expect(intro).toMatch(/^Quality review required\. .*Have a subagent do it, not yourself:$/);
  expect(steps).toEqual([
    `1. Spawn a subagent that reads the review instructions in \`${path}\`.`,
    '2. It evaluates every criterion there against the outputs, and reports PASS or FAIL for each.',
    '3. Fix every issue that it reports.',
    '4. Repeat with a fresh look until all criteria pass.',
    expect.stringMatching(/^5\. Call finished_step again with `quality_review_override_reason`: /),
  ]);
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toContain('- report.md  (output: report)');
  expect(text).toContain('- **Complete**: Is everything there?');
});

it('accepts on the agent\u2019s reason, recorded with who, why, when and content, and never approves [D000-11]', async () => {
  const root = folder();
  const clock = fakeClock(Date.parse('2026-01-02T03:04:05Z'));
  const session = self(root, { clock, audit: fileAudit(join(root, 'audit')) });
  await session.finishedStep(draft);
  const answer = await session.finishedStep({
    ...draft,
    qualityReviewOverrideReason: 'all criteria passed',
    by: 'agent-7',
  });
  expect(answer).toMatchObject({ status: 'next_step', outcome: 'accepted' });
  expect((await session.reviewStatus()).steps['draft']).toMatchObject({
    status: 'accepted',
    override: {
      who: 'agent-7',
      reason: 'all criteria passed',
      at: '2026-01-02T03:04:05.000Z',
      hash: answer.hash,
    },
  });
  expect(answer.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await verifyAudit(join(root, 'audit'))).toMatchObject({ intact: true, records: 1 });
  expect(readFileSync(join(root, 'audit/audit.jsonl'), 'utf8')).toContain('all criteria passed');
});

it('requires a reason, and a writable audit log [D000-11]', async () => {
  const root = folder();
  expect(
    await self(root).finishedStep({ ...draft, qualityReviewOverrideReason: '  ' }),
  ).toMatchObject({ status: 'needs_work' });
  const audit = { record: () => Promise.reject(new Error('disk full')) };
  const session = self(root, { audit });
  await expect(
    session.finishedStep({ ...draft, qualityReviewOverrideReason: 'fine' }),
  ).rejects.toThrow('disk full');
  expect((await session.reviewStatus()).steps['draft']?.status).toBe('pending');
});

it('opens, where it is verified, only on a reviewer\u2019s verdict for the same content [D000-11]', async () => {
  const root = folder();
  const session = self(root, { verified: true });
  const first = await session.finishedStep({ ...draft, qualityReviewOverrideReason: 'trust me' });
  expect(first).toMatchObject({ status: 'needs_work', outcome: null });
  expect(first.feedback).not.toContain('quality_review_override_reason');
  const tokenIn = (): string =>
    /- token: (\w+)/.exec(readFileSync(join(root, first.instructions_path ?? ''), 'utf8'))?.[1] ??
    '';
  const verdict = (more: object) =>
    session.submitVerdict({
      stepId: 'draft',
      reviewer: 'r',
      hash: first.hash,
      token: tokenIn(),
      result: {
        passed: true,
        feedback: 'good',
        criteria_results: [{ criterion: 'Complete', passed: true }],
      },
      ...more,
    });
  for (const wrong of [{ token: 'guessed' }, { hash: '0'.repeat(64) }, { reviewer: ' ' }])
    await expect(verdict(wrong)).rejects.toMatchObject({ code: 'gate_verdict_refused' });
  await expect(verdict({ result: { passed: 'yes' } })).rejects.toMatchObject({
    code: 'gate_result_invalid',
  });
  await expect(verdict({ stepId: 'nope' })).rejects.toMatchObject({ code: 'gate_step_unknown' });
  await expect(verdict({ stepId: 'publish' })).rejects.toMatchObject({
    code: 'gate_verdict_refused',
  });
  await verdict({});
  writeFileSync(join(root, 'report.md'), 'changed after the verdict');
  const second = await session.finishedStep(draft);
  expect(second).toMatchObject({ status: 'needs_work' });
  expect(second.hash).not.toBe(first.hash);
  await expect(verdict({})).rejects.toMatchObject({ code: 'gate_verdict_refused' });
  await verdict({
    hash: second.hash,
    result: {
      passed: true,
      feedback: 'x',
      criteria_results: [{ criterion: 'Complete', passed: false }],
    },
  });
  await expect(verdict({ hash: second.hash })).rejects.toMatchObject({
    code: 'gate_verdict_refused',
  });
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'needs_work',
    attempts: 1,
    feedback: 'x',
    instructions_path: null,
  });
  writeFileSync(join(root, 'report.md'), 'changed after the fail');
  const third = await session.finishedStep(draft);
  await verdict({ hash: third.hash });
  expect(await session.finishedStep(draft)).toMatchObject({
    status: 'next_step',
    outcome: 'approved',
  });
});

it('counts failed verdicts as attempts', async () => {
  const root = folder();
  const session = self(root, { verified: true, maxAttempts: 1 });
  const { hash, instructions_path } = await session.finishedStep(draft);
  expect(await session.getInstructions('draft')).toEqual({ hash, instructions_path });
  const token =
    /- token: (\w+)/.exec(readFileSync(join(root, instructions_path ?? ''), 'utf8'))?.[1] ?? '';
  await session.submitVerdict({
    stepId: 'draft',
    reviewer: 'r',
    hash,
    token,
    result: { passed: false, feedback: 'thin' },
  });
  await expect(session.finishedStep(draft)).rejects.toThrow(
    'Quality gate failed after 1 attempts. Feedback: thin',
  );
});

it('writes whole files inside its folder for any id, and preserves earlier instructions [D000-13]', async () => {
  const root = folder();
  const wild = {
    name: 'x',
    steps: [{ ...job.steps[0], id: '../../etc/passwd' }],
  } as GateSessionOptions['job'];
  const session = new GateSession({
    gate: new QualityGate({ root }),
    job: wild,
    sessionId: '../s/1',
  });
  const { instructions_path: path = '' } = await session.finishedStep({
    stepId: '../../etc/passwd',
    outputs: { report: 'report.md' },
  });
  expect(path).toMatch(/^\.deepwork\/tmp\/quality_review_[\w.-]+\.md$/);
  expect(existsSync(join(root, path ?? ''))).toBe(true);
  const plain = self(root);
  await plain.finishedStep({ ...draft, notes: 'one' });
  await plain.finishedStep({ ...draft, notes: 'two' });
  const kept = readdirSync(join(root, '.deepwork/tmp')).filter((name) =>
    name.startsWith('quality_review_s1_draft'),
  );
  expect(kept.sort()).toEqual(['quality_review_s1_draft.1.md', 'quality_review_s1_draft.md']);
});

it('refuses undeclared outputs, missing outputs and missing files', async () => {
  const session = external(folder(), 'pass');
  for (const outputs of [
    {},
    { report: 'report.md', other: 'x' },
    { report: ['report.md'] },
    { report: 'gone.md' },
  ] as never[]) {
    await expect(session.finishedStep({ stepId: 'draft', outputs })).rejects.toMatchObject({
      code: 'gate_output_invalid',
    });
  }
  await expect(
    session.finishedStep({ stepId: 'draft', outputs: { report: '../x' } }),
  ).rejects.toMatchObject({ code: 'path_outside' });
  await expect(session.finishedStep({ ...draft, stepId: 'nope' })).rejects.toMatchObject({
    code: 'gate_step_unknown',
  });
});

it('continues in another process from its file', async () => {
  const root = folder();
  const state = join(root, 'state/s1.json');
  await external(root, 'fail', { state: gateStateFile(state) }).finishedStep(draft);
  const later = external(root, 'fail', { state: gateStateFile(state) });
  expect(await later.finishedStep(draft)).toMatchObject({ attempts: 2 });
  writeFileSync(state, '{"schema": 9}');
  await expect(later.finishedStep(draft)).rejects.toMatchObject({ code: 'gate_state_invalid' });
  writeFileSync(state, 'no json');
  await expect(later.reviewStatus()).rejects.toMatchObject({ code: 'gate_state_invalid' });
});

it('refuses the state of another job or session', async () => {
  const state = gateStateMemory();
  await self(folder(), { state }).start();
  await expect(self(folder(), { state, sessionId: 's2' }).start()).rejects.toMatchObject({
    code: 'gate_state_invalid',
  });
  await expect(
    self(folder(), { state, job: { ...job, name: 'another' } }).start(),
  ).rejects.toMatchObject({ code: 'gate_state_invalid' });
});

it('runs calls one after another, so that none is lost', async () => {
  const session = external(folder(), 'fail', { maxAttempts: 9, state: gateStateMemory() });
  await Promise.all(Array.from({ length: 4 }, () => session.finishedStep(draft)));
  expect((await session.reviewStatus()).steps['draft']?.attempts).toBe(4);
});

it('refuses invalid options and jobs', () => {
  const gate = new QualityGate();
  const bad = [
    { gate: {} },
    { mode: 'external' },
    { mode: 'both' },
    { verified: 'yes' },
    { maxAttempts: 0 },
    { sessionId: '' },
    { job: {} },
    { extra: 1 },
    { job: { name: 'x', steps: [...job.steps, ...job.steps] } },
  ];
  const reviews = [{ run_each: 'nothing', quality_criteria }];
  for (const more of [...bad, { job: { name: 'x', steps: [{ id: 'a', reviews }] } }] as never[])
    expect(() => new GateSession({ gate, job, ...(more as object) })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
});
