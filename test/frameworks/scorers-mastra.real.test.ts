import { beforeAll, expect, it } from 'vitest';
import { fromScorer, type RunnableScorer } from '@/adapters/scorers/from-scorer.js';
import { describeFramework } from '../support/frameworks.js';
import { cancelledRun, verdictsBy } from '../support/scorer-verdicts.js';

/** The builder of a scorer, as far as these tests use it. */
interface Builder extends RunnableScorer<{ input: string; output: string }> {
  preprocess(step: (context: { run: { output: string } }) => unknown): Builder;
  generateScore(step: (context: { run: { output: string } }) => unknown): Builder;
  generateReason(step: (context: { score: number }) => string): Builder;
}
interface Evals {
  readonly createScorer: (options: object) => Builder;
  readonly notScorable: (reason?: string) => object;
}

const about = { id: 'judge', threshold: 0.6, version: '1' };

describeFramework('mastra', (framework) => {
  let evals: Evals;
  beforeAll(async () => {
    evals = (await framework.load('@mastra/core/evals')) as unknown as Evals;
  });
  const scorer = (): Builder => evals.createScorer({ id: 'length', description: 'by length' });
  const criterionOf = (built: Builder) => fromScorer<string, string>(built, about);
  const scoring = (score: (output: string) => unknown) =>
    criterionOf(scorer().generateScore(({ run }) => score(run.output)));

  it('the example compiles with the types of Mastra', () => {
    expect(framework.typeErrors(['examples/frameworks/scorers-mastra.ts'])).toBe('');
  });

  it('the example runs', async () => {
    expect(await framework.run('examples/frameworks/scorers-mastra.ts')).toEqual({
      err: '',
      out: [
        'approved You get a refund within 5 days.',
        'polite: pass, refunds: fail',
        'polite: pass, refunds: pass',
        'skipped: no refund is promised',
        '',
      ].join('\n'),
      code: 0,
    });
  });

  it('a scorer passes and fails by the threshold, with its reason', async () => {
    const judge = criterionOf(
      scorer()
        .generateScore(({ run }) => run.output.length / 10)
        .generateReason(({ score }) => `${score * 10} letters`),
    );
    expect(await verdictsBy(judge, 'x', 'abcdefgh')).toEqual([
      'judge: pass: 8 letters (score 0.80)',
    ]);
    expect(await verdictsBy(judge, 'x', 'ab')).toEqual([
      'judge: fail: 2 letters (score 0.20 is below 0.60)',
    ]);
  });

  it('a run that is not scorable is skipped', async () => {
    const judge = scoring(() => evals.notScorable('no refund'));
    expect(await verdictsBy(judge, 'x', 'ab')).toEqual(['judge: skipped: no refund']);
  });

  it('a scorer that throws is errored', async () => {
    const judge = scoring(() => {
      throw new Error('no key');
    });
    expect(await verdictsBy(judge, 'x', 'ab')).toEqual([
      expect.stringMatching(/^judge: errored scorer_threw: judge threw: .*no key/),
    ]);
    expect(await verdictsBy(criterionOf(scorer()), 'x', 'ab')).toEqual([
      expect.stringMatching(/^judge: errored scorer_threw: judge threw: /),
    ]);
  });

  it.each([[7], [-1], [Number.NaN]])('a score of %s is errored', async (score) => {
    expect(
      await verdictsBy(
        scoring(() => score),
        'x',
        'ab',
      ),
    ).toEqual([expect.stringMatching(/^judge: errored scorer_(invalid|threw): judge /)]);
  });

  it('a run is cancelled while its scorer works', async () => {
    let begin = (): void => {};
    const called = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const judge = scoring(() => {
      begin();
      return new Promise(() => {});
    });
    const outcome = await cancelledRun(judge, { task: 'x', output: 'ab', called });
    expect(outcome.status).toBe('cancelled');
  });
});
