import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ChecklistGate } from '../../src/index.js';
import { checklistFile } from '../../src/stores/file/index.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('checklist-child');

describe('a checklist and real processes', () => {
  it('D001-14/QR-57: 40 processes update at once, and nothing is lost', async () => {
    const directory = newFolder();
    const store = checklistFile(`${directory}/qr`);
    const gate = new ChecklistGate({ phase: 'impl-code', store, decompose: () => Array.from({ length: 40 }, () => ({ scope: '*', check: 'x' })) });
    await gate.decompose({ artifacts: [] });
    const children = Array.from({ length: 40 }, (_, index) => start(program, ['update', directory, String(index + 1)]));
    expect((await Promise.all(children.map(({ exit }) => exit))).filter(({ code }) => code !== 0)).toEqual([]);
    const { items } = await gate.state();
    expect(items.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 'FAIL' : 'PASS')));
    expect(items.map(({ version }) => version)).toEqual(Array(40).fill(2));
    expect(readdirSync(`${directory}/qr`).sort()).toEqual(['.qr-impl-code.lock', 'qr-impl-code.json']);
  });

  it('one that is killed in a verification or a fix is gone on with, and nothing is verified or counted twice', async () => {
    const places = ['impl-code-003 over 3', 'fix 1', 'impl-code-002 over 2', 'fix 2', 'impl-code-004 over 1', 'fix 3', 'impl-code-001 over 0'];
    const directory = newFolder();
    const log = `${directory}/log`;
    for (const place of places) {
      const child = start(program, ['run', directory, place, log]);
      expect(await child.line()).toBe('reached');
      await child.kill();
    }
    const last = start(program, ['run', directory, '', log]);
    expect(JSON.parse((await last.line()) ?? '')).toEqual({ status: 'PASS', loop: 'COMPLETE', iteration: 4, outcome: 'approved' });
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    expect([...new Set(lines)]).toEqual(lines);
    expect(lines.length).toBe(4 * 4 + 3);
    expect(lines.filter((line) => line.startsWith('fix'))).toEqual(['fix 1: 3', 'fix 2: 2', 'fix 3: 1']);
  });
});
