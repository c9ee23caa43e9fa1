import { describe, expect, it } from 'vitest';
import { recordAnswer } from '../../../src/engines/index.js';
import { definePipeline } from '../../../src/index.js';
import { type PostgresClient, postgresStore } from '../../../src/stores/postgres/index.js';
import { checksum } from '../../../src/stores/stored-records.js';
import { describePostgres, freshSchema, pglite } from '../../support/postgres.js';

/** Two stores over one schema; the statements of the first one are recorded. */
async function counted() {
  const schema = freshSchema();
  const place = await pglite();
  const statements: string[] = [];
  const client: PostgresClient = {
    query: (text, values) => {
      statements.push(text);
      return place.query(text, values);
    },
  };
  const store = postgresStore(client, { schema });
  const other = postgresStore(place, { schema });
  await store.enlist();
  return { store, other, statements, schema };
}

const pipelineOver = (store: ReturnType<typeof postgresStore>) =>
  definePipeline({
    name: 'waits',
    store,
    produce: async (task: string) => `# ${task}`,
    criteria: { titled: (text) => text.startsWith('# ') || 'no title' },
    human: { policy: 'require' },
  });

async function waiting(store: ReturnType<typeof postgresStore>) {
  const outcome = await pipelineOver(store).run('tea', { runId: 'r' });
  if (outcome.status !== 'suspended') throw new Error(outcome.status);
  return outcome.requests[0];
}

describe('a run that must be known', () => {
  it('is opened whole, and is busy for others', async () => {
    const { store, other } = await counted();
    await waiting(store);
    const journal = await store.openKnown('r');
    expect(journal.records).toEqual(await other.read('r'));
    await expect(other.openKnown('r')).rejects.toMatchObject({ code: 'run_busy' });
    await journal.close();
    await (await other.openKnown('r')).close();
  });

  it('is refused where it is unknown, and nothing is created', async () => {
    const { store, schema } = await counted();
    await expect(store.openKnown('r')).rejects.toMatchObject({ code: 'run_unknown' });
    expect(await store.query(`SELECT run_id FROM ${schema}.runs`)).toEqual([]);
    await expect(
      pipelineOver(store).answer(
        { runId: 'r', id: 'x', digest: 'x' },
        { kind: 'approve', by: 'A' },
      ),
    ).rejects.toMatchObject({ code: 'run_unknown' });
    expect(await store.query(`SELECT run_id FROM ${schema}.runs`)).toEqual([]);
  });
});

describe('few statements', () => {
  it('an answer that ends the run takes four', async () => {
    const { store, statements } = await counted();
    const request = await waiting(store);
    if (request === undefined) throw new Error('no request');
    statements.length = 0;
    const { status } = await pipelineOver(store).answer(request, { kind: 'approve', by: 'Ann' });
    expect(status).toBe('approved');
    expect(statements).toHaveLength(4);
  });

  it('an answer that is only recorded takes three', async () => {
    const { store, statements } = await counted();
    const request = await waiting(store);
    if (request === undefined) throw new Error('no request');
    statements.length = 0;
    await recordAnswer(store, request, { kind: 'approve', by: 'Ann' });
    expect(statements).toHaveLength(3);
  });
});

describe('the end of a run', () => {
  it('gives the run back with its record', async () => {
    const { store, other } = await counted();
    const journal = await store.open('r', true);
    await journal.append({ type: 'end', status: 'suspended', code: 'waits', at: 1 });
    const next = await other.open('r', true);
    await expect(
      journal.append({ type: 'end', status: 'approved', code: 'late', at: 2 }),
    ).rejects.toMatchObject({ code: 'journal_fenced' });
    await journal.close();
    await next.append({ type: 'end', status: 'approved', code: 'in time', at: 2 });
    await next.close();
    expect(await store.list({ status: 'approved' })).toHaveLength(1);
  });
});

describePostgres('a run whose writer is about to commit', ({ pool, freshSchema: newSchema }) => {
  it.each(['open', 'openKnown'] as const)('%s waits, and sees all its records', async (open) => {
    const schema = newSchema();
    const clients = pool();
    const store = postgresStore(clients, { schema });
    const end = { type: 'end', status: 'suspended', code: 'c', at: 1 } as const;
    const journal = await store.open('r', true);
    await journal.append(end);
    await journal.close();
    const body = JSON.stringify({ ...end, at: 2 });
    const writer = await clients.connect();
    await writer.query('BEGIN');
    await writer.query(`UPDATE ${schema}.runs SET records = 2`);
    await writer.query(
      `INSERT INTO ${schema}.records (run_id, n, epoch, type, body, sum, at)
       VALUES ('r', 1, 1, 'end', $1, $2, 2)`,
      [body, checksum('r', 1, body)],
    );
    const opening = store[open]('r', true);
    await expect
      .poll(async () => {
        const { rows } = await clients.query('SELECT FROM pg_locks WHERE NOT granted');
        return rows.length;
      })
      .toBeGreaterThan(0);
    await writer.query('COMMIT');
    writer.release();
    const opened = await opening;
    expect(opened.records).toEqual([end, { ...end, at: 2 }]);
    await opened.close();
    await store.close();
  });
});
