import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJudged } from '@/index.js';
import { type Flaw, naiveLoop } from './naive-loop.js';
import { type Draft, engine, type System } from './system.js';

const result = { passed: false, score: 0, details: '' };
const undecided = { ...result, undecided: 'the output does not tell' };
const skipped = { ...result, skipped: 'nothing of that kind' };

/** What no judge could decide rules approval out, and nothing is edited for its sake. */
async function undecidedNeverApproves(system: System): Promise<void> {
  let addressed = 0;
  const seen = await system({
    produce: async () => ({ text: 'a' }),
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
  const texts = ['critical', 'minor'];
  let next = 0;
  const take = async (): Promise<Draft> => ({ text: texts[Math.min(next++, 1)] ?? '' });
  const minor = (id: string) =>
    [id, { check: ({ text }: Draft) => text !== 'minor', severity: 'minor' as const }] as const;
  const seen = await system({
    produce: take,
    address: take,
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
