import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJudged } from '@/index.js';
import { throwing } from '../support/throwing.js';
import { type Flaw, naiveLoop } from './naive-loop.js';
import { type Draft, engine, type Scenario, type System } from './system.js';

const draft = (text: string): Draft => ({ text });
const drafts = (...texts: readonly string[]): Pick<Scenario, 'produce' | 'address'> => {
  let next = 0;
  const take = async (): Promise<Draft> => draft(texts[Math.min(next++, texts.length - 1)] ?? '');
  return { produce: take, address: take };
};

/** Law 1: a judge that failed never approves. */
async function judgeFailureNeverApproves(system: System): Promise<void> {
  const failures: readonly (() => unknown)[] = [
    throwing('outage'),
    () => Promise.reject(new Error('outage')),
    () => Number.NaN,
    () => 7,
    () => '',
    () => undefined,
    () => null,
    () => ({ passed: true, score: 7, details: '' }),
    () => ({ passed: true, score: Number.NaN, details: '' }),
    () => ({ passed: true, score: 0, details: '' }),
  ];
  for (const failure of failures) {
    let addressed = 0;
    const result = await system({
      ...drafts('a'),
      address: async (given) => ({ text: `${given.text}${++addressed}` }),
      judges: { good: { check: () => true }, broken: { check: failure } },
    });
    expect(result.approved, 'approved by judges that failed').toBe(false);
    expect(result.status).toBe('inconclusive');
    expect(result.output).toEqual(draft('a'));
    expect(addressed).toBe(0);
  }
}

/** Law 2: what is approved was reviewed in that very version, and there is no fix after the last review. */
async function approvedVersionWasReviewed(system: System): Promise<void> {
  const reviewed = new Set<string>();
  let addressed = 0;
  const scenario: Scenario = {
    produce: async () => draft('v1'),
    address: async () => draft(`v${++addressed + 1}`),
    judges: {
      look: {
        check: ({ text }) => {
          reviewed.add(text);
          return text === 'v3' || `not yet: ${text}`;
        },
      },
    },
  };
  const result = await system(scenario);
  expect(result.approved, 'not approved').toBe(true);
  expect([...reviewed], 'returned unreviewed').toContain(result.output?.text);
  expect(addressed).toBe(2);
  addressed = 0;
  const never = await system({
    ...scenario,
    judges: { look: { check: ({ text }) => `never ${text}` } },
  });
  expect(never.approved).toBe(false);
  expect(addressed).toBe(2);
}

/** Law 3: nothing vacuous passes. */
async function vacuousNeverPasses(system: System): Promise<void> {
  const result = await system({ produce: async () => draft('a'), judges: {} }).catch(
    (error: unknown) => ({ approved: false, error }),
  );
  expect(result.approved, 'approved by nobody').toBe(false);
}

/** Law 6: what comes back without approval is the best version. */
async function bestVersionComesBack(system: System): Promise<void> {
  const result = await system({
    ...drafts('ab', 'abc', 'a'),
    judges: {
      a: { check: ({ text }) => text.includes('a') },
      b: { check: ({ text }) => text.includes('b') },
      c: { check: ({ text }) => text.includes('c') },
      d: { check: () => false },
    },
  });
  expect(result.approved).toBe(false);
  expect(result.output, 'not the best version').toEqual(draft('abc'));
}

/** Law 7: a gap keeps its identity from round to round, however it is worded. */
async function gapsKeepTheirIdentity(system: System): Promise<void> {
  let asked = 0;
  const result = await system({
    ...drafts('x', 'xx', 'xxx'),
    judges: {
      a: { check: () => `worded differently each time: ${++asked}` },
      b: { check: ({ text }) => text.length > 1 || 'too short' },
    },
  });
  const [first, second] = result.reviews.map((review) => review.gaps.map((gap) => gap.id));
  expect(second).toHaveLength(1);
  expect(first, 'another id').toContain(second?.[0]);
}

/** Law 8: a verdict is reused only while what it read is equal. */
async function noStaleVerdict(system: System): Promise<void> {
  const result = await system({
    ...drafts('bad', 'good', 'better'),
    judges: {
      good: {
        check: ({ text }) => text.startsWith('good') || 'bad',
        scope: ({ text }) => ({ text }),
      },
    },
  });
  expect(result.approved, 'a stale verdict').toBe(true);
  expect(result.output).toEqual(draft('good'));
}

/** Law 9: "zero findings" is not the stop rule, and a loop that gets nowhere ends with a named reason. */
async function noProgressIsNamed(system: System): Promise<void> {
  let addressed = 0;
  const address = async (): Promise<Draft> => draft(`v${++addressed}`);
  const minor = await system({
    produce: async () => draft('v0'),
    address,
    iterations: 10,
    judges: {
      good: { check: () => true },
      style: { check: () => 'could be nicer', severity: 'minor' },
      more: { check: () => true },
    },
  });
  expect(minor.approved, 'waited for nothing to be found').toBe(true);
  expect(addressed).toBe(0);
  const stuck = await system({
    produce: async () => draft('v0'),
    address,
    iterations: 10,
    judges: { stuck: { check: () => 'always' } },
  });
  expect(stuck.code).toBe('gap_unfixed');
  expect(addressed).toBe(2);
}

/** Law 10: a model is not asked about what a deterministic check already refuses. */
async function codeChecksFirst(system: System): Promise<void> {
  let asked = 0;
  await system({
    produce: async () => draft('a'),
    judges: {
      code: { check: () => 'broken' },
      model: {
        check: () => {
          asked += 1;
          return true;
        },
        tier: 'model',
      },
    },
  });
  expect(asked, 'asked a model').toBe(0);
}

/** Law 14: an exception in one judge loses neither the output nor the other results. */
async function nothingIsLost(system: System): Promise<void> {
  const result = await system({
    ...drafts('a'),
    judges: {
      first: { check: () => 'a real finding' },
      broken: {
        check: throwing('boom'),
      },
    },
  });
  expect(result.output).toEqual(draft('a'));
  expect(result.reviews[0]?.gaps).toHaveLength(1);
}

const unjudged = { passed: false, score: 0, details: '' };
const undecided = { ...unjudged, undecided: 'the output does not tell' };
const skipped = { ...unjudged, skipped: 'nothing of that kind' };

/** What no judge could decide rules approval out, and nothing is edited for its sake. */
async function undecidedNeverApproves(system: System): Promise<void> {
  let addressed = 0;
  const seen = await system({
    produce: async () => draft('a'),
    address: async ({ text }) => ({ text: `${text}${++addressed}` }),
    judges: { good: { check: () => true }, open: { check: () => undecided } },
  });
  expect(seen.approved, 'approved what nobody decided').toBe(false);
  expect(seen).toMatchObject({ status: 'inconclusive', output: { text: 'a' } });
  expect(addressed).toBe(0);
}

/** A check with nothing to look at has not passed. */
async function skippedIsNotSeen(system: System): Promise<void> {
  const seen = await system({
    produce: async () => ({ text: 'a' }),
    judges: { images: { check: () => skipped }, links: { check: () => skipped } },
  });
  expect(seen.approved, 'approved what nobody looked at').toBe(false);
}

/** An output without content is never approved, whatever its judges say. */
async function emptyNeverApproves(system: System): Promise<void> {
  const seen = await system({
    produce: async () => ({}) as Draft,
    judges: { lenient: { check: () => true } },
  });
  expect(seen.approved, 'approved an empty output').toBe(false);
}

/** A version with a critical gap is never better than one with minor gaps. */
async function worstGapDecides(system: System): Promise<void> {
  const minor = (id: string) =>
    [id, { check: ({ text }: Draft) => text !== 'minor', severity: 'minor' as const }] as const;
  const seen = await system({
    ...drafts('critical', 'minor'),
    iterations: 2,
    judges: {
      safe: { check: ({ text }) => text !== 'critical', severity: 'critical' },
      never: { check: () => false },
      ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(minor)),
    },
  });
  expect(seen.approved).toBe(false);
  expect(seen.output, 'preferred the higher mean').toEqual({ text: 'minor' });
}

const laws: readonly {
  readonly law: string;
  readonly holds: (system: System) => Promise<void>;
  readonly saboteur: Flaw;
  readonly red: string;
}[] = [
  {
    law: 'law 1: a judge that failed never approves',
    holds: judgeFailureNeverApproves,
    saboteur: 'errors-are-left-out-of-the-mean',
    red: 'approved by judges that failed',
  },
  {
    law: 'law 2: every version that is approved was reviewed',
    holds: approvedVersionWasReviewed,
    saboteur: 'fixes-after-the-last-review',
    red: 'returned unreviewed',
  },
  {
    law: 'law 3: nothing vacuous passes',
    holds: vacuousNeverPasses,
    saboteur: 'approves-the-vacuous',
    red: 'approved by nobody',
  },
  {
    law: 'law 6: the best version comes back',
    holds: bestVersionComesBack,
    saboteur: 'keeps-the-last',
    red: 'not the best version',
  },
  {
    law: 'law 7: a gap keeps its identity',
    holds: gapsKeepTheirIdentity,
    saboteur: 'random-gap-ids',
    red: 'another id',
  },
  {
    law: 'law 8: no stale verdict',
    holds: noStaleVerdict,
    saboteur: 'remembers-verdicts-by-criterion',
    red: 'a stale verdict',
  },
  {
    law: 'law 9: zero findings is not the stop rule',
    holds: noProgressIsNamed,
    saboteur: 'waits-for-zero-findings',
    red: 'waited for nothing to be found',
  },
  {
    law: 'law 10: code checks come first',
    holds: codeChecksFirst,
    saboteur: 'asks-models-anyway',
    red: 'asked a model',
  },
  {
    law: 'law 14: nothing is lost',
    holds: nothingIsLost,
    saboteur: 'loses-everything-on-a-throw',
    red: 'boom',
  },
  {
    law: 'what no judge could decide is never approved [R2-001, R2-037]',
    holds: undecidedNeverApproves,
    saboteur: 'counts-the-undecided-as-passed',
    red: 'approved what nobody decided',
  },
  {
    law: 'a check that skipped saw nothing [R2-009]',
    holds: skippedIsNotSeen,
    saboteur: 'counts-the-skipped-as-seen',
    red: 'approved what nobody looked at',
  },
  {
    law: 'an empty output is never approved [R2-002]',
    holds: emptyNeverApproves,
    saboteur: 'approves-an-empty-output',
    red: 'approved an empty output',
  },
  {
    law: 'the worst gap decides which version is the best',
    holds: worstGapDecides,
    saboteur: 'prefers-the-mean',
    red: 'preferred the higher mean',
  },
];

describe.each(laws)('$law', ({ holds, saboteur, red }) => {
  it('holds for the engine', () => holds(engine));
  it(`is broken by a loop that ${saboteur.replaceAll('-', ' ')}`, async () => {
    await expect(holds(naiveLoop(saboteur))).rejects.toThrow(red);
  });
});

describe('a random mix of verdicts', () => {
  const answers = {
    pass: true,
    fail: 'wrong',
    undecided,
    skipped,
    nonsense: 7,
  } as const;
  const kinds = fc.array(fc.constantFrom(...Object.keys(answers)), {
    minLength: 1,
    maxLength: 6,
  }) as fc.Arbitrary<(keyof typeof answers)[]>;

  it('is approved only if all that was asked was decided, and something was judged', async () => {
    await fc.assert(
      fc.asyncProperty(kinds, fc.boolean(), async (mix, minor) => {
        const seen = await engine({
          produce: async () => ({ text: 'a' }),
          retries: 0,
          judges: Object.fromEntries(
            mix.map((kind, index) => [
              `${kind}${index}`,
              { check: () => answers[kind], severity: minor ? 'minor' : 'major' },
            ]),
          ),
        });
        if (seen.approved) {
          expect(mix).toContain('pass');
          expect(mix).not.toContain('undecided');
          expect(mix).not.toContain('nonsense');
          if (!minor) expect(mix).not.toContain('fail');
        }
        if (mix.every((kind) => kind === 'pass' || kind === 'skipped') && mix.includes('pass'))
          expect(seen.approved).toBe(true);
        if (mix.includes('undecided') && !mix.includes('nonsense') && !mix.includes('fail'))
          expect(seen.code).toBe('undecided');
      }),
    );
  });

  it('an undecided assessment has no verdict', () => {
    expect(
      isJudged({ verdict: 'undecided', criterion: 'a', reason: 'r', decidableBy: ['person'] }),
    ).toBe(false);
  });
});
