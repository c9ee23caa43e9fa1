import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AskRequest,
  definePipeline,
  type Gap,
  type HumanAnswer,
  memoryStore,
  type PipelineOptions,
  type Policy,
  type ProduceContext,
  type ReviewerContext,
  type Store,
  type VerdictStore,
} from '@/index.js';
import type { JournalRecord } from '@/ports/store.js';
import { settle } from '@/testing/index.js';
import {
  asksAbout,
  deferred,
  failed,
  logged,
  openCheck,
  passed,
  passing,
  pipelineOf,
  reviewer,
  suspended,
  working,
} from './support.js';

const approve: Policy = () => ({ kind: 'approve', reason: 'fine' });

const yes: HumanAnswer = { kind: 'approve', by: 'Ann' };

const failing = [
  reviewer<string>('a', async () => [failed('a', 'too long')]),
  reviewer<string>('b', async () => [failed('b', 'too dark', { autoFixable: false })]),
];

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  pipelineOf({ produce: async () => 'draft', ...more });

/** What a run waits for whose policy asks about a version that fails. */
const askedAbout = async (more: Partial<PipelineOptions<string, string>> = {}, runId = 'r') =>
  suspended(
    await pipeline({ policy: asksAbout, reviewers: failing, ...more }).run('tea', { runId }),
  );

describe('the question of a policy', () => {
  it('names the run, the version and its open gaps, and whether reviewers approve', async () => {
    const outcome = await askedAbout({ address: async (text) => text });
    expect(outcome.requests).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        runId: 'r',
        digest: outcome.version,
        from: 'policy',
        question: 'let it through?',
        gaps: outcome.review?.gaps,
        allowed: ['approve', 'override', 'reject', 'revise', 'skip'],
        approved: false,
      },
    ]);
    expect(outcome.review?.gaps).toHaveLength(2);
  });

  it('shows no gap that is disputed', async () => {
    const disputed = reviewer<string>('c', async () => [
      failed('c', 'not so', { standing: 'disputed' }),
    ]);
    const outcome = await askedAbout({ reviewers: [...failing, disputed] });
    const { gaps } = outcome.requests[0];
    expect(gaps.map(({ description }) => description).sort()).toEqual(['too dark', 'too long']);
  });

  it('is not asked again beside what `address` asks after its answer', async () => {
    const made = pipeline({
      policy: asksAbout,
      reviewers: failing,
      address: async (text, _, context) => {
        const allowed = ['approve'] as const;
        const { kind } = await context.ask('how', { question: 'how short?', allowed, gaps: [] });
        return `${text} ${kind}`;
      },
    });
    const waiting = suspended(await made.run('tea', { runId: 'r' }));
    const answer = { kind: 'revise', by: 'Ann', note: 'shorter' } as const;
    const next = suspended(await made.answer(waiting.requests[0], answer));
    expect(next.requests.map(({ question }) => question)).toEqual(['how short?']);
  });

  it('says that reviewers approve where all passed, though the policy asks', async () => {
    const outcome = await askedAbout({ reviewers: [passing('fine')] });
    expect(outcome.requests[0]).toMatchObject({ approved: true, gaps: [] });
  });

  it('does not offer a revision that nobody can make', async () => {
    const { requests } = await askedAbout();
    expect(requests[0].allowed).toEqual(['approve', 'override', 'reject', 'skip']);
  });

  it('offers it all the same where it would have no answer at all', async () => {
    const only: Policy = (evidence) => ({ ...asksAbout(evidence), allowed: ['revise'] }) as never;
    expect((await askedAbout({ policy: only })).requests[0].allowed).toEqual(['revise']);
  });

  it('has the same id in another process, and another one for another version or run', async () => {
    const idOf = async (runId: string, output: string) =>
      (await askedAbout({ produce: async () => output }, runId)).requests[0].id;
    const first = await idOf('r', 'draft');
    expect(await idOf('r', 'draft')).toBe(first);
    expect(new Set([first, await idOf('s', 'draft'), await idOf('r', 'other')]).size).toBe(3);
  });
});

it('the question what no judge could tell names each open criterion with its question and why it is open', async () => {
  const open = openCheck('tone', 'Is the tone met?');
  const made = pipeline({ reviewers: [open, passing('a')], human: { policy: 'require' } });
  const { requests } = suspended(await made.run('tea', { runId: 'r' }));
  const reason = expect.stringContaining('needs eyes');
  expect(requests).toMatchObject([
    {
      from: 'policy',
      approved: false,
      undecided: [{ criterion: 'tone', question: 'Is the tone met?', reason }],
    },
  ]);
  expect(requests[0].allowed).toContain('decide');
});

it('the note of a person who asks for a revision is a major gap, which stands among those that address can fix, worst first', async () => {
  let given: readonly Gap[] = [];
  const made = pipeline({
    policy: (evidence) => (evidence.review.gaps.length === 0 ? approve : asksAbout)(evidence),
    reviewers: [
      reviewer<string>('a', async ({ output }) =>
        output === 'short'
          ? [passed('a')]
          : [
              failed('a', 'too long'),
              failed('b', 'too dark', { autoFixable: false }),
              failed('c', 'unsafe', { severity: 'critical' }),
            ],
      ),
    ],
    address: async (_, gaps) => {
      given = gaps;
      return 'short';
    },
  });
  const waiting = suspended(await made.run('tea', { runId: 'r' }));
  const answer = { kind: 'revise', by: 'Ann', note: 'say it politely' } as const;
  expect(await made.answer(waiting.requests[0], answer)).toMatchObject({ status: 'approved' });
  expect(given.map(({ description }) => description)).toEqual([
    'unsafe',
    'say it politely',
    'too long',
  ]);
  expect(given[1]).toEqual({
    id: `note:${waiting.version?.slice(0, 16)}`,
    severity: 'major',
    category: 'incomplete',
    description: 'say it politely',
    suggestedFix: 'say it politely',
    estimatedEffort: 'medium',
    autoFixable: true,
    raisedBy: 'person',
    lifecycle: 'new',
  });
});

describe('the answer to a question after an approval', () => {
  const skip = { kind: 'skip', by: 'Ann' } as const;
  const skipped = { status: 'accepted', code: 'person_skipped' };

  it.each<[HumanAnswer, object]>([
    [yes, { status: 'approved', code: 'person_approved', decidedBy: 'Ann', output: 'draft' }],
    [
      { kind: 'reject', by: 'Ann', reason: 'too long' },
      { status: 'rejected', code: 'person_rejected', reason: 'too long', decidedBy: 'Ann' },
    ],
    [skip, { ...skipped, acceptance: { ...skip, reason: expect.any(String) } }],
    [
      { ...skip, reason: 'no time' },
      { ...skipped, acceptance: { ...skip, reason: 'no time' } },
    ],
  ])('says who decided, what follows, and why: %j', async (answer, result) => {
    const made = pipeline({ human: { policy: 'prompt' } });
    const { requests } = suspended(await made.run('tea', { runId: 'r' }));
    expect(await made.answer(requests[0], answer)).toMatchObject(result);
  });
});

/** A reviewer that waits for the opinion of a person. */
const asks = (id: string) =>
  working(id, ({ ask }) => ask('opinion', { question: `${id}?`, allowed: ['approve', 'reject'] }));

function asking(more: Partial<PipelineOptions<string, string>> = {}) {
  const notified: string[] = [];
  const pipeline = pipelineOf({
    reviewers: [asks('one'), asks('two')],
    human: { policy: 'auto', notify: async ({ question }) => void notified.push(question) },
    ...more,
  });
  return { notified, pipeline };
}

describe('a question to a person', () => {
  it('is recorded once and told once, however often the run is continued', async () => {
    const store = memoryStore();
    const { notified, pipeline } = asking({ store });
    for (let times = 0; times < 3; times += 1)
      expect(suspended(await pipeline.run('task', { runId: 'r' })).requests).toHaveLength(2);
    expect(notified).toEqual(['one?', 'two?']);
    const asked = (await store.read('r'))?.filter(({ type }) => type === 'request');
    expect(asked).toHaveLength(2);
  });

  it('is news in a run that is continued, if it was not asked before', async () => {
    const store = memoryStore();
    const inner = asking({ store });
    await inner.pipeline.run('task', { runId: 'full' });
    const [header, produced] = (await store.read('full')) ?? [];
    expect([header?.type, produced?.type]).toEqual(['run', 'step']);
    // the process died before it asked
    const journal = await store.open('r', true);
    if (header?.type === 'run') await journal.append({ ...header, runId: 'r' });
    if (produced !== undefined) await journal.append(produced);
    await journal.close();
    const { pipeline } = asking({ store });
    const events: unknown[] = [];
    pipeline.on('run-start', ({ replayed }) => void events.push(['start', replayed]));
    pipeline.on('human-request', ({ replayed, from }) => void events.push([from, replayed]));
    await pipeline.run('task', { runId: 'r' });
    expect(events).toEqual([
      ['start', true],
      ['reviewer', undefined],
      ['reviewer', undefined],
    ]);
  });

  it('that nobody could be told of is logged, and stays open', async () => {
    const { lines, logger } = logged('error');
    const { pipeline } = asking({
      reviewers: [asks('one')],
      human: { policy: 'auto', notify: () => Promise.reject(new Error('no mail')) },
      logger,
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const said = { run: 'r', request: requests[0].id, error: 'no mail' };
    expect(lines).toEqual([{ level: 'error', ...said }]);
    expect((await pipeline.answer(requests[0], yes)).status).toBe('approved');
  });
});

it('a judge that asks a person waits for the verdict of another judge that is still read', async () => {
  const asked = deferred<void>();
  const found = deferred<undefined>();
  const kept: string[] = [];
  const verdicts: VerdictStore = {
    get: async () => {
      await asked.promise;
      return found.promise;
    },
    put: async (_key, { about }) => void kept.push(about.reviewer),
  };
  const ask = (context: ReviewerContext) => {
    const answer = context.ask('ok', { question: 'ok?', allowed: ['approve'], gaps: [] });
    setImmediate(asked.resolve);
    return answer;
  };
  const asking = working('asking', ask, { reuse: 'run' });
  const pipeline = pipelineOf({ reviewers: [asking, passing('reading')], verdicts });
  const running = pipeline.run('task', { runId: 'r' });
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  await asked.promise;
  await settle();
  expect(isOver).toBe(false);
  found.resolve(undefined);
  expect(suspended(await running).requests).toMatchObject([{ question: 'ok?' }]);
  expect(kept).toEqual(['reading']);
});

type Options = Partial<PipelineOptions<string, string>>;

const question = { question: 'go?', allowed: ['approve'] } as const;

/** Where a run may wait for a person. All other parts of it ask nobody. */
const places: readonly (readonly [string, (work: () => string) => Options])[] = [
  [
    '`produce`',
    (work) => ({
      produce: async (_, { step, ask }) => {
        const made = await step('call', { input: 1, schema: z.string() }, async () => work());
        await ask('go', question);
        return made;
      },
    }),
  ],
  [
    '`address`',
    (work) => ({
      produce: async () => `${work()}?`,
      address: async (_output, _gaps, { ask }) => {
        await ask('go', question);
        return 'made';
      },
    }),
  ],
  [
    'a reviewer',
    (work) => ({
      produce: async () => work(),
      reviewers: [working('asks', ({ ask }) => ask('go', question))],
    }),
  ],
  [
    'the policy',
    (work) => ({
      produce: async () => work(),
      policy: () => ({ kind: 'ask', reason: 'hm', ...question }),
    }),
  ],
  ['the option `human`', (work) => ({ produce: async () => work(), human: { policy: 'require' } })],
];

it.each(places)('a run that waits where %s asks does nothing again', async (_, made) => {
  let times = 0;
  const work = (): string => {
    times += 1;
    return 'made';
  };
  const pipeline = definePipeline<string, string>({
    criteria: { certain: (text) => !text.endsWith('?') },
    ...made(work),
  });
  const [request] = suspended(await pipeline.run('task')).requests;
  const outcome = await pipeline.answer(request, yes);
  expect(outcome).toMatchObject({ status: 'approved', output: 'made' });
  expect(times).toBe(1);
});

const publish: AskRequest = { question: 'Publish?', allowed: ['approve', 'reject'] };

/** A pipeline whose only reviewer asks one question of this name, until it has an answer. */
const judging = (store: Store, name: string) =>
  pipelineOf({
    store,
    work: ({ ask }) => ask(name, { question: `${name}?`, allowed: ['approve'], gaps: [] }),
  });

describe('work that returns although it asked', () => {
  it('has made no version, until the question has its answer', async () => {
    const produced: string[] = [];
    const pipeline = pipelineOf({
      produce: async (_, context) => {
        produced.push('draft');
        void context.ask('publish', publish);
        return 'draft';
      },
    });
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting).toMatchObject({ output: undefined, reviews: [] });
    expect(waiting.requests).toMatchObject([{ question: 'Publish?', from: 'produce' }]);
    const outcome = await pipeline.answer(waiting.requests[0], yes);
    expect(outcome).toMatchObject({ status: 'approved', output: 'draft' });
    await pipeline.run('tea', { runId: 'r' });
    expect(produced).toEqual(['draft', 'draft']);
  });

  it('has revised nothing either', async () => {
    const pipeline = pipelineOf({
      produce: async () => 'first',
      criteria: { second: (text) => text === 'second' || 'not the second' },
      address: async (_output, _gaps, context) => {
        void context.ask('publish', publish);
        return 'second';
      },
    });
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting).toMatchObject({ output: 'first', reviews: [{}] });
    const outcome = await pipeline.answer(waiting.requests[0], yes);
    expect(outcome).toMatchObject({ status: 'approved', output: 'second' });
  });
});

it('work that hides that it takes a context cannot ask, for a run that nobody can continue recorded nothing', async () => {
  const produce = async (...given: unknown[]): Promise<string> =>
    (await (given[1] as ProduceContext).ask('publish', publish)).by;
  const pipeline = pipelineOf({ produce });
  expect(await pipeline.run('tea')).toMatchObject({ status: 'failed', code: 'ask_needs_run' });
  const kept = suspended(await pipeline.run('tea', { runId: 'r' }));
  expect(kept.requests).toHaveLength(1);
});

/** The question for which a run waits. */
const askedBy = async (pipeline: ReturnType<typeof judging>) =>
  suspended(await pipeline.run('tea', { runId: 'r' })).requests[0];

describe('a question that the run no longer asks', () => {
  it('cannot be answered, but the one that it asks instead can', async () => {
    const store = memoryStore();
    const before = await askedBy(judging(store, 'before'));
    const after = judging(store, 'after');
    const now = await askedBy(after);
    expect(now.id).not.toBe(before.id);
    await expect(after.answer(before, yes)).rejects.toMatchObject({ code: 'request_stale' });
    expect(await after.answer(now, yes)).toMatchObject({ status: 'approved' });
  });

  it('counts again once the run asks it again', async () => {
    const store = memoryStore();
    const first = judging(store, 'first');
    const request = await askedBy(first);
    await askedBy(judging(store, 'second'));
    await askedBy(first);
    expect(await first.answer(request, yes)).toMatchObject({ status: 'approved' });
  });

  it('is not one that a process asked and did not live to end with', async () => {
    const store = memoryStore();
    await askedBy(judging(store, 'first'));
    const request = await askedBy(judging(store, 'second'));
    const cut = await copyOf(store, (records) => records.slice(0, -1));
    expect(await judging(cut, 'second').answer(request, yes)).toMatchObject({ status: 'approved' });
  });

  it('is not one whose process ended before the run had any end', async () => {
    const store = memoryStore();
    const request = await askedBy(judging(store, 'first'));
    const cut = await copyOf(store, (records) => records.filter(({ type }) => type !== 'end'));
    expect(await judging(cut, 'first').answer(request, yes)).toMatchObject({ status: 'approved' });
  });

  it('is not one of a run that was cancelled since', async () => {
    const store = memoryStore();
    const pipeline = judging(store, 'first');
    const request = await askedBy(pipeline);
    const signal = AbortSignal.abort(new Error('stop'));
    expect((await pipeline.run('tea', { runId: 'r', signal })).status).toBe('cancelled');
    expect(await pipeline.answer(request, yes)).toMatchObject({ status: 'approved' });
  });

  it('is not one that a run asked which began anew', async () => {
    const store = memoryStore();
    await askedBy(judging(store, 'first'));
    const begun = (kept: Store) =>
      pipelineOf({ store: kept, version: '2', onChange: 'restart', human: { policy: 'require' } });
    const [request] = suspended(await begun(store).resume('r')).requests;
    const cut = copyOf(store, (records) => records.slice(0, -1));
    expect(await begun(await cut).answer(request, yes)).toMatchObject({ status: 'approved' });
  });
});

/** A store whose only run `r` has some records of another one. */
async function copyOf(
  store: Store,
  select: (records: readonly JournalRecord[]) => readonly JournalRecord[],
): Promise<Store> {
  const copy = memoryStore();
  const journal = await copy.open('r', true);
  for (const record of select((await store.read('r')) ?? [])) await journal.append(record);
  await journal.close();
  return copy;
}
