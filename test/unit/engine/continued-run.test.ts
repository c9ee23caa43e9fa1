import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { digestJson } from '@/core/json.js';
import {
  definePipeline,
  type HumanRequest,
  memoryStore,
  type PipelineOptions,
  type ReviewLoopError,
  type Store,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import type { JournalRecord } from '@/ports/store.js';
import { settle } from '@/testing/index.js';
import {
  deferred,
  failsWith,
  never,
  only,
  passing,
  pipelineOf,
  reviewer,
  suspended,
  working,
} from './support.js';

const text = z.string();

/** A pipeline whose second reviewer asks a person, and then makes a step. */
function asking(more: Partial<PipelineOptions<string, string>> = {}) {
  const made: string[] = [];
  const pipeline = pipelineOf({
    produce: async () => 'v1',
    work: async (context) => {
      await context.ask('go', { question: 'go?', allowed: ['approve', 'reject'], gaps: [] });
      await context.step('call', { input: 0, schema: text }, async () => {
        made.push('call');
        return 'x';
      });
    },
    ...more,
  });
  return { made, pipeline };
}

const yes = { kind: 'approve', by: 'ann' } as const;

const approve = { kind: 'approve', by: 'Ann' } as const;

describe('a run that a person continues', () => {
  it('records the steps after the answer, and does not make them again', async () => {
    const { made, pipeline } = asking();
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    expect(await pipeline.answer(requests[0], yes)).toMatchObject({ status: 'approved' });
    expect(await pipeline.run('task', { runId: 'r' })).toMatchObject({ status: 'approved' });
    expect(made).toEqual(['call']);
  });

  it('shows its policy and its caller what they cannot change', async () => {
    const frozen: boolean[] = [];
    const { pipeline } = asking({
      policy: (evidence) => {
        frozen.push(Object.isFrozen(evidence), Object.isFrozen(evidence.spent));
        return { kind: 'approve', reason: 'fine' };
      },
    });
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const outcome = await pipeline.answer(requests[0], yes);
    expect(frozen).toEqual([true, true]);
    expect([outcome, outcome.reviews, outcome.reviews[0]].map(Object.isFrozen)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('marks events as replayed up to the answer, which is news', async () => {
    const { pipeline } = asking();
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const heard: string[] = [];
    const hear =
      (name: string) =>
      ({ replayed }: { readonly replayed?: true }): void => {
        heard.push(replayed ? `${name} (replayed)` : name);
      };
    const on = { 'reviewer-start': hear('start'), 'reviewer-end': hear('end') };
    await pipeline.answer(requests[0], yes, { on });
    expect(heard).toEqual(['start (replayed)', 'end']);
  });

  it('marks a question that still waits as replayed, and no answer as news twice', async () => {
    const ask = { question: '?', allowed: ['approve', 'reject'], gaps: [] } as const;
    const pipeline = pipelineOf({
      work: async (context) => {
        await context.ask('one', ask);
        await context.ask('two', ask);
      },
    });
    const first = suspended(await pipeline.run('task', { runId: 'r' }));
    suspended(await pipeline.answer(first.requests[0], yes));
    const replayed: (true | undefined)[] = [];
    const on = { 'human-request': (event: { replayed?: true }) => replayed.push(event.replayed) };
    suspended(await pipeline.run('task', { runId: 'r', on }));
    expect(replayed).toEqual([true]);
  });

  it('is unknown where the store has no run, which is not created', async () => {
    const opened: string[] = [];
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      open: (runId, keep) => {
        opened.push(runId);
        return inner.open(runId, keep);
      },
    };
    const { pipeline } = asking({ store });
    const reference = { runId: 'nowhere', id: 'a', digest: 'b' };
    for (const call of [
      pipeline.answer(reference, yes),
      pipeline.override(reference, { by: 'ann', reason: 'x' }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'run_unknown' });
    expect(opened).toEqual([]);
  });

  it('is unknown where the record has lost its beginning', async () => {
    const lost: JournalRecord = { type: 'end', status: 'stalled', code: 'stalled', at: 0 };
    const store: Store = {
      ...memoryStore(),
      read: async () => [lost],
      open: async () => ({ records: [lost], append: () => undefined, close: () => undefined }),
    };
    const { pipeline } = asking({ store });
    await failsWith(pipeline.answer({ runId: 'r', id: 'a', digest: 'b' }, yes), 'run_unknown');
  });
});

describe('a question', () => {
  it('has a short id, which another name, version or run changes', async () => {
    const ids: string[] = [];
    for (const [runId, output, name] of [
      ['r', 'v1', 'go'],
      ['r', 'v1', 'stop'],
      ['r', 'v2', 'go'],
      ['s', 'v1', 'go'],
    ] as const) {
      const pipeline = pipelineOf({
        produce: async () => output,
        work: async (context) => {
          await context.ask(name, { question: '?', allowed: ['approve'], gaps: [] });
        },
      });
      ids.push(suspended(await pipeline.run('task', { runId })).requests[0].id);
    }
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{16}$/);
  });

  it('is shown to whoever is notified, who cannot change it', async () => {
    const shown: HumanRequest[] = [];
    const notify = async (request: HumanRequest) => void shown.push(request);
    const { pipeline } = asking({ human: { policy: 'require', notify } });
    await pipeline.run('task', { runId: 'r' });
    expect(shown.map((request) => [request, request.allowed].map(Object.isFrozen))).toEqual([
      [true, true],
    ]);
  });

  it('names what is open where an approval would be an override', async () => {
    const approveFor = async (gaps: number): Promise<unknown> => {
      const pipeline = pipelineOf({
        produce: async () => 'v1',
        criteria: Object.fromEntries(
          Array.from({ length: gaps }, (_, index) => [`c${index}`, () => 'no']),
        ),
        judge: async () => Promise.reject(new Error('down')),
        policy: () => ({ kind: 'ask', reason: 'r', question: '?', allowed: ['approve'] }),
        retries: 0,
      });
      const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
      return pipeline.answer(requests[0], yes).catch(({ what }: ReviewLoopError) => what);
    };
    expect(await approveFor(2)).toContain('has 2 open gaps');
    expect(await approveFor(1)).toContain('has 1 open gap');
    expect(await approveFor(0)).toMatch(/^reviewers did not approve version/);
  });

  it.each([
    ['skip', { status: 'accepted', code: 'person_skipped', reason: 'skip by ann: seen' }],
    ['override', { status: 'accepted', code: 'person_overrode', reason: 'override by ann: seen' }],
    ['reject', { status: 'rejected', code: 'person_rejected', reason: 'seen' }],
  ] as const)(
    'that a person answers by %s ends the run with a code of its own',
    async (kind, end) => {
      const pipeline = pipelineOf({
        produce: async () => 'v1',
        criteria: { a: () => 'no' },
        policy: () => ({
          kind: 'ask',
          reason: 'r',
          question: '?',
          allowed: ['skip', 'override', 'reject'],
        }),
      });
      const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
      const outcome = await pipeline.answer(requests[0], { kind, by: 'ann', reason: 'seen' });
      expect(outcome).toMatchObject({ ...end, approved: false, output: 'v1' });
      const acceptance = kind === 'reject' ? undefined : { kind, by: 'ann', reason: 'seen' };
      expect('acceptance' in outcome ? outcome.acceptance : undefined).toEqual(acceptance);
      expect(outcome.reviews[0]?.assessments[0]?.verdict).toBe('fail');
    },
  );

  it('that is answered wrongly hands back the answer and what is wrong with it', async () => {
    const { pipeline } = asking();
    const { requests } = suspended(await pipeline.run('task', { runId: 'r' }));
    const given = { kind: 'approve', by: '' } as const;
    await expect(pipeline.answer(requests[0], given)).rejects.toMatchObject({
      code: 'answer_invalid',
      value: given,
      cause: expect.objectContaining({ issues: expect.any(Array) }),
    });
  });
});

describe('the signal of a reviewer', () => {
  it('is aborted when the run ends, also where it is read later', async () => {
    const controller = new AbortController();
    const free = deferred<void>();
    const seen: AbortSignal[] = [];
    const early = deferred<void>();
    const pending = pipelineOf({
      reviewers: [
        reviewer('reads', (_, { signal }) => {
          seen.push(signal);
          early.resolve();
          return never();
        }),
        working('reads late', async (context) => {
          await free.promise;
          seen.push(context.signal);
        }),
      ],
    }).run('task', { signal: controller.signal });
    await early.promise;
    expect(seen[0]?.aborted).toBe(false);
    controller.abort();
    expect(await pending).toMatchObject({ status: 'cancelled' });
    free.resolve();
    await settle();
    expect(seen[0]).toMatchObject({ aborted: true, reason: { code: 'cancelled' } });
    expect(seen[1]).toBe(seen[0]);
  });

  it('is aborted from the start where nobody read it before the end', async () => {
    const controller = new AbortController();
    const free = deferred<void>();
    const begun = deferred<void>();
    const seen: AbortSignal[] = [];
    const pending = pipelineOf({
      work: async (context) => {
        begun.resolve();
        await free.promise;
        seen.push(context.signal);
      },
    }).run('task', { signal: controller.signal });
    await begun.promise;
    controller.abort();
    await pending;
    free.resolve();
    await settle();
    expect(seen[0]).toMatchObject({ aborted: true, reason: { code: 'cancelled' } });
  });
});

function article(
  store: Store,
  judges: Readonly<Record<string, string>>,
  more: Partial<PipelineOptions<string, string>> = {},
) {
  const begun: string[] = [];
  const warned: unknown[] = [];
  const pipeline = pipelineOf({
    name: 'article',
    produce: async () => {
      begun.push('produce');
      return 'text';
    },
    reviewers: Object.entries(judges).map(([id, version]) =>
      working(id, ({ check }) => check(z.number(), async () => begun.push(`${id}@${version}`)), {
        version,
      }),
    ),
    human: { policy: 'require' },
    store,
    logger: { ...silentLogger, warn: (line) => warned.push(line) },
    ...more,
  });
  return { pipeline, begun, warned };
}

async function waiting(store: Store, more: Partial<PipelineOptions<string, string>> = {}) {
  const { pipeline } = article(store, { a: '1', b: '1' }, more);
  return suspended(await pipeline.run('tea', { runId: 'r' })).requests[0];
}

describe('a run that waits while its pipeline changes', () => {
  it('says nothing if nothing changed', async () => {
    const store = memoryStore();
    const request = await waiting(store);
    const { pipeline, warned } = article(store, { a: '1', b: '1' });
    const outcome = await pipeline.answer(request, approve);
    expect(outcome.status).toBe('approved');
    expect(outcome.changed).toBeUndefined();
    expect(warned).toEqual([]);
  });

  it('goes on by default: only changed judges are asked, and it says what changed, once', async () => {
    const store = memoryStore();
    await waiting(store);
    const { pipeline, begun, warned } = article(store, { a: '1', b: '2', c: '1' });
    const outcome = await pipeline.resume('r');
    expect(outcome).toMatchObject({
      status: 'suspended',
      changed: ['reviewer b changed from "1 (code)" to "2 (code)"', 'reviewer c was added'],
    });
    expect(warned).toEqual([
      { run: 'r', pipeline: 'article', changes: outcome.changed?.join('; '), action: 'continue' },
    ]);
    expect(begun).toEqual(['b@2', 'c@1']);
    const again = await pipeline.answer(suspended(outcome).requests[0], approve);
    expect(again.status).toBe('approved');
    expect(again.changed).toBeUndefined();
  });

  it('compares the version of the pipeline, and its settings', async () => {
    const store = memoryStore();
    await waiting(store, { version: '1' });
    const { pipeline } = article(store, { a: '1' }, { version: '2', budget: { reviews: 7 } });
    expect((await pipeline.resume('r')).changed).toEqual([
      'version changed from "1" to "2"',
      'the settings changed',
      'reviewer b was removed',
    ]);
  });

  it('begins anew if told so: everything is done again, and old answers do not count', async () => {
    const store = memoryStore();
    const request = await waiting(store);
    const { pipeline, begun } = article(store, { a: '1', b: '2' }, { onChange: 'restart' });
    const outcome = await pipeline.answer(request, approve);
    expect(begun).toEqual(['produce', 'a@1', 'b@2']);
    const [fresh] = suspended(outcome).requests;
    expect(fresh.id).not.toBe(request.id);
    await failsWith(pipeline.answer(request, approve), 'request_unknown');
    const done = await pipeline.answer(fresh, approve);
    expect(done.status).toBe('approved');
    expect(begun).toEqual(['produce', 'a@1', 'b@2']);
  });

  it('asks a person if told so, and does what the person chose', async () => {
    for (const [value, again] of [
      ['continue', []],
      ['restart', ['produce', 'a@2', 'b@1']],
    ] as const) {
      const store = memoryStore();
      const first = await waiting(store);
      const judges = value === 'continue' ? { a: '1' } : { a: '2', b: '1' };
      const { pipeline, begun, warned } = article(store, judges, { onChange: 'ask' });
      const asked = suspended(await pipeline.answer(first, approve));
      expect(warned).toMatchObject([{ action: 'ask' }]);
      const request = only(asked);
      expect(request.question).toContain('Continue or restart?');
      expect(request).toMatchObject({
        allowed: ['reply'],
        subject: { changes: asked.changed },
        responseSchema: { type: 'string', enum: ['continue', 'restart'] },
      });
      expect(asked.changed).toHaveLength(1);
      expect(begun).toEqual([]);
      await expect(
        pipeline.answer(request, { kind: 'reply', by: 'Ann', value: 'other' }),
      ).rejects.toMatchObject({ code: 'answer_invalid', value: 'other' });
      const outcome = await pipeline.answer(request, { kind: 'reply', by: 'Ann', value });
      expect(begun).toEqual(again);
      expect(outcome.status).toBe(value === 'continue' ? 'approved' : 'suspended');
    }
  });

  it('leaves a run alone that has ended', async () => {
    const store = memoryStore();
    const human = { policy: 'auto' } as const;
    const { pipeline } = article(store, { a: '1' }, { human });
    await pipeline.run('tea', { runId: 'r' });
    const changed = article(store, { a: '1' }, { human, version: '9', onChange: 'restart' });
    const outcome = await changed.pipeline.run('tea', { runId: 'r' });
    expect(outcome.status).toBe('approved');
    expect(changed.begun).toEqual([]);
  });
});

/** A store with a run that another program created, and perhaps ended. */
async function created(...more: readonly JournalRecord[]): Promise<Store> {
  const store = memoryStore();
  const journal = await store.open('r', true);
  await journal.append({
    ...{ type: 'run', schema: 1, runId: 'r', pipeline: 'article', task: 'tea' },
    ...{ taskDigest: digestJson('tea'), nonce: 'n'.repeat(16), at: 0 },
  });
  for (const record of more) await journal.append(record);
  await journal.close();
  return store;
}

describe('a run that was begun without its pipeline', () => {
  const parts = async (store: Store) =>
    (await store.read('r'))?.filter((record) => record.type === 'step' && record.name === 'parts');

  it('belongs to the first one that continues it, whose changes are told', async () => {
    const store = await created();
    const first = article(store, { a: '1' });
    expect(await first.pipeline.resume('r')).toMatchObject({ status: 'suspended' });
    expect(first.warned).toEqual([]);
    expect(await parts(store)).toHaveLength(1);
    expect((await article(store, { a: '2' }).pipeline.resume('r')).changed).toHaveLength(1);
  });

  it('and continued by another version of this package is left as it is', async () => {
    const ended: JournalRecord = {
      ...{ type: 'end', status: 'suspended', code: 'waiting', waits: [], at: 0 },
    };
    const store = await created(ended);
    const outcome = await article(store, { a: '1' }).pipeline.resume('r');
    expect(outcome.changed).toBeUndefined();
    expect(await parts(store)).toEqual([]);
  });
});

it('a run that is resumed takes its task from the record, and rejects for an unknown run', async () => {
  const store = memoryStore();
  const tasks: string[] = [];
  const produce = async (task: string) => {
    tasks.push(task);
    if (tasks.length === 1) throw new Error('down');
    return task;
  };
  const { pipeline } = article(store, { a: '1' }, { produce });
  await pipeline.run('tea', { runId: 'r' });
  await expect(pipeline.resume('r')).resolves.toMatchObject({ status: 'suspended' });
  expect(tasks).toEqual(['tea', 'tea']);
  await expect(pipeline.resume('none')).rejects.toMatchObject({ code: 'run_unknown' });
  await expect(pipeline.resume('a b')).rejects.toMatchObject({ code: 'invalid_options' });
});

type Options = Partial<PipelineOptions<string, string>>;

/** What a run says of its pipeline when it is continued with other options. */
async function changedBetween(before: Options, after: Options) {
  const store = memoryStore();
  const made = (more: Options) =>
    pipelineOf({
      produce: async (_, context) => {
        await context.ask('go', { question: 'go?', allowed: ['approve'] });
        return 'x';
      },
      reviewers: [passing('a')],
      store,
      ...more,
    });
  await made(before).run('task', { runId: 'r' });
  return (await made(after).run('task', { runId: 'r' })).changed;
}

describe('a run that is continued with other settings', () => {
  it.each<[string, Options]>([
    ['reviews', { budget: { reviews: 2 } }],
    ['weights', { weights: { quality: 2 } }],
    ['failFast', { failFast: false }],
    ['allowEmpty', { allowEmpty: true }],
    ['the policy for people', { human: { policy: 'require' } }],
    ['what a rejection does', { human: { policy: 'auto', onReject: 'revise' } }],
  ])('says so for %s', async (_, more) => {
    expect(await changedBetween({}, more)).toEqual(['the settings changed']);
    expect(await changedBetween(more, more)).toBeUndefined();
  });

  it('says nothing if defaults are written down', async () => {
    const explicit: Options = { human: { policy: 'auto', onReject: 'end' }, weights: {} };
    expect(await changedBetween({}, explicit)).toBeUndefined();
    expect(await changedBetween(explicit, {})).toBeUndefined();
    expect(await changedBetween({}, { version: '' })).toBeUndefined();
    expect(await changedBetween({ human: { policy: 'auto' } }, explicit)).toBeUndefined();
  });

  it('says so for the version and the tier of a reviewer', async () => {
    const judge = (more: object) => ({ reviewers: [{ ...passing('a'), ...more }] });
    expect(await changedBetween({}, judge({ tier: 'model' }))).toEqual([
      'reviewer a changed from "1 (code)" to "1 (model)"',
    ]);
    expect(await changedBetween({ version: '1' }, { version: '2' })).toEqual([
      'version changed from "1" to "2"',
    ]);
  });
});

describe('a run that was only created', () => {
  it('is begun by `resume`: none of its events is a repetition, those of a second call are', async () => {
    const store = await created();
    const pipeline = pipelineOf({ name: 'article', human: { policy: 'require' }, store });
    const replayed: unknown[] = [];
    pipeline.on('run-start', (event) => void replayed.push(event.replayed));
    suspended(await pipeline.resume('r'));
    suspended(await pipeline.resume('r'));
    expect(replayed).toEqual([undefined, true]);
  });

  it('is not begun by a pipeline that only reviews', async () => {
    const store = await created();
    const pipeline = definePipeline<string, string>({ criteria: { a: () => true }, store });
    const resume = async () => pipeline.resume('r');
    await expect(resume()).rejects.toMatchObject({ code: 'no_produce' });
    expect(await store.read('r')).toHaveLength(1);
  });
});
