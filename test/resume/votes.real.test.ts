import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileStore } from '@/stores/file/index.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('votes-child');

/** One failure and four passes of first texts, six passes of the edited one. */
const votes = 1 + 4 + 6;

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
