import { expect, it } from 'vitest';
import { type PostgresClient, postgresStore } from '@/adapters/stores/postgres/index.js';
import type { Outcome } from '@/index.js';
import { freshSchema, pglite } from '../support/postgres.js';
import { paidCalls, paidPipeline, toTheEnd } from './paid-pipeline.js';

type Fault = 'before' | 'after' | 'reply lost';

/** A client whose process dies at a statement, or that gets no answer to it. */
function faulty(inner: PostgresClient, fault: Fault, at: number) {
  let count = 0;
  let die = (): void => {};
  const died = new Promise<'died'>((done) => {
    die = () => done('died');
  });
  let isDead = false;
  const never = new Promise<never>(() => {});
  const query: PostgresClient['query'] = async (text, values) => {
    count += 1;
    const isHere = count === at;
    if (isHere && fault !== 'reply lost') isDead = true;
    if (isHere && fault === 'before') die();
    if (isDead && !(isHere && fault === 'after')) return never;
    const answer = await inner.query(text, values);
    if (isHere && fault === 'reply lost')
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    if (isHere) die();
    return isDead ? never : answer;
  };
  return { client: { query }, died, count: () => count };
}

async function story(schema: string, fault: Fault, at: number) {
  const inner = await pglite();
  const runId = `${fault.replace(' ', '-')}-${at}`;
  const calls: string[] = [];
  const call = async (label: string): Promise<void> => void calls.push(label);
  const { client, died, count } = faulty(inner, fault, at);
  // its beats are not counted: no statement of this store depends on the time
  const first = postgresStore(client, { schema, leaseMs: 3_600_000 });
  const next = postgresStore(inner, { schema, leaseMs: 3_600_000 });
  let outcome: Outcome<string> | 'died' = await Promise.race([
    toTheEnd(paidPipeline(first, call), runId),
    died,
  ]);
  if (outcome === 'died') {
    await inner.query(`UPDATE ${schema}.workers SET lease_until = '-infinity'`);
    outcome = await toTheEnd(paidPipeline(next, call), runId);
  }
  const records = (await next.read(runId)) ?? [];
  const steps = records.flatMap((record) => (record.type === 'step' ? [record.name] : []));
  const answers = records.filter(({ type }) => type === 'answer').length;
  const held = await inner.query(
    `SELECT run_id FROM ${schema}.runs WHERE run_id = $1 AND holder IS NOT NULL AND holder <> $2`,
    [runId, first.worker],
  );
  await next.close();
  return { outcome, steps, answers, calls, held: held.rows, statements: count() };
}

it.each(['before', 'after', 'reply lost'] as const)(
  'a fault at every statement of a run: %s: the run ends the same, and each success is recorded once',
  async (fault) => {
    const schema = freshSchema();
    await postgresStore(await pglite(), { schema }).migrate();
    const whole = await story(schema, fault, 0);
    expect(whole.calls).toHaveLength(paidCalls);
    expect(whole.statements).toBeGreaterThan(10);
    for (let at = 1; at <= whole.statements; at += 1) {
      const { outcome, steps, answers, calls, held } = await story(schema, fault, at);
      const name = `${fault} statement ${at}`;
      expect(outcome, name).toMatchObject({
        status: 'approved',
        output: expect.stringContaining('mended'),
      });
      expect(steps.slice().sort(), name).toEqual(whole.steps.slice().sort());
      expect(answers, name).toBe(1);
      // two judges may have been out
      expect(calls.length, name).toBeLessThanOrEqual(paidCalls + 2);
      if (fault === 'reply lost') expect(calls.length, name).toBe(paidCalls);
      expect(held, name).toEqual([]);
    }
  },
);
