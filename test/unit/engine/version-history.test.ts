import { describe, expect, it } from 'vitest';
import { htmlCriteria } from '@/blocks/criteria/html/html-criteria.js';
import { requirementCoverage } from '@/blocks/reviewers/requirement-coverage.js';
import type { Artifacts } from '@/core/artifact.js';
import { closedGaps } from '@/engine/parent-gaps.js';
import { allPass } from '@/engine/policies/all-pass.js';
import { undecidedReviewOf } from '@/engine/undecided-review.js';
import {
  type Assessment,
  criterion,
  definePipeline,
  type Evidence,
  escalateOver,
  firstOf,
  type Gap,
  gap,
  memoryVerdicts,
  noProgress,
  type PipelineOptions,
  type Policy,
  type Reviewer,
  ReviewLoopError,
  thresholds,
} from '@/index.js';
import { fakeClock } from '@/testing/index.js';
import { throwing } from '../../support/throwing.js';
import {
  failed,
  failing,
  lettersOf,
  passed,
  passing,
  pipelineOf,
  reviewer,
  undecided,
  untilNoGap,
  working,
} from './support.js';

it('a version with a critical gap loses against one with more, but minor gaps [R2-051]', async () => {
  const without = (word: string, severity: 'critical' | 'minor') => ({
    severity,
    check: (text: string) => !text.includes(word) || `${word} is wrong`,
  });
  const minor = without('incomplete', 'minor');
  const outcome = await pipelineOf({
    produce: async () => 'secret, complete',
    address: async () => 'incomplete',
    criteria: { leak: without('secret', 'critical'), a: minor, b: minor, c: minor },
    budget: { reviews: 2 },
  }).run('write');
  expect(outcome.reviews.map(({ scores }) => scores.quality)).toEqual([0.75, 0.25]);
  expect(outcome.output).toBe('incomplete');
  expect(outcome.review).toBe(outcome.reviews[1]);
});

it('a version that fails less wins where a criterion of the worse one no longer applies [R3-026]', async () => {
  const page = (body: string) => ({
    artifacts: [{ type: 'html', path: 'a.html', content: `<!doctype html><html>${body}</html>` }],
  });
  const versions = [
    page('<p>Rye<img src="gone.png"><label>x</label><input>'),
    page('<head><title>Bread</title></head><p>Rye<label>x</label><input>'),
    page('<head><title>Bread</title></head><p>Rye'),
  ];
  const next = versions.slice(1);
  const outcome = await definePipeline<string, Artifacts>({
    produce: async () => versions[0] ?? page(''),
    address: async () => next.shift() ?? page(''),
    reviewers: htmlCriteria(),
    policy: allPass(),
    budget: { reviews: 3 },
  }).run('a page about bread');
  const [first, second] = outcome.reviews;
  expect(outcome.reviews.map(({ parent }) => parent)).toEqual([
    undefined,
    first?.version,
    second?.version,
  ]);
  expect(outcome.output).toEqual(versions[2]);
  expect(outcome.review).toBe(outcome.reviews[2]);
});

it('the reason of a run is about the version that it returns [R3-031]', async () => {
  const texts = ['a', 'abc', 'a bc', 'b'];
  const run = async (policy: Policy, extra: object = {}) => {
    const next = texts.slice(1);
    return pipelineOf({
      produce: async () => texts[0] ?? '',
      address: async () => next.shift() ?? '',
      criteria: lettersOf('abcd'),
      policy,
      ...extra,
    }).run('write');
  };
  const used = await run(thresholds(), { budget: { reviews: 4 } });
  expect(used).toMatchObject({ code: 'iterations', output: 'abc' });
  expect(used.review?.gaps).toHaveLength(1);
  expect(used.reason).toMatch(/: 1 critical or major gap$/);
  const same = await run(thresholds(), {
    budget: { reviews: 5 },
    address: async (text: string) => (text === 'a' ? 'abc' : text === 'abc' ? 'b' : text),
  });
  expect(same.output).toBe('abc');
  expect(same.reason).toMatch(/: 1 critical or major gap$/);
  const stopped = await run(
    firstOf(escalateOver({ score: 0.75, fromIteration: 3 }), thresholds()),
    { budget: { reviews: 5 }, address: async (text: string) => (text === 'a' ? 'abc' : 'b') },
  );
  expect(stopped).toMatchObject({ status: 'escalated', output: 'abc' });
  expect(stopped.reason).toMatch(/\(in review 3; the version of review 2 is returned\)$/);
});

it('the gaps of a version are compared with those of the version that it was made of, which need not be the best', async () => {
  const texts = ['-', 'a'];
  const outcome = await pipelineOf({
    produce: async () => 'b',
    address: async () => texts.shift() ?? 'ab',
    criteria: lettersOf('ab'),
    policy: untilNoGap,
  }).run('task');
  expect(
    outcome.reviews.map(({ gaps, fixed }) => [
      gaps.map(({ criterionId, lifecycle }) => `${criterionId} ${lifecycle}`),
      fixed.map(({ criterionId }) => criterionId),
    ]),
  ).toEqual([
    [['a new'], []],
    [['a persisting', 'b new'], []],
    [['b persisting'], ['a']],
  ]);
});

it('a policy is told who judges: id, version and tier of each, and no more', async () => {
  const judges: Evidence['judges'][] = [];
  const policy: Policy = (evidence) => {
    judges.push(evidence.judges);
    return { kind: 'approve', reason: 'fine' };
  };
  await pipelineOf({
    reviewers: [passing('one', { version: '3' }), passing('two', { tier: 'confirm' })],
    policy,
  }).run('task');
  expect(judges.at(-1)).toEqual([
    { id: 'one', version: '3', tier: 'code' },
    { id: 'two', version: '1', tier: 'confirm' },
  ]);
  expect(Object.isFrozen(judges.at(-1)?.[0])).toBe(true);
});

it('the part of a version that a judge reads cannot be changed by the judge', async () => {
  let frozen: boolean | undefined;
  const review: Reviewer<unknown, string>['review'] = async ({ output }) => {
    frozen = Object.isFrozen(output);
    return [passed('part')];
  };
  const scope = () => ({ part: [1] }) as never;
  await pipelineOf({ reviewers: [reviewer('part', review, { scope })] }).run('task');
  expect(frozen).toBe(true);
});

const errored = (criterion: string): Assessment => ({
  ...{ verdict: 'errored', criterion, error: new ReviewLoopError('timeout', 'too late') },
});

const skipped = (criterion: string): Assessment => ({
  ...{ verdict: 'skipped', criterion, reason: 'n/a' },
});

const reply = (reviewer: string, ...assessments: readonly Assessment[]) => ({
  ...{ reviewer, assessments, proposal: undefined, view: '', reused: false, usage: {} },
});

const old = (more: Partial<Gap> = {}): Gap => ({
  ...gap('wrong'),
  ...{ id: 'gap-1', criterionId: 'tone', raisedBy: 'judge', lifecycle: 'new' },
  ...more,
});

const na = (criterion: string): Assessment => ({
  ...{ verdict: 'skipped', criterion, reason: 'n/a', notApplicable: true },
});

type Reply = ReturnType<typeof reply>;

const became = (gaps: readonly Gap[], answers: readonly Reply[], now: readonly Gap[] = []) => {
  const assessments = answers.flatMap((one) => one.assessments);
  const { fixed, closed } = closedGaps(gaps, { now, answers, assessments });
  return {
    fixed: fixed.map(({ id }) => id),
    ...Object.fromEntries(closed.map(({ id, lifecycle }) => [id, lifecycle])),
  };
};

const none = { fixed: [] };

describe('a gap of the parent version that is not raised again', () => {
  it('is fixed if its criterion was judged', () => {
    for (const verdict of [passed('tone'), failed('tone')]) {
      const answers = [reply('judge', verdict, errored('other'))];
      expect(became([old()], answers)).toEqual({ fixed: ['gap-1'] });
    }
  });

  it('is gone if code says that its criterion no longer applies, and unknown without an answer [R3-027]', () => {
    for (const [verdict, lifecycle] of [
      [na('tone'), 'gone'],
      [skipped('tone'), 'unknown'],
      [errored('tone'), 'unknown'],
      [undecided('tone'), 'unknown'],
    ] as const)
      expect(became([old()], [reply('judge', verdict, passed('other'))])).toEqual({
        ...none,
        'gap-1': lifecycle,
      });
  });

  it('follows its judge if nobody assessed its criterion', () => {
    const answers = [reply('other', errored('other')), reply('judge', passed('colour'))];
    expect(became([old()], answers)).toEqual({ fixed: ['gap-1'] });
    for (const all of [
      [reply('judge', passed('colour'), errored('size'))],
      [reply('other', passed('other'))],
      [],
    ])
      expect(became([old()], all)).toEqual({ ...none, 'gap-1': 'unknown' });
    const unsigned = old({ criterionId: undefined, raisedBy: undefined });
    expect(became([unsigned], [reply('judge', passed('colour'))])).toMatchObject({
      'gap-1': 'unknown',
    });
  });
});

describe('a gap of the parent version', () => {
  it('that is raised again, disputed or waived is neither fixed nor closed', () => {
    const answers = [reply('judge', passed('tone'))];
    expect(became([old()], answers, [old()])).toEqual(none);
    expect(became([old({ standing: 'disputed' })], answers)).toEqual(none);
    expect(became([old({ standing: 'waived' })], answers)).toEqual(none);
    expect(became([old({ standing: 'confirmed' })], answers).fixed).toEqual(['gap-1']);
  });

  it('does not hide the others', () => {
    const gaps = [old(), old({ id: 'gap-2', criterionId: 'size' }), old({ id: 'gap-3' })];
    const answers = [reply('judge', passed('tone'), errored('size'))];
    expect(became(gaps, answers, [old()])).toEqual({ 'gap-2': 'unknown', fixed: ['gap-3'] });
  });

  it('is nothing where there is no parent', () => {
    expect(closedGaps(undefined, { now: [old()], answers: [], assessments: [] })).toEqual({
      fixed: [],
      closed: [],
    });
  });
});

/** A run over these texts; `tone` fails what is loud, and says nothing of what has no letter. */
const run = async (texts: readonly string[], tier: 'code' | 'model', reviews = texts.length) => {
  const next = texts.slice(1);
  const outcome = await pipelineOf({
    produce: async () => texts[0] ?? '',
    address: async () => next.shift() ?? '',
    budget: { reviews },
    policy: noProgress(thresholds(), { unfixed: 1 }),
    reviewers: [
      criterion<string>(
        'tone',
        (text) => {
          if (!/[a-z]/i.test(text))
            return { passed: true, score: 1, details: '', skipped: 'no word' };
          return text !== text.toUpperCase() || 'it is loud';
        },
        { tier },
      ),
      criterion<string>('short', (text) => text.length < 9 || 'it is long', { severity: 'minor' }),
    ],
  }).run('write');
  return {
    ...outcome,
    lives: outcome.reviews.map(({ gaps, fixed, closed = [] }) =>
      [...gaps, ...fixed, ...closed].map(({ lifecycle }) => lifecycle).join(),
    ),
  };
};

describe('a review has only gaps of its own version [R3-027]', () => {
  it('what is gone closes its gap by a check of code, and the better version is returned', async () => {
    const { status, lives, output } = await run(['LOUD', '1234'], 'code');
    expect([status, output]).toEqual(['approved', '1234']);
    expect(lives).toEqual(['new', 'gone']);
  });

  it('a model that abstains on its own gap closes nothing: the question is open', async () => {
    const { status, code, lives, reviews } = await run(['LOUD', '1234'], 'model');
    expect([status, code]).toEqual(['inconclusive', 'undecided']);
    expect(lives).toEqual(['new', 'unknown']);
    expect(reviews[1]?.assessments).toContainEqual(
      expect.objectContaining({ verdict: 'undecided', criterion: 'tone' }),
    );
  });
});

it('a review with fewer answers than reviewers is not complete, whatever the answers say', () => {
  const [a, b] = [reviewer('a', async () => []), reviewer('b', async () => [])];
  const judged = (...ids: readonly string[]) =>
    undecidedReviewOf(
      {
        definition: { reviewers: [a, b], weights: {}, clock: fakeClock() },
        version: { iteration: 1, digest: 'd', output: 'x' },
        run: { ledger: { ofReview: {} } },
      } as never,
      { parent: undefined, seen: new Set(), decisionIf: () => ({}) as never },
      ids.map((id) => reply(id, passed(id))),
      [],
      { at: 0 },
    ).complete;
  expect(judged('a')).toBe(false);
  expect(judged('a', 'b')).toBe(true);
});

const reviewsOf = async (options: PipelineOptions<string, string>) =>
  (await definePipeline<string, string>(options).run('task')).reviews;

describe('the review of a version', () => {
  it('gives each assessment its own gaps, and lists them all by severity', async () => {
    const [review] = await reviewsOf({
      produce: async () => 'x',
      reviewers: [
        reviewer('small', async () => [failed('small', 'a comma', { severity: 'minor' })]),
        passing('fine'),
        reviewer('large', async () => [
          failed('large', 'a hole', { severity: 'critical' }),
          failed('middle', 'a dent', { severity: 'major' }),
        ]),
      ],
    });
    const own = review?.assessments.map((one) =>
      'gaps' in one ? one.gaps.map(({ description }) => description) : undefined,
    );
    expect(own).toEqual([['a comma'], [], ['a hole'], ['a dent']]);
    const all = review?.gaps.map(({ description }) => description);
    expect(all).toEqual(['a hole', 'a dent', 'a comma']);
    const ids = review?.assessments.flatMap((one) => ('gaps' in one ? one.gaps : []));
    expect(new Set(ids?.map(({ id }) => id)).size).toBe(3);
    expect(review?.gaps).toEqual(expect.arrayContaining(ids ?? []));
  });

  it('gives no gaps to what nobody judged', async () => {
    const final = { retryable: false };
    const [review] = await reviewsOf({
      produce: async () => 'x',
      reviewers: [
        reviewer('broken', throwing(new ReviewLoopError('reviewer_threw', 'down', final))),
        reviewer('away', async () => [{ verdict: 'skipped', criterion: 'away', reason: 'n/a' }]),
      ],
    });
    expect(review?.assessments.map((one) => [one.verdict, 'gaps' in one])).toEqual([
      ['errored', false],
      ['skipped', false],
    ]);
  });

  it('names its parent and what was reused, and neither where there is none', async () => {
    const options: PipelineOptions<string, string> = {
      produce: async () => 'x',
      address: async () => 'x!',
      reviewers: [
        criterion<string>('loud', (text) => text.endsWith('!'), { version: '1' }),
        passing('short', { scope: () => 'the same' }),
      ],
      verdicts: memoryVerdicts(),
    };
    const [first, second] = await reviewsOf(options);
    expect(first).not.toHaveProperty('parent');
    expect(first).not.toHaveProperty('reused');
    expect(second).toMatchObject({ parent: first?.version, reused: { verdicts: 1, saved: {} } });
  });

  it('says when it began and how long it took, also if the clock is set back', async () => {
    for (const [ms, durationMs] of [
      [300, 300],
      [-300, 0],
    ] as const) {
      let offset = 0;
      const clock = fakeClock(Date.UTC(2026, 0, 1));
      const [review] = await reviewsOf({
        produce: async () => 'x',
        reviewers: [working('a', () => (offset = ms))],
        clock: { ...clock, now: () => clock.now() + offset },
      });
      expect(review).toMatchObject({ at: '2026-01-01T00:00:00.000Z', durationMs });
    }
  });

  it('is incomplete where a judge was passed over, also after an empty version', async () => {
    let asked = 0;
    const reviews = await reviewsOf({
      produce: async () => '',
      address: async () => 'words',
      reviewers: [failing('code'), working('model', () => (asked += 1), { tier: 'model' })],
      budget: { reviews: 2 },
    });
    expect(reviews.map(({ complete }) => complete)).toEqual([false, false]);
    expect(asked).toBe(0);
  });
});

const text = 'It must not shout';

/** A check that reports a place, and decides a requirement by it. */
const quiet = criterion<string, string>(
  'quiet',
  (output) => ({
    passed: !output.includes('!'),
    score: 0,
    details: 'it shouts',
    findings: [{ description: 'it shouts', severity: 'minor', file: 'a.txt', line: 1 }],
  }),
  {
    severity: 'minor',
    decides: async (requirement, output) =>
      requirement !== text
        ? undefined
        : {
            satisfied: !output.includes('!'),
            explanation: 'it shouts',
            evidence: [{ file: 'a.txt', line: 1, quote: '!', share: 1 }],
          },
  },
);

const coverage = (decided: boolean): Reviewer<string, string> =>
  requirementCoverage<string, string>({
    extractRequirements: async () => [text],
    checkRequirementCovered: async (requirement) => ({
      requirement,
      source: 'explicit',
      covered: false,
      state: 'uncovered',
      coverageDetails: 'no word of it',
      confidence: 1,
    }),
    ...(decided && { deciders: [{ id: 'quiet', version: '1', decides: quiet.decides as never }] }),
  });

const reviewed = (more: Partial<PipelineOptions<string, string>>) =>
  pipelineOf(more).review('task', 'Tea!');

describe('a check that decides a requirement and reports the place', () => {
  it('gives one gap for both, which names the requirement and is as severe as it', async () => {
    const other = criterion<string, string>('other', () => true);
    const review = await reviewed({ reviewers: [other, quiet, coverage(true)] });
    expect(review.gaps).toMatchObject([
      {
        criterionId: 'quiet',
        affectedRequirement: text,
        severity: 'major',
        location: { file: 'a.txt', line: 1 },
      },
    ]);
    const [, check, requirement] = review.assessments;
    expect(check).toMatchObject({ verdict: 'fail', gaps: [review.gaps[0]] });
    expect(requirement).toMatchObject({ verdict: 'fail', gaps: [review.gaps[0]] });
  });

  it('gives two where words decided the requirement', async () => {
    const review = await reviewed({ reviewers: [quiet, coverage(false)] });
    expect(review.gaps).toHaveLength(2);
    expect(review.gaps.find(({ criterionId }) => criterionId === 'quiet')).not.toHaveProperty(
      'affectedRequirement',
    );
  });
});
