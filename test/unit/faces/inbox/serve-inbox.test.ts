import { request as send } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inboxHandler, serveInbox } from '@/faces/inbox/index.js';
import type { ServeInboxOptions } from '@/faces/inbox/serve-inbox.js';
import { runReport } from '@/faces/reports/index.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { WaitingRun } from '@/ports/store.js';
import {
  asked,
  askingPipeline,
  auditList,
  origin,
  posted,
  token,
  waitingRun,
} from '../../../support/waiting-runs.js';

async function served(options: Partial<ServeInboxOptions> = {}) {
  const { store, pipeline, request, answer } = await waitingRun();
  const server = await serveInbox({ store, answer, by: 'Ada', ...options });
  onTestFinished(() => server.close());
  const token = decodeURIComponent(server.url.split('#token=')[1] ?? '');
  const headers = { authorization: `Bearer ${token}` };
  return { server, request, token, headers, pipeline };
}

function raw(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => (answer += data));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('serveInbox', () => {
  it('listens on this machine only, and its address contains 256 random bits', async () => {
    const { server, token } = await served();
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(server.url).toBe(`${server.address}#token=${token}`);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((await served()).token).not.toBe(token);
  });

  it.each([
    [{ host: '0.0.0.0' }, /a `user` or a `token`/],
    [{ host: '192.0.2.1' }, /a `user` or a `token`/],
    [{ host: '0.0.0.0', token: 't'.repeat(40) }, /the addresses that lead to 0\.0\.0\.0/],
    [{ port: -1 }, /a port/],
    [{ token: 'short' }, /at least 32/],
  ])('refuses %o', async (options, message) => {
    await expect(served(options)).rejects.toThrow(message);
  });

  it('leaves no server open when it refuses its store', async () => {
    const { server } = await served();
    const port = Number(new URL(server.address).port);
    await server.close();
    await expect(served({ port, store: {} as never })).rejects.toThrow('a store of runs');
    await expect(served({ port })).resolves.toBeDefined();
  });

  it('names a port that is taken', async () => {
    const { server } = await served();
    const port = Number(new URL(server.address).port);
    await expect(served({ port })).rejects.toThrow(/a free port .*EADDRINUSE/);
  });

  it('shows, answers and streams over HTTP', async () => {
    const { server, request, headers, pipeline } = await served();
    const page = await fetch(server.address);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
    const stop = new AbortController();
    const changes = await fetch(`${server.address}api/changes`, { headers, signal: stop.signal });
    const reader = changes.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe('data: {"kind":"list"}\n\n');
    const { runId, digest } = request;
    const answered = await fetch(`${server.address}api/requests/${request.id}/answer`, {
      method: 'POST',
      headers: {
        ...headers,
        origin: new URL(server.address).origin,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ runId, digest, answer: { kind: 'approve' } }),
    });
    expect(await answered.json()).toMatchObject({ status: 'approved' });
    expect(await next()).toBe('data: {"kind":"list"}\n\n');
    await pipeline.run('another');
    expect(await next()).toBe('data: {"kind":"list"}\n\n');
    stop.abort();
  });

  it('answers too large a body with 413, and closes the connection', async () => {
    const { server, headers } = await served();
    const origin = new URL(server.address).origin;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const post = send(`${server.address}api/requests/x/answer`, {
        method: 'POST',
        headers: { ...headers, origin, 'content-type': 'application/json' },
      });
      post.on('response', (response) => {
        resolve(response.statusCode);
        post.destroy();
      });
      post.on('error', reject);
      post.write('x'.repeat(30_000));
    });
    expect(status).toBe(413);
  });

  it('does not believe what stands in a request line, or in two hosts', async () => {
    const { server, token } = await served();
    const { host } = new URL(server.address);
    const end = `authorization: Bearer ${token}\r\nconnection: close\r\n\r\n`;
    const evil = await raw(
      server.address,
      `GET http://${host}/api/requests HTTP/1.1\r\nhost: evil.example\r\n${end}`,
    );
    expect(evil).toMatch(/^HTTP\/1\.1 421 /);
    for (const line of [`http://${host}/api/requests`, '//evil.example/api/requests', '*']) {
      const answer = await raw(server.address, `GET ${line} HTTP/1.1\r\nhost: ${host}\r\n${end}`);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    }
    expect(await raw(server.address, `GET / HTTP/1.1\r\nconnection: close\r\n\r\n`)).toMatch(
      / 400 /,
    );
  });

  it('lets go of a client that sends its request slowly', async () => {
    const { server } = await served();
    expect(await raw(server.address, 'GET / HTTP/1.1\r\nhost: ')).toMatch(/ 408 /);
  });

  it('takes a token of your own, with any sign in it', async () => {
    const own = `${'k'.repeat(32)}/+=#&%`;
    const { server, token } = await served({ token: own });
    expect(token).toBe(own);
    const headers = { authorization: `Bearer ${own}` };
    expect((await fetch(`${server.address}api/requests`, { headers })).status).toBe(200);
  });

  it('ends its streams when it is closed', async () => {
    const { server, headers } = await served();
    const changes = await fetch(`${server.address}api/changes`, { headers });
    await server.close();
    await expect(changes.text()).resolves.toContain('list');
    await expect(fetch(server.address)).rejects.toThrow();
  });
});

/** An inbox with a question about a run that ended; answering it takes it away. */
async function inboxOfEnded() {
  const store = memoryStore();
  const audit = auditList();
  const answered: string[] = [];
  const ended = await askingPipeline().run('welcome');
  const other: WaitingRun = {
    runId: ended.runId,
    pipeline: 'review',
    questions: [
      {
        type: 'request',
        at: Date.UTC(2090, 0, 1),
        request: {
          id: 'decide-1',
          runId: ended.runId,
          digest: 'digest-1',
          question: 'no judge could decide 1 point',
          gaps: [],
          allowed: ['decide'],
          undecided: [{ criterion: 'tone', question: 'Is the tone friendly?', reason: 'no check' }],
        },
      },
    ],
  };
  const handle = inboxHandler({
    store,
    audit,
    others: async () => (answered.length === 0 ? [other] : []),
    titleOf: async (runId) => (runId === ended.runId ? 'letter.md' : undefined),
    report: async () => ({ report: runReport(ended) }),
    answer: async (reference, answer) => {
      answered.push(`${reference.id} ${answer.kind} ${answer.by}`);
      return { status: 'approved' };
    },
    token,
    by: 'Ada',
    origins: [origin],
  });
  const waiting = askingPipeline(store);
  await waiting.run('second');
  const reference = { runId: ended.runId, id: 'decide-1', digest: 'digest-1' };
  return { handle, audit, answered, reference };
}

const yes = { kind: 'decide', decisions: { tone: 'yes' } };

describe('questions outside of suspended runs', () => {
  it('stand among the others, newest first, with what the run is about', async () => {
    const { handle } = await inboxOfEnded();
    const { requests } = await (await handle(asked('/api/requests'))).json();
    expect(
      requests.map(({ pipeline, title }: Record<string, string>) => [pipeline, title]),
    ).toEqual([
      ['review', 'letter.md'],
      ['letters', undefined],
    ]);
    const next = await handle(asked('/api/requests?after=1:x'));
    expect((await next.json()).requests).toEqual([]);
  });

  it('show their run, although no store knows it', async () => {
    const { handle, reference } = await inboxOfEnded();
    const shown = await handle(asked(`/api/runs/${reference.runId}`));
    expect(await shown.json()).toMatchObject({ requests: [{ id: 'decide-1' }] });
  });

  it('take one answer, which is checked and audited like every other', async () => {
    const { handle, audit, answered, reference } = await inboxOfEnded();
    expect((await handle(posted(reference, { kind: 'approve' }))).status).toBe(422);
    expect((await handle(posted({ ...reference, digest: 'old' }, yes))).status).toBe(409);
    const both = await Promise.all([
      handle(posted(reference, yes)),
      handle(posted(reference, yes)),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect(answered).toEqual(['decide-1 decide Ada']);
    expect(audit.entries).toMatchObject([{ who: 'Ada', decision: 'decide' }]);
  });
});
