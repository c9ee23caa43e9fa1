import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isReviewError } from '../../src/kernel/errors.js';
import { fileStore } from '../../src/stores/file/index.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('run-child');
const steps = ['produce-1', 'produce-2', 'produce-3', 'produce-4', 'judge-1-first', 'judge-1-second', 'address-1', 'address-2', 'judge-2-first', 'judge-2-second'];
const places = ['before', 'inside', 'after'] as const;

const counts = (log: string, what: string) => {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return Object.fromEntries(steps.map((name) => [name, lines.filter((line) => line === `${what} ${name}`).length]));
};
const each = (times: number, exception: Record<string, number> = {}) => ({ ...Object.fromEntries(steps.map((name) => [name, times])), ...exception });

/** Runs a process to its end. */
async function run(args: readonly string[]): Promise<unknown> {
  const child = start(program, args);
  const line = await child.line();
  expect(await child.exit).toEqual({ code: 0, signal: null });
  return JSON.parse(line ?? 'null');
}

describe('kill -9 at every step of a run', () => {
  it('resumed in a new process, it ends the same, and no finished step is done again', async () => {
    const whole = join(newFolder(), 'log');
    const expected = await run(['ten', newFolder(), whole]);
    expect(expected).toMatchObject({ status: 'approved', output: expect.stringContaining('fixed [address-1][address-2]') });
    expect(counts(whole, 'done')).toEqual(each(1));
    const rows: string[] = [];
    for (const name of steps) {
      for (const place of places) {
        const directory = newFolder();
        const log = join(directory, 'log');
        const child = start(program, ['ten', directory, log, `${name} ${place}`]);
        expect(await child.line()).toBe('reached');
        await child.kill();
        const before = counts(log, 'done');
        const outcome = await run(['ten', directory, log]);
        expect(outcome, `${name} ${place}`).toEqual(expected);
        expect(counts(log, 'done'), `${name} ${place}`).toEqual(each(1));
        expect(counts(log, 'start'), `${name} ${place}`).toEqual(each(1, place === 'inside' ? { [name]: 2 } : {}));
        const finished = Object.values(before).reduce((sum, count) => sum + count, 0);
        rows.push(`${name.padEnd(15)} ${place.padEnd(7)} finished ${String(finished).padStart(2)}  started ${place === 'inside' ? 2 : 1}  done 1  approved`);
      }
    }
    console.log(`\nkilled at            before it: finished; in all: times the step was started and done; outcome\n${rows.join('\n')}`);
  }, 180_000);
});

describe('two people answer in two other processes', () => {
  const answering = (request: unknown, by: string) => JSON.stringify({ request, answer: { kind: 'approve', by, reason: 'read it' } });

  it.each([
    ['in order', [0, 1]],
    ['in reverse', [1, 0]],
  ])(
    '%s, and no step is done again',
    async (_, order) => {
      const directory = newFolder();
      const log = join(directory, 'log');
      const asked = (await run(['ask', directory, log])) as { status: string; requests: object[] };
      expect(asked).toMatchObject({ status: 'suspended', requests: [{}, {}] });
      expect(await fileStore(directory).list({ status: 'suspended' })).toEqual([{ runId: 'r', status: 'suspended' }]);
      const [first, second] = order.map((index) => asked.requests[index]);
      expect(await run(['answer', directory, log, answering(first, 'one')])).toMatchObject({ status: 'suspended', requests: [second] });
      expect(await run(['answer', directory, log, answering(first, 'one')])).toEqual({ thrown: expect.stringMatching(/^request_/) });
      expect(await run(['answer', directory, log, answering(second, 'two')])).toMatchObject({ status: 'approved', output: 'task' });
      const lines = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('done'));
      expect(lines).toHaveLength(4);
      expect(new Set(lines).size).toBe(4);
    },
    30_000,
  );
});

describe('a damaged journal', () => {
  it('ends the next run with its typed error', async () => {
    const directory = newFolder();
    await run(['ten', directory, join(directory, 'log')]);
    const journal = join(directory, 'runs/r/journal.jsonl');
    const text = readFileSync(journal, 'utf8');
    writeFileSync(journal, text.replace('[produce-2]', '[produce-9]'));
    expect(await run(['ten', directory, join(directory, 'log')])).toEqual({ thrown: 'journal_corrupt' });
    const error: unknown = await fileStore(directory)
      .read('r')
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(isReviewError(error)).toBe(true);
    expect(readFileSync(journal, 'utf8')).toBe(text.replace('[produce-2]', '[produce-9]'));
  });
});
