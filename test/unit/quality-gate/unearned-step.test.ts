import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GateSession } from '../../../src/quality-gate/gate-session.js';
import type { GateState, StepState } from '../../../src/quality-gate/gate-state.js';
import { gateStateMemory } from '../../../src/quality-gate/gate-state-store.js';
import { QualityGate } from '../../../src/quality-gate/quality-gate.js';

const reviews = [{ run_each: 'step', quality_criteria: { Complete: 'Is it complete?' } }];
const outputs = { report: 'report.md' };

async function afterEdit(edit: (step: StepState) => StepState, verified: boolean): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'reviewloop-unearned-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'report.md'), 'tea');
  const state = gateStateMemory();
  const job = {
    name: 'a',
    steps: [{ id: 'draft', outputs: { report: 'file' as const }, reviews }],
  };
  const session = () => new GateSession({ gate: new QualityGate({ root }), job, state, verified });
  await session().finishedStep({ stepId: 'draft', outputs });
  const saved = (await state.load()) as GateState;
  const step = saved.steps['draft'];
  if (step === undefined) throw new Error('no step');
  await state.save({ ...saved, steps: { draft: edit(step) } });
  return session()
    .finishedStep({ stepId: 'draft', outputs })
    .then(({ status }) => status)
    .catch((error: unknown) => String((error as { code: string }).code));
}

const verdict = { reviewer: 'sub', feedback: '', criteria_results: [], at: '2026-01-01T00:00:00Z' };
const reason = { who: 'agent', reason: 'fine', at: '2026-01-01T00:00:00Z' };

it.each([true, false])(
  'a state that somebody edited opens no step (verified: %s)',
  async (verified) => {
    const edits: Readonly<Record<string, (step: StepState) => StepState>> = {
      'approved without a verdict': (step) => ({ ...step, status: 'approved' }),
      'approved by a fail': (step) => ({
        ...step,
        status: 'approved',
        verdicts: [{ ...verdict, passed: false, hash: step.hash ?? '' }],
      }),
      'approved by a verdict on other outputs': (step) => ({
        ...step,
        status: 'approved',
        verdicts: [{ ...verdict, passed: true, hash: 'x' }],
      }),
      'accepted without a reason': (step) => ({ ...step, status: 'accepted' }),
      'accepted for other outputs': (step) => ({
        ...step,
        status: 'accepted',
        override: { ...reason, hash: 'x' },
      }),
    };
    for (const [name, edit] of Object.entries(edits))
      expect(await afterEdit(edit, verified), name).toBe('gate_state_invalid');
    expect(await afterEdit((step) => step, verified)).toBe('needs_work');
  },
);
