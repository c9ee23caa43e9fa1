import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ChecklistGate,
  decodeChecklist,
  encodeChecklist,
} from '../../../src/checklist-gate/index.js';
import { fileChecklists } from '../../../src/stores/file/index.js';
import { newDirectory } from '../stores/file-support.js';

const seed = {
  schema_version: '1.0',
  phase: 'plan-structure',
  items: [
    {
      id: 'plan-001',
      scope: '*',
      check: 'Verify milestone definitions',
      status: 'PASS',
      finding: null,
    },
    {
      id: 'plan-002',
      scope: 'milestone:M1',
      check: 'Validate acceptance criteria',
      status: 'FAIL',
      finding: 'Acceptance criteria missing.',
    },
    {
      id: 'plan-003',
      scope: 'file:planner/qa/verify.py:45-52',
      check: 'Check diff syntax',
      status: 'TODO',
      finding: null,
    },
  ],
};
const decode = (value: unknown, warn?: (message: string) => void) =>
  decodeChecklist(JSON.stringify(value), { phase: 'plan-structure', where: 'f', warn });
const withItem = (item: object) => ({ ...seed, items: [{ ...seed.items[2], ...item }] });

describe('qr-{phase}.json', () => {
  it('a schema 1.0 file is read, and exported as it was [QR-26, QR-27, QR-28, QR-29, QR-30, QR-31]', () => {
    const state = decode(seed);
    expect(
      state.items.map(({ id, scope, check, status, finding }) => ({
        id,
        scope,
        check,
        status,
        finding,
      })),
    ).toEqual(seed.items);
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
      expect(() => decode(withItem({ id: bad }))).toThrow(
        expect.objectContaining({ code: 'checklist_corrupt' }),
      );
      expect(() => decode(withItem({ scope: bad }))).toThrow(
        expect.objectContaining({ code: 'checklist_corrupt' }),
      );
    }
    expect(() => decode({ ...seed, items: [seed.items[0], seed.items[0]] })).toThrow(
      expect.objectContaining({ code: 'checklist_corrupt' }),
    );
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
      expect(() => decode(value)).toThrow(expect.objectContaining({ code: 'checklist_corrupt' }));
    }
    for (const schema_version of ['1.2', '2.0', '10.0'])
      expect(() => decode({ ...seed, schema_version })).toThrow(
        expect.objectContaining({ code: 'checklist_newer' }),
      );
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
          id: 'plan-structure-001',
          scope: '*',
          check: 'x',
          status: 'TODO',
          finding: null,
          severity: 'MUST',
          iteration: 1,
          version: 1,
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
    expect(text).toContain('Item plan-002: Acceptance criteria missing.\nScope: milestone:M1\n');
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
    await expect(
      store.update('plan-code', () => {
        throw new Error('no');
      }),
    ).rejects.toThrow(/^no$/);
    await expect(
      store.update('plan-code', (state) => ({ ...state!, iteration: 0 })),
    ).rejects.toMatchObject({ code: 'checklist_corrupt' });
    expect(readFileSync(join(folder, 'qr-plan-code.json'), 'utf8')).toBe(before);
  });

  it('concurrent changes of one process lose nothing', async () => {
    const gate = new ChecklistGate({
      phase: 'plan-code',
      store: fileChecklists(newDirectory()),
      decompose: () => Array.from({ length: 30 }, () => ({ scope: '*', check: 'x' })),
    });
    await gate.decompose({ artifacts: [] });
    await Promise.all(
      (await gate.state()).items.map(({ id }) => gate.update(id, { status: 'PASS' })),
    );
    expect(
      (await gate.state()).items.every(({ status, version }) => status === 'PASS' && version === 2),
    ).toBe(true);
  });

  it('unusable paths are typed errors', async () => {
    expect(() => fileChecklists('')).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    const folder = newDirectory();
    await expect(fileChecklists(folder).read('../x' as never)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('`phase`') as unknown,
    });
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
