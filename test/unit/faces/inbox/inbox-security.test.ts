import { describe, expect, it } from 'vitest';
import type { InboxOptions } from '@/faces/inbox/inbox-options.js';
import { inboxHandler } from '@/faces/inbox/index.js';
import { fakeClock } from '@/testing/index.js';
import {
  asked,
  auditList,
  origin,
  posted,
  token,
  waitingRun,
} from '../../../support/waiting-runs.js';

const approve = { kind: 'approve' };

async function attacked(options: Partial<InboxOptions> = {}) {
  const { store, request, answer } = await waitingRun('a secret task');
  const before = JSON.stringify(await store.read(request.runId));
  const handle = inboxHandler({ store, answer, token, origins: [origin], ...options });
  /** Whether nothing happened to the run. */
  const untouched = async () => JSON.stringify(await store.read(request.runId)) === before;
  return { handle, request, untouched, store };
}

/** An inbox whose tokens a test guesses, wrong each time. */
async function guessed() {
  const clock = fakeClock();
  const { handle } = await attacked({ clock });
  const wrong = { headers: { authorization: 'Bearer wrong-token' } };
  return { clock, handle, guess: () => handle(asked('/api/requests', wrong)) };
}

const paths = (runId: string) => ['/api/requests', `/api/runs/${runId}`, '/api/changes', '/api/x'];

describe('an inbox under attack', () => {
  it('shows nothing without the token: not a question, not a run, not whether one exists', async () => {
    const { handle, request, untouched } = await attacked();
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${token}`,
      `Bearer ${token}x`,
    ])
      for (const path of paths(request.runId)) {
        const response = await handle(asked(path, { headers: { authorization } }));
        expect([response.status, response.headers.get('www-authenticate')]).not.toContain(200);
        expect([401, 429]).toContain(response.status);
        expect(await response.text()).not.toMatch(/secret|letters|approve/);
        if (authorization === '') continue;
        break;
      }
    const page = await handle(asked('/', { headers: { authorization: '' } }));
    expect(page.status).toBe(200);
    expect(await page.text()).not.toMatch(/secret task|letters/);
    const post = await handle(posted(request, approve, { authorization: '' }));
    expect(post.status).toBe(401);
    expect(await untouched()).toBe(true);
  });

  it('rebinding: refuses every request that names another host', async () => {
    const { handle, request, untouched } = await attacked();
    for (const host of [
      'evil.example',
      '127.0.0.1:4001',
      '127.0.0.1',
      '127.0.0.1:4000.evil.example',
      'evil.example:4000',
      '',
    ]) {
      expect((await handle(asked('/', { headers: { host } }))).status, host).toBe(421);
      expect((await handle(asked('/api/requests', { headers: { host } }))).status).toBe(421);
      expect((await handle(posted(request, approve, { host }))).status).toBe(421);
    }
    expect(await untouched()).toBe(true);
  });

  it.each([
    [{ origin: 'http://evil.example' }],
    [{ origin: 'http://127.0.0.1:4001' }],
    [{ origin: 'https://127.0.0.1:4000' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('cross-site: refuses %o', async (headers) => {
    const { handle, request, untouched } = await attacked();
    expect((await handle(posted(request, approve, headers))).status).toBe(403);
    expect((await handle(asked('/api/requests', { headers }))).status).toBe(403);
    expect(await untouched()).toBe(true);
  });

  it('cross-site: refuses an answer that names no origin', async () => {
    const { handle, request, untouched } = await attacked();
    const sent = posted(request, approve);
    sent.headers.delete('origin');
    sent.headers.delete('sec-fetch-site');
    expect((await handle(sent)).status).toBe(403);
    expect(await untouched()).toBe(true);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json-seq',
    '',
  ])('takes an answer as application/json only, not as "%s"', async (type) => {
    const { handle, request, untouched } = await attacked();
    expect((await handle(posted(request, approve, { 'content-type': type }))).status).toBe(415);
    expect(await untouched()).toBe(true);
  });

  it('refuses a body of more than 20 kB, with or without its length', async () => {
    const { handle, request, untouched } = await attacked();
    const large = { kind: 'approve', reason: 'x'.repeat(20_001) };
    expect((await handle(posted(request, large))).status).toBe(413);
    const { runId, digest } = request;
    const bytes = new TextEncoder().encode(JSON.stringify({ runId, digest, answer: large }));
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(bytes);
      },
    });
    const init = { method: 'POST', body: stream, duplex: 'half' };
    const endless = asked(`/api/requests/${request.id}/answer`, init);
    expect((await handle(endless)).status).toBe(413);
    const lying = posted(request, approve, { 'content-length': '999999' });
    expect((await handle(lying)).status).toBe(413);
    expect(await untouched()).toBe(true);
  });

  it('changes nothing by GET, and takes no other method', async () => {
    const { handle, request, untouched } = await attacked();
    const get = await handle(asked(`/api/requests/${request.id}/answer?kind=approve`));
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
      for (const path of ['/', ...paths(request.runId).slice(0, 3)]) {
        const { status } = await handle(asked(path, { method, headers: { origin } }));
        expect(status, `${method} ${path}`).toBe(405);
      }
    for (const path of ['/', ...paths(request.runId)]) {
      const response = await handle(asked(path));
      await response.body?.cancel();
    }
    expect(await untouched()).toBe(true);
  });

  it('slows wrong tokens down after ten, and lets the right one through meanwhile', async () => {
    const { clock, handle, guess } = await guessed();
    for (let count = 0; count < 10; count += 1) expect((await guess()).status).toBe(401);
    const answered: number[] = [];
    const guesses = Array.from({ length: 30 }, () =>
      guess().then(({ status }) => answered.push(status)),
    );
    await clock.advanceAsync(0);
    expect(answered).toHaveLength(26);
    await clock.advanceAsync(1_000);
    expect(answered).toHaveLength(27);
    expect((await handle(asked('/api/requests'))).status).toBe(200);
    await clock.advanceAsync(60_000);
    await Promise.all(guesses);
    expect(new Set(answered)).toEqual(new Set([429]));
    await clock.advanceAsync(60_001);
    expect((await guess()).status).toBe(401);
  });

  it('answers each of 60 wrong tokens at once before a client gives up [R3-040]', async () => {
    const { clock, guess } = await guessed();
    const answered: number[] = [];
    const guesses = Array.from({ length: 60 }, () =>
      guess().then(({ status }) => answered.push(status)),
    );
    await clock.advanceAsync(5_000);
    expect(answered.filter((status) => status === 401)).toHaveLength(10);
    expect(answered.filter((status) => status === 429)).toHaveLength(50);
    await Promise.all(guesses);
  });

  it('compares no token while too many wrong ones wait, so that parallel guesses gain nothing', async () => {
    const { clock, handle, guess } = await guessed();
    for (let count = 0; count < 10; count += 1) await guess();
    const guesses = Array.from({ length: 500 }, guess);
    await clock.advanceAsync(0);
    const right = await handle(asked('/api/requests'));
    expect([right.status, right.headers.get('retry-after')]).toEqual([429, '60']);
    await clock.advanceAsync(4_000);
    await Promise.all(guesses);
    expect((await handle(asked('/api/requests'))).status).toBe(200);
  });

  it.each([
    '..',
    '.',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    'a%00b',
    '%',
    'runs/../../x',
    '%5c..%5c',
    '__proto__',
  ])('traversal: finds nothing at /api/runs/%s', async (name) => {
    const read: string[] = [];
    const { handle } = await attacked({
      report: async (runId) => {
        read.push(runId);
        return undefined;
      },
    });
    const response = await handle(asked(`/api/runs/${name}`));
    expect([404, 405]).toContain(response.status);
    expect(read).toEqual([]);
    expect(await response.text()).not.toContain('root:');
  });

  it.each(['..', '../../x', 'a/b', '', 'x'.repeat(300)])(
    'traversal: answers no run with the id "%s"',
    async (runId) => {
      const { handle, request, untouched } = await attacked();
      expect((await handle(posted({ ...request, runId }, approve))).status).toBe(404);
      expect(await untouched()).toBe(true);
    },
  );

  it('audits before anything takes effect; if that fails, nothing is decided', async () => {
    const steps: string[] = [];
    const audit = auditList();
    const { handle, request } = await attacked({
      audit: {
        record: (entry) => {
          steps.push('audit');
          return audit.record(entry);
        },
      },
      answer: async () => {
        steps.push('answer');
        return { status: 'approved' };
      },
      by: 'Ada',
    });
    expect((await handle(posted(request, approve))).status).toBe(200);
    expect(steps).toEqual(['audit', 'answer']);
    expect(audit.entries).toMatchObject([{ who: 'Ada', decision: 'approve', request: request.id }]);
    const full = await attacked({ audit: auditList(true) });
    const failed = await full.handle(posted(full.request, approve));
    expect([failed.status, await failed.json()]).toMatchObject([
      500,
      { error: 'audit_unwritable' },
    ]);
    expect(await full.untouched()).toBe(true);
  });

  it('takes the name of the person from the application, never from the body', async () => {
    const names: (string | undefined)[] = ['Grace', undefined, ' '];
    const given: string[] = [];
    const { handle, request } = await attacked({
      token: undefined,
      user: () => names.shift(),
      answer: async (_, { by }) => {
        given.push(by);
        return { status: 'approved' };
      },
    });
    const post = () => handle(posted(request, { ...approve, by: 'Mallory' }));
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(401);
    expect((await post()).status).toBe(401);
    expect(given).toEqual(['Grace']);
  });

  it('lets nothing through when the authentication of the application fails', async () => {
    const { handle, request, untouched } = await attacked({
      token: undefined,
      user: () => {
        throw new Error('the session store is down');
      },
    });
    expect((await handle(asked('/api/requests'))).status).toBe(500);
    expect((await handle(posted(request, approve))).status).toBe(500);
    expect(await untouched()).toBe(true);
  });

  it('sends the headers that protect a page with every response', async () => {
    const { handle, request } = await attacked();
    const wrongHost = asked('/', { headers: { host: 'evil.example' } });
    const all = [
      asked('/'),
      asked('/views.js'),
      asked('/api/requests'),
      asked('/x'),
      wrongHost,
      posted(request, {}),
    ];
    for (const sent of all) {
      const { headers } = await handle(sent);
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
        expect(policy).toContain(rule);
      expect(policy).toMatch(
        /script-src(?: 'sha256-[\w+/]{43}='){2}; style-src 'sha256-[\w+/]{43}='/,
      );
      expect(policy).not.toMatch(/unsafe/);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(headers.get('set-cookie')).toBe(null);
      expect(headers.get('access-control-allow-origin')).toBe(null);
    }
  });

  it('opens at most twenty streams, and frees the place of one that was closed', async () => {
    const clock = fakeClock();
    const { handle } = await attacked({ clock });
    const open = await Promise.all(Array.from({ length: 20 }, () => handle(asked('/api/changes'))));
    expect((await handle(asked('/api/changes'))).status).toBe(503);
    await open[0]?.body?.cancel();
    const next = await handle(asked('/api/changes'));
    expect(next.status).toBe(200);
    for (const { body } of [...open.slice(1), next]) await body?.cancel();
    expect(clock.pending).toBe(0);
  });
});
