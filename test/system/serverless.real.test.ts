import { spawn } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { postgresStore } from '@/adapters/stores/postgres/index.js';
import { bundle } from '../support/bundle.js';
import { describePostgres } from '../support/postgres.js';

/** How a call ended: the status of its answer, and the body. */
interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

describePostgres('a function without a server of its own', ({ address, freshSchema }) => {
  let program = '';
  beforeAll(async () => {
    program = await bundle({ file: 'examples/serverless/once.ts' }, 'serverless-once');
  });

  /** Each call is a process. */
  const call = (schema: string, path: string, body: object): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, path, JSON.stringify(body)], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, DATABASE_URL: address(), SCHEMA: schema },
      });
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      child.on('close', (code) => {
        const [, status, text = ''] = /^(\d+) ([\s\S]*)$/.exec(out) ?? [];
        if (code !== 0 || status === undefined) reject(new Error(`${code}: ${out}${err}`));
        else resolve({ status: Number(status), body: JSON.parse(text) });
      });
    });

  const asked = async (schema: string, runId: string) => {
    const store = postgresStore(address(), { schema });
    const records = await store.read(runId);
    await store.close();
    const found = records?.find((one) => one.type === 'request');
    if (found?.type !== 'request') throw new Error('nobody is asked');
    const { id, digest } = found.request;
    return { runId, id, digest };
  };

  it('suspends, is answered by another call, and ends in a third that finds it ended', async () => {
    const schema = freshSchema();
    const start = { runId: 'tea-1', task: 'tea' };
    expect((await call(schema, '/start', start)).body).toEqual({ state: 'waiting' });
    expect((await call(schema, '/start', start)).body).toEqual({ state: 'waiting' });
    const request = await asked(schema, 'tea-1');
    const answer = { kind: 'approve', by: 'Ann' };
    expect((await call(schema, '/answer', { request, answer })).body).toEqual({
      state: 'ended',
      status: 'approved',
      code: 'person_approved',
    });
    expect((await call(schema, '/answer', { request, answer })).body).toMatchObject({
      code: 'request_answered',
    });
    expect((await call(schema, '/wake', { runId: 'tea-1' })).body).toMatchObject({
      state: 'ended',
      status: 'approved',
    });
  });

  it('says what a call got wrong', async () => {
    const schema = freshSchema();
    expect(await call(schema, '/wake', { runId: 'none' })).toMatchObject({
      status: 409,
      body: { code: 'run_unknown' },
    });
    expect((await call(schema, '/start', { runId: 1 })).status).toBe(400);
    expect((await call(schema, '/else', {})).status).toBe(404);
    expect((await call(schema, '/sweep', {})).body).toEqual([]);
  });

  it('counts one of ten equal answers that come at once', async () => {
    const schema = freshSchema();
    await call(schema, '/start', { runId: 'r', task: 'tea' });
    const request = await asked(schema, 'r');
    const answer = { kind: 'approve', by: 'Ann' };
    const all = await Promise.all(
      Array.from({ length: 10 }, () => call(schema, '/answer', { request, answer })),
    );
    expect(all.filter(({ body }) => body['status'] === 'approved')).toHaveLength(1);
    expect(new Set(all.map(({ body }) => body['code']))).toEqual(
      new Set(['person_approved', 'request_answered']),
    );
  });
});
