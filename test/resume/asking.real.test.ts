import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundled, newFolder, start } from './children.js';

const program = await bundled('asking-child');

interface Told {
  readonly status: string;
  readonly output?: string;
  readonly tokens: number;
  readonly requests: readonly { readonly id: string; readonly subject: string }[];
  readonly records: number;
  readonly thrown?: string;
}

const stores = [
  ['files', (folder: string) => folder],
  ['a database', (folder: string) => join(folder, 'runs.db')],
] as const;

async function run(directory: string, log: string, given = ''): Promise<Told> {
  const child = start(program, [directory, log, '', given]);
  const line = await child.line();
  expect(await child.exit).toEqual({ code: 0, signal: null });
  return JSON.parse(line ?? 'null') as Told;
}

const approving = (request: unknown, by: string): string =>
  JSON.stringify({ request, answer: { kind: 'approve', by } });

const turns = (log: string): string[] => readFileSync(log, 'utf8').trim().split('\n');

const finished = { status: 'approved', output: 'tea [1][2] Ann Ben [3]', tokens: 1110 };

/** Continues a run until it has ended, each answer in another process. */
async function finish(directory: string, log: string): Promise<Told> {
  let told = await run(directory, log);
  for (let round = 0; told.status === 'suspended' && round < 4; round += 1) {
    const [request] = told.requests;
    told = await run(directory, log, approving(request, request?.subject === 'a' ? 'Ann' : 'Ben'));
  }
  return told;
}

describe.each(stores)(
  'questions of produce, answered in other processes, with %s',
  (_, storeIn) => {
    it('continue the run, and each turn is paid once', async () => {
      const folder = newFolder();
      const [directory, log] = [storeIn(folder), join(folder, 'log')];
      const asked = await run(directory, log);
      expect(asked).toMatchObject({ status: 'suspended', tokens: 110 });
      expect(asked.requests.map(({ subject }) => subject)).toEqual(['a', 'b']);
      const [a, b] = asked.requests;
      expect(await run(directory, log)).toMatchObject({ status: 'suspended', requests: [a, b] });
      const second = await run(directory, log, approving(b, 'Ben'));
      expect(second).toMatchObject({ status: 'suspended', requests: [a], tokens: 110 });
      expect(await run(directory, log, approving(b, 'Ben'))).toMatchObject({
        thrown: 'request_answered',
      });
      expect(await run(directory, log, approving(a, 'Ann'))).toMatchObject(finished);
      expect(turns(log)).toEqual(['turn 1', 'turn 2', 'turn 3']);
    });
  },
);

it('kill -9 around a record of a run that asks loses no answer, counts usage once, and ends the same, wherever it was killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('before', 'after'),
      fc.constantFrom(...stores.map(([, storeIn]) => storeIn)),
      fc.boolean(),
      async (record, place, storeIn, answering) => {
        const folder = newFolder();
        const [directory, log] = [storeIn(folder), join(folder, 'log')];
        const asked = answering ? await run(directory, log) : undefined;
        const given = asked === undefined ? '' : approving(asked.requests[0], 'Ann');
        const child = start(program, [directory, log, `${record} ${place}`, given]);
        if ((await child.line()) === 'reached') await child.kill();
        else await child.exit;
        expect(await finish(directory, log)).toMatchObject(finished);
        const paid = turns(log);
        // a step that was killed before its record is made again; no other one
        expect(paid.length).toBeLessThanOrEqual(4);
        expect(new Set(paid)).toEqual(new Set(['turn 1', 'turn 2', 'turn 3']));
      },
    ),
    { numRuns: 10 },
  );
});
