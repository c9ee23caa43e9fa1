import { describe, expect, it } from 'vitest';
import type { HumanRequest } from '@/core/human.js';
import type { InboxOptions } from '@/faces/inbox/inbox-options.js';
import { inboxHandler } from '@/faces/inbox/index.js';
import type { ShownRun } from '@/faces/inbox/show-run.js';
import { runReport } from '@/faces/reports/index.js';
import { fakeClock } from '@/testing/index.js';
import {
  asked,
  auditList,
  origin,
  posted,
  token,
  waitingRun,
} from '../../../support/waiting-runs.js';

/** What a refusal says. */
interface Refused {
  readonly error: string;
  readonly message: string;
}

const approve = { kind: 'approve' };

/** An inbox with one run that waits. */
async function inbox(options: Partial<InboxOptions> = {}) {
  const audit = auditList();
  const { answer, ...run } = await waitingRun('welcome', audit);
  const known = { token, by: 'Ada', origins: [origin] };
  const handle = inboxHandler({ store: run.store, answer, ...known, ...options });
  return { handle, audit, ...run };
}

async function codeOf(response: Response): Promise<[number, string]> {
  const body: { error: string } = await response.json();
  return [response.status, body.error];
}

describe('inboxHandler', () => {
  it('lists the questions that wait, and shows the run behind each', async () => {
    const { handle, request } = await inbox();
    const list = await handle(asked('/api/requests'));
    expect(list.status).toBe(200);
    expect(await list.json()).toEqual({
      schemaVersion: 1,
      requests: [
        {
          id: request.id,
          runId: request.runId,
          digest: request.digest,
          pipeline: 'letters',
          question: request.question,
          allowed: ['approve', 'reject', 'revise'],
          askedAt: expect.any(String),
          expired: false,
          overrides: false,
          gaps: {},
          undecided: [],
        },
      ],
    });
    const shown = await handle(asked(`/api/runs/${request.runId}`));
    expect(await shown.json()).toMatchObject({
      run: {
        runId: request.runId,
        pipeline: 'letters',
        task: { text: 'welcome' },
        status: 'suspended',
        versions: { [request.digest]: [{ path: 'output', text: 'Dear reader, welcome' }] },
        waits: [{ question: request.question }],
      },
      requests: [{ id: request.id }],
    });
  });

  it('shows the report that the application has', async () => {
    const { outcome, store, request } = await inbox();
    const report = runReport(outcome, { pipeline: 'letters', task: 'from the application' });
    const { handle } = await inbox({ store, report: async () => ({ report }) });
    const shown = await handle(asked(`/api/runs/${request.runId}`));
    expect(await shown.json()).toMatchObject({ run: { task: { text: 'from the application' } } });
  });

  it('says where the scores are if nobody passes the report', async () => {
    const { handle, request, pipeline } = await inbox();
    const shownRun = async () =>
      ((await (await handle(asked(`/api/runs/${request.runId}`))).json()) as ShownRun).run;
    expect((await shownRun()).back.why).toMatch(/no scores; pass `report`/);
    await pipeline.answer(request, { kind: 'approve', by: 'Ada' });
    // without its reviews, nothing is said about gaps
    expect((await shownRun()).verdict.word).toMatch(/^Approved/);
  });

  it('shows a question of another pipeline without answers, and takes none', async () => {
    const { handle, request, audit, store } = await inbox({
      elsewhere: async ({ pipeline }) =>
        pipeline === 'letters' ? 'answer it in the mail room' : undefined,
    });
    const before = await store.read(request.runId);
    for (const path of ['/api/requests', `/api/runs/${request.runId}`])
      expect(await (await handle(asked(path))).json()).toMatchObject({
        requests: [{ id: request.id, elsewhere: 'answer it in the mail room' }],
      });
    const response = await handle(posted(request, approve));
    expect([response.status, await response.json()]).toEqual([
      409,
      { error: 'run_elsewhere', message: 'answer it in the mail room' },
    ]);
    expect([audit.entries, await store.read(request.runId)]).toEqual([[], before]);
  });

  it('says what a request lacks: a header, or what its kind needs', async () => {
    const { handle, request } = await inbox();
    const { headers } = asked('/api/requests');
    const bare = await handle(
      new Request(`${origin}/api/requests/x/answer`, { method: 'POST', headers }),
    );
    expect(bare.status).toBe(403);
    expect(((await bare.json()) as Refused).message).toContain(`\`Origin: ${origin}\``);
    const wrong = (await (await handle(posted(request, { kind: 'revise' }))).json()) as Refused;
    expect(wrong.message).toContain('`note` for revise');
    expect(wrong.message).not.toContain('`by`');
  });

  it('gives the questions by pages, newest first', async () => {
    const { handle, pipeline } = await inbox();
    for (const name of ['a', 'b', 'c', 'd']) await pipeline.run(name);
    const ids: string[] = [];
    for (let after = '', pages = 0; pages < 9; pages += 1) {
      const response = await handle(asked(`/api/requests?limit=2${after}`));
      const { requests, next }: { requests: HumanRequest[]; next?: string } = await response.json();
      ids.push(...requests.map(({ runId }) => runId));
      if (next === undefined) break;
      after = `&after=${encodeURIComponent(next)}`;
    }
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
    for (const query of ['limit=0', 'limit=1000', 'limit=x', 'after=nonsense'])
      expect(await codeOf(await handle(asked(`/api/requests?${query}`)))).toEqual([
        422,
        'invalid_options',
      ]);
  });

  it('answers, and the run goes on with the name of the person', async () => {
    const { handle, request, audit } = await inbox();
    const response = await handle(posted(request, { ...approve, by: 'Mallory' }));
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'approved', reason: 'approved by the reviewers and by Ada' },
    ]);
    expect(audit.entries).toMatchObject([{ who: 'Ada', decision: 'approve' }]);
    const list: { requests: unknown[] } = await (await handle(asked('/api/requests'))).json();
    expect(list.requests).toEqual([]);
  });

  it('asks for a revision with a note', async () => {
    const { handle, request, store } = await inbox();
    const response = await handle(posted(request, { kind: 'revise', note: 'Be louder' }));
    expect(await response.json()).toMatchObject({ status: 'suspended' });
    const records = await store.read(request.runId);
    expect(JSON.stringify(records)).toContain('Dear reader, welcome!');
  });

  it.each([
    ['a question that never was', { id: 'other' }, approve, [404, 'request_unknown']],
    ['a run that never was', { runId: 'other' }, approve, [404, 'run_unknown']],
    ['another version', { digest: 'other' }, approve, [409, 'request_stale']],
    ['another kind', {}, { kind: 'skip' }, [422, 'answer_not_allowed']],
    ['a kind that is none', {}, { kind: 'perhaps' }, [422, 'answer_invalid']],
    ['a revision without a note', {}, { kind: 'revise' }, [422, 'answer_invalid']],
    ['an override without a reason', {}, { kind: 'override' }, [422, 'reason_required']],
    ['no answer', {}, 'yes', [422, 'answer_invalid']],
  ])('refuses %s, and decides nothing', async (_, reference, answer, expected) => {
    const { handle, request, audit, store } = await inbox();
    const before = await store.read(request.runId);
    expect(await codeOf(await handle(posted({ ...request, ...reference }, answer)))).toEqual(
      expected,
    );
    expect(audit.entries).toEqual([]);
    expect(await store.read(request.runId)).toEqual(before);
  });

  it('refuses the same answer again, and one to a version that was revised', async () => {
    const { handle, request } = await inbox();
    await handle(posted(request, { kind: 'revise', note: 'Be louder' }));
    expect(await codeOf(await handle(posted(request, approve)))).toEqual([409, 'request_answered']);
  });

  it('refuses an answer to what somebody has decided otherwise', async () => {
    const { handle, request, pipeline } = await inbox();
    await pipeline.answer(request, { kind: 'reject', by: 'Bob' });
    expect(await codeOf(await handle(posted(request, approve)))).toEqual([409, 'request_answered']);
    const undecided = { ...request, id: 'asked', undecided: [] };
    const { handle: other } = await inbox({
      store: {
        list: async () => [],
        read: async () => [
          { type: 'request', request: undecided, at: 1 },
          {
            type: 'answer',
            id: 'decided without its question',
            digest: request.digest,
            answer: { kind: 'decide', by: 'Bob', decisions: { tone: 'yes' } },
            at: 2,
          },
          { type: 'end', status: 'suspended', code: 'waiting', at: 3 },
        ],
      },
    });
    expect(await codeOf(await other(posted(undecided, approve)))).toEqual([409, 'request_stale']);
  });

  it('refuses an answer to an expired question', async () => {
    const clock = fakeClock(Date.UTC(2026, 0, 1));
    const { request, store } = await inbox();
    const records = (await store.read(request.runId)) ?? [];
    const expired = records.map((record) =>
      record.type === 'request'
        ? { ...record, request: { ...request, expiresAt: '2025-12-31T00:00:00.000Z' } }
        : record,
    );
    const { handle } = await inbox({ store: { ...store, read: async () => expired }, clock });
    expect(await codeOf(await handle(posted(request, approve)))).toEqual([410, 'request_expired']);
  });

  it('tells whether another process has the run', async () => {
    const { handle, request, store } = await inbox();
    const journal = await store.open(request.runId, true);
    expect(await codeOf(await handle(posted(request, approve)))).toEqual([423, 'run_busy']);
    await journal.close();
  });

  it('two answers at once: exactly one counts', async () => {
    const { handle, request, audit } = await inbox();
    const both = await Promise.all([
      handle(posted(request, approve)),
      handle(posted(request, { kind: 'reject', reason: 'no' })),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(audit.entries).toHaveLength(1);
  });

  it('does not keep a response waiting for a run that goes on for long', async () => {
    const clock = fakeClock();
    let release: (value: { status: string }) => void = () => {};
    const long = new Promise<{ status: string }>((resolve) => (release = resolve));
    const { handle, request } = await inbox({ answer: () => long, clock });
    const first = handle(posted(request, approve));
    const second = handle(posted(request, approve));
    await clock.advanceAsync(8_000);
    expect([(await first).status, await (await first).json()]).toEqual([
      202,
      { status: 'running' },
    ]);
    expect(await codeOf(await second)).toEqual([423, 'run_busy']);
    release({ status: 'approved' });
  });

  it('says what failed only where the error has a code', async () => {
    const failing = async (): Promise<never> => {
      throw new Error('secret path');
    };
    const { handle, request } = await inbox({ answer: failing });
    const response = await handle(posted(request, approve));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret path');
  });

  it('is mounted under a path', async () => {
    const { handle } = await inbox({ base: '/inbox' });
    expect((await handle(asked('/inbox'))).headers.get('location')).toBe('/inbox/');
    expect((await handle(asked('/inbox/'))).status).toBe(200);
    expect((await handle(asked('/inbox/api/requests'))).status).toBe(200);
    expect((await handle(asked('/api/requests'))).status).toBe(404);
  });

  it.each<[Partial<InboxOptions> & { audience?: string }, RegExp]>([
    [{ token: 'short' }, /at least 32 letters/],
    [{ token: undefined }, /either `user` or `token`/],
    [{ user: () => 'Ann' }, /either `user` or `token`/],
    [{ origins: [] }, /at least one address/],
    [{ origins: ['https://reviews.example.org/inbox'] }, /without a path/],
    [{ base: 'inbox' }, /a path such as \/inbox/],
    [{ by: ' ' }, /a name/],
    [{ audience: 'all' }, /audience/],
  ])('refuses %o', async (options, message) => {
    await expect(inbox(options)).rejects.toThrow(message);
  });
});
