import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromScorer } from '@/adapters/scorers/from-scorer.js';
import type { FromScorerOptions, ScorerSubject } from '@/adapters/scorers/scorer-options.js';
import { definePipeline, memoryStore, memoryVerdicts } from '@/index.js';
import { check, fakeClock } from '@/testing/index.js';
import { expectCode } from '../../../support/matchers.js';
import { throwing } from '../../../support/throwing.js';
import { about, answering, assessmentsBy } from './support.js';

describe('an answer of a scorer', () => {
  const is = (name: string, answer: unknown, verdict: string, more: object = {}) =>
    it(name, async () => {
      const [assessment] = await assessmentsBy(answering(answer));
      expect(assessment).toMatchObject({ criterion: 'tone', verdict, ...more });
    });

  is('a score at the threshold', { name: 'x', score: 0.6 }, 'pass', { score: 0.6 });
  is('a score below it', { score: 0.599, metadata: { rationale: ' It shouts. ' } }, 'fail', {
    score: 0.599,
    explanation: 'It shouts. (score 0.599 is below 0.600)',
    gaps: [{ severity: 'major', description: expect.stringContaining('It shouts.') as string }],
  });
  is('true', { key: 'x', score: true, comment: 'kind' }, 'pass', { score: 1 });
  const rude = { score: 0, explanation: 'rude' };
  is('false', { key: 'x', score: false, comment: 'rude' }, 'fail', rude);
  is('a bare number', 0.7, 'pass', { score: 0.7, explanation: 'score 0.70' });
  is('a bare boolean', false, 'fail', { score: 0 });
  is('a reason', { score: 0.8, reason: 'calm' }, 'pass', { explanation: 'calm (score 0.80)' });
  is('null, which abstains', { score: null, metadata: { rationale: 'no text' } }, 'undecided', {
    reason: 'no text',
    decidableBy: ['person'],
  });
  is('a bare null', null, 'undecided', { reason: 'the scorer returned no score' });
  const notScorable = { step: 'preprocess', reason: 'no refund' };
  is('notScorable, where nothing is to judge', { score: undefined, notScorable }, 'skipped', {
    reason: 'no refund',
  });
  is('notScorable without a reason', { notScorable: {} }, 'skipped', {
    reason: 'the scorer had nothing to judge',
  });

  const good = { key: 'a', score: 1 };
  it.each<[string, unknown, string]>([
    ['NaN', { score: Number.NaN }, 'tone returned a score of NaN'],
    ['a score above 1', { score: 7 }, 'tone returned a score of 7'],
    ['a score below 0', { score: -0.1 }, 'tone returned a score of -0.1'],
    ['a bare score above 1', 85, 'tone returned 85'],
    ['a text', '0.9', 'tone returned "0.9"'],
    ['a score as text', { score: '0.9' }, 'tone returned a score of "0.9"'],
    ['nothing', undefined, 'tone returned undefined'],
    ['no score', { name: 'x' }, 'tone returned a score of undefined'],
    ['an empty list', [], 'tone returned an empty list'],
    ['a list without keys', [{ score: 1 }], 'without `key` or `name`'],
    ['a list with one key twice', [good, { ...good, score: 0 }], "two results with the key 'a'"],
    ['a list with one bad result', [good, { key: 'b', score: 2 }], 'tone/b returned a score of 2'],
    ['an error beside a score', { score: 0, error: new Error('no key') }, 'no key'],
    ['an error as text', { score: 0.9, error: 'quota' }, 'reported an error: quota'],
  ])('%s is errored, never a failure', async (_, answer, message) => {
    const [assessment, ...others] = await assessmentsBy(answering(answer));
    expect(others).toEqual([]);
    expect(assessment).toMatchObject({
      verdict: 'errored',
      error: {
        code:
          message.includes('no key') || message.includes('error')
            ? 'scorer_threw'
            : 'scorer_invalid',
        what: expect.stringContaining(message),
        retryable: true,
      },
    });
  });

  it('whatever a scorer returns, only a score from 0 to 1 is a pass or a fail', async () => {
    const scores = fc.oneof(
      fc.double(),
      fc.constantFrom(0, 1, 0.6, null, true, false),
      fc.anything(),
    );
    await fc.assert(
      fc.asyncProperty(scores, async (score) => {
        const [first] = await assessmentsBy(answering({ score }));
        const value = typeof score === 'boolean' ? Number(score) : score;
        // rounding may put a score just outside
        const inRange = typeof value === 'number' && value > -1e-6 && value < 1 + 1e-6;
        const expected = inRange
          ? value >= 0.6
            ? 'pass'
            : 'fail'
          : score === null
            ? 'undecided'
            : 'errored';
        expect(first?.verdict).toBe(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('a list is one criterion for each result, with stable ids', async () => {
    const found = await assessmentsBy(
      answering([
        { key: 'kind', score: true },
        { name: 'short', score: 0.2, comment: 'too long' },
        { key: 'sober', score: null },
      ]),
    );
    expect(found).toMatchObject([
      { criterion: 'tone/kind', verdict: 'pass' },
      {
        criterion: 'tone/short',
        verdict: 'fail',
        gaps: [{ criterionId: 'tone/short', raisedBy: 'tone' }],
      },
      { criterion: 'tone/sober', verdict: 'undecided' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['lacks one', [{ key: 'a', score: 1 }], "no result with the key 'b'"],
    ['has another one', ['a', 'b', 'c'].map((key) => ({ key, score: 1 })), "unknown key 'c'"],
    ['is no list', { key: 'a', score: 1 }, 'no list, although `keys` is set'],
  ])('a list that %s of `keys` is errored', async (_, answer, message) => {
    expect(await assessmentsBy(answering(answer, { keys: ['a', 'b'] }))).toMatchObject([
      { verdict: 'errored', error: { what: expect.stringContaining(message) } },
    ]);
  });

  it('`unscored` decides what an answer without a score is', async () => {
    const verdict = async (answer: unknown, unscored: 'undecided' | 'skipped') =>
      (await assessmentsBy(answering(answer, { unscored })))[0]?.verdict;
    expect(await verdict(null, 'skipped')).toBe('skipped');
    expect(await verdict({ notScorable: {} }, 'undecided')).toBe('undecided');
  });
});

describe('what a result says beside its score [R3-107]', () => {
  class Measured {
    readonly score = 0.95;
    get success() {
      return false;
    }
  }

  it.each<[string, unknown, string]>([
    ['promptfoo', { pass: false, score: 0.9, reason: 'too critical' }, 'fail'],
    [
      'promptfoo, one component',
      { pass: true, score: 0.9, componentResults: [{ pass: true }, { pass: false, score: 0 }] },
      'fail',
    ],
    ['promptfoo, in an evaluation', { score: 1, gradingResult: { pass: false } }, 'fail'],
    ['promptfoo, its grader', { pass: true, score: 1, metadata: { graderError: true } }, 'errored'],
    ['deepeval', { name: 'x', threshold: 0.9, success: false, score: 0.8 }, 'fail'],
    ['deepeval, a test', { score: 1, metricsData: [{ success: false }] }, 'fail'],
    ['deepeval, not run', { success: null, score: 0.8 }, 'undecided'],
    ['deepeval, skipped', { skipped: true, score: 1 }, 'undecided'],
    ['deepeval, failed', { success: true, score: 1, error: 'no key' }, 'errored'],
    ['autoevals', { name: 'x', score: 1, metadata: { error: 'timeout of the judge' } }, 'errored'],
    ['autoevals, no score', { name: 'x', score: null, metadata: { error: 'boom' } }, 'errored'],
    ['braintrust', { name: 'x', score: 1, metadata: { scorer_errors: { x: 'boom' } } }, 'errored'],
    [
      'Mastra, its judge',
      {
        score: 0.9,
        judge: { analyze: { executions: [{ status: 'success' }, { status: 'failed' }] } },
      },
      'fail',
    ],
    ['Mastra, both', { score: 0.9, notScorable: { reason: 'no claim' } }, 'errored'],
    ['a flag for no score', { score: null, notScorable: true }, 'skipped'],
    ['evalite', { name: 'x', score: 0.9, metadata: { passed: false } }, 'fail'],
    ['openevals', { key: 'x', score: true, metadata: { passed: false } }, 'fail'],
    ['langsmith', { key: 'x', score: 1, results: [{ key: 'y', score: null }] }, 'undecided'],
    ['genkit', { score: 1, evaluation: { score: 1, status: 'FAIL' } }, 'fail'],
    ['genkit, unknown', { score: 1, status: 'UNKNOWN' }, 'undecided'],
    ['opik', { name: 'x', value: 1, score: 1, scoringFailed: true }, 'errored'],
    ['LlamaIndex', { score: 1, passing: false }, 'fail'],
    ['names of Python', { score: 1, is_successful: false }, 'fail'],
    ['a class', new Measured(), 'fail'],
    ['a text in place of a boolean', { score: 1, pass: 'false' }, 'errored'],
    ['a no without a score', { score: null, pass: false }, 'fail'],
    ['a yes below the threshold', { score: 0.2, pass: true }, 'fail'],
    ['LangSmith, a label', { score: 0.9, label: 'Fail' }, 'fail'],
    ['Azure', { groundedness: 5, groundedness_result: 'fail', score: 0.9 }, 'fail'],
    ['a guardrail', { score: 1, blocked: true }, 'fail'],
    ['failed assertions', { score: 1, pass: true, failedAssertions: ['x'] }, 'fail'],
    ['Mastra, a step', { score: 1, analyzeStepResult: { error: 'no key' } }, 'errored'],
    // and what says nothing against it
    ['no guardrail', { score: 1, blocked: false, failedCount: 0, label: 'factual' }, 'pass'],
    ['a yes', { score: 1, pass: true, success: true, error: null, errors: [] }, 'pass'],
    ['other booleans', { score: 1, success: true, strictMode: false, cached: false }, 'pass'],
    ['data of the judge', { score: 1, analyzeStepResult: [{ verdict: 'no' }] }, 'pass'],
    ['data beside it', { score: 1, metadata: { status: 'cancelled', meanError: 0.1 } }, 'pass'],
    [
      'a judge that was asked again',
      { score: 1, judge: { a: { executions: [{ status: 'failed' }, { status: 'success' }] } } },
      'pass',
    ],
  ])('is never dropped: %s', async (_, answer, verdict) => {
    const [assessment] = await assessmentsBy(answering(answer));
    expect(assessment).toMatchObject({ verdict });
    const [listed] = await assessmentsBy(answering([Object.create(answer as object, keyed)]));
    expect(listed).toMatchObject({ verdict });
    if (verdict === 'pass') return;
    const unscored = await assessmentsBy(answering(answer, { unscored: 'skipped' }));
    expect(unscored).not.toMatchObject([{ verdict: 'pass' }]);
  });
});

const keyed = { key: { value: 'k', enumerable: true } };

describe('a scorer as a criterion', () => {
  it('receives the names of all libraries, and gives an object its `this`', async () => {
    const seen: unknown[] = [];
    const scorer = {
      bar: 0.9,
      async run(args: { input: string; output: string }) {
        seen.push(args);
        return { score: this.bar };
      },
    };
    expect(await assessmentsBy(fromScorer(scorer, about))).toMatchObject([{ score: 0.9 }]);
    expect(seen).toEqual([{ input: 'tea', output: '# Tea', inputs: 'tea', outputs: '# Tea' }]);
  });

  it('receives what `args` makes of task, output and signal', async () => {
    const scorer = async ({ expected, signal }: { expected: string; signal: AbortSignal }) =>
      expected === 'tea of # Tea' && !signal.aborted;
    const judge = fromScorer(scorer, {
      ...about,
      args: ({ task, output, signal }: ScorerSubject<string, string>) => ({
        expected: `${task} of ${output}`,
        signal,
      }),
    });
    expect(await assessmentsBy(judge)).toMatchObject([{ verdict: 'pass' }]);
  });

  const lacksKey = throwing('no key');
  it.each([
    ['throws', lacksKey],
    ['rejects', async () => lacksKey()],
  ])('that %s is errored, and asked again', async (_, fails) => {
    let asked = 0;
    const judge = fromScorer(() => {
      asked += 1;
      return asked === 1 ? fails() : 1;
    }, about);
    expect(await assessmentsBy(judge, { retries: 1 })).toMatchObject([{ verdict: 'pass' }]);
    asked = 0;
    expect(await assessmentsBy(judge)).toMatchObject([
      { verdict: 'errored', error: { code: 'scorer_threw', what: 'tone threw: no key' } },
    ]);
  });

  /** A scorer that never answers, after whose call something happens, and its signal. */
  const hanging = (then: () => void) => {
    const signals: AbortSignal[] = [];
    const judge = fromScorer(
      async (given: AbortSignal) => {
        signals.push(given);
        setImmediate(then);
        return new Promise<never>(() => {});
      },
      { ...about, args: (subject: ScorerSubject<string, string>) => subject.signal },
    );
    return { judge, signals };
  };

  it('has the timeout of checks, and its signal is aborted', async () => {
    const clock = fakeClock();
    const { judge, signals } = hanging(() => clock.advance(100));
    const found = await assessmentsBy(judge, { clock, timeouts: { checkMs: 50 } });
    expect(found).toMatchObject([{ verdict: 'errored', error: { code: 'timeout' } }]);
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it('is aborted with its run', async () => {
    const stop = new AbortController();
    const { judge, signals } = hanging(() => stop.abort());
    const pipeline = definePipeline({ produce: async (_: string) => '# Tea', reviewers: [judge] });
    expect((await pipeline.run('tea', { signal: stop.signal })).status).toBe('cancelled');
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it('has unknown usage, never 0', async () => {
    const pipeline = definePipeline<string, string>({ reviewers: [answering(1)] });
    expect((await pipeline.review('tea', '# Tea')).usage).toEqual({});
  });

  it('an abstention prevents approval, and a person may decide', async () => {
    const pipeline = definePipeline({
      produce: async (_: string) => '# Tea',
      reviewers: [answering({ score: null }), answering(1, { id: 'other' })],
      store: memoryStore(),
    });
    const outcome = await pipeline.run('tea', { runId: 'tea-1' });
    expect(outcome).toMatchObject({ status: 'inconclusive', code: 'undecided' });
    const decided = await pipeline.decide(
      { runId: outcome.runId, digest: outcome.version ?? '' },
      { by: 'me', decisions: { tone: 'yes' } },
    );
    expect(decided.status).toBe('approved');
  });

  it('verdicts are reused while version, threshold and keys are equal', async () => {
    let asked = 0;
    const verdicts = memoryVerdicts();
    const ask = async (options: Partial<FromScorerOptions>) => {
      const scorer = async () => {
        asked += 1;
        return [{ key: 'a', score: 0.9 }];
      };
      await assessmentsBy(fromScorer(scorer, { ...about, ...options }), { verdicts });
      return asked;
    };
    expect(await ask({})).toBe(1);
    expect(await ask({})).toBe(1);
    expect(await ask({ version: 'model-2/prompt-1' })).toBe(2);
    expect(await ask({ threshold: 0.7 })).toBe(3);
    expect(await ask({ keys: ['a'] })).toBe(4);
    expect(await ask({ unscored: 'skipped' })).toBe(5);
  });

  it('is checked alone by `check`: a list passes if all of it does', async () => {
    expect(await check(answering({ score: 0.9, reason: 'calm' }), '# Tea')).toMatchObject({
      passed: true,
      details: 'calm (score 0.90)',
    });
    const list = (...scores: (number | null)[]) =>
      check(answering(scores.map((score, at) => ({ key: `k${at}`, score }))), '# Tea');
    expect(await list(0.9, 0.7)).toMatchObject({ passed: true, score: 0.7 });
    expect(await list(0.9, 0.2, null)).toMatchObject({
      passed: false,
      score: 0.2,
      findings: [{ description: 'k1: score 0.20 is below 0.60' }],
    });
    expect(await list(0.9, null)).toMatchObject({ undecided: 'the scorer returned no score' });
    await expectCode(check(answering({ score: 3 }), '# Tea'), 'scorer_invalid');
    const skips = answering([
      { key: 'a', notScorable: {} },
      { key: 'b', notScorable: {} },
    ]);
    expect(await check(skips, '# Tea')).toMatchObject({
      skipped: 'a: the scorer had nothing to judge b: the scorer had nothing to judge',
    });
  });
});

describe('misuse of fromScorer', () => {
  const make =
    (options: object, ...given: [scorer?: unknown]) =>
    () =>
      fromScorer(
        (given.length === 0 ? () => 1 : given[0]) as () => number,
        options as FromScorerOptions,
      );

  it.each<[string, object, RegExp]>([
    [
      'no threshold',
      { ...about, threshold: undefined },
      /`threshold of tone` to be a number above 0, at most 1, got undefined/,
    ],
    ['a threshold of 0', { ...about, threshold: 0 }, /`threshold of tone`/],
    ['a threshold above 1', { ...about, threshold: 60 }, /`threshold of tone`.*got 60/],
    ['NaN as threshold', { ...about, threshold: Number.NaN }, /`threshold of tone`/],
    ['no version', { ...about, version: undefined }, /`version of tone`/],
    ['an empty version', { ...about, version: ' ' }, /`version of tone`/],
    ['no id', { ...about, id: '' }, /`id`/],
    ['args that are no function', { ...about, args: {} }, /`args of tone`/],
    ['`min` in place of `threshold`', { ...about, min: 0.5 }, /no option `min`/],
    ['an unknown severity', { ...about, severity: 'bad' }, /`severity of tone`/],
    ['an unknown category', { ...about, category: 'bad' }, /`category of tone`/],
    ['an unknown tier', { ...about, tier: 'bad' }, /`tier of tone`/],
    ['a name that is no text', { ...about, name: 1 }, /`name of tone`/],
    ['unscored as a pass', { ...about, unscored: 'pass' }, /`unscored of tone`/],
    ['keys twice', { ...about, keys: ['a', 'a'] }, /`keys of tone`/],
    ['no keys', { ...about, keys: [] }, /`keys of tone`/],
  ])('%s', (_, options, message) => {
    expect(make(options)).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(make(options)).toThrow(message);
  });

  it.each([[undefined], [null], ['Factuality'], [{ score: 1 }], [Promise.resolve()]])(
    '%s as a scorer',
    (scorer) => {
      expect(make(about, scorer)).toThrow(/the scorer of tone/);
    },
  );
});
