import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromScorer, type Scorer } from '@/adapters/scorers/from-scorer.js';
import type { ScorerSubject } from '@/adapters/scorers/scorer-options.js';
import { describeFramework } from '../support/frameworks.js';
import { judgeService } from '../support/judge-service.js';
import { cancelledRun, verdictsBy } from '../support/scorer-verdicts.js';

interface Question {
  readonly text: string;
  readonly answer: string;
}
type Subject = ScorerSubject<Question, string>;
type AnyScorer = Scorer<object>;

const question: Question = { text: 'The capital of France', answer: 'Paris' };
const about = { id: 'judge', threshold: 0.6, version: '1' };
const expectedArgs = ({ task, output }: Subject) => ({ output, expected: task.answer });

describeFramework('scorers', (framework) => {
  const service = judgeService();
  let autoevals: Record<string, AnyScorer>;
  let openevals: Record<string, (options?: object) => AnyScorer>;
  let judge: object;

  beforeAll(async () => {
    await service.listen();
    autoevals = (await framework.load('autoevals')) as typeof autoevals;
    openevals = (await framework.load('openevals')) as typeof openevals;
    const { OpenAI } = (await framework.load('openai')) as {
      OpenAI: new (options: object) => object;
    };
    judge = new OpenAI({ apiKey: 'none', baseURL: service.url(), maxRetries: 0 });
  });
  afterAll(service.close);

  it('the example compiles with the types of autoevals and openevals', () => {
    expect(framework.typeErrors(['examples/frameworks/scorers.ts'])).toBe('');
  });

  it('the example runs', async () => {
    expect(await framework.run('examples/frameworks/scorers.ts')).toMatchObject({
      err: '',
      out: [
        'approved Paris',
        ' close: pass',
        ' factual: pass',
        ' kind: pass',
        'tokens: unknown',
        'answers 0 1 critical or major gap, overall score 0.60 is below 0.80; [major] close: score 0.00 is below 0.50',
        'exact: 1',
        '',
      ].join('\n'),
      code: 0,
    });
  });

  describe('autoevals', () => {
    const levenshtein = (args: (subject: Subject) => object = expectedArgs) =>
      fromScorer(named<AnyScorer>(autoevals, 'Levenshtein'), { ...about, args });
    const factuality = () =>
      fromScorer(named<AnyScorer>(autoevals, 'Factuality'), {
        ...about,
        args: (subject: Subject) => ({
          ...expectedArgs(subject),
          input: subject.task.text,
          model: 'judge',
          client: judge,
        }),
      });
    const templated = (choiceScores: object) => {
      const make = autoevals['LLMClassifierFromTemplate'] as unknown as (o: object) => AnyScorer;
      const promptTemplate = 'Is {{output}} right?';
      return fromScorer(make({ name: 'T', promptTemplate, choiceScores, model: 'judge' }), {
        ...about,
        args: (subject: Subject) => ({ ...expectedArgs(subject), client: judge }),
      });
    };

    it('a string scorer passes and fails by the threshold', async () => {
      expect(await verdictsBy(levenshtein(), question, 'Paris')).toEqual([
        'judge: pass: score 1.00',
      ]);
      expect(await verdictsBy(levenshtein(), question, 'Lyon')).toEqual([
        'judge: fail: score 0.00 is below 0.60',
      ]);
      const exact = fromScorer(named<AnyScorer>(autoevals, 'ExactMatch'), {
        ...about,
        args: expectedArgs,
      });
      expect(await verdictsBy(exact, question, 'Paris')).toEqual(['judge: pass: score 1.00']);
      expect(await verdictsBy(exact, question, 'paris')).toMatchObject([
        expect.stringMatching(/^judge: fail/),
      ]);
    });

    it('a judge passes and fails with its rationale', async () => {
      void service.answers({ choice: 'C', reasons: 'They agree.' });
      expect(await verdictsBy(factuality(), question, 'Paris')).toEqual([
        'judge: pass: They agree. (score 1.00)',
      ]);
      void service.answers({ choice: 'D', reasons: 'They disagree.' });
      expect(await verdictsBy(factuality(), question, 'Lyon')).toEqual([
        'judge: fail: They disagree. (score 0.00 is below 0.60)',
      ]);
    });

    it('a scorer that abstains is undecided', async () => {
      const make = autoevals['makePartial'] as unknown as (call: () => object) => AnyScorer;
      const abstains = fromScorer(
        make(() => ({ name: 'A', score: null, metadata: { rationale: 'no claim' } })),
        { ...about, args: expectedArgs },
      );
      expect(await verdictsBy(abstains, question, 'Paris')).toEqual(['judge: undecided: no claim']);
    });

    it('a scorer that throws is errored', async () => {
      expect(
        await verdictsBy(
          levenshtein(({ output }) => ({ output })),
          question,
          'x',
        ),
      ).toEqual([
        expect.stringContaining(
          'judge: errored scorer_threw: judge threw: LevenshteinScorer requires an expected value',
        ),
      ]);
      void service.answers(400);
      expect(await verdictsBy(factuality(), question, 'Paris')).toEqual([
        expect.stringMatching(/^judge: errored scorer_threw: judge threw: .*400/),
      ]);
      void service.answers({ choice: 'Z', reasons: 'none' });
      expect(await verdictsBy(factuality(), question, 'Paris')).toEqual([
        expect.stringContaining('errored scorer_threw: judge threw: Unknown score choice Z'),
      ]);
    });

    it('a score out of range is errored', async () => {
      void service.answers({ choice: 'A', reasons: 'seven of ten' });
      expect(await verdictsBy(templated({ A: 7, B: 0 }), question, 'Paris')).toEqual([
        expect.stringContaining('judge: errored scorer_invalid: judge returned a score of 7'),
      ]);
    });

    it('a run is cancelled while its judge is asked', async () => {
      const called = service.answers(undefined);
      const outcome = await cancelledRun(factuality(), {
        task: question,
        output: 'Paris',
        called,
      });
      expect(outcome.status).toBe('cancelled');
    });
  });

  describe('openevals', () => {
    const judged = (options: object = {}) =>
      fromScorer<Question, string>(
        made(openevals, 'createLLMAsJudge', {
          prompt: 'Is this right? {outputs}',
          judge,
          model: 'judge',
          ...options,
        }),
        about,
      );
    const continuous = () => judged({ continuous: true });

    it('a string scorer passes and fails', async () => {
      const exact = fromScorer(named<AnyScorer>(openevals, 'exactMatch'), {
        ...about,
        args: ({ task, output }: Subject) => ({ outputs: output, referenceOutputs: task.answer }),
      });
      expect(await verdictsBy(exact, question, 'Paris')).toEqual(['judge: pass: ']);
      expect(await verdictsBy(exact, question, 'Lyon')).toEqual(['judge: fail: ']);
    });

    it('a judge passes and fails, by a boolean or by the threshold', async () => {
      void service.answers({ score: true, reasoning: 'It is right.' });
      expect(await verdictsBy(judged(), question, 'Paris')).toEqual(['judge: pass: It is right.']);
      void service.answers({ score: false, reasoning: 'It is wrong.' });
      expect(await verdictsBy(judged(), question, 'Lyon')).toEqual(['judge: fail: It is wrong.']);
      void service.answers({ score: 0.4, reasoning: 'Half.' });
      expect(await verdictsBy(continuous(), question, 'Lyon')).toEqual([
        'judge: fail: Half. (score 0.40 is below 0.60)',
      ]);
    });

    it('a list is one criterion for each key', async () => {
      const fields = fromScorer(made(openevals, 'createJsonMatchEvaluator', {}), {
        ...about,
        args: ({ output }: Subject) => ({
          outputs: JSON.parse(output) as object,
          referenceOutputs: { city: 'Paris', country: 'France' },
        }),
      });
      const output = '{"city":"Paris","country":"Italy"}';
      expect(await verdictsBy(fields, question, output)).toEqual([
        'judge/json_match:city: pass: score 1.00',
        'judge/json_match:country: fail: score 0.00 is below 0.60',
      ]);
    });

    it('a judge that gives no score is undecided', async () => {
      void service.answers({ score: null, reasoning: 'It names no city.' });
      expect(await verdictsBy(continuous(), question, 'x')).toEqual([
        'judge: undecided: It names no city.',
      ]);
    });

    it('a judge that throws is errored', async () => {
      void service.answers(400);
      expect(await verdictsBy(judged(), question, 'Paris')).toEqual([
        expect.stringMatching(/^judge: errored scorer_threw: judge threw: .*400/),
      ]);
    });

    it('a score out of range is errored', async () => {
      void service.answers({ score: 7, reasoning: 'seven of ten' });
      expect(await verdictsBy(continuous(), question, 'Paris')).toEqual([
        expect.stringContaining('judge: errored scorer_invalid: judge returned a score of 7'),
      ]);
      void service.answers({ verdict: 'good' });
      expect(await verdictsBy(continuous(), question, 'Paris')).toEqual([
        expect.stringContaining('judge returned a score of undefined'),
      ]);
    });

    it('a run is cancelled while its judge is asked', async () => {
      const called = service.answers(undefined);
      const outcome = await cancelledRun(judged(), {
        task: question,
        output: 'Paris',
        called,
      });
      expect(outcome.status).toBe('cancelled');
    });
  });
});

function named<Value>(module: Readonly<Record<string, unknown>>, name: string): Value {
  const value = module[name];
  if (value === undefined) throw new Error(`the package has no ${name}`);
  return value as Value;
}

function made(module: Readonly<Record<string, unknown>>, name: string, options: object): AnyScorer {
  return named<(options: object) => AnyScorer>(module, name)(options);
}
