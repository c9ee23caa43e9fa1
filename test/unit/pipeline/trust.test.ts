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
} from '@/index.js';
import { autonomous, fast, guarded, onlyAsked } from '@/pipeline/trust.js';
import { type ScriptedProvider, scriptedProvider } from '@/testing/index.js';
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
const clear = llmCriterion<string, string>(questions[0]);
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

/** A logger that collects the fields of warnings. */
const warningLogger = (warned: unknown[]) => ({
  debug: () => {},
  info: () => {},
  warn: (fields: object) => void warned.push(fields),
  error: () => {},
});

const trusts = [fast, guarded, autonomous];

/** What docs/trust.md says: judge calls for 3 questions, of which each reads the whole text. */
const costs = [
  // a clean first version: as many passes of each question as the preset needs
  { text: 'tea', trust: undefined, calls: [3, 0] },
  { text: 'tea', trust: fast, calls: [3, 3] },
  { text: 'tea', trust: guarded, calls: [6, 3] },
  { text: 'tea', trust: autonomous, calls: [6, 6] },
  // one fault: one failure of it, passes of the others, and all passes of the edited text
  { text: 'oolong', trust: undefined, calls: [6, 0] },
  { text: 'oolong', trust: fast, calls: [9, 8] },
  { text: 'oolong', trust: guarded, calls: [14, 8] },
  { text: 'oolong', trust: autonomous, calls: [14, 13] },
  // two faults
  { text: 'damn oolong', trust: fast, calls: [9, 7] },
  { text: 'damn oolong', trust: guarded, calls: [13, 7] },
  { text: 'damn oolong', trust: autonomous, calls: [13, 11] },
] as const;

interface Page {
  readonly title: string;
  readonly body: string;
}

const part = (id: keyof Page, severity?: 'minor') =>
  llmCriterion<Page, string>({
    id,
    question: 'Does it explain every term?',
    scope: (page) => page[id],
    severity,
  });

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

  it('asks only about the edited text again, where each question has a scope', async () => {
    for (const [trust, calls] of [
      [fast, 1 + 2 + 4],
      [guarded, 1 + 3 + 5],
      [autonomous, 1 + 4 + 6],
    ] as const) {
      const [judge, other] = [judgeOf('judge'), judgeOf('other')];
      const outcome = await definePipeline<string, Page>({
        produce: () => ({ title: 'tea', body: 'oolong' }),
        address: (page) => ({ ...page, body: 'tea' }),
        reviewers: [part('title'), part('body')],
        provider: judge,
        confirmWith: other,
        trust,
      }).run('tea');
      expect({ trust, status: outcome.status }).toEqual({ trust, status: 'approved' });
      expect(judge.requests.length + other.requests.length).toBe(calls);
    }
  });

  it('asks once about a minor criterion', async () => {
    const [judge, other] = [judgeOf('judge'), judgeOf('other')];
    await definePipeline<string, Page>({
      reviewers: [part('title', 'minor'), part('body')],
      provider: judge,
      confirmWith: other,
      trust: autonomous,
    }).review('tea', { title: 'tea', body: 'tea' });
    expect([judge.requests.length, other.requests.length]).toEqual([3, 2]);
  });

  it('lets one judge take all turns in fresh contexts, and warns', async () => {
    const judge = judgeOf('judge');
    const warned: unknown[] = [];
    const outcome = await definePipeline<string, string>({
      produce: async () => 'tea',
      reviewers: llmCriteria<string, string>(questions.slice(0, 1)),
      provider: judge,
      confirmWith: [judgeOf('judge')],
      trust: guarded,
      logger: warningLogger(warned),
    }).run('tea');
    expect(outcome.status).toBe('approved');
    expect(warned).toEqual([{ reviewers: ['clear'] }]);
    const nonces = judge.requests.map(({ messages }) => JSON.stringify(messages));
    expect(new Set(nonces).size, 'a cache could have answered').toBe(3);
    expect(outcome.reviews[0]?.assessments[0]).toMatchObject({
      votes: { by: Array.from({ length: 3 }, () => ({ judge: 'judge', passed: true })) },
    });
  });

  it('makes an edit again that changed what it was not told of, in a loop of an agent too', async () => {
    const outputs: Page[] = [
      { title: 'oh', body: 'tea' },
      { title: 'tea', body: 'tea' },
    ];
    const run = async (trust: (typeof trusts)[number] | undefined) => {
      let made = 0;
      const outcome = await definePipeline<string, Page>({
        produce: () => ({ title: 'tea', body: 'oolong' }),
        address: () => outputs[made++] ?? { title: '', body: '' },
        reviewers: [part('title'), part('body')],
        provider: judgeOf('judge'),
        ...(trust && { trust }),
      }).run('tea');
      return { made, title: outcome.output?.title };
    };
    expect(await run(undefined)).toEqual({ made: 1, title: 'oh' });
    for (const trust of trusts) expect(await run(trust)).toEqual({ made: 2, title: 'tea' });
    let made = 0;
    const { outcome } = await new SelfReviewLoop<Page, string>(
      [part('title'), part('body')],
      {},
      { provider: judgeOf('judge'), confirmWith: judgeOf('other'), trust: fast },
    ).execute(
      'tea',
      async () => ({ title: 'tea', body: 'oolong' }),
      async () => outputs[made++] ?? { title: '', body: '' },
    );
    expect({ made, output: outcome.output }).toEqual({ made: 2, output: outputs[1] });
  });

  it('guards an address once, although it is guarded already', async () => {
    let made = 0;
    await definePipeline<string, Page>({
      produce: () => ({ title: 'tea', body: 'oolong' }),
      address: onlyAsked<string, Page>(() => ({ title: `${made++}`, body: 'tea' }), { tries: 2 }),
      reviewers: [part('title'), part('body')],
      provider: judgeOf('judge'),
      confirmWith: judgeOf('other'),
      trust: fast,
      budget: { reviews: 2 },
    }).run('tea');
    expect(made).toBe(2);
  });

  it('escalates what checked reviewers dispute, or asks under guarded; nothing of it is edited', async () => {
    for (const trust of trusts) {
      let addressed = 0;
      const { outcome } = await ran('oolong', {
        trust,
        reviewers: [verified(clear, { confirmWith: judgeOf('blind', []) })],
        address: async (text: string): Promise<string> => {
          addressed += 1;
          return `${text}.`;
        },
      });
      expect({ trust, addressed }).toEqual({ trust, addressed: 0 });
      expect(outcome.status).toBe(trust === guarded ? 'suspended' : 'escalated');
      if (outcome.status === 'suspended')
        expect(outcome.requests[0]).toMatchObject({
          allowed: ['override', 'revise', 'reject'],
          question: expect.stringContaining('Judges disagree') as string,
        });
    }
  });

  it('one failure of any judge blocks, and is edited at once', async () => {
    for (const trust of trusts) {
      const { outcome, calls } = await ran('oolong', { trust, reviewers: [clear] }, [
        judgeOf('blind', []),
        judgeOf('other'),
      ]);
      expect(outcome).toMatchObject({ status: 'approved', output: 'tea' });
      expect(outcome.reviews[0]?.assessments[0]).toMatchObject({
        verdict: 'fail',
        gaps: [{ standing: 'confirmed' }],
        votes: { pass: 1, fail: 1 },
      });
      expect(calls[0] + calls[1]).toBe(2 + trust.passes.edited);
    }
  });

  it('goes on from the version that got to the confirming judges, however many dissents that brought it', async () => {
    const handed: string[] = [];
    const strict = checklistJudge([{ question: /./, found: /damn/, reason: 'rude' }, faults[0]!], {
      id: 'other',
    });
    const { outcome } = await ran(
      'damn oolong',
      {
        trust: autonomous,
        confirmWith: judgeOf('mate', [faults[0]!]),
        reviewers: [
          ...llmCriteria<string, string>(questions),
          ...confirm<string, string>({
            reviewers: llmCriteria<string, string>(questions),
            providers: [strict, strict],
          }),
        ],
        address: async (text, gaps) => {
          handed.push(gaps.map(({ criterionId = '' }) => criterionId).join(' '));
          return gaps.some(({ criterionId }) => criterionId === 'clear')
            ? text.replace('oolong', 'tea')
            : text.replace('damn', 'nice');
        },
      },
      [judgeOf('judge', [faults[0]!]), strict],
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
    expect(await reviews({ trust: fast })).toBe(9);
    expect(await reviews({ trust: guarded })).toBe(9);
    expect(await reviews({ trust: autonomous })).toBe(9);
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
    const reviewers = [
      verified(clear, { confirmWith: mine }),
      ...confirm({ reviewers: [clear], providers: [mine] }),
    ];
    const { outcome } = await ran('oolong', { trust: autonomous, reviewers }, [judge, other]);
    expect(outcome.status).toBe('approved');
    expect([judge.requests.length, mine.requests.length, other.requests.length]).toEqual([2, 2, 0]);
  });

  it('protects checks by code', async () => {
    const drafts = async (trust: (typeof trusts)[number] | undefined) => {
      const texts = ['safe', 'a b c', 'x'];
      const { outcome } = await ran('', {
        ...(trust && { trust }),
        produce: async () => texts.shift() ?? '',
        address: async () => texts.shift() ?? '',
        reviewers: ['safe', 'a', 'b', 'c', 'zz'].map((word) =>
          criterion<string, string>(word, (text) => text.split(' ').includes(word)),
        ),
        budget: { reviews: 2 },
      });
      return outcome.output;
    };
    expect(await drafts(undefined)).toBe('a b c');
    for (const trust of trusts) expect(await drafts(trust)).toBe('safe');
  });

  it('warns of reviewers that cannot take turns, and changes nothing where no model is asked', async () => {
    const warned: unknown[] = [];
    const logger = warningLogger(warned);
    const own: Reviewer<string, string> = {
      id: 'own',
      version: '1',
      tier: 'model',
      review: async () => [],
    };
    const options = { provider: judgeOf('judge'), confirmWith: judgeOf('other'), logger };
    definePipeline<string, string>({ ...options, reviewers: [clear], trust: fast });
    definePipeline<string, string>({
      criteria: { a: () => true },
      trust: autonomous,
      logger,
    });
    expect(warned).toEqual([]);
    definePipeline<string, string>({ ...options, reviewers: [clear, own], trust: fast });
    expect(warned).toEqual([{ reviewers: ['own'] }]);
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
      'the questions of own cannot be put to another judge',
    );
    expect(() =>
      definePipeline<string, string>({
        reviewers: [own, ...confirm<string, string>({ providers: [judgeOf('other')] })],
        trust: fast,
      }),
    ).not.toThrow();
  });

  it('is taken by SelfReviewLoop and BaseAgent, where maxIterations wins', async () => {
    const explained = llmCriterion<AgentOutput, AgentRequest>({
      id: 'clear',
      question: 'Does it explain every term?',
    });
    const [judge, other] = [judgeOf('judge'), judgeOf('other')];
    const loop = new SelfReviewLoop<AgentOutput, AgentRequest>(
      [explained],
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
    // one failure, then six passes of the edited text
    expect([judge.requests.length, other.requests.length]).toEqual([4, 3]);
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
    expect(await stubborn({})).toBe(9);
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
          criteria: [explained],
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
      () => new SelfReviewLoop([explained], {}, { provider: judge, trust: 'brave' as never }),
    ).toThrow('trust');
  });

  it('leaves a given policy alone', async () => {
    const { outcome } = await ran('oolong', {
      trust: guarded,
      policy: thresholds(),
      reviewers: [verified(clear, { confirmWith: judgeOf('blind', []) })],
    });
    expect(outcome).toMatchObject({ status: 'escalated', code: 'disputed' });
  });
});
