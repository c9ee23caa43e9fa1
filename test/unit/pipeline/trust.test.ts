import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  BaseAgent,
  confirm,
  criterion,
  definePipeline,
  type LLMProvider,
  llmCriteria,
  llmCriterion,
  type Outcome,
  type PipelineOptions,
  type Reviewer,
  SelfReviewLoop,
  textOutput,
  thresholds,
  verified,
} from '../../../src/index.js';
import { autonomous, fast, guarded } from '../../../src/pipeline/trust-presets.js';
import { type ScriptedProvider, scriptedProvider } from '../../../src/testing/index.js';
import { checklistJudge, type Fault } from '../../support/checklist-judge.js';

const faults: readonly Fault[] = [
  { question: /explain/, found: /oolong/, reason: 'oolong is not explained' },
  { question: /polite/, found: /damn/, reason: 'rude' },
];
const judgeOf = (id: string, sees: readonly Fault[] = faults) => checklistJudge(sees, { id });
const questions = [
  { id: 'clear', question: 'Does it explain every term?' },
  { id: 'polite', question: 'Is it polite?' },
  { id: 'short', question: 'Is it short?' },
] as const;
const mend = async (text: string): Promise<string> =>
  text.replace('oolong', 'tea').replace('damn', 'nice');

interface Ran {
  readonly outcome: Outcome<string>;
  /** Calls of the judge, and of who looks again and confirms. */
  readonly calls: readonly [number, number];
}

async function ran(
  text: string,
  options: Partial<PipelineOptions<string, string>>,
  [judge, other]: readonly ScriptedProvider[] = [judgeOf('judge'), judgeOf('other')],
): Promise<Ran> {
  const outcome = await definePipeline<string, string>({
    produce: async () => text,
    address: mend,
    reviewers: llmCriteria<string, string>(questions),
    provider: judge!,
    ...(options.trust && { confirmWith: other! }),
    retries: 0,
    ...options,
  }).run('tea');
  return { outcome, calls: [judge!.requests.length, other!.requests.length] };
}

const trusts = [fast, guarded, autonomous];

/** What docs/trust.md says: judge calls for 3 questions. */
const costs = [
  // a clean first version: 3 of the judge, and 3 of each confirming judge
  { text: 'tea', trust: undefined, calls: [3, 0] },
  { text: 'tea', trust: fast, calls: [3, 3] },
  { text: 'tea', trust: guarded, calls: [3, 3] },
  { text: 'tea', trust: autonomous, calls: [3, 6] },
  // one fault: another look at it, one fix, and the clean version
  { text: 'oolong', trust: undefined, calls: [6, 0] },
  { text: 'oolong', trust: fast, calls: [6, 4] },
  { text: 'oolong', trust: guarded, calls: [6, 4] },
  { text: 'oolong', trust: autonomous, calls: [6, 7] },
  // two faults
  { text: 'damn oolong', trust: fast, calls: [6, 5] },
  { text: 'damn oolong', trust: guarded, calls: [6, 5] },
  { text: 'damn oolong', trust: autonomous, calls: [6, 8] },
] as const;

describe('trust', () => {
  it('costs the judge calls that docs/trust.md names', async () => {
    for (const { text, trust, calls } of costs) {
      const result = await ran(text, trust === undefined ? {} : { trust });
      expect({ text, trust, calls: result.calls, status: result.outcome.status }).toEqual({
        text,
        trust,
        calls,
        status: 'approved',
      });
    }
  });

  it('fast, guarded and autonomous escalate what is disputed, or ask; nothing of it is edited', async () => {
    for (const trust of trusts) {
      let addressed = 0;
      const address = async (text: string): Promise<string> => {
        addressed += 1;
        return `${text}.`;
      };
      const { outcome, calls } = await ran('oolong', { trust, address }, [
        judgeOf('judge'),
        judgeOf('blind', []),
      ]);
      expect({ trust, addressed, calls }).toEqual({
        trust,
        addressed: 0,
        calls: trust === guarded ? [3, 5] : [3, 2],
      });
      expect(outcome.status).toBe(trust === guarded ? 'suspended' : 'escalated');
      if (outcome.status === 'suspended')
        expect(outcome.requests[0]).toMatchObject({
          allowed: ['override', 'revise', 'reject'],
          question: expect.stringContaining('Judges disagree') as string,
        });
    }
  });

  it('one dissent of a confirming judge blocks: fast and autonomous edit it, guarded only what a second opinion confirms', async () => {
    const providers = () => [judgeOf('blind', []), judgeOf('other')];
    const byFast = await ran('oolong', { trust: fast }, providers());
    expect(byFast.outcome).toMatchObject({ status: 'approved', output: 'tea' });
    expect(byFast.calls).toEqual([6, 6]);
    const byAutonomous = await ran('oolong', { trust: autonomous }, providers());
    expect(byAutonomous.outcome).toMatchObject({ status: 'approved', output: 'tea' });
    expect(byAutonomous.calls).toEqual([6, 12]);
    const byGuarded = await ran('oolong', { trust: guarded }, providers());
    expect(byGuarded.outcome).toMatchObject({ status: 'approved', output: 'tea' });
    expect(byGuarded.calls).toEqual([6, 7]);
    // the confirming judge and its second look are of two models that do not agree
    const split = await ran(
      'oolong',
      { trust: guarded, confirmWith: [alternating('oolong'), judgeOf('blind', [])] },
      providers(),
    );
    expect(split.outcome.status).toBe('suspended');
  });

  it('goes on from the version that got to the confirming judges, however many dissents that brought it', async () => {
    const handed: string[] = [];
    const { outcome } = await ran(
      'damn oolong',
      {
        trust: autonomous,
        address: async (text, gaps) => {
          handed.push(gaps.map(({ criterionId = '' }) => criterionId).join(' '));
          return gaps.some(({ criterionId }) => criterionId === 'clear')
            ? text.replace('oolong', 'tea')
            : text.replace('damn', 'nice');
        },
      },
      [
        judgeOf('judge', [faults[0]!]),
        checklistJudge([{ question: /./, found: /damn/, reason: 'rude' }, ...faults.slice(0, 1)], {
          id: 'other',
        }),
      ],
    );
    expect(handed).toEqual([
      'clear',
      'confirm:clear:1 confirm:polite:1 confirm:short:1 confirm:clear:2 confirm:polite:2 confirm:short:2',
    ]);
    expect(outcome).toMatchObject({ status: 'approved', output: 'nice tea' });
  });

  it('never approves anything in a total outage of the judges, whatever the preset', async () => {
    const down = (id: string) => scriptedProvider(() => new Error('outage'), { id });
    for (const trust of trusts) {
      for (const providers of [
        [down('judge'), down('other')],
        [judgeOf('judge'), down('other')],
      ]) {
        const { outcome } = await ran('tea', { trust, retries: 1 }, providers);
        expect({ trust, status: outcome.status, output: outcome.output }).toEqual({
          trust,
          status: 'inconclusive',
          output: 'tea',
        });
      }
    }
  });

  it('sets the number of reviews, and what is given beside it wins', async () => {
    const stubborn = (options: Partial<PipelineOptions<string, string>>) => {
      let round = 0;
      return ran('x', {
        produce: async () => 'a0',
        address: async () => `a${++round}`,
        reviewers: [
          criterion<string, string>('growing', (text) => ({
            passed: false,
            score: Number(text.slice(1)) / 10,
            details: `only ${text}`,
          })),
        ],
        ...options,
      });
    };
    const reviews = async (options: Partial<PipelineOptions<string, string>>) =>
      (await stubborn(options)).outcome.reviews.length;
    expect(await reviews({})).toBe(3);
    expect(await reviews({ trust: fast })).toBe(4);
    expect(await reviews({ trust: guarded })).toBe(4);
    expect(await reviews({ trust: autonomous })).toBe(6);
    expect(await reviews({ trust: autonomous, budget: { reviews: 2 } })).toBe(2);
    const { outcome } = await stubborn({
      trust: autonomous,
      policy: () => ({ kind: 'stop', status: 'rejected', code: 'mine', reason: 'r' }),
    });
    expect(outcome.code).toBe('mine');
    const last = await stubborn({
      trust: autonomous,
      ranking: () => true,
      budget: { reviews: 2 },
    });
    expect(last.outcome.output).toBe('a1');
  });

  it('keeps confirming judges and checked reviewers of the pipeline as they are', async () => {
    const [judge, other, mine] = [judgeOf('judge'), judgeOf('other'), judgeOf('mine')];
    const clear = llmCriterion<string, string>({
      id: 'clear',
      question: 'Does it explain every term?',
    });
    const reviewers = [
      verified(clear, { confirmWith: mine }),
      ...confirm({ reviewers: [clear], providers: [mine] }),
    ];
    const { outcome } = await ran('oolong', { trust: autonomous, reviewers }, [judge, other]);
    expect(outcome.status).toBe('approved');
    expect([judge.requests.length, mine.requests.length, other.requests.length]).toEqual([2, 2, 0]);
  });

  it('protects checks by code under guarded and autonomous, not under fast', async () => {
    const drafts = (trust: (typeof trusts)[number]) => {
      const texts = ['safe', 'a b c', 'x'];
      return ran('', {
        trust,
        produce: async () => texts.shift() ?? '',
        address: async () => texts.shift() ?? '',
        reviewers: ['safe', 'a', 'b', 'c', 'zz'].map((word) =>
          criterion<string, string>(word, (text) => text.split(' ').includes(word)),
        ),
        budget: { reviews: 2 },
      });
    };
    expect((await drafts(fast)).outcome.output).toBe('a b c');
    expect((await drafts(guarded)).outcome.output).toBe('safe');
    expect((await drafts(autonomous)).outcome.output).toBe('safe');
  });

  it('warns where a judge is confirmed by itself, and changes nothing where no model is asked', async () => {
    const warned: unknown[] = [];
    const logger = {
      info: () => {},
      warn: (fields: object) => void warned.push(fields),
      error: () => {},
      debug: () => {},
    };
    const judge = judgeOf('judge');
    definePipeline<string, string>({
      reviewers: [llmCriterion({ id: 'clear', question: 'Does it explain?' })],
      provider: judge,
      trust: fast,
      logger,
    });
    expect(warned).toEqual([{ reviewers: ['clear'] }]);
    definePipeline<string, string>({
      reviewers: [llmCriterion({ id: 'clear', question: 'Does it explain?' })],
      provider: judge,
      confirmWith: judgeOf('other'),
      trust: fast,
      logger,
    });
    definePipeline<string, string>({ criteria: { a: () => true }, trust: autonomous, logger });
    expect(warned).toHaveLength(1);
  });

  it('an unknown preset, and what cannot be confirmed, are errors', () => {
    const options = { criteria: { a: () => true } };
    for (const trust of ['paranoid', 'fast', '', 1, null, {}])
      expect(() => definePipeline({ ...options, trust: trust as never })).toThrow(
        'expected `trust` to be one of `fast`, `guarded` and `autonomous`',
      );
    expect(() => definePipeline({ ...options, confirmWith: judgeOf('other') })).toThrow(
      'left out without `trust`',
    );
    expect(() => definePipeline({ ...options, trust: fast, confirmWith: [] })).toThrow(
      'confirmWith',
    );
    expect(() =>
      definePipeline({ ...options, trust: fast, confirmWith: {} as LLMProvider }),
    ).toThrow('provider');
    const own: Reviewer<string, string> = {
      id: 'own',
      version: '1',
      tier: 'model',
      review: async () => [],
    };
    expect(() => definePipeline<string, string>({ reviewers: [own], trust: fast })).toThrow(
      'the questions of own cannot be put to a confirming judge',
    );
    expect(() =>
      definePipeline<string, string>({
        reviewers: [own, ...confirm<string, string>({ providers: [judgeOf('other')] })],
        trust: fast,
      }),
    ).not.toThrow();
  });

  it('is taken by SelfReviewLoop and BaseAgent, where maxIterations wins', async () => {
    const clear = llmCriterion<AgentOutput, AgentRequest>({
      id: 'clear',
      question: 'Does it explain every term?',
    });
    const [judge, other] = [judgeOf('judge'), judgeOf('other')];
    const loop = new SelfReviewLoop<AgentOutput, AgentRequest>(
      [clear],
      {},
      { provider: judge, confirmWith: other, trust: autonomous },
    );
    const better = async () => textOutput('tea');
    const { outcome } = await loop.execute(
      agentRequest('tea'),
      async () => textOutput('oolong'),
      better,
    );
    expect(outcome.status).toBe('approved');
    expect([judge.requests.length, other.requests.length]).toEqual([2, 3]);
    let round = 0;
    const growing = async () => textOutput(`oolong${++round}`);
    const stubborn = async (config: object) =>
      (
        await new SelfReviewLoop(
          [
            criterion('c', () => ({
              passed: false,
              score: 0.7 + ++round / 100,
              details: `no ${round}`,
            })),
          ],
          config,
          { trust: autonomous },
        ).execute(agentRequest('t'), growing, growing)
      ).outcome.reviews.length;
    expect(await stubborn({})).toBe(6);
    expect(await stubborn({ maxIterations: 2 })).toBe(2);
    class Agent extends BaseAgent {
      protected override readonly trust = fast;
      protected override readonly provider = judgeOf('judge');
      protected override readonly confirmWith = other;
      protected async produce(): Promise<AgentOutput> {
        return textOutput('tea');
      }
      protected getReviewCriteria(): AgentReviewCriteria {
        return {
          agentId: 'a',
          criteria: [clear],
          extractRequirements: async () => [],
          checkRequirementCovered: async () =>
            ({ requirement: '', covered: true, coverageDetails: '', confidence: 1 }) as never,
        };
      }
    }
    const asked = other.requests.length;
    expect((await new Agent().run(agentRequest('tea'))).status).toBe('approved');
    expect(other.requests.length - asked).toBe(1);
    expect(
      () => new SelfReviewLoop([clear], {}, { provider: judge, trust: 'brave' as never }),
    ).toThrow('trust');
  });

  it('leaves thresholds of a given policy alone', async () => {
    const { outcome } = await ran('oolong', { trust: guarded, policy: thresholds() }, [
      judgeOf('judge'),
      judgeOf('blind', []),
    ]);
    expect(outcome).toMatchObject({ status: 'escalated', code: 'disputed' });
  });
});

/** Sees the fault when it is asked for the first time, and never again. */
function alternating(word: string): LLMProvider {
  const [sees, blind] = [
    checklistJudge([{ question: /explain/, found: new RegExp(word), reason: 'once' }]),
    checklistJudge([]),
  ];
  let seen = false;
  return scriptedProvider(
    async (request) => {
      if (seen || !request.messages[1]?.content.includes('explain')) return blind.generate(request);
      seen = true;
      return sees.generate(request);
    },
    { id: 'alternating' },
  );
}
