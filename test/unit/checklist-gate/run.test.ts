import { describe, expect, it } from 'vitest';
import { checklistErrors } from '../../../src/checklist-gate/errors.js';
import {
  ChecklistGate,
  type ChecklistItem,
  memoryChecklists,
} from '../../../src/checklist-gate/index.js';
import { memoryStore, ReviewLoopError } from '../../../src/index.js';
import { portErrors } from '../../../src/ports/errors.js';
import { scriptedProvider } from '../../../src/testing/index.js';
import { drafts, gateOf, noted, work } from './support.js';

describe('a run of a gate', () => {
  it('is not resumed after another run took over the checklist', async () => {
    const [store, runs] = [memoryChecklists(), memoryStore()];
    const gate = () =>
      gateOf({ store, runs, maxIterations: 1, verify: () => 'bad', fix: async (given) => given });
    const first = await gate().run(work(), { runId: 'first' });
    if (first.outcome.status !== 'suspended') throw new Error('no question');
    expect((await gate().run(work(), { runId: 'second' })).outcome.status).toBe('suspended');
    await expect(gate().run(work(), { runId: 'first' })).rejects.toMatchObject({
      code: 'run_conflict',
    });
    await expect(
      gate().answer(first.outcome.requests[0], { kind: 'override', by: 'Ada', reason: 'x' }),
    ).rejects.toMatchObject({ code: 'request_stale' });
  });

  it('reports a state that was deleted meanwhile', async () => {
    const runs = memoryStore();
    await gateOf({ runs }).run(work(), { runId: 'one' });
    await expect(gateOf({ runs }).run(work(), { runId: 'one' })).rejects.toMatchObject({
      code: 'checklist_missing',
    });
  });

  it('is not a PASS after a cancellation, although every item has passed', async () => {
    const stop = new AbortController();
    const gate = gateOf({
      verify: ({ id }) => {
        if (id === 'plan-structure-003') stop.abort();
        return true;
      },
    });
    const run = await gate.run(work(), { signal: stop.signal });
    expect({ status: run.status, outcome: run.outcome.status }).toEqual({
      status: 'FAIL',
      outcome: 'cancelled',
    });
  });

  it('resumes after its question in another gate with the same stores', async () => {
    const [store, runs] = [memoryChecklists(), memoryStore()];
    const gate = () =>
      gateOf({ store, runs, maxIterations: 1, verify: () => 'bad', fix: async (given) => given });
    const { outcome } = await gate().run(work());
    if (outcome.status !== 'suspended') throw new Error('no question');
    const rejected = await gate().answer(outcome.requests[0], { kind: 'reject', by: 'Ada' });
    expect({
      status: rejected.status,
      outcome: rejected.outcome.status,
      failed: rejected.failed.length,
    }).toEqual({ status: 'FAIL', outcome: 'rejected', failed: 3 });
  });

  it('ends with the error of a store that fails, and never with a PASS', async () => {
    const inner = memoryChecklists();
    let broken = false;
    const fails = (): never => {
      throw new ReviewLoopError(checklistErrors.checklist_unavailable, 'the disk is full');
    };
    const gate = gateOf({
      store: {
        read: (phase) => inner.read(phase),
        update: (phase, change) => (broken ? fails() : inner.update(phase, change)),
      },
      verify: () => {
        broken = true;
        return true;
      },
    });
    await gate.decompose(work());
    await expect(gate.verify(work())).rejects.toMatchObject({ code: 'checklist_unavailable' });
    expect((await gate.status()).counts).toEqual({ total: 3, pass: 0, fail: 0, todo: 3 });
  });
});

describe('an item', () => {
  const oneItem = async (
    item: Partial<ChecklistItem>,
    options: Parameters<typeof gateOf>[0] = {},
  ) => {
    const store = memoryChecklists();
    const gate = gateOf({ store, ...options });
    await gate.decompose(work());
    await store.update('plan-structure', (state) => ({
      ...state!,
      items: state!.items.slice(0, 1).map((made): ChecklistItem => ({ ...made, ...item })),
    }));
    return gate;
  };

  it('with an unknown rule stays TODO with a reason', async () => {
    const gate = await oneItem({ rule: 'of-another-version' });
    expect((await gate.verify(work())).text).toContain(
      '- plan-structure-001: not verified: this gate has no rule of-another-version; add its module to `decompose`',
    );
  });

  it('that a verifier skips stays TODO with its reason', async () => {
    const gate = await oneItem({}, { verify: () => ({ skipped: 'no browser here' }) });
    expect(await gate.verify(work())).toMatchObject({
      status: 'FAIL',
      counts: { todo: 1 },
      text: expect.stringContaining('not verified: no browser here'),
    });
  });

  it('about a missing file fails without a call of the model', async () => {
    const provider = scriptedProvider([]);
    const gate = await oneItem({ scope: 'file:gone.ts' }, { verify: undefined, provider });
    expect((await gate.verify(work())).failed[0]?.finding).toBe('file gone.ts is missing');
    expect(provider.requests).toEqual([]);
  });

  it('without a finding is reported as such', async () => {
    const gate = await oneItem({ status: 'FAIL', iteration: 1 });
    expect((await gate.fixGuidance()).prompt).toContain('    Finding: no finding');
    const lenient = await oneItem(
      { status: 'FAIL', severity: 'MAY' },
      { blocking: [{ from: 1, blocks: 'MUST' }] },
    );
    expect((await lenient.verify(work())).text).toContain(
      'Findings that do not block:\n- plan-structure-001: no finding',
    );
  });

  it('whose scope cannot be read is unverified, and its PASS no longer counts', async () => {
    const select = (given: unknown): unknown => {
      if (JSON.stringify(given).includes('unreadable')) throw new Error('cannot be read');
      return given;
    };
    const gate = await oneItem({}, { select, retries: 0 });
    expect((await gate.verify(work())).status).toBe('PASS');
    expect(await gate.verify(work('unreadable'))).toMatchObject({
      status: 'FAIL',
      unverified: [{ id: 'plan-structure-001' }],
      text: expect.stringContaining('cannot be read'),
    });
    expect((await gate.status(work('unreadable'))).status).toBe('FAIL');
  });
});

describe('update', () => {
  it('replaces a PASS for changed content, and refuses one for unchanged content', async () => {
    const gate = gateOf();
    await gate.decompose(work());
    await gate.verify(work());
    await expect(
      gate.update('plan-structure-002', { status: 'FAIL', finding: 'no' }, work()),
    ).rejects.toMatchObject({ code: 'checklist_transition' });
    expect(
      await gate.update(
        'plan-structure-002',
        { status: 'FAIL', finding: 'no', fix: 'so' },
        work('changed'),
      ),
    ).toMatchObject({ status: 'FAIL', finding: 'no', gaps: [{ suggestedFix: 'so' }] });
  });

  it('a typed error of the audit log is passed on unchanged', async () => {
    const audit = {
      record: () => Promise.reject(new ReviewLoopError(portErrors.audit_unwritable, 'read-only')),
    };
    const gate = gateOf({ maxIterations: 1, verify: () => 'bad', audit });
    await gate.decompose(work());
    await gate.verify(work());
    await expect(
      gate.accept('plan-structure-001', { by: 'Ada', reason: 'x' }),
    ).rejects.toMatchObject({
      code: 'audit_unwritable',
      message: expect.stringContaining('read-only'),
    });
    await expect(gate.accept('plan-structure-001', { by: ' ', reason: 'x' })).rejects.toMatchObject(
      { code: 'reason_required', message: expect.stringContaining('a name') },
    );
  });

  it('a gate without decompose verifies existing items', async () => {
    const store = memoryChecklists();
    const seen: string[] = [];
    await gateOf({ store }).decompose(work());
    const verifier = new ChecklistGate({
      phase: 'plan-structure',
      store,
      verify: ({ id }) => noted(seen, id, true),
    });
    expect((await verifier.decompose(work())).created).toBe(false);
    expect((await verifier.verify(work())).status).toBe('PASS');
    expect(seen.length).toBe(drafts.length);
  });
});
