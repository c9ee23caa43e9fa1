import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type FinishedStepInput,
  GateSession,
  type GateSessionOptions,
  gateStateMemory,
  QualityGate,
} from '../../../src/quality-gate/index.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { gateFolder } from '../../support/gate-folder.js';

const quality_criteria = { Complete: 'Is everything there?' };
const step = (id: string) => ({
  id,
  outputs: {
    report: 'file' as const,
    extra: { type: 'file' as const, required: false },
    pages: { type: 'files' as const, required: false },
  },
  reviews: [{ run_each: 'step', quality_criteria }],
});
const job = { name: 'article', steps: [step('a'), step('b')] };
const result = (passed: boolean) => ({
  passed,
  feedback: passed ? 'good' : 'thin',
  criteria_results: [{ criterion: 'Complete', passed, feedback: null }],
});
const files = { 'a.md': 'one', 'b.md': 'two', 'x.md': 'extra', 'y.md': 'page' };
const finish = (stepId: string, more: object = {}): FinishedStepInput => ({
  stepId,
  outputs: { report: `${stepId}.md` },
  ...more,
});
const reason = { qualityReviewOverrideReason: 'I looked at it myself' };

/** A session with a model that gives these answers, one after the other. */
function external(root: string, answers: string, more: Partial<GateSessionOptions> = {}) {
  const given = answers.split(' ');
  let call = 0;
  const provider = scriptedProvider(() => {
    const answer = given[Math.min(call++, given.length - 1)];
    if (answer === 'error') throw new Error('down');
    return JSON.stringify(result(answer === 'pass'));
  });
  const gate = new QualityGate({ root, provider, retries: 0 });
  const session = new GateSession({ gate, job, sessionId: 's', ...more });
  return Object.assign(session, { requests: provider.requests });
}

const self = (root: string, more: Partial<GateSessionOptions> = {}): GateSession =>
  new GateSession({ gate: new QualityGate({ root }), job, sessionId: 's', ...more });

const tokenIn = (root: string, path: string | null): string =>
  /^- token: (\S+)$/m.exec(readFileSync(join(root, path ?? ''), 'utf8'))?.[1] ?? '';

describe('a verified session', () => {
  it('opens for no reason of its author, in any mode, before or after any answer [R2-015, R2-134]', async () => {
    for (const answers of ['fail', 'error', 'error fail', 'fail error'])
      for (const open of [
        (root: string) => external(root, answers, { verified: true }),
        (root: string) => external(root, answers, { verified: true, mode: 'self' }),
        (root: string) => self(root, { verified: true }),
      ]) {
        const session = open(gateFolder(files));
        for (const more of [reason, {}, reason, { ...reason, by: 'Ada', notes: 'all fine' }]) {
          const answer = await session
            .finishedStep(finish('a', more))
            .catch((error: unknown) => error);
          expect(answer).not.toHaveProperty('outcome', 'accepted');
          expect(answer).not.toHaveProperty('outcome', 'approved');
        }
        expect((await session.reviewStatus()).steps['a']).toMatchObject({ override: null });
        expect(['needs_work', 'failed']).toContain(
          (await session.reviewStatus()).steps['a']?.status,
        );
      }
  });

  it('says that a reason opens nothing, and asks its reviewer [R2-015]', async () => {
    const session = external(gateFolder(files), 'fail pass', { verified: true });
    const first = await session.finishedStep(finish('a', reason));
    expect(first).toMatchObject({ status: 'needs_work', attempts: 1 });
    expect(first.feedback).toBe('A reason opens no gate of a verified session.\nthin');
    expect(session.requests).toHaveLength(1);
  });

  it('cannot continue without its flag, also not to be read [R2-017]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    await self(root, { verified: true, state }).finishedStep(finish('a'));
    for (const weaker of [self(root, { state }), external(root, 'pass', { state })])
      for (const call of [
        () => weaker.finishedStep(finish('a', reason)),
        () => weaker.start(),
        () => weaker.reviewStatus(),
        () => weaker.getInstructions('a'),
        () => weaker.acceptStep({ ...finish('a'), reason: 'seen', by: 'Ada' }),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'gate_session_verified' });
    expect(await self(root, { verified: true, state }).reviewStatus()).toMatchObject({
      verified: true,
      steps: { a: { status: 'needs_work' } },
    });
  });

  it('keeps nothing that an author opened before it was verified [R2-017]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    await self(root, { state }).finishedStep(finish('a', reason));
    const verified = self(root, { state, verified: true });
    expect(await verified.start()).toMatchObject({ begin_step: { step_id: 'a' } });
    expect((await verified.reviewStatus()).steps['a']?.status).toBe('stale');
    expect(await verified.finishedStep(finish('a', reason))).toMatchObject({
      status: 'needs_work',
    });
  });

  it('refuses an edited job, because a step without reviews would open [R2-017, R2-100]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    await self(root, { verified: true, state }).start();
    const edited = { ...job, steps: [{ ...step('a'), reviews: [] }, step('b')] };
    await expect(
      self(root, { verified: true, state, job: edited }).finishedStep(finish('a')),
    ).rejects.toMatchObject({ code: 'gate_state_invalid' });
  });

  it('can be overruled by a person with a name and a reason, also after a fail [R2-016]', async () => {
    const session = external(gateFolder(files), 'fail', { verified: true, maxAttempts: 1 });
    await expect(session.finishedStep(finish('a'))).rejects.toMatchObject({
      code: 'gate_attempts_used',
    });
    for (const missing of [
      { reason: ' ', by: 'Ada' },
      { reason: 'seen', by: '' },
    ])
      await expect(session.acceptStep({ ...finish('a'), ...missing })).rejects.toMatchObject({
        code: 'gate_verdict_refused',
      });
    expect(await session.acceptStep({ ...finish('a'), reason: 'seen', by: 'Ada' })).toMatchObject({
      status: 'next_step',
      outcome: 'accepted',
    });
    expect((await session.reviewStatus()).steps['a']).toMatchObject({
      override: { who: 'Ada', reason: 'seen' },
    });
    expect(session.requests).toHaveLength(1);
  });

  it('leaves a step approved that a person accepts afterwards', async () => {
    const session = external(gateFolder(files), 'pass', { verified: true });
    await session.finishedStep(finish('a'));
    expect(await session.acceptStep({ ...finish('a'), reason: 'seen', by: 'Ada' })).toMatchObject({
      outcome: 'approved',
    });
  });
});

describe('a fail', () => {
  it('uses up its token, and stands until the content changes [R2-016, R2-134]', async () => {
    const root = gateFolder(files);
    const session = self(root, { verified: true, maxAttempts: 9 });
    const { hash, instructions_path: path } = await session.finishedStep(finish('a'));
    const submit = (reviewer: string, passed: boolean) =>
      session.submitVerdict({
        stepId: 'a',
        reviewer,
        hash,
        token: tokenIn(root, path),
        result: result(passed),
      });
    await submit('one', true);
    await submit('two', false);
    await expect(submit('three', true)).rejects.toMatchObject({ code: 'gate_verdict_refused' });
    for (const _ of [1, 2])
      expect(await session.finishedStep(finish('a'))).toMatchObject({
        status: 'needs_work',
        outcome: null,
        feedback: 'thin',
        failed_reviews: [{ passed: false, feedback: 'thin' }],
        instructions_path: null,
        attempts: 1,
      });
    writeFileSync(join(root, 'a.md'), 'changed');
    expect(await session.finishedStep(finish('a'))).toMatchObject({ instructions_path: path });
    writeFileSync(join(root, 'a.md'), files['a.md']);
    expect(await session.finishedStep(finish('a'))).toMatchObject({
      status: 'needs_work',
      feedback: 'thin',
      instructions_path: null,
    });
  });

  it('closes a gate that an earlier pass on the same content opened [R2-016]', async () => {
    const root = gateFolder(files);
    const session = self(root, { verified: true });
    const { hash, instructions_path: path } = await session.finishedStep(finish('a'));
    const token = tokenIn(root, path);
    const verdict = { stepId: 'a', hash, token };
    await session.submitVerdict({ ...verdict, reviewer: 'one', result: result(true) });
    expect(await session.finishedStep(finish('a'))).toMatchObject({ outcome: 'approved' });
    await session.submitVerdict({ ...verdict, reviewer: 'two', result: result(true) });
    expect((await session.reviewStatus()).steps['a']?.status).toBe('approved');
    await session.submitVerdict({ ...verdict, reviewer: 'three', result: result(false) });
    expect(await session.finishedStep(finish('a'))).toMatchObject({ status: 'needs_work' });
  });

  it('of the gate itself is not asked for again, in either mode, and counts as an attempt [R2-016]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    const session = external(root, 'fail pass', { state, verified: true });
    await session.finishedStep(finish('a'));
    expect(await session.finishedStep(finish('a'))).toMatchObject({
      status: 'needs_work',
      attempts: 2,
      feedback: 'thin',
    });
    expect(session.requests).toHaveLength(1);
    expect(await self(root, { state, verified: true }).finishedStep(finish('a'))).toMatchObject({
      status: 'needs_work',
      instructions_path: null,
      feedback: 'thin',
    });
    writeFileSync(join(root, 'a.md'), 'changed');
    expect(await session.finishedStep(finish('a'))).toMatchObject({ outcome: 'approved' });
  });
});

describe('an output that was handed in', () => {
  const extra = { outputs: { report: 'a.md', extra: 'x.md' } };
  const pages = { outputs: { report: 'a.md', pages: ['x.md', 'y.md'] } };

  it('cannot be left out after a fail, a failed reviewer or a question [R2-018]', async () => {
    for (const answers of ['fail', 'error'])
      for (const handed of [extra, pages]) {
        const root = gateFolder(files);
        const session = external(root, `${answers} pass`, { maxAttempts: 9 });
        await session.finishedStep(finish('a', handed));
        for (const outputs of [
          { report: 'a.md' },
          { report: 'a.md', pages: [] },
          { report: 'a.md', pages: ['y.md'] },
        ])
          await expect(session.finishedStep(finish('a', { outputs }))).rejects.toMatchObject({
            code: 'gate_output_invalid',
            message: expect.stringMatching(/handed in .* before/),
          });
        expect(session.requests).toHaveLength(1);
      }
    const session = self(gateFolder(files), { verified: true });
    await session.finishedStep(finish('a', extra));
    await expect(session.finishedStep(finish('a'))).rejects.toThrow(
      'step a handed in the output extra before; hand it in again',
    );
  });

  it('may be written in another way, replaced, or deleted', async () => {
    const root = gateFolder(files);
    const session = external(root, 'fail pass', { maxAttempts: 9 });
    await session.finishedStep(finish('a', pages));
    rmSync(join(root, 'y.md'));
    const outputs = { report: 'b.md', pages: ['./x.md'] };
    expect(await session.finishedStep(finish('a', { outputs }))).toMatchObject({
      outcome: 'approved',
    });
    writeFileSync(join(root, 'y.md'), 'back again');
    expect((await session.reviewStatus()).steps['a']?.status).toBe('stale');
  });

  it('needs at least one file where it is required, and something to review', async () => {
    const listed = {
      name: 'list',
      steps: [{ ...step('a'), outputs: { report: 'file' as const, pages: 'files' as const } }],
    };
    const session = external(gateFolder(files), 'pass', { job: listed });
    await expect(
      session.finishedStep(finish('a', { outputs: { report: 'a.md', pages: [] } })),
    ).rejects.toThrow('step a needs the output pages');
  });

  it('is required for a verdict: with only optional outputs left out, nothing was reviewed [R2-018]', async () => {
    const optional = {
      name: 'optional',
      steps: [{ ...step('a'), reviews: [{ run_each: 'extra', quality_criteria }] }],
    };
    const session = external(gateFolder(files), 'pass', { job: optional });
    expect(await session.finishedStep(finish('a'))).toMatchObject({
      status: 'needs_work',
      error: 'nothing_to_review',
      feedback: 'Nothing was reviewed: output extra is absent',
    });
    expect(session.requests).toHaveLength(0);
    expect(await session.finishedStep(finish('a', extra))).toMatchObject({ outcome: 'approved' });
  });
});

describe('content of an earlier step', () => {
  it('opens its step again when it changes, before each step and at the end [R2-019]', async () => {
    const root = gateFolder(files);
    const session = external(root, 'pass');
    await session.finishedStep(finish('a'));
    writeFileSync(join(root, 'a.md'), 'replaced');
    expect((await session.reviewStatus()).steps['a']).toMatchObject({
      status: 'stale',
      feedback: expect.stringContaining('changed after the step was approved') as string,
    });
    expect(await session.start()).toMatchObject({ begin_step: { step_id: 'a' } });
    expect(await session.finishedStep(finish('b'))).toMatchObject({
      status: 'next_step',
      outcome: 'approved',
      stale: ['a'],
      begin_step: { step_id: 'a' },
    });
    expect(await session.finishedStep(finish('a'))).toMatchObject({
      status: 'workflow_complete',
      stale: [],
    });
    expect(session.requests).toHaveLength(3);
  });

  it('is looked at again after a long review of the last step [R2-019]', async () => {
    const root = gateFolder(files);
    let asked = 0;
    const provider = scriptedProvider(() => {
      asked += 1;
      if (asked === 2) writeFileSync(join(root, 'a.md'), 'replaced meanwhile');
      return JSON.stringify(result(true));
    });
    const session = new GateSession({ gate: new QualityGate({ root, provider }), job });
    await session.finishedStep(finish('a'));
    expect(await session.finishedStep(finish('b'))).toMatchObject({
      status: 'next_step',
      stale: ['a'],
    });
  });

  it('counts as changed where it is gone, and where a reason accepted it [R2-019]', async () => {
    const root = gateFolder(files);
    const session = external(root, 'fail');
    await session.finishedStep(finish('a', reason));
    rmSync(join(root, 'a.md'));
    expect((await session.reviewStatus()).steps['a']?.status).toBe('stale');
  });
});

describe('an edited job', () => {
  it('begins only its changed steps again [R2-100]', async () => {
    const root = gateFolder(files);
    const state = gateStateMemory();
    const first = external(root, 'pass', { state });
    await first.finishedStep(finish('a'));
    await first.finishedStep(finish('b'));
    const more = { ...quality_criteria, Short: 'Is it short?' };
    const edited = {
      ...job,
      description: 'now described',
      steps: [
        { ...step('b'), reviews: [{ run_each: 'step', quality_criteria: more }] },
        { ...step('a'), name: 'A step' },
      ],
    };
    const later = external(root, 'fail', { state, job: edited });
    expect(await later.start()).toMatchObject({ begin_step: { step_id: 'b' } });
    expect((await later.reviewStatus()).steps).toMatchObject({
      a: { status: 'approved' },
      b: { status: 'pending', verdicts: [] },
    });
    await expect(
      external(root, 'fail', { state, job: { ...job, name: 'another' } }).start(),
    ).rejects.toMatchObject({ code: 'gate_state_invalid' });
  });
});
