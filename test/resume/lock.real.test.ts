import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { takeLock } from '@/node/lock.js';
import { systemClock } from '@/ports/clock.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('lock-child');

it.each([
  ['before the file is filled', 'fill', 1],
  ['before the file has its name', 'link', 1],
  ['before the other name of the file is removed', 'rm', 2],
])(
  'a process that is killed while it makes a lock: %s: the next one takes it at once, and sweeps what was left',
  async (_, step, epoch) => {
    const folder = newFolder();
    const child = start(program, [folder, step]);
    expect(await child.line()).toBeUndefined();
    expect((await child.exit).signal).toBe('SIGKILL');
    const left = readdirSync(folder).filter((name) => name.startsWith('lock.'));
    expect(left.some((name) => name.includes('-'))).toBe(true);
    // patience is never waited for: were it needed, the lock would be refused
    const lock = await takeLock(folder, {
      clock: { ...systemClock, after: () => expect.unreachable('it waited') },
      heartbeatMs: 1_000_000,
      patienceMs: 60_000,
    });
    expect(lock?.epoch).toBe(epoch);
    await lock?.release();
    expect(readdirSync(folder).filter((name) => name !== 'other')).toEqual([`lock.${epoch}`]);
  },
);
