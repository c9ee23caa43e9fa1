import { describe, expect, it } from 'vitest';
import { inboxHandler } from '@/inbox/index.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { WaitingRun } from '@/ports/store.js';
import { runReport } from '@/reports/index.js';
import {
  asked,
  askingPipeline,
  auditList,
  origin,
  posted,
  token,
} from '../../support/waiting-runs.js';

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
