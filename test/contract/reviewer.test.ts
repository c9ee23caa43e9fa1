import { describe, expect, it } from 'vitest';
import { fromScorer } from '@/adapters/scorers/from-scorer.js';
import { inheritReviewer } from '@/blocks/pipeline/inherit-provider.js';
import { fast } from '@/blocks/pipeline/trust-presets.js';
import { confirm } from '@/blocks/reviewers/confirm.js';
import { criterion } from '@/blocks/reviewers/criterion.js';
import { panel } from '@/blocks/reviewers/panel.js';
import { secondOpinionContext } from '@/blocks/reviewers/second-opinion.js';
import { verified } from '@/blocks/reviewers/verified.js';
import { decorate, deriveContext } from '@/core/decorate-reviewer.js';
import type { Gap } from '@/core/gap.js';
import type { LLMProvider } from '@/core/llm-provider.js';
import type { Reviewer, ReviewerAnswer, ReviewerContext } from '@/core/reviewer.js';
import { watchedReviewer } from '@/faces/cli-kit/watchdog/watchdog.js';
import { silentLogger } from '@/ports/logger.js';
import { calibrate } from '@/products/calibration/calibrate-judges.js';
import type { AgentOutput, AgentRequest } from '@/products/self-review/agent.js';
import { taskChecks } from '@/products/task-review/task-checks.js';
import { fakeReviewerContext, reviewerContract, scriptedProvider } from '@/testing/index.js';
import { reviewerOf } from '../support/reviewer.js';
import { faultsOf } from './faults.js';

const reviewers: Readonly<Record<string, () => Reviewer<unknown, string>>> = {
  'a passing criterion': () => criterion('long', (text: string) => text.length > 1),
  'a failing criterion': () =>
    criterion('titled', (text: string) => text.startsWith('# ') || 'no title'),
  'a criterion that reads a part': () =>
    criterion('short', (text: string) => text.length < 4, { scope: (text) => text.slice(0, 3) }),
  'a criterion that throws': () => criterion('broken', () => JSON.parse('{')),
  'a scorer that returns a list': () =>
    fromScorer(
      async ({ output }: { output: string }) => [
        { key: 'long', score: output.length > 20, comment: 'too short' },
        { key: 'calm', score: 0.9 },
        { key: 'dated', score: null },
      ],
      { id: 'scored', threshold: 0.5, version: '1' },
    ),
  'a scorer that returns no number': () =>
    fromScorer((_: { output: string }) => Number.NaN, {
      id: 'scored',
      threshold: 0.5,
      version: '1',
    }),
};

describe.each(Object.entries(reviewers))(
  '%s keeps the contract of reviewers',
  (_, makeReviewer) => {
    for (const { name, run } of reviewerContract(makeReviewer, {
      task: 'tea',
      output: 'tea is tea',
    }))
      it(name, run);
  },
);

describe('reviewerContract finds reviewers that break it', () => {
  const brokenCases = async (makeReviewer: () => Reviewer<unknown, unknown>): Promise<string> => {
    return (
      await faultsOf(reviewerContract(makeReviewer, { task: 'tea', output: { text: 'tea' } }))
    ).join('\n');
  };
  const answering = (answer: ReviewerAnswer): Reviewer<unknown, unknown> =>
    reviewerOf('r', async () => answer);
  const judged = { criterion: 'c', explanation: '', gaps: [] };

  it.each([
    ['nothing', [], /at least one assessment/],
    ['a score above 1', [{ ...judged, verdict: 'pass', score: 7 }], /was refused/],
    [
      'a pass with a score of 0',
      [{ ...judged, verdict: 'pass', score: 0 }],
      /passed with a score of 0/,
    ],
    ['a fail without a gap', [{ ...judged, verdict: 'fail', score: 0 }], /failed without a gap/],
    [
      'one criterion twice',
      [1, 2].map(() => ({ verdict: 'skipped' as const, criterion: 'c', reason: 'why' })),
      /assessed once/,
    ],
  ] satisfies [string, ReviewerAnswer, RegExp][])(
    'one that answers %s',
    async (_, answer, message) => {
      expect(await brokenCases(() => answering(answer))).toMatch(message);
    },
  );

  it('one that changes what it reviews', async () => {
    const vandal: Reviewer<unknown, unknown> = {
      ...answering([]),
      review: async ({ output }) => [
        {
          ...judged,
          verdict: 'skipped',
          reason: String(Object.assign(Object(output), { text: 'mine' })),
        },
      ],
    };
    expect(await brokenCases(() => vandal)).toMatch(/read only/);
  });

  it('one whose identity differs from time to time', async () => {
    let made = 0;
    expect(
      await brokenCases(() => ({
        ...answering([{ ...judged, verdict: 'pass', score: 1 }]),
        version: String(made++),
      })),
    ).toMatch(/id, version and tier/);
  });
});

type FileReviewer = Reviewer<AgentRequest, AgentOutput>;
type Members = { readonly [Name in keyof Required<FileReviewer>]: unknown };

const provider: LLMProvider = { ...scriptedProvider([]), id: 'judge' };
const output = { result: 'tea', artifacts: [] } as unknown as AgentOutput;
const task = { context: { task: { id: 't' } } } as AgentRequest;
const gap: Gap = {
  id: 'g',
  severity: 'major',
  category: 'quality',
  description: 'bitter',
  suggestedFix: 'sugar',
  estimatedEffort: 'small',
  autoFixable: true,
};

/** A reviewer with every member there is. Whom it gave its context is in `seen`. */
function fullReviewer(seen: ReviewerContext[] = []): FileReviewer {
  const members: { readonly [Name in keyof Required<FileReviewer>]: FileReviewer[Name] } = {
    id: 'full',
    version: '1',
    tier: 'model',
    reuse: 'run',
    scope: ({ output: { result } }) => result,
    after: ['first'],
    fix: (fixed, { suggestedFix }) => ({ ...fixed, result: suggestedFix }),
    checksFindings: true,
    countsEdits: true,
    severity: 'minor',
    grading: { bar: 0.7, version: 'graded', decide: (assessment) => assessment },
    withProvider: () => reboundReviewer(seen),
    asks: { provider, asking: (_, { whole = false } = {}) => reboundReviewer(seen, whole) },
    review: async (_, context) => {
      seen.push(context);
      return [{ verdict: 'pass', criterion: 'full', score: 1, explanation: '', gaps: [] }];
    },
  };
  return members;
}

/** What `withProvider` and `asking` return. They do not know `after`, which only a spread sets. */
function reboundReviewer(seen: ReviewerContext[], whole = false): FileReviewer {
  const { after, scope, ...rest } = fullReviewer(seen);
  return {
    ...rest,
    scope: whole ? undefined : scope,
    withProvider: () => reboundReviewer(seen, whole),
    asks: { provider, asking: (_, how = {}) => reboundReviewer(seen, how.whole ?? whole) },
  };
}

/** The members of a reviewer as values that can be compared; functions by what they return. */
function membersOf(reviewer: FileReviewer): Members {
  const { id, version, tier, reuse, after, checksFindings, countsEdits, severity } = reviewer;
  return {
    id,
    version,
    tier,
    reuse,
    after,
    checksFindings,
    countsEdits,
    severity,
    grading: reviewer.grading?.version,
    scope: reviewer.scope?.({ task, output }),
    fix: reviewer.fix?.(output, gap, { task, signal: new AbortController().signal }),
    withProvider: typeof reviewer.withProvider,
    asks: reviewer.asks?.provider?.id,
    review: typeof reviewer.review,
  };
}

interface Wrapper {
  readonly wrap: (reviewer: FileReviewer) => FileReviewer | undefined;
  /** What the wrapper replaces on purpose, each with its reason. Everything else must stay. */
  readonly replaced: Partial<Members>;
  /** Whether what it returns has its provider for good. @default false */
  readonly bound?: true;
}

const unwatched = { begin: () => {}, end: () => {} };
const trusting = { provider, confirmWith: undefined, logger: silentLogger };
const itsOwnVersion = expect.not.stringMatching(/^1$/) as unknown;

const wrappers: Readonly<Record<string, Wrapper>> = {
  'decorate without a tag': {
    wrap: (reviewer) => decorate(reviewer, { tag: undefined }),
    replaced: {},
  },
  'decorate with a tag': {
    wrap: (reviewer) => decorate(reviewer, { tag: 'test' }),
    replaced: { version: itsOwnVersion, grading: undefined },
  },
  watchedReviewer: { wrap: (reviewer) => watchedReviewer(reviewer, unwatched), replaced: {} },
  verified: {
    wrap: (reviewer) => verified(reviewer),
    replaced: { version: itsOwnVersion, grading: undefined },
  },
  'verified, of one that checks no findings': {
    wrap: (reviewer) => verified({ ...reviewer, checksFindings: undefined }),
    replaced: { version: itsOwnVersion, grading: undefined },
  },
  confirm: {
    wrap: (reviewer) => confirm({ reviewers: [reviewer] })[0],
    replaced: {
      id: 'confirm:full',
      version: itsOwnVersion,
      grading: undefined,
      tier: 'confirm',
      // it reads the whole version
      scope: undefined,
      // `after` names reviewers of the same tier
      after: undefined,
    },
  },
  'panel of one': {
    wrap: (reviewer) => panel([reviewer], { toEdit: 2 }),
    replaced: {
      version: itsOwnVersion,
      grading: undefined,
      // a list with the view of every member
      scope: ['tea'],
      // nobody knows which member's gap it is
      fix: undefined,
      // it has no single model
      asks: undefined,
    },
  },
  'a pipeline without trust': {
    wrap: (reviewer) => inheritReviewer(reviewer, trusting.provider),
    replaced: {},
    bound: true,
  },
  'a pipeline with trust': {
    wrap: (reviewer) =>
      fast
        .reviewers([{ ...reviewer, checksFindings: undefined, withProvider: undefined }], trusting)
        .at(0),
    replaced: {
      version: itsOwnVersion,
      grading: undefined,
      withProvider: 'undefined',
      // its judges take turns, so it has no single model
      asks: undefined,
    },
    bound: true,
  },
};

describe.each(Object.entries(wrappers))('%s', (_, { wrap, replaced, bound = false }) => {
  const wrapped = (reviewer = fullReviewer()): FileReviewer => {
    const made = wrap(reviewer);
    if (made === undefined) throw new Error('the wrapper returned nothing');
    return made;
  };

  it('keeps every member that it does not replace on purpose [R2-049]', () => {
    expect(membersOf(wrapped())).toEqual({ ...membersOf(fullReviewer()), ...replaced });
  });

  if (bound) return;
  it('keeps them after withProvider and asking', () => {
    const members = { ...membersOf(fullReviewer()), ...replaced };
    const { withProvider, asks } = wrapped();
    const rebound = withProvider?.(provider);
    expect(rebound && membersOf(rebound)).toEqual(members);
    const other = asks?.asking(provider);
    if (asks !== undefined) expect(other && membersOf(other)).toEqual(members);
  });
});

it('decorate keeps the members of a class', () => {
  class ClassReviewer {
    readonly #sugar = 'sugar';
    readonly id = 'full';
    readonly version = '1';
    readonly tier = 'model';
    get after(): string[] {
      return ['first'];
    }
    fix(fixed: AgentOutput): AgentOutput {
      return { ...fixed, result: this.#sugar };
    }
    review = async () => [];
  }
  const made = decorate<AgentRequest, AgentOutput>(new ClassReviewer(), { tag: 'test' });
  expect(made.after).toEqual(['first']);
  expect(made.fix?.(output, gap, { task, signal: AbortSignal.abort() })).toMatchObject({
    result: 'sugar',
  });
});

type ContextMember = keyof ReviewerContext;

const contextMembers = Object.keys({
  signal: true,
  step: true,
  runId: true,
  iteration: true,
  reportUsage: true,
  budget: true,
  previous: true,
  best: true,
  check: true,
  nonce: true,
  ask: true,
  join: true,
} satisfies Record<ContextMember, true>) as ContextMember[];

/** The context that a wrapper shows to its reviewer. */
async function shownBy(
  wrap: (reviewer: FileReviewer) => FileReviewer | undefined,
  context: ReviewerContext,
): Promise<ReviewerContext | undefined> {
  const seen: ReviewerContext[] = [];
  await wrap(fullReviewer(seen))?.review({ task, output, iteration: 1 }, context);
  return seen[0];
}

interface Derivation {
  readonly derive: (context: ReviewerContext) => Promise<ReviewerContext | undefined>;
  /** What it replaces on purpose. Everything else must stay. */
  readonly replaced: readonly ContextMember[];
}

const ownCalls = ['step', 'check', 'ask', 'nonce'] as const;

const derivations: Readonly<Record<string, Derivation>> = {
  'deriveContext without changes': {
    derive: async (context) => deriveContext(context, {}),
    replaced: [],
  },
  'deriveContext with a change': {
    derive: async (context) => deriveContext(context, { best: undefined }),
    replaced: ['best'],
  },
  secondOpinionContext: {
    derive: async (context) => secondOpinionContext(context, 'opinion2'),
    replaced: [...ownCalls, 'previous', 'best'],
  },
  'verified, the first time': {
    derive: (context) => shownBy((reviewer) => verified(reviewer), context),
    replaced: [],
  },
  confirm: {
    derive: (context) => shownBy((reviewer) => confirm({ reviewers: [reviewer] })[0], context),
    replaced: [...ownCalls, 'previous', 'best'],
  },
  'panel, the first time': {
    derive: (context) => shownBy((reviewer) => panel([{ ...reviewer, scope: undefined }]), context),
    replaced: ownCalls,
  },
  watchedReviewer: {
    derive: (context) => shownBy((reviewer) => watchedReviewer(reviewer, unwatched), context),
    replaced: ['step', 'check'],
  },
  taskChecks: {
    derive: async (context) => {
      const seen: ReviewerContext[] = [];
      const tests = { ...fullReviewer(seen), scope: undefined } as never;
      const board = { put: () => {}, get: () => ({}) } as never;
      await taskChecks({
        tests,
        lint: undefined,
        checkOutputs: board,
        readChange: (() => {}) as never,
      }).review(
        {
          task: {} as never,
          output: { failure: undefined, change: { files: ['a'] } } as never,
          iteration: 1,
        },
        context,
      );
      return seen[0];
    },
    replaced: ['step', 'check'],
  },
};

describe.each(Object.entries(derivations))('the context of %s', (_, { derive, replaced }) => {
  it('has every member, and only what it replaces on purpose differs', async () => {
    const outer = new ClassContext();
    const derived = await derive(outer);
    const changed = contextMembers.filter((name) => derived?.[name] !== outer[name]);
    expect(changed.sort()).toEqual([...replaced].sort());
    expect(derived && contextMembers.filter((name) => !(name in derived))).toEqual([]);
  });

  it('reads a getter whenever it is used', async () => {
    const outer = new ClassContext();
    const derived = await derive(outer);
    outer.current = new AbortController().signal;
    expect(derived?.signal).toBe(outer.current);
  });
});

it('calibrate judges alone what follows another reviewer in its pipeline', async () => {
  const { withProvider, asks, ...judge } = fullReviewer();
  const { notes: _, ...calibration } = await calibrate(judge, [
    { task, output, label: 'pass' },
    { task, output: { ...output, result: 'coffee' }, label: 'fail' },
  ]);
  expect(calibration).toMatchObject({ judge: { id: 'full' } });
});

/** A context like the engine's: getters on a prototype that read private members. */
class ClassContext {
  readonly #context = fakeReviewerContext({ best: { iteration: 1, output } });
  current = this.#context.signal;

  get signal() {
    return this.current;
  }
  get step() {
    return this.#context.step;
  }
  get runId() {
    return this.#context.runId;
  }
  get iteration() {
    return this.#context.iteration;
  }
  get reportUsage() {
    return this.#context.reportUsage;
  }
  get budget() {
    return this.#context.budget;
  }
  get previous() {
    return this.#context.previous;
  }
  get best() {
    return this.#context.best;
  }
  get check() {
    return this.#context.check;
  }
  get nonce() {
    return this.#context.nonce;
  }
  get ask() {
    return this.#context.ask;
  }
  get join() {
    return this.#context.join;
  }
}
