import { describe, expect, it } from 'vitest';
import { engineErrors } from '@/engine/errors.js';
import {
  type Assessment,
  definePipeline,
  type Gap,
  type HumanAnswer,
  memoryStore,
  type PipelineOptions,
  type Policy,
  ReviewLoopError,
} from '@/index.js';
import {
  failed,
  failing,
  lettersOf,
  only,
  passed,
  pipelineOf,
  reviewer,
  revising,
  suspended,
  untilNoGap,
} from './support.js';

describe('a revision', () => {
  it.each<[string, unknown, unknown]>([
    ['an array for an object', { a: 1 }, [1]],
    ['an object for an array', [1], { a: 1 }],
    ['a text for an object', { a: 1 }, 'a'],
  ])('that gives %s is refused, and the version before it comes back', async (_, first, next) => {
    const outcome = await definePipeline<string, unknown>({
      produce: async () => first,
      address: async () => next,
      criteria: { a: () => 'no' },
    }).run('task');
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'address_invalid',
      output: first,
      error: { value: next },
    });
  });

  it('ends the run as exhausted if it sets aside more than the budget has', async () => {
    const outcome = await pipelineOf({
      address: async (_output, _gaps, context) => {
        context.budget.reserve({ costUsd: 2 });
        return 'y';
      },
      criteria: { a: () => 'no' },
      budget: { costUsd: 1 },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'exhausted', code: 'budget_cost', output: 'x' });
  });

  it('that begins anew is another first version, whose gaps are all new', async () => {
    const made: string[] = [];
    const pipeline = pipelineOf({
      produce: async (_task, context) => {
        made.push(`produced in ${context.iteration}`);
        return `v${made.length}`;
      },
      address: async () => {
        made.push('addressed');
        return 'never';
      },
      judge: async ({ output }) => [output === 'v3' ? passed('a') : failed('a', 'the same')],
      policy: revising('anew'),
    });
    const outcome = await pipeline.run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'approved', output: 'v3' });
    expect(made).toEqual(['produced in 1', 'produced in 1', 'produced in 2']);
    expect(outcome.reviews.map(({ parent }) => parent)).toEqual([undefined, undefined, undefined]);
    await pipeline.run('task', { runId: 'r' });
    expect(made).toHaveLength(3);
  });

  it('that cannot begin anew fails with the best version', async () => {
    let times = 0;
    const outcome = await pipelineOf({
      produce: async () => {
        times += 1;
        if (times > 1) throw new Error('no other idea');
        return 'first';
      },
      criteria: { a: () => 'no' },
      policy: revising('anew'),
    }).run('task');
    expect(outcome).toMatchObject({ status: 'failed', code: 'produce_failed', output: 'first' });
  });
});

const pipeline = (more: Partial<PipelineOptions<string, string>>) =>
  pipelineOf({ reviewers: [failing('a')], ...more });

it('a revision that fails although a budget is passed fails the run by its own error', async () => {
  const outcome = await pipeline({
    address: async (_output, _gaps, context) => {
      context.reportUsage({ totalTokens: 100 });
      throw new Error('broken');
    },
    budget: { tokens: 10 },
  }).run('task');
  expect(outcome).toMatchObject({ status: 'failed', code: 'address_failed', output: 'x' });
});

it.each([
  ['produce', 'cancelled'],
  ['address', 'cancelled'],
  ['produce', 'run_timed_out'],
  ['address', 'run_timed_out'],
  ['produce', 'released'],
  ['address', 'released'],
] as const)(
  'work inside of a run that ended early in `%s` (%s) fails the run, which did not end early itself',
  async (part, code) => {
    const store = memoryStore();
    const known = code === 'released' ? engineErrors.released : code;
    const ended = () => Promise.reject(new ReviewLoopError(known, 'another run ended early'));
    const outcome = await pipeline({ [part]: ended, store }).run('task', { runId: 'r' });
    expect(outcome).toMatchObject({ status: 'failed', code });
    expect((await store.read('r'))?.at(-1)).toMatchObject({ type: 'end', status: 'failed', code });
  },
);

it.each<[string, Partial<PipelineOptions<string, string>>, HumanAnswer, string]>([
  [
    '`address` about the one before',
    {
      address: async (output, _gaps, { ask }) => {
        await ask('ok', { question: 'ok?', allowed: ['approve'], subject: output });
        return 'y';
      },
    },
    { kind: 'approve', by: 'Ann' },
    'exhausted',
  ],
  [
    'the policy',
    {
      policy: ({ iteration }) =>
        iteration === 1
          ? { kind: 'ask', reason: 'hm', question: 'what now?', allowed: ['revise'] }
          : { kind: 'stop', status: 'rejected', code: 'enough', reason: 'enough' },
    },
    { kind: 'revise', by: 'Ann', note: 'shorter' },
    'rejected',
  ],
])(
  'a version that is no better does not become the best because a person answered %s',
  async (_, more, answer, status) => {
    const asking = pipeline({ address: async () => 'y', budget: { reviews: 2 }, ...more });
    const request = only(await asking.run('task', { runId: 'r' }));
    const outcome = await asking.answer(request, answer);
    expect(outcome).toMatchObject({ status, output: 'x' });
    expect(outcome.reviews).toHaveLength(2);
  },
);

type Gaps = readonly [string, Partial<Gap>?][];

/** What a judge says: a gap for each description. */
const judged = (gaps: Gaps): Assessment[] =>
  gaps.length === 0
    ? [passed('fine')]
    : gaps.map(([what, more]) => failed(`is ${what}`, what, more));

/** A judge of drafts. It asks a person about one of them, and then says what a table says. */
const judge = (asksAbout: string, says: Record<string, Gaps>) =>
  reviewer<string>('judge', async ({ output }, context) => {
    if (output === asksAbout)
      await context.ask('ok', { question: 'ok?', allowed: ['approve'], gaps: [] });
    return judged(says[output] ?? []);
  });

/** The first draft ranks above the second one. */
const firstIsBest: NonNullable<PipelineOptions<string, string>['ranking']> = (one, other) =>
  one.gaps.length < other.gaps.length;

/** Runs a pipeline whose judge asks a person about a draft, and notes what `address` gets. */
async function answered(
  asksAbout: string,
  says: Record<string, Gaps>,
  policy: Policy,
  ranking = firstIsBest,
) {
  const addressed: string[] = [];
  let produced = 0;
  const pipeline = pipelineOf({
    produce: async () => {
      produced += 1;
      return `draft ${produced}`;
    },
    address: async (output, gaps) => {
      addressed.push(`${output}: ${gaps.map(({ description }) => description).join()}`);
      return output === 'draft 1' ? 'second' : 'third';
    },
    reviewers: [judge(asksAbout, says)],
    policy,
    ranking,
  });
  const [request] = suspended(await pipeline.run('task', { runId: 'r' })).requests;
  const outcome = await pipeline.answer(request, { kind: 'approve', by: 'Ann' });
  return { addressed, outcome };
}

describe('a revision after a person answered about the best version', () => {
  it('begins with the latest one, and with all that `address` can do about it', async () => {
    const disputed = { standing: 'disputed' } as const;
    const says: Record<string, Gaps> = {
      'draft 1': [['short']],
      second: [['loud'], ['rude'], ['old', { autoFixable: false }], ['odd', disputed]],
    };
    const { addressed, outcome } = await answered('draft 1', says, revising('best'));
    expect(addressed).toEqual(['draft 1: short', 'second: loud,rude']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'third' });
  });

  it('keeps its reason where nothing about the latest one can be fixed', async () => {
    const fixed = { autoFixable: false };
    const says: Record<string, Gaps> = {
      'draft 1': [['short']],
      second: [
        ['old', fixed],
        ['odd', fixed],
      ],
    };
    const { addressed, outcome } = await answered('draft 1', says, revising('best'));
    expect(addressed).toEqual(['draft 1: short', 'second: short']);
    expect(outcome).toMatchObject({ status: 'approved', output: 'third' });
  });

  it('begins with the best one if nobody was asked about that', async () => {
    const says: Record<string, Gaps> = { 'draft 1': [['short']], second: [['loud'], ['rude']] };
    const { addressed } = await answered('second', says, revising('best'));
    expect(addressed).toEqual(['draft 1: short', 'draft 1: short']);
  });

  it('is because of what the policy names while the best one is the latest', async () => {
    const says: Record<string, Gaps> = {
      'draft 1': [['short', { severity: 'critical' }], ['loud']],
    };
    const policy = revising('best', 'loud');
    const { addressed } = await answered('draft 1', says, policy, () => false);
    expect(addressed).toEqual(['draft 1: loud,short']);
  });

  it('is because of what the policy names if it names the latest one', async () => {
    const says: Record<string, Gaps> = {
      'draft 1': [['short']],
      second: [['old', { severity: 'critical' }], ['loud']],
    };
    const { addressed } = await answered('draft 1', says, revising('latest', 'loud'));
    expect(addressed).toEqual(['draft 1: short', 'second: loud,old']);
  });

  it('produces anew if the policy says so', async () => {
    const says: Record<string, Gaps> = { 'draft 1': [['short']], 'draft 2': [['loud'], ['rude']] };
    const { addressed, outcome } = await answered('draft 1', says, revising('anew'));
    expect(addressed).toEqual([]);
    expect(outcome).toMatchObject({ status: 'approved', output: 'draft 3' });
  });
});

/** A pipeline that waits for a person once a judge of this version finds nothing wrong. */
function mending(version: string, criteria: readonly string[], store = memoryStore()) {
  const addressed: string[] = [];
  const pipeline = pipelineOf({
    produce: async () => 'tea',
    address: async (output, gaps) => {
      const names = gaps.map(({ criterionId }) => criterionId).join(' ');
      addressed.push(names);
      return `${output} ${names}`;
    },
    reviewers: [
      reviewer<string>(
        'judge',
        async ({ output }) =>
          criteria.map((criterion) =>
            output.includes(criterion) ? passed(criterion) : failed(criterion, `no ${criterion}`),
          ),
        { version },
      ),
    ],
    human: { policy: 'require' },
    store,
  });
  const gaps: number[] = [];
  pipeline.on('address-start', (event) => void gaps.push(event.gaps));
  return { addressed, gaps, pipeline, store };
}

describe('the work of `address`', () => {
  it('is announced with the number of its gaps', async () => {
    const { gaps, pipeline } = mending('1', ['milk', 'sugar']);
    await pipeline.run('task');
    expect(gaps).toEqual([2]);
  });

  it('is done once in a run that is continued, and again for other gaps', async () => {
    const { addressed, pipeline, store } = mending('1', ['milk']);
    expect(suspended(await pipeline.run('task', { runId: 'r' })).output).toBe('tea milk');
    expect(suspended(await pipeline.run('task', { runId: 'r' })).output).toBe('tea milk');
    expect(addressed).toEqual(['milk']);
    const other = mending('2', ['sugar'], store);
    const changed = suspended(await other.pipeline.run('task', { runId: 'r' }));
    expect(changed).toMatchObject({ output: 'tea sugar', reviews: [{}, {}] });
    expect(other.addressed).toEqual(['sugar']);
  });
});

describe('revision', () => {
  it('starts from the best version with its gaps, and tells what the rejected attempt had broken', async () => {
    const seen: unknown[] = [];
    const texts = ['a', 'abcz'];
    const idsOf = (gaps: readonly Gap[] = []) => gaps.map(({ criterionId }) => criterionId);
    const outcome = await pipelineOf({
      produce: async () => 'ab',
      address: async (from, gaps, { regressed }) => {
        seen.push({ from, gaps: idsOf(gaps), regressed: idsOf(regressed) });
        return texts.shift() ?? '';
      },
      criteria: {
        ...lettersOf('abc'),
        z: { severity: 'minor', check: (text) => text.includes('z') },
      },
    }).run('task');
    expect(seen).toEqual([
      { from: 'ab', gaps: ['c', 'z'], regressed: [] },
      { from: 'ab', gaps: ['c', 'z'], regressed: ['b'] },
    ]);
    expect(outcome).toMatchObject({ approved: true, output: 'abcz' });
    expect(idsOf(outcome.reviews[2]?.fixed)).toEqual(['c', 'z']);
  });

  it('a regressed gap is named so', async () => {
    const texts = ['ab', 'abd', 'a'];
    const outcome = await pipelineOf({
      produce: async () => 'a',
      address: async () => texts.shift() ?? '',
      criteria: lettersOf('abcd'),
      budget: { reviews: 4 },
      ranking: () => true,
      policy: untilNoGap,
    }).run('task');
    const lifecycles = outcome.reviews.map((review) =>
      Object.fromEntries(review.gaps.map((gap) => [gap.criterionId, gap.lifecycle])),
    );
    expect(lifecycles[0]).toEqual({ b: 'new', c: 'new', d: 'new' });
    expect(lifecycles[1]).toEqual({ c: 'persisting', d: 'persisting' });
    expect(outcome.code).toBe('oscillation');
  });

  it('a gap that comes back after it was fixed is regressed', async () => {
    const texts = ['bx', 'y'];
    const outcome = await pipelineOf({
      produce: async () => 'a',
      address: async () => texts.shift() ?? 'z',
      criteria: { b: (t) => t.includes('b'), never: (t) => `${t} is not enough` },
      policy: untilNoGap,
    }).run('task');
    expect(outcome.reviews[2]?.gaps.find((gap) => gap.criterionId === 'b')?.lifecycle).toBe(
      'regressed',
    );
  });

  it('a gap whose judge fails the next time is unknown, not fixed (law 7)', async () => {
    let calls = 0;
    const flaky = () => {
      calls += 1;
      if (calls > 1) throw new Error('down');
      return 'a real gap';
    };
    const outcome = await pipelineOf({
      produce: async () => 'a',
      address: async () => 'b',
      criteria: { flaky },
    }).run('task');
    expect(outcome).toMatchObject({ status: 'inconclusive', output: 'a' });
    expect(outcome.reviews[1]).toMatchObject({
      fixed: [],
      gaps: [],
      closed: [{ criterionId: 'flaky', lifecycle: 'unknown' }],
    });
  });

  it('a low score without any gap is revised for a named reason, never for an empty list [D004-06]', async () => {
    const given: number[] = [];
    const outcome = await pipelineOf({
      produce: async () => 'a',
      address: async (text, gaps) => {
        given.push(gaps.length);
        return `${text}a`;
      },
      criteria: { weak: () => ({ passed: true, score: 0.2, details: 'could be much better' }) },
    }).run('task');
    expect(outcome.approved).toBe(false);
    expect(given.length).toBeGreaterThan(0);
    expect(given.every((count) => count > 0)).toBe(true);
  });

  it('only gaps that the producer can fix are handed over, and only unfixable ones escalate [D004-14]', async () => {
    const handed: string[] = [];
    const run = (fixable: boolean) =>
      pipelineOf({
        address: async (text, gaps) => {
          handed.push(...gaps.map((gap) => gap.description));
          return `${text}a`;
        },
        judge: async () => [
          failed('hard', 'needs a decision', { autoFixable: false }),
          fixable ? failed('easy', 'typo') : passed('easy'),
        ],
        budget: { reviews: 2 },
      }).run('task');
    expect(await run(false)).toMatchObject({ status: 'escalated', code: 'unfixable' });
    await run(true);
    expect(handed).toEqual(['typo']);
  });

  it('a proposal of a reviewer becomes the next version, and is reviewed', async () => {
    const reviewed: string[] = [];
    const outcome = await pipelineOf({
      produce: async () => 'teh',
      judge: async ({ output }) => {
        reviewed.push(output);
        return output === 'the'
          ? [passed('fixer')]
          : { assessments: [failed('fixer')], proposal: 'the' };
      },
    }).run('task');
    expect(outcome).toMatchObject({ approved: true, output: 'the' });
    expect(reviewed).toEqual(['teh', 'the']);
  });
});

describe('address', () => {
  const severities = ['minor', 'critical', 'major'] as const;

  /** Returns the severities of the gaps that `address` gets, in order, if some of them block. */
  async function givenIf(blocking: (gaps: readonly Gap[]) => readonly Gap[]) {
    let given: readonly Gap[] = [];
    await pipelineOf({
      address: async (output, gaps) => {
        given = gaps;
        return output;
      },
      reviewers: severities.map((severity) =>
        reviewer<string>(severity, async () => [failed(severity, severity, { severity })]),
      ),
      policy: ({ review: { gaps } }) => {
        const [first, ...others] = blocking(gaps);
        if (first === undefined) throw new Error('no gap');
        return { kind: 'revise', reason: 'x', from: 'latest', blocking: [first, ...others] };
      },
    }).run('task');
    return given.map(({ severity }) => severity);
  }

  it('gets the gaps that block first, each kind with the worst first, and no gap twice', async () => {
    const blocking = (gaps: readonly Gap[]) =>
      gaps.filter(({ severity }) => severity !== 'minor').toReversed();
    expect(await givenIf(blocking)).toEqual(['critical', 'major', 'minor']);
  });

  it('gets other gaps with the worst first', async () => {
    const blocking = (gaps: readonly Gap[]) => gaps.filter(({ severity }) => severity === 'minor');
    expect(await givenIf(blocking)).toEqual(['minor', 'critical', 'major']);
  });
});

it.each<[string, unknown]>([
  ['a date', new Date(0)],
  ['a function', () => 'x'],
  ['a number that JSON does not have', Number.NaN],
])('a reviewer that proposes %s fails the run, which keeps its version', async (_, proposal) => {
  const outcome = await definePipeline<string, unknown>({
    produce: async () => 'x',
    reviewers: [reviewer('a', async () => ({ assessments: [failed('a')], proposal }))],
  }).run('task');
  expect(outcome).toMatchObject({
    status: 'failed',
    code: 'address_invalid',
    output: 'x',
    error: { cause: { code: 'not_json' } },
  });
});
