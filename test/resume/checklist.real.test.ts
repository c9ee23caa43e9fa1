import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileChecklists } from '@/adapters/stores/file/index.js';
import { memoryStore } from '@/index.js';
import { ChecklistGate, memoryChecklists } from '@/products/checklist-gate/index.js';
import { seed } from '../support/seed.js';
import { type Kind, planGate, plantedPlan } from './checklist-plan.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('checklist-child');
const planProgram = await bundled('checklist-plan-child');

describe('a checklist and real processes', () => {
  it('16 processes update at once, and nothing is lost [D001-14, QR-57]', async () => {
    const directory = newFolder();
    const store = fileChecklists(`${directory}/qr`);
    const gate = new ChecklistGate({
      phase: 'impl-code',
      store,
      decompose: () => Array.from({ length: 16 }, () => ({ scope: '*', check: 'x' })),
    });
    await gate.decompose({ artifacts: [] });
    const children = Array.from({ length: 16 }, (_, index) =>
      start(program, ['update', directory, String(index + 1)]),
    );
    expect(
      (await Promise.all(children.map(({ exit }) => exit))).filter(({ code }) => code !== 0),
    ).toEqual([]);
    const { items } = await gate.state();
    expect(items.map(({ status }) => status)).toEqual(
      Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 'FAIL' : 'PASS')),
    );
    expect(items.map(({ version }) => version)).toEqual(Array(16).fill(2));
    expect(readdirSync(`${directory}/qr`).sort()).toEqual([
      '.qr-impl-code.lock',
      'qr-impl-code.json',
    ]);
  });

  it('one that is killed in a verification or a fix is gone on with, and nothing is verified or counted twice', async () => {
    const places = [
      'impl-code-003 over 3',
      'fix 1',
      'impl-code-002 over 2',
      'fix 2',
      'impl-code-004 over 1',
      'fix 3',
      'impl-code-001 over 0',
    ];
    const directory = newFolder();
    const log = `${directory}/log`;
    for (const place of places) {
      const child = start(program, ['run', directory, place, log]);
      expect(await child.line()).toBe('reached');
      await child.kill();
    }
    const last = start(program, ['run', directory, '', log]);
    expect(JSON.parse((await last.line()) ?? '')).toEqual({
      status: 'PASS',
      loop: 'COMPLETE',
      iteration: 4,
      outcome: 'approved',
    });
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    expect([...new Set(lines)]).toEqual(lines);
    expect(lines.length).toBe(4 * 4 + 3);
    expect(lines.filter((line) => line.startsWith('fix'))).toEqual([
      'fix 1: 3',
      'fix 2: 2',
      'fix 3: 1',
    ]);
  });
});

describe('a plan with faults planted at random, a judge that reads and a fixer, killed in the middle', () => {
  /** What happens when nobody kills anything. */
  const undisturbed = async (mends: readonly Kind[]) => {
    const log: string[] = [];
    const run = await planGate(
      { store: memoryChecklists(), runs: memoryStore() },
      mends,
      async (what) => void log.push(what),
    ).run(plantedPlan(seed));
    return { log, run };
  };
  const told = async (directory: string, spec: object, stopAt = '') => {
    const child = start(planProgram, [directory, stopAt, JSON.stringify(spec)]);
    const line = (await child.line()) ?? '';
    if (stopAt !== '') {
      expect(line).toBe('reached');
      await child.kill();
      return {};
    }
    return JSON.parse(line) as Record<string, unknown>;
  };

  it.each([
    {
      mends: ['criteria', 'vague', 'placeholder', 'name'] as const,
      kills: [0.5],
      ends: { status: 'PASS', loop: 'COMPLETE', iteration: 2, outcome: 'approved', accepted: [] },
    },
    {
      mends: ['criteria', 'vague', 'placeholder'] as const,
      kills: [0.3, 0.8],
      ends: {
        status: 'PASS',
        loop: 'COMPLETE',
        iteration: 3,
        outcome: 'approved',
        accepted: [['MAY', null]],
      },
    },
    {
      mends: ['criteria'] as const,
      kills: [0.7],
      ends: {
        status: 'PASS',
        loop: 'COMPLETE',
        iteration: 5,
        outcome: 'approved',
        accepted: expect.arrayContaining([['SHOULD', null]]),
      },
    },
  ])(
    'a fixer that mends $mends ends in iteration $ends.iteration, without a repeated verification',
    async ({ mends, kills, ends }) => {
      const { log, run } = await undisturbed(mends);
      expect([run.iteration, run.status], `seed ${seed}`).toEqual([ends.iteration, 'PASS']);
      const directory = newFolder();
      for (const part of kills)
        await told(directory, { seed, mends }, String(Math.ceil(log.length * part)));
      expect(await told(directory, { seed, mends }), `seed ${seed}`).toMatchObject(ends);
      const lines = readFileSync(`${directory}/log`, 'utf8').trim().split('\n');
      expect(lines.toSorted(), `seed ${seed}`).toEqual(log.toSorted());
      expect(new Set(lines).size, `seed ${seed}`).toBe(lines.length);
    },
    300_000,
  );

  it('a fixer that mends nothing ends at the ceiling in one question, which another process answers [D001-07]', async () => {
    const spec = { seed, mends: [] };
    const { log } = await undisturbed([]);
    const directory = newFolder();
    await told(directory, spec, String(log.length));
    const asked = await told(directory, spec);
    expect(asked).toMatchObject({
      status: 'FAIL',
      loop: 'ESCALATED',
      iteration: 5,
      outcome: 'suspended',
      request: [{ allowed: ['override', 'revise', 'reject'] }],
    });
    const [request] = asked['request'] as object[];
    expect(await told(directory, { ...spec, answer: request })).toMatchObject({
      status: 'PASS',
      loop: 'COMPLETE',
      outcome: 'accepted',
      accepted: expect.arrayContaining([['MUST', 'Ada']]),
    });
    const lines = readFileSync(`${directory}/log`, 'utf8').trim().split('\n');
    expect(lines.toSorted()).toEqual(log.toSorted());
    expect(lines.filter((line) => line.startsWith('fix'))).toEqual([
      'fix 1',
      'fix 2',
      'fix 3',
      'fix 4',
    ]);
  });
});
