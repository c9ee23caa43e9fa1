import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { digestJson } from '@/core/json.js';
import {
  gap,
  type HumanAnswer,
  limiter,
  memoryStore,
  type ProduceContext,
  thresholds,
} from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import {
  asking,
  deferred,
  failed,
  failsWith,
  never,
  only,
  passed,
  pipelineOf,
  publish,
  reviewer,
  suspended,
} from './support.js';

const approve: HumanAnswer = { kind: 'approve', by: 'Ann' };

const text = z.string();

/** Asks whether to publish, and makes a version of the answer. */
const publishes = async (_task: string, context: ProduceContext) =>
  (await context.ask('publish', publish)).kind;

/** Passes a value on in a later turn. */
const slowly = <Value>(value: Value): Promise<Value> =>
  new Promise((resolve) => setImmediate(resolve, value));

describe('a question of produce', () => {
  it('suspends the run without a version, with the digest of its subject, and resolves after the answer [R2-071]', async () => {
    let runs = 0;
    const pipeline = asking(async (task, context) => {
      runs += 1;
      const answer = await context.ask('publish', publish);
      return `${task} ${answer.kind} by ${answer.by}`;
    });
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting).toMatchObject({
      code: 'waiting',
      approved: false,
      output: undefined,
      reviews: [],
      reason: 'waiting for an answer: Publish the price?',
    });
    expect(waiting.version).toBeUndefined();
    expect(waiting.requests).toEqual([
      {
        ...publish,
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        runId: 'r',
        digest: digestJson(publish.subject),
        gaps: [],
        from: 'produce',
      },
    ]);
    expect(await pipeline.answer(waiting.requests[0], approve)).toMatchObject({
      status: 'approved',
      output: 'tea approve by Ann',
    });
    expect(runs).toBe(2);
  });

  it('has the same id in every process, and another one for another subject', async () => {
    const idOf = async (price: number, runId = 'r'): Promise<string> =>
      only(
        await asking(async (_task, context) => {
          const subject = { tool: 'publish', input: { price } };
          return (await context.ask('publish', { ...publish, subject })).kind;
        }).run('tea', { runId }),
      ).id;
    expect(await idOf(12)).toBe(await idOf(12));
    expect(await idOf(13)).not.toBe(await idOf(12));
    expect(await idOf(12, 's')).not.toBe(await idOf(12));
  });

  it('is asked anew for another call: an approval covers only its own subject', async () => {
    let price = 12;
    const pipeline = asking(async (_task, context) => {
      const subject = { price };
      const { kind } = await context.ask('publish', { ...publish, subject });
      return `${kind} ${price}`;
    });
    const first = only(await pipeline.run('tea', { runId: 'r' }));
    price = 1200;
    const second = only(await pipeline.answer(first, approve));
    expect(second.id).not.toBe(first.id);
    expect(second.digest).toBe(digestJson({ price: 1200 }));
  });

  it('is bound to its words without a subject', async () => {
    let question = 'Delete a?';
    const pipeline = asking(async (_task, context) => {
      const { kind } = await context.ask('delete', { question, allowed: ['approve'] });
      return `${kind} ${question}`;
    });
    const first = only(await pipeline.run('tea', { runId: 'r' }));
    expect(first.digest).toBe(digestJson('Delete a?'));
    question = 'Delete b?';
    expect(only(await pipeline.answer(first, approve)).question).toBe('Delete b?');
  });

  it.each<[HumanAnswer, string]>([
    [{ kind: 'reject', by: 'Ann', reason: 'too dear' }, 'reject: too dear'],
    [{ kind: 'revise', by: 'Ann', note: 'name the tax' }, 'revise: name the tax'],
  ])('gives %o to produce, which goes on', async (answer, output) => {
    const pipeline = asking(async (_task, context) => {
      const given = await context.ask('publish', publish);
      return `${given.kind}: ${given.kind === 'revise' ? given.note : given.reason}`;
    });
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    expect(await pipeline.answer(request, answer)).toMatchObject({ status: 'approved', output });
  });

  it('needs no reason for an approval, although gaps are shown', async () => {
    const gaps = [{ ...gap('dear'), id: 'g', raisedBy: 'me' }];
    const pipeline = asking(
      async (_task, { ask }) => (await ask('publish', { ...publish, gaps })).kind,
    );
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    expect(request.gaps).toHaveLength(1);
    expect(await pipeline.answer(request, approve)).toMatchObject({ status: 'approved' });
  });

  it('leaves a subject that is not JSON data to produce, as an error', async () => {
    const pipeline = asking(async (_task, context) => {
      await context.ask('publish', { ...publish, subject: () => 1 });
      return 'never';
    });
    const outcome = await pipeline.run('tea', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_invalid' });
  });
});

describe('several questions of produce', () => {
  it('are all in the outcome, also those of branches that ask later', async () => {
    const pipeline = asking(async (_task, context) => {
      const ask = async (name: string, hops: number) => {
        for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
        return context.ask(name, { ...publish, subject: name });
      };
      const answers = await Promise.all([ask('a', 0), ask('b', 5), ask('c', 40)]);
      return answers.map(({ by }) => by).join(' ');
    });
    const { requests } = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(requests.map(({ subject }) => subject)).toEqual(['a', 'b', 'c']);
    const [a, b, c] = requests;
    if (b === undefined || c === undefined) throw new Error('expected three questions');
    const next = suspended(await pipeline.answer(b, { kind: 'approve', by: 'Ben' }));
    expect(next.requests).toEqual([a, c]);
    await pipeline.answer(c, { kind: 'approve', by: 'Cid' });
    expect(await pipeline.answer(a, approve)).toMatchObject({ output: 'Ann Ben Cid' });
  });

  it('wait for a step that still runs beside them', async () => {
    const slow = deferred<string>();
    let steps = 0;
    const pipeline = asking(async (_task, context) => {
      const [made, { kind }] = await Promise.all([
        context.step('slow', { input: 1, schema: text }, () => {
          steps += 1;
          return slow.promise;
        }),
        context.ask('publish', publish),
      ]);
      return `${made} ${kind}`;
    });
    const running = pipeline.run('tea', { runId: 'r' });
    setImmediate(() => slow.resolve('done'));
    const request = only(await running);
    expect(await pipeline.answer(request, approve)).toMatchObject({ output: 'done approve' });
    expect(steps).toBe(1);
  });

  it('that are no longer asked cannot be answered', async () => {
    const both = asking(async (_task, context) => {
      const first = context.ask('first', { ...publish, subject: 1 });
      const second = context.ask('second', { ...publish, subject: 2 });
      const answer = await Promise.race([first, second]);
      if (answer.kind === 'reject')
        return (await context.ask('third', { ...publish, subject: 3 })).by;
      return 'done';
    });
    const { requests } = suspended(await both.run('tea', { runId: 'r' }));
    expect(requests).toHaveLength(2);
    const [one, two] = requests;
    if (two === undefined) throw new Error('expected two questions');
    const third = suspended(await both.answer(one, { kind: 'reject', by: 'Ann' }));
    expect(third.requests.map(({ subject }) => subject)).toContain(3);
    expect(third.requests.map(({ id }) => id)).toContain(two.id);
  });
});

describe('while produce waits', () => {
  it('its slot is free and its timeout does not count', async () => {
    const clock = fakeClock();
    const slots = limiter({ concurrency: 1 });
    const produce = (task: string, context: ProduceContext) => {
      expect(context.signal.aborted).toBe(false);
      return publishes(task, context);
    };
    const options = { clock, limiter: slots, timeouts: { produceMs: 1000 } };
    const pipeline = asking(produce, options);
    const requests = [];
    for (const runId of ['a', 'b', 'c']) requests.push(only(await pipeline.run('tea', { runId })));
    clock.advance(5000);
    for (const request of requests)
      expect(await pipeline.answer(request, approve)).toMatchObject({ status: 'approved' });
  });

  it('its signal is aborted, and what it returns, throws or does later counts for nothing', async () => {
    const late = deferred<void>();
    const done: string[] = [];
    let signal: AbortSignal | undefined;
    const pipeline = asking(async (_task, context) => {
      signal = context.signal;
      const branch = late.promise.then(() =>
        context.step('pay', { input: 1, schema: z.string() }, async () => {
          done.push('paid');
          return 'paid';
        }),
      );
      const [{ kind }] = await Promise.all([context.ask('publish', publish), branch]);
      return kind;
    });
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    expect(signal?.aborted).toBe(true);
    late.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual([]);
    expect(await pipeline.answer(request, approve)).toMatchObject({ output: 'approve' });
    expect(done).toEqual(['paid']);
  });

  it('a draft that it returns is not a version', async () => {
    const pipeline = asking(async (_task, context) => {
      const answer = context.ask('publish', publish);
      const first = await Promise.race([answer, Promise.resolve('a draft').then(slowly)]);
      return typeof first === 'string' ? first : `finished ${first.kind}`;
    });
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting.output).toBeUndefined();
    expect(await pipeline.answer(waiting.requests[0], approve)).toMatchObject({
      status: 'approved',
      output: 'finished approve',
      reviews: [{}],
    });
  });

  it('an error beside the question fails the run', async () => {
    const pipeline = asking(async (_task, context) => {
      await Promise.all([context.ask('publish', publish), Promise.reject(new Error('no tool'))]);
      return 'never';
    });
    const outcome = await pipeline.run('tea', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed' });
  });

  it('can be cancelled and continued', async () => {
    const controller = new AbortController();
    const store = memoryStore();
    const pipeline = asking(
      async (_task, context) => {
        const { kind } = await context.ask('publish', publish);
        controller.abort();
        return context.signal.aborted ? await never() : kind;
      },
      { store },
    );
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    const { signal } = controller;
    expect((await pipeline.answer(request, approve, { signal })).status).toBe('cancelled');
    const again = asking(publishes, { store });
    expect(await again.run('tea', { runId: 'r' })).toMatchObject({ status: 'approved' });
  });

  it('cannot be overridden: there is no version', async () => {
    const pipeline = asking(publishes);
    const { runId, digest } = only(await pipeline.run('tea', { runId: 'r' }));
    const given = { by: 'Ann', reason: 'hurry' };
    for (const version of [digest, 'other'])
      await failsWith(pipeline.override({ runId, digest: version }, given), 'no_version');
    expect(await pipeline.run('tea', { runId: 'r' })).toMatchObject({ status: 'suspended' });
  });

  it('expires as every question does', async () => {
    const clock = fakeClock();
    const pipeline = asking(publishes, { clock, human: { policy: 'auto', expiresAfterMs: 1000 } });
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    expect(request.expiresAt).toBe(new Date(clock.now() + 1000).toISOString());
    clock.advance(1001);
    await failsWith(pipeline.answer(request, approve), 'request_expired');
    const end = { status: 'timed_out', code: 'request_expired', output: undefined };
    expect(await pipeline.run('tea', { runId: 'r' })).toMatchObject(end);
  });
});

describe('steps around a question', () => {
  it('are paid once: a question in turn 3 replays turns 1 and 2', async () => {
    const made: string[] = [];
    const store = memoryStore();
    const pipeline = asking(
      async (_task, context) => {
        const turn = (n: number) =>
          context.step(`turn:${n}`, { input: n, schema: text }, async () => {
            made.push(`turn ${n}`);
            context.reportUsage({ inputTokens: 10, outputTokens: n });
            return `turn ${n}`;
          });
        const parts = [await turn(1), await turn(2), await turn(3)];
        const { kind } = await context.ask('publish', publish);
        return [...parts, kind, await turn(4)].join(', ');
      },
      { store },
    );
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting.usage.produce).toMatchObject({ inputTokens: 30, outputTokens: 6 });
    const outcome = await pipeline.answer(waiting.requests[0], approve);
    expect(outcome).toMatchObject({ output: 'turn 1, turn 2, turn 3, approve, turn 4' });
    expect(outcome.usage.produce).toMatchObject({ inputTokens: 40, outputTokens: 10 });
    expect(made).toEqual(['turn 1', 'turn 2', 'turn 3', 'turn 4']);
  });

  it('must not ask', async () => {
    const pipeline = asking((task, context) =>
      context.step('turn', { input: 1, schema: text }, () => publishes(task, context)),
    );
    const outcome = await pipeline.run('tea', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code: 'step_nested' });
    expect(outcome.reason).toContain('ask:publish');
  });

  it('that ask after an await end with their timeout, which names the cause', async () => {
    const clock = fakeClock();
    const asked = deferred<void>();
    const pipeline = asking(
      async (_task, context) =>
        context.step('turn', { input: 1, schema: z.string(), timeoutMs: 1000 }, async () => {
          await slowly(1);
          setImmediate(() => setImmediate(asked.resolve));
          return (await context.ask('publish', publish)).kind;
        }),
      { clock },
    );
    const running = pipeline.run('tea', { runId: 'r' });
    await asked.promise;
    clock.advance(1001);
    const outcome = await running;
    expect(outcome).toMatchObject({ status: 'failed', code: 'step_nested' });
    expect(outcome).toMatchObject({ error: { cause: { code: 'timeout' } } });
    expect(outcome.reason).toContain('while a question was open');
  });
});

describe('what an interrupted attempt reported', () => {
  it('is in its attempt record, and counts once in every process', async () => {
    const store = memoryStore();
    const produce = (task: string, context: ProduceContext) => {
      context.reportUsage({ inputTokens: 7 });
      return publishes(task, context);
    };
    const pipeline = asking(produce, { store });
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting.usage.produce).toMatchObject({ inputTokens: 7 });
    expect((await store.read('r'))?.filter(({ type }) => type === 'attempt')).toMatchObject([
      { name: 'produce', code: 'suspended', usage: { inputTokens: 7 } },
    ]);
    const again = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(again.usage.produce).toMatchObject({ inputTokens: 14 });
    const outcome = await pipeline.answer(again.requests[0], approve);
    expect(outcome.usage.produce).toMatchObject({ inputTokens: 21 });
  });

  it('counts into the budget of the run', async () => {
    const produce = async (task: string, context: ProduceContext) => {
      const pay = (n: number) =>
        context.step(`turn:${n}`, { input: n, schema: text }, async () => {
          context.reportUsage({ inputTokens: 60 });
          return 'text';
        });
      await pay(1);
      const kind = await publishes(task, context);
      await pay(2);
      return kind;
    };
    const pipeline = asking(produce, { budget: { tokens: 100 } });
    const request = only(await pipeline.run('tea', { runId: 'r' }));
    const outcome = await pipeline.answer(request, approve);
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_tokens' });
    expect(outcome.usage.produce).toMatchObject({ inputTokens: 120 });
  });

  it('asks nobody once the budget is used up', async () => {
    const produce = (task: string, context: ProduceContext) => {
      context.reportUsage({ inputTokens: 101 });
      return publishes(task, context);
    };
    const pipeline = asking(produce, { budget: { tokens: 100 } });
    const end = { status: 'exhausted', code: 'budget_tokens', output: undefined };
    expect(await pipeline.run('tea', { runId: 'r' })).toMatchObject(end);
  });
});

describe('a question of address', () => {
  const outcomes = () => {
    let produced = 0;
    const pipeline = pipelineOf({
      produce: async () => {
        produced += 1;
        return 'draft';
      },
      address: async (text, _gaps, context) => {
        const { kind } = await context.ask('publish', publish);
        return `${text} ${kind}`;
      },
      criteria: { asked: (text) => text.includes('approve') || 'nobody approved' },
    });
    return { pipeline, produced: () => produced };
  };

  it('suspends the run with the best version so far', async () => {
    const { pipeline, produced } = outcomes();
    const waiting = suspended(await pipeline.run('tea', { runId: 'r' }));
    expect(waiting).toMatchObject({
      output: 'draft',
      version: digestJson('draft'),
      reviews: [{}],
      requests: [{ from: 'address', digest: digestJson(publish.subject) }],
    });
    expect(await pipeline.answer(waiting.requests[0], approve)).toMatchObject({
      status: 'approved',
      output: 'draft approve',
      reviews: [{}, {}],
    });
    expect(produced()).toBe(1);
  });

  it('works without a run id: the run is recorded from the start', async () => {
    const { pipeline, produced } = outcomes();
    const waiting = suspended(await pipeline.run('tea'));
    expect(await pipeline.answer(waiting.requests[0], approve)).toMatchObject({
      output: 'draft approve',
    });
    expect(produced()).toBe(1);
  });

  it('has another id in another iteration', async () => {
    const pipeline = pipelineOf({
      produce: async () => 'draft',
      address: async (text, _gaps, context) =>
        `${text} ${(await context.ask('publish', publish)).by}`,
      criteria: { two: (text) => text.split(' ').length > 2 || 'too few' },
      policy: thresholds(),
      ranking: () => true,
    });
    const first = only(await pipeline.run('tea', { runId: 'r' }));
    const second = only(await pipeline.answer(first, approve));
    expect(second.id).not.toBe(first.id);
    expect(second.digest).toBe(first.digest);
    const outcome = await pipeline.answer(second, { kind: 'approve', by: 'Ben' });
    expect(outcome).toMatchObject({ status: 'approved', output: 'draft Ann Ben' });
  });
});

it('who asks is in the event', async () => {
  const from: string[] = [];
  const pipeline = pipelineOf({
    produce: async (_task, context) => (await context.ask('a', publish)).kind,
    address: async (_text, _gaps, context) => (await context.ask('b', publish)).by,
    reviewers: [
      reviewer('ann', async ({ output }, context) => {
        await context.ask('opinion', { question: 'Good?', allowed: ['approve'] });
        return [output === 'Ann' ? passed('ann') : failed('ann')];
      }),
    ],
    human: { policy: 'require' },
  });
  pipeline.on('human-request', (event) => void from.push(event.from));
  let outcome = await pipeline.run('tea', { runId: 'r' });
  while (outcome.status === 'suspended')
    outcome = await pipeline.answer(outcome.requests[0], approve);
  expect(outcome).toMatchObject({ status: 'approved', output: 'Ann' });
  expect(from).toEqual(['produce', 'reviewer', 'address', 'reviewer', 'policy']);
});

describe('the control flow of a framework', () => {
  const interrupt = Object.assign(new Error('interrupted'), {
    name: 'GraphInterrupt',
    is_bubble_up: true,
    interrupts: [{ value: 'ok?' }],
  });

  it.each(['produce', 'address'] as const)(
    'that %s throws is passed on, and the record names it',
    async (where) => {
      const store = memoryStore();
      const ends: string[] = [];
      let isPaused = true;
      const pause = async (name: string): Promise<string> => {
        if (name === where && isPaused) throw interrupt;
        return name;
      };
      const pipeline = pipelineOf({
        produce: () => pause('produce'),
        address: () => pause('address'),
        criteria: { mended: (text) => text === where || 'not mended' },
        store,
      });
      pipeline.on('run-end', ({ status, code }) => void ends.push(`${status} ${code}`));
      await expect(pipeline.run('tea', { runId: 'r' })).rejects.toBe(interrupt);
      expect(ends).toEqual(['failed agent_interrupted']);
      const end = { type: 'end', code: 'agent_interrupted' };
      expect((await store.read('r'))?.at(-1)).toMatchObject(end);
      isPaused = false;
      const outcome = await pipeline.run('tea', { runId: 'r' });
      expect(outcome).toMatchObject({ status: 'approved', output: where });
    },
  );
});
