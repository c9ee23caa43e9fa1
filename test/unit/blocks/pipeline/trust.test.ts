import { describe, expect, it } from 'vitest';
import { onlyAsked } from '@/blocks/address/only-asked.js';
import { autonomous, fast, guarded } from '@/blocks/pipeline/trust-presets.js';
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
import { silentLogger } from '@/ports/logger.js';
import { type ScriptedProvider, scriptedJudge, scriptedProvider } from '@/testing/index.js';
import { checklistJudge, type Fault } from '../../../support/checklist-judge.js';
import { logged, reviewer } from '../../engine/support.js';

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
  /** Calls of each judge. */
  readonly calls: readonly number[];
}

async function ran(
  text: string,
  options: Partial<PipelineOptions<string, string>>,
  judges: readonly ScriptedProvider[] = ['judge', 'other', 'third'].map((id) => judgeOf(id)),
): Promise<Ran> {
  const [judge, ...others] = judges;
  const outcome = await definePipeline<string, string>({
    produce: async () => text,
    address: mend,
    reviewers: llmCriteria<string, string>(questions),
    provider: judge!,
    ...(options.trust && { confirmWith: others }),
    retries: 0,
    ...options,
  }).run('tea');
  return { outcome, calls: judges.map(({ requests }) => requests.length) };
}

const trusts = [fast, guarded, autonomous];

/** What docs/trust.md says: judge calls for 3 questions, of which each reads the whole text. */
const costs = [
  // a clean first version: as many passes of each question as the preset needs
  { text: 'tea', trust: undefined, calls: [3, 0, 0] },
  { text: 'tea', trust: fast, calls: [3, 3, 0] },
  { text: 'tea', trust: guarded, calls: [3, 3, 3] },
  { text: 'tea', trust: autonomous, calls: [3, 3, 3] },
  // one fault: one failure of it, passes of the others, and all passes of the edited text
  { text: 'oolong', trust: undefined, calls: [6, 0, 0] },
  { text: 'oolong', trust: fast, calls: [6, 5, 3] },
  { text: 'oolong', trust: guarded, calls: [6, 5, 5] },
  { text: 'oolong', trust: autonomous, calls: [6, 5, 5] },
  // two faults
  { text: 'damn oolong', trust: fast, calls: [6, 4, 3] },
  { text: 'damn oolong', trust: guarded, calls: [6, 4, 4] },
  { text: 'damn oolong', trust: autonomous, calls: [6, 4, 4] },
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
      expect(result.calls, `${trust?.name}: ${text}`).toEqual(calls);
      expect(result.outcome.status).toBe('approved');
    }
  });

  it('asks only about the edited text again, where each question has a scope', async () => {
    for (const [trust, calls] of [
      [fast, 1 + 2 + 3],
      [guarded, 1 + 3 + 4],
      [autonomous, 1 + 3 + 4],
    ] as const) {
      const judges = ['judge', 'other', 'third', 'fourth'].map((id) => judgeOf(id));
      const [judge, ...confirmWith] = judges;
      const outcome = await definePipeline<string, Page>({
        produce: () => ({ title: 'tea', body: 'oolong' }),
        address: (page) => ({ ...page, body: 'tea' }),
        reviewers: [part('title'), part('body')],
        provider: judge!,
        confirmWith,
        trust,
      }).run('tea');
      expect({ trust, status: outcome.status }).toEqual({ trust, status: 'approved' });
      expect(judges.reduce((sum, { requests }) => sum + requests.length, 0)).toBe(calls);
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
    expect([judge.requests.length, other.requests.length]).toEqual([2, 1]);
  });

  /** The votes on a clean text, by judge, and what was warned of. */
  async function turnsOf(
    trust: (typeof trusts)[number],
    judges: readonly (readonly [family: string, model: string])[],
    more: object = {},
  ) {
    const warned: string[] = [];
    const providers = judges.map(([id, model]) => ({
      ...scriptedJudge({ clear: 'scale' in more ? 9 : 'yes' }, { id }),
      model,
    }));
    const [provider, ...confirmWith] = providers;
    const pipeline = definePipeline<string, string>({
      reviewers: [llmCriterion<string, string>({ ...questions[0], ...more })],
      provider: provider!,
      ...(confirmWith.length > 0 && { confirmWith }),
      trust,
      logger: { ...silentLogger, warn: (_, message) => void warned.push(message) },
    });
    const { assessments } = await pipeline.review('tea', 'tea');
    const votes = assessments[0] !== undefined && 'votes' in assessments[0] && assessments[0].votes;
    const asked = (votes ? (votes.by ?? []) : []).map(({ judge, model }) => `${judge} ${model}`);
    return { asked, warned, assessment: assessments[0] };
  }
  const graded = { scale: 10, passFrom: 7 };
  const [one, two, other, third] = [
    ['a', 'one'],
    ['b', 'two'],
    ['a', 'two'],
    ['c', 'three'],
  ] as const;

  it('is one pass with one judge, says so, and proposes a stricter bar', async () => {
    for (const trust of trusts) {
      const { asked, warned } = await turnsOf(trust, [one, one], graded);
      expect(asked).toEqual(['a one']);
      expect(warned).toEqual([expect.stringMatching(/one pass.*passFrom: 7/) as string]);
      expect(warned[0]).toMatch(/4\.7 %.*same judge makes it 4\.1 %.*another family 3\.3 %/);
    }
  });

  it('asks no judge twice, and warns where a preset needs more judges', async () => {
    const { asked, warned } = await turnsOf(guarded, [one, two, one], graded);
    expect(asked).toEqual(['a one', 'b two']);
    expect(warned).toEqual([expect.stringMatching(/needs 3 judges, and these have 2/) as string]);
    expect((await turnsOf(fast, [one, two])).warned).toEqual([]);
  });

  it('prefers judges of other families, and warns if there is one family only', async () => {
    const models = [one, other, third];
    expect((await turnsOf(fast, models)).asked).toEqual(['a one', 'c three']);
    expect((await turnsOf(guarded, models)).asked).toEqual(['a one', 'c three', 'a two']);
    const { asked, warned } = await turnsOf(fast, [one, other]);
    expect(asked).toEqual(['a one', 'a two']);
    expect(warned).toEqual([expect.stringContaining('one family') as string]);
  });

  it('has a strict bar under autonomous, unless the criterion sets its own', async () => {
    const three = [one, two, third];
    const barOf = async (trust: (typeof trusts)[number], more: object) => {
      const { assessment, warned } = await turnsOf(trust, three, more);
      return [assessment && 'grade' in assessment && assessment.grade?.passFrom, warned.length];
    };
    expect(await barOf(guarded, { scale: 10 })).toEqual([6, 0]);
    expect(await barOf(autonomous, { scale: 10 })).toEqual([7, 0]);
    expect(await barOf(autonomous, { scale: 10, passFrom: 8 })).toEqual([8, 0]);
    expect(await barOf(autonomous, { scale: 10, passFrom: 6 })).toEqual([6, 1]);
    const { warned } = await turnsOf(autonomous, three);
    expect(warned).toEqual([expect.stringContaining('strict bar') as string]);
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
      // the edited text needs the passes of both judges that there are
      expect(calls).toEqual([2, 2]);
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
        expect(outcome, trust.name).toMatchObject({ status: 'inconclusive', output: 'tea' });
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
    const budget = { reviews: 2 };
    const last = await stubborn({ trust: autonomous, ranking: () => true, budget });
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
    const { lines, logger } = logged('warn');
    const own: Reviewer<string, string> = reviewer('own', async () => [], { tier: 'model' });
    const options = { provider: judgeOf('judge'), confirmWith: judgeOf('other'), logger };
    definePipeline<string, string>({ ...options, reviewers: [clear], trust: fast });
    definePipeline<string, string>({ criteria: { a: () => true }, trust: autonomous, logger });
    expect(lines).toEqual([]);
    definePipeline<string, string>({ ...options, reviewers: [clear, own], trust: fast });
    expect(lines).toEqual([{ level: 'warn', reviewers: ['own'] }]);
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
    const own: Reviewer<string, string> = reviewer('own', async () => [], { tier: 'model' });
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
    const explained = llmCriterion<AgentOutput, AgentRequest>(questions[0]);
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
    // one failure, then the passes of both judges
    expect([judge.requests.length, other.requests.length]).toEqual([2, 1]);
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
