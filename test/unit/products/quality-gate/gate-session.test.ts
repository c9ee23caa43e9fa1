import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepworkCli } from '@/adapters/providers/cli/deepwork-cli.js';
import { fileAudit, verifyAudit } from '@/adapters/stores/file/index.js';
import { readFences } from '@/blocks/models/prompt/fence.js';
import type { InstructionsInput } from '@/products/quality-gate/gate-instructions.js';
import { GateSession } from '@/products/quality-gate/gate-session.js';
import type { GateState, StepState } from '@/products/quality-gate/gate-state.js';
import { gateStateMemory } from '@/products/quality-gate/gate-state-store.js';
import {
  type GateSessionOptions,
  gateStateFile,
  QualityGate,
  QualityGateError,
} from '@/products/quality-gate/index.js';
import { fakeClock, scriptedProvider } from '@/testing/index.js';
import { fakeClaude } from '../../../support/fake-claude.js';
import { gateFolder } from '../../../support/gate-folder.js';
import { expectCode, withCode } from '../../../support/matchers.js';
import { answerOf, tokenIn } from './support.js';

const quality_criteria = { Complete: 'Is everything there?' };
const steps = [
  {
    ...{ id: 'draft', name: 'Draft', reviews: [{ run_each: 'step', quality_criteria }] },
    outputs: { report: 'file' as const, extra: { type: 'file' as const, required: false } },
  },
  { id: 'publish', outputs: { page: 'file' as const }, reviews: [] },
];
const job = { name: 'article', summary: 'ignored', steps };
const draft = { stepId: 'draft', outputs: { report: 'report.md' } };
const folder = () => gateFolder({ 'report.md': 'text', 'page.md': 'page' });
const external = (root: string, modes: string, more: Partial<GateSessionOptions> = {}) => {
  const cli = deepworkCli({ executable: fakeClaude(modes).executable, cwd: root, retries: 0 });
  return new GateSession({ gate: new QualityGate({ root, cli, retries: 0 }), job, ...more });
};
const self = (root: string, more: Partial<GateSessionOptions> = {}): GateSession =>
  new GateSession({ gate: new QualityGate({ root }), job, sessionId: 's1', ...more });

it('counts errors of the reviewer separately [D000-12]', async () => {
  const root = folder();
  const session = external(root, 'error,fail,error,pass');
  const open = { status: 'needs_work' };
  expect(await session.finishedStep(draft)).toMatchObject({
    ...{ ...open, attempts: 0, review_errors: 1 },
    feedback: expect.stringContaining('could not be completed'),
  });
  const failed = { ...open, attempts: 1 };
  expect(await session.finishedStep(draft)).toMatchObject({ ...failed, review_errors: 1 });
  writeFileSync(join(root, 'report.md'), 'better text');
  expect(await session.finishedStep(draft)).toMatchObject({ ...failed, review_errors: 2 });
  const approved = { status: 'next_step', outcome: 'approved' };
  expect(await session.finishedStep(draft)).toMatchObject(approved);
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
  const last = await session.finishedStep({ stepId: 'publish', outputs: { page: 'page.md' } });
  const complete = { status: 'workflow_complete', outcome: 'accepted', begin_step: null };
  expect(last).toMatchObject(complete);
  expect(await session.start()).toMatchObject({ begin_step: null });
});

it('reviews changed content again, and equal content never', async () => {
  const root = folder();
  const claude = fakeClaude('pass');
  const cli = deepworkCli({ executable: claude.executable, cwd: root });
  const session = new GateSession({ gate: new QualityGate({ root, cli }), job });
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
  const unreviewed = { status: 'needs_work', failed_reviews: null, outcome: null };
  expect(answer).toMatchObject({ ...unreviewed, instructions_path: path });
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
  const reason = 'all criteria passed';
  const given = { ...draft, qualityReviewOverrideReason: reason, by: 'agent-7' };
  const answer = await session.finishedStep(given);
  expect(answer).toMatchObject({ status: 'next_step', outcome: 'accepted' });
  const at = '2026-01-02T03:04:05.000Z';
  expect((await session.reviewStatus()).steps['draft']).toMatchObject({
    status: 'accepted',
    override: { who: 'agent-7', reason, at, hash: answer.hash },
  });
  expect(answer.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await verifyAudit(join(root, 'audit'))).toMatchObject({ intact: true, records: 1 });
  expect(readFileSync(join(root, 'audit/audit.jsonl'), 'utf8')).toContain('all criteria passed');
});

it('requires a reason, and a writable audit log [D000-11]', async () => {
  const root = folder();
  const overridden = (reason: string, session = self(root)) =>
    session.finishedStep({ ...draft, qualityReviewOverrideReason: reason });
  expect(await overridden('  ')).toMatchObject({ status: 'needs_work' });
  const audit = { record: () => Promise.reject(new Error('disk full')) };
  const session = self(root, { audit });
  await expect(overridden('fine', session)).rejects.toThrow('disk full');
  expect((await session.reviewStatus()).steps['draft']?.status).toBe('pending');
});

it('opens, where it is verified, only on a reviewer\u2019s verdict for the same content [D000-11]', async () => {
  const root = folder();
  const session = self(root, { verified: true });
  const first = await session.finishedStep({ ...draft, qualityReviewOverrideReason: 'trust me' });
  expect(first).toMatchObject({ status: 'needs_work', outcome: null });
  expect(first.feedback).not.toContain('quality_review_override_reason');
  const verdict = (more: object) =>
    session.submitVerdict({
      ...{ stepId: 'draft', reviewer: 'r', hash: first.hash, result: answerOf(true) },
      token: tokenIn(root, first.instructions_path),
      ...more,
    });
  const refused = { code: 'gate_verdict_refused' };
  for (const wrong of [
    ...[{ token: 'guessed' }, { hash: '0'.repeat(64) }, { reviewer: ' ' }, { stepId: 'publish' }],
  ])
    await expect(verdict(wrong)).rejects.toMatchObject(refused);
  await expectCode(verdict({ result: { passed: 'yes' } }), 'gate_result_invalid');
  await expect(verdict({ stepId: 'nope' })).rejects.toMatchObject({ code: 'gate_step_unknown' });
  await verdict({});
  writeFileSync(join(root, 'report.md'), 'changed after the verdict');
  const second = await session.finishedStep(draft);
  expect(second).toMatchObject({ status: 'needs_work' });
  expect(second.hash).not.toBe(first.hash);
  await expect(verdict({})).rejects.toMatchObject(refused);
  const contradicted = { ...answerOf(false, 'x'), passed: true };
  await verdict({ hash: second.hash, result: contradicted });
  await expect(verdict({ hash: second.hash })).rejects.toMatchObject(refused);
  expect(await session.finishedStep(draft)).toMatchObject({
    ...{ status: 'needs_work', attempts: 1, feedback: 'x', instructions_path: null },
  });
  writeFileSync(join(root, 'report.md'), 'changed after the fail');
  const third = await session.finishedStep(draft);
  await verdict({ hash: third.hash });
  const approved = { status: 'next_step', outcome: 'approved' };
  expect(await session.finishedStep(draft)).toMatchObject(approved);
});

it('counts failed verdicts as attempts', async () => {
  const root = folder();
  const session = self(root, { verified: true, maxAttempts: 1 });
  const { hash, instructions_path } = await session.finishedStep(draft);
  expect(await session.getInstructions('draft')).toEqual({ hash, instructions_path });
  const result = { passed: false, feedback: 'thin' };
  const token = tokenIn(root, instructions_path);
  await session.submitVerdict({ stepId: 'draft', reviewer: 'r', hash, token, result });
  const error = await session.finishedStep(draft).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(QualityGateError);
  expect(String(error)).toContain('Quality gate failed after 1 attempts. Feedback: thin');
});

it('writes whole files inside its folder for any id, and preserves earlier instructions [D000-13]', async () => {
  const root = folder();
  const id = '../../etc/passwd';
  const wild = { name: 'x', steps: [{ ...job.steps[0], id }] } as GateSessionOptions['job'];
  const gate = new QualityGate({ root });
  const session = new GateSession({ gate, job: wild, sessionId: '../s/1' });
  const { instructions_path: path } = await session.finishedStep({ ...draft, stepId: id });
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
  const refused = (given: object) =>
    expect(session.finishedStep({ ...draft, ...given } as never)).rejects;
  for (const outputs of [
    ...[{}, { report: 'report.md', other: 'x' }, { report: ['report.md'] }, { report: 'gone.md' }],
  ])
    await refused({ outputs }).toMatchObject({ code: 'gate_output_invalid' });
  await refused({ outputs: { report: '../x' } }).toMatchObject({ code: 'path_outside' });
  await refused({ stepId: 'nope' }).toMatchObject({ code: 'gate_step_unknown' });
});

it('continues in another process from its file', async () => {
  const root = folder();
  const state = join(root, 'state/s1.json');
  await external(root, 'fail', { state: gateStateFile(state) }).finishedStep(draft);
  writeFileSync(join(root, 'report.md'), 'another text');
  const later = external(root, 'fail', { state: gateStateFile(state) });
  expect(await later.finishedStep(draft)).toMatchObject({ attempts: 2 });
  writeFileSync(state, '{"schema": 9}');
  await expect(later.finishedStep(draft)).rejects.toMatchObject({ code: 'gate_state_invalid' });
  writeFileSync(state, 'no json');
  await expect(later.reviewStatus()).rejects.toMatchObject({ code: 'gate_state_invalid' });
});

const fileOf = (root: string) => gateStateFile(join(root, 'state/s1.json'));
const shared: [string, (root: string) => () => GateSession][] = [
  [
    'processes over one file',
    (root) => () => external(root, 'error', { maxReviewErrors: 9, state: fileOf(root) }),
  ],
  [
    'calls of one session',
    (root) => {
      const session = external(root, 'error', { maxReviewErrors: 9, state: gateStateMemory() });
      return () => session;
    },
  ],
];
it.each(shared)('%s take turns, so that none is lost', async (_, opening) => {
  const open = opening(folder());
  await Promise.all(Array.from({ length: 4 }, () => open().finishedStep(draft)));
  expect((await open().reviewStatus()).steps['draft']?.review_errors).toBe(4);
});

it('writes nothing once another process has taken over', async () => {
  const root = folder();
  const path = join(root, 'state/s1.json');
  const state = gateStateFile(path);
  const provider = scriptedProvider(() => {
    const lock = join(root, 'state/s1.lock');
    const [newest = ''] = readdirSync(lock).sort((a, b) => (a < b ? 1 : -1));
    copyFileSync(join(lock, newest), join(lock, 'lock.99'));
    return JSON.stringify(answerOf(true));
  });
  const gate = new QualityGate({ root, provider });
  const late = new GateSession({ gate, job, state });
  await expect(late.finishedStep(draft)).rejects.toMatchObject({ code: 'output_unwritable' });
  expect(readFileSync(path, 'utf8')).not.toContain('approved');
});

it('refuses the state of another job or session', async () => {
  const state = gateStateMemory();
  await self(folder(), { state }).start();
  for (const other of [{ sessionId: 's2' }, { job: { ...job, name: 'another' } }])
    await expectCode(self(folder(), { state, ...other }).start(), 'gate_state_invalid');
});

it('refuses invalid options and jobs', () => {
  const gate = new QualityGate();
  const unknown = { id: 'a', reviews: [{ run_each: 'nothing', quality_criteria }] };
  const jobs = [{}, { name: 'x', steps: [...steps, ...steps] }, { name: 'x', steps: [unknown] }];
  const bad: object[] = [
    ...[{ gate: {} }, { mode: 'external' }, { mode: 'both' }, { verified: 'yes' }],
    ...[
      { maxAttempts: 0 },
      { sessionId: '' },
      { extra: 1 },
      ...jobs.map((given) => ({ job: given })),
    ],
  ];
  for (const more of bad)
    expect(() => new GateSession({ gate, job, ...(more as object) })).toThrow(
      withCode('invalid_options'),
    );
});

describe('a state that somebody edited', () => {
  const { reviews } = steps[0]!;

  async function afterEdit(
    edit: (step: StepState) => StepState,
    verified: boolean,
  ): Promise<string> {
    const root = folder();
    const state = gateStateMemory();
    const job = {
      name: 'a',
      steps: [{ id: 'draft', outputs: { report: 'file' as const }, reviews }],
    };
    const session = () =>
      new GateSession({ gate: new QualityGate({ root }), job, state, verified });
    await session().finishedStep(draft);
    const saved = (await state.load()) as GateState;
    const step = saved.steps['draft'];
    if (step === undefined) throw new Error('no step');
    await state.save({ ...saved, steps: { draft: edit(step) } });
    return session()
      .finishedStep(draft)
      .then(({ status }) => status)
      .catch((error: unknown) => String((error as { code: string }).code));
  }

  const at = '2026-01-01T00:00:00Z';
  const verdict = { reviewer: 'sub', feedback: '', criteria_results: [], at };
  const reason = { who: 'agent', reason: 'fine', at };
  const edits: Readonly<Record<string, (step: StepState) => Partial<StepState>>> = {
    'approved without a verdict': () => ({ status: 'approved' }),
    'approved by a fail': ({ hash }) => ({
      status: 'approved',
      verdicts: [{ ...verdict, passed: false, hash: hash ?? '' }],
    }),
    'approved by a verdict on other outputs': () => ({
      status: 'approved',
      verdicts: [{ ...verdict, passed: true, hash: 'x' }],
    }),
    'accepted without a reason': () => ({ status: 'accepted' }),
    'accepted for other outputs': () => ({
      status: 'accepted',
      override: { ...reason, hash: 'x' },
    }),
  };

  it.each([true, false])('opens no step (verified: %s)', async (verified) => {
    for (const [name, edit] of Object.entries(edits)) {
      const edited = (step: StepState) => ({ ...step, ...edit(step) });
      expect(await afterEdit(edited, verified), name).toBe('gate_state_invalid');
    }
    expect(await afterEdit((step) => step, verified)).toBe('needs_work');
  });
});

describe('the instructions for a review', () => {
  const files = { 'a.md': 'alpha', 'b.md': 'beta', 'report.md': 'the report' };
  const outputs = { pages: ['a.md', 'b.md'], report: 'report.md' };
  const review = (run_each: string, more: object = {}) => ({
    ...{ run_each, quality_criteria, ...more },
  });
  const written = (input: Partial<InstructionsInput>): Promise<string> =>
    new QualityGate({ root: gateFolder(files) }).buildReviewInstructionsFile({
      reviews: [review('step')],
      outputs,
      ...input,
    });

  it('is a whole document without a reviewer to ask [JOBS-REQ-004.1.5, JOBS-REQ-004.2.7, JOBS-REQ-004.2.9, JOBS-REQ-004.5.1]', async () => {
    const text = await written({ notes: 'in a hurry' });
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([heading]) => heading);
    expect(headings).toEqual([
      '# Quality Review Instructions',
      ...['Criteria to Evaluate', 'Author Notes', 'Guidelines', 'Your Task'].map((t) => `## ${t}`),
    ]);
    expect(text).toMatch(/BEGIN OUTPUTS[\s\S]*alpha[\s\S]*END OUTPUTS/);
    expect(text).toMatch(/editor/);
    expect(text).not.toContain('AUTHOR NOTES');
    expect(text.endsWith('\n')).toBe(true);
  });

  it('numbers several reviews with their scopes, and titles a single one [JOBS-REQ-004.5.2, JOBS-REQ-004.5.3]', async () => {
    const several = await written({ reviews: [review('step'), review('report')] });
    expect(several).toContain(
      '## Review 1 (scope: all outputs together)\n\n- **Complete**: Is everything there?',
    );
    expect(several).toContain("## Review 2 (scope: output 'report')");
    expect(several).not.toContain('## Criteria to Evaluate');
    const single = await written({});
    expect(single).toContain('## Criteria to Evaluate\n\n- **Complete**');
    expect(single).not.toContain('Review 1');
  });

  it('names each file of a list [JOBS-REQ-004.5.4]', async () => {
    const text = await written({ reviews: [review('pages')] });
    expect(text).toContain(
      "Evaluate the above criteria for **each file** in output 'pages':\n\n- a.md\n- b.md",
    );
    expect(await written({ reviews: [review('report')] })).not.toContain('each file');
    expect(await written({ reviews: [review('step')] })).not.toContain('each file');
  });

  it('has guidance under its own heading, and notes only if there are any [JOBS-REQ-004.5.5, JOBS-REQ-004.10.3, JOBS-REQ-004.10.4]', async () => {
    const text = await written({
      reviews: [review('step', { additional_review_guidance: 'Compare with the plan.' })],
      notes: 'mine',
    });
    expect(text).toContain('### Additional Context\n\nCompare with the plan.');
    expect(text).toMatch(/## Author Notes\n[\s\S]*mine/);
    expect(await written({})).not.toMatch(/Additional Context|Author Notes/);
  });

  it('states the role, strict but fair judgement, and the rules of the verdict [D000-15, JOBS-REQ-004.5.6, JOBS-REQ-004.10.1, JOBS-REQ-004.10.2, JOBS-REQ-004.10.5, JOBS-REQ-004.10.6]', async () => {
    const text = await written({});
    for (const part of [
      ...[/editor/, /strict but fair/, /pragmatically/, /actionable feedback/],
      ...[/passes only if ALL criteria pass/, /does not apply to the purpose of this step passes/],
    ])
      expect(text).toMatch(part);
  });

  it('lists five steps [JOBS-REQ-004.5.7]', async () => {
    const text = await written({});
    const steps = [...(text.split('## Your Task')[1] ?? '').matchAll(/^\d\. (.*)$/gm)].map(
      ([, step]) => step ?? '',
    );
    expect(steps).toHaveLength(5);
    const parts = [/Read/, /Evaluate each criterion/, /PASS or FAIL/, /overall result/, /feedback/];
    for (const [index, part] of parts.entries()) expect(steps[index]).toMatch(part);
  });

  it('lists only paths without inlining, and fences inlined files', async () => {
    const listed = await written({ maxInlineFiles: 0 });
    expect(listed).not.toContain('the report');
    expect(listed).toContain('- report.md  (output: report)');
    expect(readFences(listed)).toEqual([]);
    expect(readFences(await written({ notes: 'mine' })).map(({ label }) => label)).toEqual([
      'outputs',
      'author notes',
    ]);
  });

  it('names the root of the project', async () => {
    const root = gateFolder(files);
    const given = { reviews: [review('step')], outputs };
    const text = await new QualityGate({ root }).buildReviewInstructionsFile(given);
    expect(text).toContain(`Paths are relative to the project root: ${root}`);
  });
});
