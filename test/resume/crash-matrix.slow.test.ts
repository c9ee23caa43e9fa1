import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '@/adapters/stores/file/index.js';
import { sqliteStore } from '@/adapters/stores/sqlite/index.js';
import { isReviewError } from '@/core/errors.js';
import { mapBounded } from '@/core/map-bounded.js';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('run-child');
const four = (label: string) => [1, 2, 3, 4].map((index) => `${label}-${index}`);
const review = (iteration: number) =>
  ['judge', 'critic'].flatMap((id) =>
    ['first', 'second', 'check'].map((name) => `${id}-${iteration}-${name}`),
  );
const steps = [
  ...four('produce'),
  ...review(1),
  ...four('address-1'),
  ...review(2),
  ...four('address-2'),
  ...review(3),
];
const places = ['before', 'inside', 'after'] as const;

const counts = (log: string, what: string) => {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return Object.fromEntries(
    steps.map((name) => [name, lines.filter((line) => line === `${what} ${name}`).length]),
  );
};
const each = (times: number, exception: Record<string, number> = {}) => ({
  ...Object.fromEntries(steps.map((name) => [name, times])),
  ...exception,
});

async function run(args: readonly string[]): Promise<unknown> {
  const child = start(program, args);
  const line = await child.line();
  expect(await child.exit).toEqual({ code: 0, signal: null });
  return JSON.parse(line ?? 'null');
}

interface Killing {
  readonly expected: unknown;
  /** Where the log is. */
  readonly folder?: string;
  /** Where the store is. */
  readonly directory?: string;
}

/** Kills a run at a place, goes on with it in a new process, and gives the cell of the matrix. */
async function killAt(
  name: string,
  place: (typeof places)[number],
  { expected, folder = newFolder(), directory = folder }: Killing,
): Promise<string> {
  const log = join(folder, 'log');
  const child = start(program, ['thirty', directory, log, `${name} ${place}`]);
  expect(await child.line(), `${name} ${place}`).toBe('reached');
  await child.kill();
  const before = counts(log, 'done');
  const outcome = await run(['thirty', directory, log]);
  expect(outcome, `${name} ${place}`).toEqual(expected);
  const done = counts(log, 'done');
  const started = counts(log, 'start');
  const repeated = steps.filter(
    (step) => before[step] === 1 && (started[step] !== 1 || done[step] !== 1),
  );
  expect(repeated, `${name} ${place}: finished steps that were done again`).toEqual([]);
  expect(done, `${name} ${place}`).toEqual(each(1));
  expect(started, `${name} ${place}`).toEqual(each(1, place === 'inside' ? { [name]: 2 } : {}));
  return `${started[name]}/${done[name]} ${(outcome as { status: string }).status}`;
}

it('kill -9 at every step of a run: resumed in a new process, a run of thirty steps ends the same, and no finished step is done again, wherever it was killed', async () => {
  const whole = join(newFolder(), 'log');
  const expected = await run(['thirty', newFolder(), whole]);
  expect(steps).toHaveLength(30);
  expect(expected).toMatchObject({
    status: 'approved',
    output: expect.stringContaining('mended 2 [address-2-1]'),
  });
  expect(counts(whole, 'done')).toEqual(each(1));
  const cells = new Map<string, string>();
  const kills = steps.flatMap((name) => places.map((place) => ({ name, place })));
  await mapBounded(
    kills,
    3,
    async ({ name, place }) =>
      void cells.set(`${name} ${place}`, await killAt(name, place, { expected })),
  );
  const rows = steps.map((name) =>
    [name.padEnd(16), ...places.map((place) => cells.get(`${name} ${place}`)?.padEnd(14))].join(
      ' ',
    ),
  );
  console.log(
    `\n${kills.length} kills; times that the step was started/done in both processes, and the outcome\n${['killed at'.padEnd(16), ...places.map((place) => place.padEnd(14))].join(' ')}\n${rows.join('\n')}`,
  );
});

/** What the tables of a database say of its run, but for times. */
async function told(file: string): Promise<unknown> {
  const store = sqliteStore(file);
  try {
    return {
      runs: await store.query('SELECT status, code, pipeline, records FROM runs'),
      records: await store.query('SELECT count(*) AS n FROM records'),
      steps: await store.query(
        'SELECT name, count(*) AS n FROM steps WHERE failed = 0 GROUP BY name ORDER BY name',
      ),
      reviews: await store.query(
        'SELECT iteration, version, decision, reason, overall, judged, total FROM reviews ORDER BY iteration',
      ),
      assessments: await store.query(
        'SELECT iteration, criterion, verdict, score, explanation FROM assessments ORDER BY iteration, n',
      ),
      gaps: await store.query(
        'SELECT iteration, id, severity, description, lifecycle, fixed FROM gaps ORDER BY iteration, n',
      ),
    };
  } finally {
    await store.close();
  }
}

describe('kill -9 over a database', () => {
  const storeIn = (folder: string): string => join(folder, 'runs.db');

  it('resumed in a new process, a run of thirty steps ends the same, and its tables say the same as those of a run that nobody killed', async () => {
    const whole = newFolder();
    const expected = await run(['thirty', storeIn(whole), join(whole, 'log')]);
    const wanted = await told(storeIn(whole));
    expect(wanted).toMatchObject({
      runs: [{ status: 'approved', records: 35 }],
      records: [{ n: 35 }],
      reviews: [{ decision: 'revise' }, { decision: 'revise' }, { decision: 'approve' }],
    });
    const some = ['produce-1', 'judge-1-first', 'address-1-4', 'critic-2-check', 'critic-3-second'];
    const kills = some.flatMap((name) => places.map((place) => ({ name, place })));
    await mapBounded(kills, 3, async ({ name, place }) => {
      const folder = newFolder();
      await killAt(name, place, { expected, folder, directory: storeIn(folder) });
      expect(await told(storeIn(folder)), `${name} ${place}`).toEqual(wanted);
    });
  });
});

describe('two people answer in two other processes', () => {
  const answering = (request: unknown, by: string) =>
    JSON.stringify({ request, answer: { kind: 'approve', by, reason: 'read it' } });

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
      expect(await fileStore(directory).list({ status: 'suspended' })).toEqual([
        { runId: 'r', status: 'suspended' },
      ]);
      const [first, second] = order.map((index) => asked.requests[index]);
      expect(await run(['answer', directory, log, answering(first, 'one')])).toMatchObject({
        status: 'suspended',
        requests: [second],
      });
      expect(await run(['answer', directory, log, answering(first, 'one')])).toEqual({
        thrown: expect.stringMatching(/^request_/),
      });
      expect(await run(['answer', directory, log, answering(second, 'two')])).toMatchObject({
        status: 'approved',
        output: 'task',
      });
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

it('a damaged journal ends the next run with its typed error', async () => {
  const directory = newFolder();
  await run(['thirty', directory, join(directory, 'log')]);
  const journal = join(directory, 'runs/r/journal.jsonl');
  const text = readFileSync(journal, 'utf8');
  writeFileSync(journal, text.replace('[produce-2]', '[produce-9]'));
  expect(await run(['thirty', directory, join(directory, 'log')])).toEqual({
    thrown: 'journal_corrupt',
  });
  const error: unknown = await fileStore(directory)
    .read('r')
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  expect(isReviewError(error)).toBe(true);
  expect(readFileSync(journal, 'utf8')).toBe(text.replace('[produce-2]', '[produce-9]'));
});
