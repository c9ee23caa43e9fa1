import { describe, expect, it } from 'vitest';
import {
  type ChecklistStore,
  checklistVerdicts,
  encodeChecklist,
  memoryChecklists,
} from '../../../src/checklist-gate/index.js';
import { memoryStore } from '../../../src/index.js';
import { type StoredVerdict, verdictKey } from '../../../src/ports/index.js';
import { drafts, gateOf, noted, work } from './support.js';

const phase = 'plan-structure';
const oneItem = [{ scope: 'file:a.ts', check: 'fine?' }];
const stateOf = async (store: ChecklistStore) => (await store.read(phase))!;

describe('what a verifier says', () => {
  it('is kept with its repair, quote and place; schema 1.0 has five fields all the same', async () => {
    const store = memoryChecklists();
    const gate = gateOf({
      store,
      decompose: () => oneItem,
      verify: () => ({
        finding: 'slow',
        fix: 'use a map',
        evidence: 'for (;;)',
        location: { file: 'a.ts', line: 3, endLine: 4 },
      }),
    });
    await gate.decompose(work());
    const { failed } = await gate.verify(work());
    expect(failed[0]).toMatchObject({
      finding: 'slow',
      gaps: [
        {
          suggestedFix: 'use a map',
          evidence: 'for (;;)',
          location: { file: 'a.ts', line: 3, endLine: 4 },
        },
      ],
    });
    expect((await gate.fixGuidance()).text).toBe(
      'FIX GUIDANCE\n\nItem plan-structure-001: slow\nScope: file:a.ts\nFix: use a map\n  Found in a.ts:3-4: "for (;;)"',
    );
    const exported = JSON.parse(encodeChecklist(await stateOf(store), '1.0')) as {
      items: object[];
    };
    expect(exported.items).toEqual([
      {
        id: 'plan-structure-001',
        scope: 'file:a.ts',
        check: 'fine?',
        status: 'FAIL',
        finding: 'slow',
      },
    ]);
    await gate.fixesApplied();
    expect(Object.keys((await stateOf(store)).items[0] ?? {})).toEqual([
      'id',
      'scope',
      'check',
      'status',
      'finding',
      'severity',
      'iteration',
      'version',
    ]);
  });

  it('nothing is kept twice: a bare finding is a finding and nothing else [QR-09]', async () => {
    const store = memoryChecklists();
    const gate = gateOf({ store, decompose: () => oneItem, verify: () => 'slow' });
    await gate.decompose(work());
    await gate.verify(work());
    const [item] = (await stateOf(store)).items;
    expect(item).toMatchObject({
      status: 'FAIL',
      finding: 'slow',
      about: { view: expect.any(String) },
    });
    expect(Object.keys(item ?? {})).not.toContain('gaps');
    expect(Object.keys(item?.judged ?? {})).toEqual(['at']);
  });

  it('from outside of the gate is kept as well', async () => {
    const gate = gateOf({ decompose: () => oneItem });
    await gate.decompose(work());
    expect(
      await gate.update('plan-structure-001', {
        status: 'FAIL',
        finding: 'x',
        location: { file: 'a.ts', line: 2 },
      }),
    ).toMatchObject({ gaps: [{ description: 'x', location: { line: 2 } }] });
    expect(
      await gate.update('plan-structure-001', { status: 'FAIL', finding: 'y' }),
    ).not.toHaveProperty('gaps');
  });
});

describe('the verdicts of a gate', () => {
  it('what passed over the very content that is back needs no second verification', async () => {
    const asked: string[] = [];
    const store = memoryChecklists();
    const gate = gateOf({
      store,
      decompose: () => oneItem,
      verify: (_item, view) =>
        noted(asked, JSON.stringify(view), !JSON.stringify(view).includes('worse') || 'worse'),
    });
    await gate.decompose(work());
    expect((await gate.verify(work('good'))).status).toBe('PASS');
    expect((await gate.verify(work('worse'))).status).toBe('FAIL');
    expect((await stateOf(store)).verdicts?.length).toBe(1);
    expect((await gate.verify(work('good'))).status).toBe('PASS');
    expect(asked.length).toBe(2);
    // a FAIL is found anew
    expect((await gate.verify(work('worse'))).status).toBe('FAIL');
    expect(asked.length).toBe(3);
  });

  it('a FAIL of an iteration before is asked about again, and one of this iteration is not', async () => {
    const asked: string[] = [];
    const gate = () =>
      gateOf({ store, decompose: () => oneItem, verify: ({ id }) => noted(asked, id, 'bad') });
    const store = memoryChecklists();
    await gate().decompose(work());
    await gate().verify(work());
    await gate().verify(work());
    expect(asked.length).toBe(1);
    await gate().fixesApplied();
    expect((await gate().verify(work())).failed.length).toBe(1);
    expect(asked.length).toBe(2);
  });

  it('a run that begins with known failures and whose fixer changes nothing still asks its question about them', async () => {
    const store = memoryChecklists();
    const options = {
      store,
      runs: memoryStore(),
      maxIterations: 3,
      decompose: () => oneItem,
      verify: () => 'bad',
    };
    await gateOf(options).decompose(work());
    await gateOf(options).verify(work());
    const gate = gateOf({ ...options, fix: async (given) => given });
    const run = await gate.run(work());
    expect({ loop: run.loop, failed: run.failed.length, outcome: run.outcome.status }).toEqual({
      loop: 'ESCALATED',
      failed: 1,
      outcome: 'suspended',
    });
    if (run.outcome.status !== 'suspended') throw new Error('no question');
    expect(
      (await gate.answer(run.outcome.requests[0], { kind: 'override', by: 'Ada', reason: 'known' }))
        .status,
    ).toBe('PASS');
  });

  it('spoilt verdicts are as good as none, and never a PASS', async () => {
    const asked: string[] = [];
    const store = memoryChecklists();
    const gate = gateOf({
      store,
      decompose: () => oneItem,
      verify: ({ id }) => noted(asked, id, true),
    });
    await gate.decompose(work());
    await gate.verify(work());
    await store.update(phase, (state) => ({
      ...state!,
      items: state!.items.map((item) => ({ ...item, judged: { score: 7 } })),
    }));
    expect((await gate.verify(work())).status).toBe('PASS');
    expect(asked.length).toBe(2);
  });

  it('a store without a state takes and gives nothing', async () => {
    const about = { reviewer: 'x', version: '1', task: 't', view: 'v' };
    const verdict: StoredVerdict = {
      schema: 1,
      about,
      assessments: [{ verdict: 'pass', criterion: 'x', score: 1, explanation: '', gaps: [] }],
      usage: {},
      at: 1,
    };
    const verdicts = checklistVerdicts(memoryChecklists(), phase);
    expect(await verdicts.get(verdictKey(about))).toBeUndefined();
    await expect(verdicts.put(verdictKey(about), verdict)).rejects.toMatchObject({
      code: 'checklist_missing',
    });
  });

  it('at most a thousand are kept that no item stands for', async () => {
    const store = memoryChecklists();
    await gateOf({ store, decompose: () => drafts }).decompose(work());
    const verdicts = checklistVerdicts(store, phase);
    const about = (view: number) => ({ reviewer: 'x', version: '1', task: 't', view: `v${view}` });
    await store.update(phase, (state) => ({
      ...state!,
      verdicts: Array.from({ length: 1000 }, (_, view) => ({ schema: 1, about: about(view) })),
    }));
    await verdicts.put('', {
      schema: 1,
      about: about(1000),
      assessments: [{ verdict: 'pass', criterion: 'x', score: 1, explanation: '', gaps: [] }],
      usage: {},
      at: 1,
    });
    const kept = (await stateOf(store)).verdicts ?? [];
    expect([kept.length, kept[0]?.about['view'], kept.at(-1)?.about['view']]).toEqual([
      1000,
      'v1',
      'v1000',
    ]);
  });
});
