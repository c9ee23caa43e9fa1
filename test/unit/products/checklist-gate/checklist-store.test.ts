import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileChecklists } from '@/adapters/stores/file/index.js';
import { memoryStore } from '@/index.js';
import { type StoredVerdict, verdictKey } from '@/ports/index.js';
import {
  ChecklistGate,
  type ChecklistStore,
  checklistVerdicts,
  decodeChecklist,
  encodeChecklist,
  memoryChecklists,
} from '@/products/checklist-gate/index.js';
import { errorWith, withCode } from '../../../support/matchers.js';
import { throwing } from '../../../support/throwing.js';
import { newDirectory } from '../../adapters/stores/file-support.js';
import { decomposed, drafts, gateOf, noted, work } from './support.js';

const seed = {
  schema_version: '1.0',
  phase: 'plan-structure',
  items: [
    ['plan-001', '*', 'Verify milestone definitions', 'PASS', null],
    ['plan-002', 'milestone:M1', 'Validate acceptance criteria', 'FAIL', 'Criteria missing.'],
    ['plan-003', 'file:planner/qa/verify.py:45-52', 'Check diff syntax', 'TODO', null],
  ].map(([id, scope, check, status, finding]) => ({ id, scope, check, status, finding })),
};
const corrupt = withCode('checklist_corrupt');
const decode = (value: unknown, warn?: (message: string) => void) =>
  decodeChecklist(JSON.stringify(value), { phase: 'plan-structure', where: 'f', warn });
const withItem = (item: object) => ({ ...seed, items: [{ ...seed.items[2], ...item }] });

describe('qr-{phase}.json', () => {
  it('a schema 1.0 file is read, and exported as it was [QR-26, QR-27, QR-28, QR-29, QR-30, QR-31]', () => {
    const state = decode(seed);
    expect(state.items).toMatchObject(seed.items);
    expect(JSON.parse(encodeChecklist(state, '1.0'))).toEqual(seed);
  });

  it('a missing or unknown severity reads as MUST, with a warning [D001-01]', () => {
    const told: string[] = [];
    expect(decode(withItem({}), (message) => told.push(message)).items[0]?.severity).toBe('MUST');
    expect(
      decode(withItem({ severity: 'FOO' }), (message) => told.push(message)).items[0]?.severity,
    ).toBe('MUST');
    expect(told).toEqual([
      'f: item plan-003 has no severity; it is read as MUST',
      'f: item plan-003 has an unknown severity; it is read as MUST',
    ]);
  });

  it('COULD is MAY, BLOCKER and CRITICAL are MUST, in any case [D001-05]', () => {
    for (const [word, meant] of [
      ['COULD', 'MAY'],
      ['could', 'MAY'],
      ['blocker', 'MUST'],
      ['Critical', 'MUST'],
      ['should', 'SHOULD'],
    ] as const) {
      expect(decode(withItem({ severity: word })).items[0]?.severity).toBe(meant);
    }
  });

  it('any unique id on one line is valid; duplicates and control characters are not [D001-02]', () => {
    expect(decode(withItem({ id: 'qa-002a', parent_id: 'qa-002' })).items[0]).toMatchObject({
      id: 'qa-002a',
      parent_id: 'qa-002',
    });
    for (const bad of ['a\nb', 'a\u0085', 'x\u2028y', '\u001b[2J', '']) {
      expect(() => decode(withItem({ id: bad }))).toThrow(corrupt);
      expect(() => decode(withItem({ scope: bad }))).toThrow(corrupt);
    }
    expect(() => decode({ ...seed, items: [seed.items[0], seed.items[0]] })).toThrow(corrupt);
  });

  it('contradictions, another phase and a later schema are refused', () => {
    for (const value of [
      withItem({ status: 'PASS', finding: 'x' }),
      withItem({ status: 'MAYBE' }),
      { ...seed, phase: 'impl-code' },
      { ...seed, items: 3 },
      [],
      null,
      'x',
      { ...seed, iteration: 0 },
    ]) {
      expect(() => decode(value)).toThrow(withCode('checklist_corrupt'));
    }
    for (const schema_version of ['1.2', '2.0', '10.0'])
      expect(() => decode({ ...seed, schema_version })).toThrow(withCode('checklist_newer'));
  });

  it('is JSON without derived members, and a change preserves unknown ones [QR-09, QR-25, QR-34]', async () => {
    const folder = newDirectory();
    const store = fileChecklists(folder);
    const gate = new ChecklistGate({
      phase: 'plan-structure',
      store,
      decompose: () => [{ scope: '*', check: 'x' }],
    });
    await gate.decompose({ artifacts: [] });
    const path = join(folder, 'qr-plan-structure.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      schema_version: '1.1',
      phase: 'plan-structure',
      iteration: 1,
      items: [
        {
          ...{ id: 'plan-structure-001', scope: '*', check: 'x', status: 'TODO', finding: null },
          ...{ severity: 'MUST', iteration: 1, version: 1 },
        },
      ],
    });
    writeFileSync(path, JSON.stringify({ ...seed, owner: 'us' }));
    await gate.update('plan-003', { status: 'PASS' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      schema_version: '1.1',
      owner: 'us',
      items: [{}, {}, { status: 'PASS', version: 2 }],
    });
  });

  it('the fixer reads qr-{phase}.json of the state directory, as it is now [QR-40, R2-127]', async () => {
    const folder = newDirectory();
    const path = join(folder, 'qr-plan-structure.json');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, JSON.stringify(seed));
    const fixer = new ChecklistGate({
      phase: 'plan-structure',
      store: fileChecklists(folder),
      decompose: () => [],
    });
    const before = readFileSync(path, 'utf8');
    const { prompt, text } = await fixer.fixGuidance();
    expect(prompt.split('\n').slice(0, 7)).toEqual([
      '3 items: 0 PASS, 1 FAIL, 2 TODO',
      '',
      '='.repeat(60),
      'FAILED QR ITEMS TO FIX (address these FIRST):',
      '='.repeat(60),
      '',
      '[plan-002] Validate acceptance criteria',
    ]);
    expect(text).toContain('Item plan-002: Criteria missing.\nScope: milestone:M1\n');
    expect(prompt + text).not.toMatch(/plan-00[13]/);
    expect(readFileSync(path, 'utf8')).toBe(before);
    const items = seed.items.map((item) => ({ ...item, status: 'FAIL', finding: 'now bad' }));
    writeFileSync(path, JSON.stringify({ ...seed, items }));
    expect((await fixer.fixGuidance()).text.match(/^Item /gm)).toHaveLength(3);
    writeFileSync(join(folder, 'qr-plan-code.json'), readFileSync(path));
    writeFileSync(path, JSON.stringify({ ...seed, items: [] }));
    expect((await fixer.fixGuidance()).text).toBe('FIX GUIDANCE\n\nNothing failed.');
  });

  it('the change of another process is read, and a change that throws changes nothing', async () => {
    const folder = newDirectory();
    const store = fileChecklists(folder);
    const other = new ChecklistGate({
      phase: 'plan-code',
      store: fileChecklists(folder),
      decompose: () => [{ scope: '*', check: 'x' }],
    });
    expect(await store.read('plan-code')).toBeUndefined();
    await other.decompose({ artifacts: [] });
    expect((await store.read('plan-code'))?.items.length).toBe(1);
    const before = readFileSync(join(folder, 'qr-plan-code.json'), 'utf8');
    await expect(store.update('plan-code', throwing('no'))).rejects.toThrow(/^no$/);
    await expect(
      store.update('plan-code', (state) => ({ ...state!, iteration: 0 })),
    ).rejects.toMatchObject({ code: 'checklist_corrupt' });
    expect(readFileSync(join(folder, 'qr-plan-code.json'), 'utf8')).toBe(before);
  });

  it('unusable paths are typed errors', async () => {
    expect(() => fileChecklists('')).toThrow(withCode('invalid_options'));
    const folder = newDirectory();
    await expect(fileChecklists(folder).read('../x' as never)).rejects.toMatchObject(
      errorWith('invalid_options', '`phase`'),
    );
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'file'), '');
    await expect(
      fileChecklists(join(folder, 'file')).update('plan-code', (state) => state!),
    ).rejects.toMatchObject({ code: 'checklist_unavailable' });
    mkdirSync(join(folder, 'qr-impl-code.json'));
    await expect(fileChecklists(folder).read('impl-code')).rejects.toMatchObject({
      ...{ code: 'checklist_unavailable', cause: { code: 'file_unreadable' } },
    });
    writeFileSync(join(folder, 'qr-impl-docs.json'), Buffer.alloc(50_000_001, ' '));
    await expect(fileChecklists(folder).read('impl-docs')).rejects.toMatchObject({
      ...{ code: 'checklist_unavailable', cause: { code: 'file_too_large' } },
    });
    symlinkSync('/dev/null', join(folder, 'qr-plan-code.json'));
    await expect(fileChecklists(folder).read('plan-code')).rejects.toMatchObject({
      ...{ code: 'checklist_unavailable', cause: { code: 'file_unreadable' } },
    });
  });
});

const phase = 'plan-structure';
const oneItem = [{ scope: 'file:a.ts', check: 'fine?' }];
const stateOf = async (store: ChecklistStore) => (await store.read(phase))!;

describe('the answer of a verifier', () => {
  it('is stored with fix, quote and place, and schema 1.0 still has five fields', async () => {
    const store = memoryChecklists();
    const gate = await decomposed({
      store,
      decompose: () => oneItem,
      verify: () => ({
        finding: 'slow',
        fix: 'use a map',
        evidence: 'for (;;)',
        location: { file: 'a.ts', line: 3, endLine: 4 },
      }),
    });
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
    const [made] = oneItem;
    expect(exported.items).toEqual([
      { id: 'plan-structure-001', ...made, status: 'FAIL', finding: 'slow' },
    ]);
    await gate.fixesApplied();
    const members = Object.keys((await stateOf(store)).items[0] ?? {}).join(' ');
    expect(members).toBe('id scope check status finding severity iteration version');
  });

  it('is stored once: a bare finding adds no gaps [QR-09]', async () => {
    const store = memoryChecklists();
    const gate = await decomposed({ store, decompose: () => oneItem, verify: () => 'slow' });
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

  it('is stored when it comes from outside of the gate', async () => {
    const gate = await decomposed({ decompose: () => oneItem });
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
  const aboutView = (view: number) => ({
    ...{ reviewer: 'x', version: '1', task: 't', view: `v${view}` },
  });
  const passOf = (view: number): StoredVerdict => ({
    ...{ schema: 1, about: aboutView(view), usage: {}, at: 1 },
    assessments: [{ verdict: 'pass', criterion: 'x', score: 1, explanation: '', gaps: [] }],
  });

  it('content that is back to a passed version is not verified again', async () => {
    const asked: string[] = [];
    const store = memoryChecklists();
    const gate = await decomposed({
      store,
      decompose: () => oneItem,
      verify: (_item, view) =>
        noted(asked, JSON.stringify(view), !JSON.stringify(view).includes('worse') || 'worse'),
    });
    expect((await gate.verify(work('good'))).status).toBe('PASS');
    expect((await gate.verify(work('worse'))).status).toBe('FAIL');
    expect((await stateOf(store)).verdicts?.length).toBe(1);
    expect((await gate.verify(work('good'))).status).toBe('PASS');
    expect(asked.length).toBe(2);
    // a FAIL is found anew
    expect((await gate.verify(work('worse'))).status).toBe('FAIL');
    expect(asked.length).toBe(3);
  });

  it('a FAIL is verified again in the next iteration, and not in its own', async () => {
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

  it('a run with known failures asks its question although the fixer changes nothing', async () => {
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

  it('malformed verdicts count as none, never as a PASS', async () => {
    const asked: string[] = [];
    const store = memoryChecklists();
    const gate = await decomposed({
      store,
      decompose: () => oneItem,
      verify: ({ id }) => noted(asked, id, true),
    });
    await gate.verify(work());
    await store.update(phase, (state) => ({
      ...state!,
      items: state!.items.map((item) => ({ ...item, judged: { score: 7 } })),
    }));
    expect((await gate.verify(work())).status).toBe('PASS');
    expect(asked.length).toBe(2);
  });

  it('a store without a state reads nothing and refuses writes', async () => {
    const verdicts = checklistVerdicts(memoryChecklists(), phase);
    const key = verdictKey(aboutView(0));
    expect(await verdicts.get(key)).toBeUndefined();
    await expect(verdicts.put(key, passOf(0))).rejects.toMatchObject({
      code: 'checklist_missing',
    });
  });

  it('at most 1000 verdicts on earlier content are stored', async () => {
    const store = memoryChecklists();
    await gateOf({ store, decompose: () => drafts }).decompose(work());
    const verdicts = checklistVerdicts(store, phase);
    await store.update(phase, (state) => ({
      ...state!,
      verdicts: Array.from({ length: 1000 }, (_, view) => ({ schema: 1, about: aboutView(view) })),
    }));
    await verdicts.put('', passOf(1000));
    const kept = (await stateOf(store)).verdicts ?? [];
    expect([kept.length, kept[0]?.about['view'], kept.at(-1)?.about['view']]).toEqual([
      1000,
      'v1',
      'v1000',
    ]);
  });
});
