import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/ports/clock.js';
import { PostgresDatabase } from '../../../src/stores/postgres/postgres-database.js';
import { reportFiles } from '../../../src/stores/postgres/report-files.js';
import { freshSchema, pglite } from '../../support/postgres.js';

async function filesIn(schema = freshSchema(), asked: string[] = []) {
  const place = await pglite();
  const database = new PostgresDatabase({
    place: {
      query: (text, values) => {
        asked.push(text);
        return place.query(text, values);
      },
    },
    schema,
    outageMs: 10_000,
    migrate: true,
    worker: 'worker',
    connections: 1,
    clock: systemClock,
  });
  return { database, files: reportFiles(database) };
}

describe('the table of reports as files', () => {
  it('reads, lists, replaces and removes as a folder does', async () => {
    const { files } = await filesIn();
    expect(await files.read('runs/a/review.json')).toBeUndefined();
    expect(await files.list('runs')).toEqual([]);
    await files.write('runs/a/review.json', 'one');
    await files.write('runs/a/output/deep/page.html', 'page');
    await files.write('runs/a-b/review.json', 'other');
    await files.write('tasks/t.json', 'task');
    await files.write('runs/a/review.json', 'two');
    expect(await files.read('runs/a/review.json')).toBe('two');
    expect(await files.list('runs')).toEqual(['a', 'a-b']);
    expect(await files.list('runs/a')).toEqual(['output', 'review.json']);
    expect(await files.list('runs/a/output')).toEqual(['deep']);
    expect(await files.list('tasks')).toEqual(['t.json']);
    expect(await files.changedAt('runs/a/review.json')).toBeGreaterThan(1_700_000_000_000);
    expect(await files.changedAt('runs/a/none')).toBeUndefined();
    await files.remove('runs/a/output');
    expect(await files.list('runs/a')).toEqual(['review.json']);
    await files.remove('runs/a');
    expect(await files.list('runs')).toEqual(['a-b']);
    expect(await files.read('tasks/t.json')).toBe('task');
  });

  it('keeps any text, and any name of a file', async () => {
    const { files } = await filesIn();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('json:"x"', '\u0000', '\ud800', 'json:', ''),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('a%_b', "it's", 'ü 😀', 'a.b'), async (body, name) => {
        await files.write(`runs/r/output/${name}`, body);
        expect(await files.read(`runs/r/output/${name}`)).toBe(body);
        expect(await files.list('runs/r/output')).toContain(name);
      }),
      { numRuns: 60 },
    );
  });

  it('reads the reports of all runs with few statements', async () => {
    const asked: string[] = [];
    const { database, files } = await filesIn(freshSchema(), asked);
    await database.ask(
      `INSERT INTO ${database.schema}.reports (run_id, name, body)
       SELECT 'r' || n, name, name || n FROM generate_series(1, 450) AS n,
         (VALUES ('review.json'), ('summary.md')) AS names (name)`,
    );
    await files.write('runs/odd/review.json', '\u0000');
    asked.length = 0;
    const found = await files.readEach('review.json');
    expect(asked).toHaveLength(3);
    expect(found.size).toBe(451);
    expect(found.get('r77')).toBe('review.json77');
    expect(found.get('odd')).toBe('\u0000');
  });

  it('knows whether a process with a lease works on a run', async () => {
    const { database, files } = await filesIn();
    const { schema } = database;
    await database.ask(
      `INSERT INTO ${schema}.workers (id, lease_until) VALUES
         ('here', clock_timestamp() + interval '1 hour'), ('gone', clock_timestamp() - interval '1 s')`,
    );
    await database.ask(
      `INSERT INTO ${schema}.runs (run_id, holder) VALUES ('a', 'here'), ('b', 'gone'), ('c', NULL)`,
    );
    const held = await Promise.all(['a', 'b', 'c', 'd'].map((id) => files.isHeld(id)));
    expect(held).toEqual([true, false, false, false]);
  });
});
