import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliResult, folderOf, runCli } from '../../cli/harness.js';
import { gateOf, work } from '../support.js';

/** Two milestones lack acceptance criteria and code intents: failures by rules. */
const plan = '# A plan\n\n## M1: Parser\nText only.\n\n## M2: Writer\nText only.\n';
const common = ['--phase', 'plan-structure', '--state-dir', '.qr'];
const run = (cwd: string, ...argv: string[]): Promise<CliResult> =>
  runCli(cwd, ['checklist', ...argv, ...common]);

interface Saved {
  iteration: number;
  items: {
    id: string;
    status: string;
    iteration: number;
    version: number;
    finding: string | null;
  }[];
}

async function edit(cwd: string, change: (state: Saved) => void): Promise<void> {
  const path = join(cwd, '.qr/qr-plan-structure.json');
  const state = JSON.parse(await readFile(path, 'utf8')) as Saved;
  change(state);
  await writeFile(path, JSON.stringify(state));
}

async function stateOf(cwd: string): Promise<Saved> {
  return JSON.parse(await readFile(join(cwd, '.qr/qr-plan-structure.json'), 'utf8')) as Saved;
}

/** A verified checklist with failures by rules, and one of them. */
async function failed() {
  const cwd = await folderOf({ 'plan.md': plan });
  await run(cwd, 'decompose', 'plan.md');
  expect((await run(cwd, 'verify')).code).toBe(50);
  const item = (await stateOf(cwd)).items.find(({ status }) => status === 'FAIL');
  return { cwd, id: item?.id ?? '' };
}

describe('a failure by a rule [R3-121]', () => {
  it.each([
    ['--status', 'PASS'],
    ['--status', 'pass'],
    ['--status', 'FAIL', '--finding', 'odd', '--severity', 'MAY'],
  ])('is not changed by an update: %s %s %s', async (...update) => {
    const { cwd, id } = await failed();
    const before = await stateOf(cwd);
    const refused = await run(cwd, 'update', id, ...update);
    expect(refused.code).toBe(1);
    expect(refused.out).toContain(`Item ${id} is verified by the rule`);
    expect(await stateOf(cwd)).toEqual(before);
    await run(cwd, 'fix', '--applied');
    expect((await run(cwd, 'update', id, ...update)).code).toBe(1);
    expect((await run(cwd, 'verify')).out).toContain(`- ${id}:`);
  });

  it('changes with its content', async () => {
    const { cwd, id } = await failed();
    const fixed = plan.replaceAll(
      'Text only.',
      'Acceptance criteria:\n- works\n\nCode intent:\n- x',
    );
    await writeFile(join(cwd, 'plan.md'), fixed);
    await run(cwd, 'fix', '--applied');
    expect((await stateOf(cwd)).iteration).toBe(2);
    expect((await run(cwd, 'verify')).out).not.toContain(`- ${id}:`);
  });
});

describe('an iteration', () => {
  it('without a change of content relaxes nothing [R3-122]', async () => {
    const { cwd, id } = await failed();
    for (let round = 0; round < 4; round += 1) {
      expect((await run(cwd, 'fix', '--applied')).out).toBe('Fixes applied\n');
      const { out } = await run(cwd, 'verify');
      expect(out).toContain(`- ${id}:`);
    }
    const { iteration, items } = await stateOf(cwd);
    expect(iteration).toBe(5);
    const open = items.filter(({ status }) => status === 'FAIL');
    expect((await run(cwd, 'fix')).out.match(/^Item /gm)).toHaveLength(open.length);
    expect((await run(cwd, 'verify')).out).toContain('NEXT: Ask the person in charge');
  });

  it.each([
    [
      'of the state',
      (state: Saved) => {
        state.iteration = 9;
      },
    ],
    [
      'of the state and its items',
      (state: Saved) => {
        state.iteration = 9;
        for (const item of state.items) item.iteration = 9;
      },
    ],
    [
      'of its items',
      (state: Saved) => {
        for (const item of state.items) item.iteration = 7;
      },
    ],
  ])('that nothing reset is refused, %s by hand [R3-122]', async (_, change) => {
    const { cwd } = await failed();
    await edit(cwd, change);
    const { code, out } = await run(cwd, 'verify');
    expect(code).toBe(1);
    expect(out).toContain('is corrupt: its iteration is');
  });
});

describe('an item without a verdict', () => {
  it.each([1, 3, 5, 9])('passes in no iteration, and is named: %i [R3-122]', async (from) => {
    const gate = gateOf({
      blocking: [{ from: 1, blocks: 'MUST' }],
      maxIterations: from,
      verify: ({ severity }) => (severity === 'MUST' ? true : { skipped: 'no judge' }),
    });
    await gate.decompose(work());
    const { status, unverified, text } = await gate.verify(work());
    expect({ status, ids: unverified.map(({ id }) => id) }).toEqual({
      status: 'FAIL',
      ids: ['plan-structure-002', 'plan-structure-003'],
    });
    expect(text).toContain('1 PASS, 0 FAIL, 2 TODO');
    expect(text).toContain('- plan-structure-003: not verified: no judge');
    const { outcome } = await gateOf({
      blocking: [{ from: 1, blocks: 'MUST' }],
      verify: ({ severity }) => (severity === 'MUST' ? true : { skipped: 'no judge' }),
    }).run(work());
    expect(outcome.status).toBe('inconclusive');
  });
});

describe('an acceptance', () => {
  it('without its audit record is none [R3-122]', async () => {
    const { cwd, id } = await failed();
    await edit(cwd, ({ items }) => {
      for (const item of items)
        if (item.status === 'FAIL') Object.assign(item, { accepted: { by: 'Ann', reason: 'ok' } });
    });
    expect((await run(cwd, 'verify')).out).toContain(`Failed items:\n- ${id}:`);
    expect((await run(cwd, 'fix')).out).toContain(`Item ${id}:`);
  });

  it('counts with its record for this finding, wherever its log is', async () => {
    const { cwd } = await failed();
    for (let round = 2; round <= 5; round += 1) {
      await run(cwd, 'fix', '--applied');
      await run(cwd, 'verify');
    }
    const state = await stateOf(cwd);
    const open = state.items.filter(({ status }) => status === 'FAIL').map(({ id }) => id);
    expect({ iteration: state.iteration, open: open.length > 0 }).toEqual({
      iteration: 5,
      open: true,
    });
    for (const id of open) await run(cwd, 'accept', id, '--reason', 'known', '--audit', 'log');
    const failing = async (...more: string[]) =>
      (await run(cwd, 'verify', ...more)).out.includes('Failed items:');
    expect([await failing(), await failing('--audit', 'log')]).toEqual([true, false]);
    await edit(cwd, ({ items }) => {
      for (const item of items) if (item.finding !== null) item.finding = 'something else';
    });
    expect(await failing('--audit', 'log')).toBe(true);
  });
});
