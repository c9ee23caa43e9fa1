import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore, verifyAudit } from '@/adapters/stores/file/index.js';
import type { AuditRecord } from '@/ports/audit-chain.js';
import { bundled, newFolder, start } from './children.js';

const writers = 16;
const each = 3;

describe('the audit log', () => {
  it(`takes the records of ${writers} processes at once, in one unbroken chain, and of one that is killed all that it was told`, {
    timeout: 180_000,
  }, async () => {
    const program = await bundled('audit-child');
    const directory = newFolder();
    const children = Array.from({ length: writers }, (_, index) =>
      start(program, [directory, `writer-${index}`, String(each)]),
    );
    const victim = start(program, [directory, 'victim', '1000']);
    for (const child of [...children, victim]) expect(await child.line()).toBe('ready');
    for (const child of [...children, victim]) child.send('go');
    const told = JSON.parse((await victim.line()) ?? '-1') as number;
    await victim.kill();
    for (const child of children) expect(await child.exit).toMatchObject({ code: 0 });
    const lines = (await readFile(join(directory, 'audit.jsonl'), 'utf8')).trimEnd().split('\n');
    const reasons = lines.map((line) => (JSON.parse(line) as AuditRecord).reason);
    expect(await verifyAudit(directory)).toMatchObject({
      intact: true,
      torn: false,
      records: lines.length,
    });
    for (let index = 0; index < writers; index += 1) {
      expect(reasons.filter((reason) => reason?.startsWith(`writer-${index} `))).toEqual(
        Array.from({ length: each }, (_, done) => `writer-${index} ${done}`),
      );
    }
    expect(told).toBe(0);
    expect(reasons).toContain('victim 0');
    console.log(`${lines.length} records of ${writers + 1} processes, intact`);
  });
});

const program = await bundled('votes-child');

/** One failure and three passes of first texts, three passes of the edited one: as many as judges. */
const votes = 1 + 3 + 3;

/** How many votes the journal of the run contains. */
async function recorded(directory: string): Promise<number> {
  const records = (await fileStore(directory).read('r')) ?? [];
  return records.filter((record) => record.type === 'step' && record.name.includes('turn')).length;
}

interface Ended {
  readonly asked: number;
  /** What the run ended with; undefined if the process was killed before. */
  readonly result: unknown;
}

/** Runs the pipeline, and kills its process once it has asked so many judges. */
async function ran(directory: string, killAfter: number): Promise<Ended> {
  const child = start(program, [directory]);
  let asked = 0;
  for (let line = await child.line(); line !== undefined; line = await child.line()) {
    if (!line.startsWith('asked ')) return { asked, result: JSON.parse(line) };
    asked += 1;
    if (asked === killAfter) child.process.kill('SIGKILL');
  }
  await child.exit;
  return { asked, result: undefined };
}

/** Numbers that look random, and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield 1 + ((state >>> 16) % 4);
  }
}

it('kill -9 while judges vote asks no recorded vote again, and ends with the same votes, wherever it was killed', async () => {
  const whole = await ran(join(newFolder(), 'runs'), Number.POSITIVE_INFINITY);
  expect(whole).toMatchObject({ asked: votes, result: { status: 'approved' } });
  let kills = 0;
  for (let seed = 1; seed <= 3; seed += 1) {
    const directory = join(newFolder(), 'runs');
    const after = numbers(seed);
    let before = 0;
    let end: Ended = { asked: 0, result: undefined };
    while (end.result === undefined) {
      end = await ran(directory, after.next().value);
      const now = await recorded(directory);
      // a vote that was recorded is not among those that were asked for since
      expect(end.asked, `seed ${seed}`).toBeGreaterThanOrEqual(now - before);
      if (end.result === undefined) kills += 1;
      else expect(end.asked, `seed ${seed}: a vote was asked again`).toBe(votes - before);
      before = now;
    }
    expect(end.result, `seed ${seed}`).toEqual(whole.result);
    expect(before).toBe(votes);
  }
  console.log(`${kills} kills`);
  expect(kills).toBeGreaterThan(3);
});
