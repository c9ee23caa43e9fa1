import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { criterion } from '@/blocks/reviewers/criterion.js';
import type { StepAttempt } from '@/core/step.js';
import {
  type AddressContext,
  definePipeline,
  type FixContext,
  memoryStore,
  type Outcome,
  type PipelineOptions,
  type ProduceContext,
  type ReviewerContext,
  ReviewLoopError,
} from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { erroredBy, errorWith } from '../../support/matchers.js';
import { throwing } from '../../support/throwing.js';
import {
  failed,
  failsWith,
  never,
  passed,
  passing,
  pipelineOf,
  reviewer,
  revising,
  suspended,
  untilNoGap,
  working,
} from './support.js';

interface Page {
  readonly html: string;
  readonly notes?: string[];
}

const page: Page = { html: '<p>' };

/** A pipeline whose page is wrong until `address` closes it. */
const addressing = (
  address: (output: Page) => Promise<Page>,
  more: Partial<PipelineOptions<string, Page>> = {},
) =>
  definePipeline<string, Page>({
    produce: async () => page,
    address,
    criteria: { closed: ({ html }) => html.endsWith('</p>') || 'not closed' },
    ...more,
  });
describe('address that misbehaves keeps the best version', () => {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  it.each<[string, string, () => unknown]>([
    ['address_invalid', 'undefined', () => undefined],
    ['address_invalid', 'null', () => null],
    ['address_invalid', 'another kind of value', () => 'garbage'],
    ['address_invalid', 'an array', () => []],
    ['address_invalid', 'a class instance', () => new (class Html {})()],
    ['address_invalid', 'a Date inside', () => ({ html: new Date(0) })],
    ['address_invalid', 'data that contains itself', () => self],
    ['address_failed', 'a throw', throwing('no model')],
    ['address_failed', 'a thrown non-error', () => Promise.reject('text')],
  ])('%s: %s', async (code, _, address) => {
    const outcome = await addressing(async () => address() as Page).run('task');
    expect(outcome).toMatchObject({ status: 'failed', approved: false, code, output: page });
    expect(outcome.error).toBeInstanceOf(ReviewLoopError);
    expect(outcome.reviews).toHaveLength(1);
  });

  it('one that never ends is given up after its timeout', async () => {
    const clock = fakeClock();
    const bounded = { clock, timeouts: { addressMs: 5000 } };
    const pending = addressing(() => never(), bounded).run('task');
    await clock.advanceAsync(5001);
    expect(await pending).toMatchObject({ status: 'failed', code: 'timeout', output: page });
    expect(clock.pending).toBe(0);
  });

  it('one that mutates what it received and returns the same object makes a new version, and the old one stays as it was', async () => {
    const outcome = await addressing(async (output: { html: string }) => {
      output.html += '</p>';
      return output;
    }).run('task');
    expect(outcome).toMatchObject({ approved: true, output: { html: '<p></p>' } });
    expect(new Set(outcome.reviews.map((review) => review.version)).size).toBe(2);
  });

  it('one that changes nothing ends the run as stalled, without another review', async () => {
    const outcome = await addressing(async (output) => output).run('task');
    expect(outcome).toMatchObject({ status: 'stalled', code: 'output_unchanged', output: page });
    expect(outcome.reviews).toHaveLength(1);
  });
});

describe('produce that misbehaves', () => {
  it.each<[string, string, () => unknown]>([
    ['produce_invalid', 'undefined', () => undefined],
    ['produce_invalid', 'null', () => null],
    ['produce_failed', 'a promise that rejects', () => Promise.reject(new Error('down'))],
    ['produce_failed', 'a throw', throwing('down')],
    ['produce_invalid', 'a function', () => () => 1],
    ['produce_invalid', 'NaN inside', () => ({ score: Number.NaN })],
    ['produce_invalid', 'a bigint', () => ({ n: 1n })],
  ])('%s: %s', async (code, _, produce) => {
    const outcome = await definePipeline<string, unknown>({
      produce: produce as () => Promise<unknown>,
      criteria: { any: () => true },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code, output: undefined, reviews: [] });
  });
});

describe('criteria that misbehave', () => {
  const run = (check: () => unknown, more: object = {}): Promise<Outcome<Page>> =>
    definePipeline<string, Page>({
      produce: async () => page,
      criteria: { good: () => true, odd: check as () => boolean },
      ...more,
    }).run('task');

  it('one that never answers is bounded, retried once, and the other verdict is kept', async () => {
    const clock = fakeClock();
    let calls = 0;
    const pending = run(
      () => {
        calls += 1;
        return never();
      },
      { clock, timeouts: { checkMs: 1000 } },
    );
    await clock.advanceAsync(1001);
    await clock.advanceAsync(1001);
    const outcome = await pending;
    expect(calls).toBe(2);
    expect(outcome).toMatchObject({ status: 'inconclusive', code: 'judge_failed', output: page });
    const [review] = outcome.reviews;
    expect(review?.assessments).toMatchObject([
      { criterion: 'good', verdict: 'pass' },
      { criterion: 'odd', ...erroredBy('timeout') },
    ]);
    expect(review?.complete).toBe(false);
  });

  it('one that blocks the event loop beyond its timeout is told apart from a slow one', async () => {
    let now = 0;
    const clock = { ...fakeClock(), now: () => now };
    const outcome = await run(
      () => {
        now += 5000;
        return true;
      },
      { clock, timeouts: { checkMs: 1000 } },
    );
    expect(outcome.reviews[0]?.assessments[1]).toMatchObject(erroredBy('event_loop_blocked'));
  });

  it('one that changes the output is told to copy first', async () => {
    const outcome = await definePipeline<string, { items: number[] }>({
      produce: async () => ({ items: [2, 1] }),
      criteria: { sorted: (output) => output.items.sort((a, b) => a - b)[0] === 1 },
    }).run('task');
    expect(outcome.reviews[0]?.assessments[0]).toMatchObject(erroredBy('criterion_mutated'));
    expect(outcome.output).toEqual({ items: [2, 1] });
  });

  it('a title that is returned by mistake is feedback, so it fails closed', async () => {
    expect(await run(() => 'Login page', { budget: { reviews: 1 } })).toMatchObject({
      approved: false,
      code: 'iterations',
    });
  });

  it('a judge that recovers on the retry costs one call more and no iteration', async () => {
    let calls = 0;
    const outcome = await run(() => {
      calls += 1;
      if (calls === 1) throw new Error('flaky');
      return true;
    });
    expect(outcome).toMatchObject({ approved: true });
    expect(outcome.reviews).toHaveLength(1);
    expect(calls).toBe(2);
  });
});

describe('options are checked when a pipeline is built', () => {
  const base = { produce: async () => 'x', criteria: { a: () => true } };
  const reviewers = [passing('a')];
  it.each<[string, string, unknown, string]>([
    ['duplicate_id', 'duplicate ids', { ...base, reviewers }, 'two reviewers have the id a'],
    [
      'invalid_options',
      'a criterion that is no function',
      { ...base, criteria: { a: 'x' } },
      'criteria.a',
    ],
    ['invalid_options', 'no options', undefined, 'a plain object'],
  ])('%s: %s', (code, _, options, says) => {
    expect(() => definePipeline(options as typeof base)).toThrow(
      expect.objectContaining(errorWith(code, says)),
    );
  });

  it('a task that is not JSON, a run without produce and a bad runId are refused before anything runs', async () => {
    const pipeline = definePipeline<unknown, string>(base);
    await expect(pipeline.run({ when: new Date(0) })).rejects.toMatchObject({ code: 'not_json' });
    await failsWith(pipeline.run('x', { runId: '../../etc' }), 'invalid_options');
    await failsWith(
      definePipeline<string, string>({ criteria: { a: () => true } }).run('x'),
      'no_produce',
    );
  });
});

const options: Partial<PipelineOptions<string, string>> = {
  produce: async () => 'draft',
  criteria: { a: (text) => text === 'better' || 'no' },
  output: z.string(),
};

const thrown = new Error('no ink');

const refused = new ReviewLoopError('budget_exceeded', 'a limit of the caller');

describe.each(['produce', 'address'] as const)('%s', (what) => {
  const run = (work: () => unknown) =>
    pipelineOf({ ...options, [what]: async () => work() }).run('task');
  const throws = (error: unknown) => run(() => Promise.reject(error));
  it('that throws makes the run fail, with what it threw as the cause', async () => {
    expect(await throws(thrown)).toMatchObject({
      status: 'failed',
      code: `${what}_failed`,
      error: { cause: thrown, message: expect.stringMatching(`^${what} .*no ink`) },
    });
    expect(await throws('just words')).toMatchObject({
      code: `${what}_failed`,
      error: { cause: 'just words', message: expect.stringContaining('just words') },
    });
  });

  it('that throws an error of this library keeps its code', async () => {
    expect(await throws(refused)).toMatchObject({
      status: 'failed',
      code: 'budget_exceeded',
      error: refused,
    });
  });

  it('that returns what the schema refuses is told apart, with the value', async () => {
    expect(await run(() => 5)).toMatchObject({
      status: 'failed',
      code: `${what}_invalid`,
      error: { value: 5, cause: { code: 'step_invalid' } },
    });
  });

  it('that returns what is not JSON is told apart too', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const outcome = await definePipeline<string, unknown>({
      produce: async (_, _context) => 'draft',
      criteria: { a: () => 'no' },
      [what]: async (..._given: readonly unknown[]) => circular,
      human: { policy: 'require' },
    }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({
      status: 'failed',
      code: `${what}_invalid`,
      error: { cause: { code: 'not_json' } },
    });
  });
});

it.each([
  ['null', null],
  ['undefined', undefined],
  ['a text', 'is_bubble_up'],
  ['an object of no framework', { is_bubble_up: false }],
  ['an object that says yes', { is_bubble_up: 'yes' }],
])('a `produce` that throws %s fails its run', async (_, thrown) => {
  const outcome = await pipelineOf({ produce: () => Promise.reject(thrown) }).run('task');
  expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed' });
});

it('an output without content was judged, and its verdict comes from no other run', async () => {
  const asked: string[] = [];
  const pipeline = pipelineOf({
    produce: async () => '',
    address: async () => 'tea',
    judge: async ({ output }) => {
      asked.push(output);
      return [passed('judge')];
    },
    policy: untilNoGap,
  });
  const outcome = await pipeline.run('task');
  expect(outcome).toMatchObject({ status: 'approved', output: 'tea' });
  const criterion = 'empty-output';
  expect(outcome.reviews).toMatchObject([
    { assessments: [{ criterion, verdict: 'fail' }, { verdict: 'skipped' }] },
    { assessments: [{ criterion, verdict: 'pass', gaps: [] }, { verdict: 'pass' }] },
  ]);
  for (const review of outcome.reviews) expect(review).not.toHaveProperty('reused');
  expect(asked).toEqual(['tea']);
});

describe('a revision that returns null, as the schema allows', () => {
  const revising = (first: { text: string } | null) =>
    definePipeline<string, { text: string } | null>({
      produce: async () => first,
      address: async () => null,
      reviewers: [reviewer<{ text: string } | null>('judge', async () => [failed('judge')])],
      output: z.object({ text: z.string() }).nullable(),
      allowEmpty: true,
    });

  it('is refused in place of an object', async () => {
    const outcome = await revising({ text: 'tea' }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'address_invalid' });
    expect(outcome.reason).toMatch(/\bobject\b.*\bnull\b/);
  });

  it('changes nothing where there was null before', async () => {
    expect(await revising(null).run('task')).toMatchObject({
      status: 'stalled',
      code: 'output_unchanged',
    });
  });
});

describe('what is returned at once', () => {
  it('is the output though it has a member `then` that is no function', async () => {
    const output: { readonly then: string } = JSON.parse('{ "then": "drink it" }');
    const outcome = await definePipeline<string, { readonly then: string }>({
      produce: () => output as never,
      criteria: { fine: (made) => made.then === 'drink it' },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'approved', output });
  });

  it.each([
    [null, z.null()],
    ['words', z.string()],
    [JSON.parse('{ "then": 5 }'), z.record(z.string(), z.number())],
  ] as const)('is the value of a check: %j', async (value, schema) => {
    const got: unknown[] = [];
    const work = async ({ check }: ReviewerContext) =>
      got.push(await check(schema as z.ZodType<unknown>, () => value));
    const outcome = await pipelineOf({ work }).run('task');
    expect(outcome.status).toBe('approved');
    expect(got).toEqual([value]);
  });
});

/** Two revisions by `address`, with every context that a function of a user was given. */
async function contextsOf() {
  const seen = {
    produce: [] as ProduceContext[],
    step: [] as StepAttempt[],
    fix: [] as FixContext[],
    address: [] as AddressContext<string>[],
  };
  const outcome = await pipelineOf({
    produce: async (_, context) => {
      seen.produce.push(context);
      return '0';
    },
    address: async (output, _, context) => {
      seen.address.push(context);
      return `${Number(output) + 1}`;
    },
    reviewers: [
      criterion<string>(
        'high',
        (output) => ({ passed: output === '2', score: Number(output) / 2, details: 'too low' }),
        {
          fix: (output, _, context) => {
            seen.fix.push(context);
            return output;
          },
        },
      ),
      working('stepping', (context) =>
        context.step('s', { input: 1, schema: z.number() }, async (attempt) =>
          seen.step.push(attempt),
        ),
      ),
    ],
  }).run('task');
  expect(outcome.approved).toBe(true);
  return seen;
}

describe('what functions of users are given', () => {
  it('has the signal as a member of its own, so that a copy has it, and it is always the same', async () => {
    const { produce, step, fix, address } = await contextsOf();
    const given = [...produce, ...step, ...fix, ...address];
    expect([produce, step, fix, address].map(({ length }) => length)).toEqual([1, 3, 2, 2]);
    for (const context of given) {
      const copy = { ...context };
      expect(copy.signal).toBeInstanceOf(AbortSignal);
      expect(copy.signal).toBe(context.signal);
    }
    expect(new Set(given.map(({ signal }) => signal)).size).toBe(given.length);
  });

  it('shares one getter: one for each object would keep alive, as its hidden class, all that it can see', async () => {
    const { produce, step, fix, address } = await contextsOf();
    const getters = (member: 'signal' | 'prompt', contexts: readonly object[]) =>
      new Set(contexts.map((context) => Object.getOwnPropertyDescriptor(context, member)?.get));
    expect(getters('signal', [...produce, ...step, ...fix, ...address]).size).toBe(1);
    expect(getters('prompt', address).size).toBe(1);
  });

  it('has a prompt to ask a model for the improvements, which a copy has too', async () => {
    const [context] = (await contextsOf()).address;
    const { prompt } = { ...context };
    expect(prompt).toContain('too low');
    expect(context?.prompt).toBe(prompt);
  });
});

const approve = { kind: 'approve', by: 'Ann' } as const;

it('a run that begins with other first versions makes each once, and a continued run takes each from its own record', async () => {
  let made = 0;
  const pipeline = pipelineOf({
    produce: async () => {
      made += 1;
      return `draft ${made}`;
    },
    judge: async ({ output }) => [output === 'draft 3' ? passed('third') : failed('third')],
    policy: revising('anew'),
    budget: { reviews: 5 },
    human: { policy: 'require' },
  });
  const waiting = suspended(await pipeline.run('task', { runId: 'r' }));
  const outcome = await pipeline.answer(waiting.requests[0], approve);
  expect(outcome).toMatchObject({ status: 'approved', output: 'draft 3' });
  const versions = waiting.reviews.map(({ version }) => version);
  expect(new Set(versions).size).toBe(3);
  expect(outcome.reviews.map(({ version }) => version)).toEqual(versions);
  expect(made).toBe(3);
});

it('an answer to a run needs a pipeline that has `produce`, as the run did', async () => {
  const store = memoryStore();
  const pipeline = (produce?: () => string) =>
    definePipeline<string, string>({
      ...(produce && { produce }),
      criteria: { fine: () => true },
      human: { policy: 'require' },
      store,
    });
  const { requests } = suspended(await pipeline(() => 'x').run('task', { runId: 'r' }));
  expect(await pipeline().answer(requests[0], approve)).toMatchObject({
    status: 'failed',
    code: 'no_produce',
  });
});

it('produce may change the task that it gets, which changes it for nobody else', async () => {
  const given = { topic: 'tea', notes: ['short'] };
  const seen: unknown[] = [];
  const outcome = await definePipeline<typeof given, string>({
    produce: async (task) => {
      task.notes.push('green');
      task.topic = 'coffee';
      return 'x';
    },
    criteria: { r: (_, task) => seen.push(task) > 0 },
  }).run(given);
  expect(outcome.status).toBe('approved');
  expect(seen).toEqual([{ topic: 'tea', notes: ['short'] }]);
  expect(given).toEqual({ topic: 'tea', notes: ['short'] });
});
