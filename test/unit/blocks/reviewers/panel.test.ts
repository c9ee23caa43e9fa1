import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { verdictOn } from '@/blocks/reviewers/judge-answer.js';
import { gather } from '@/blocks/reviewers/llm-criteria.js';
import type { PanelOptions } from '@/blocks/reviewers/panel.js';
import {
  namedContext,
  SecondOpinionVotes,
  secondOpinionContext,
  votesOf,
} from '@/blocks/reviewers/second-opinion.js';
import { isQuoted } from '@/blocks/reviewers/verified.js';
import {
  type Assessment,
  criterion,
  definePipeline,
  isJudged,
  type LLMProvider,
  llmCriterion,
  panel,
  type Reviewer,
  requirementCoverage,
} from '@/index.js';
import { fakeReviewerContext, scriptedProvider } from '@/testing/index.js';
import { checklistJudge } from '../../../support/checklist-judge.js';
import { errorWith } from '../../../support/matchers.js';
import { failed, passed } from '../../engine/support.js';
import { blind, clear } from './support.js';

const strict = (id = 'strict') =>
  checklistJudge([{ question: /explain/, found: /oolong/, reason: 'oolong is not explained' }], {
    id,
  });
const broken = (id = 'broken') => scriptedProvider(() => new Error('outage'), { id });
const scoring = (...scores: readonly number[]): Reviewer<string, string> => {
  let call = 0;
  return {
    id: 'scoring',
    version: '1',
    tier: 'model',
    review: async () => {
      const score = scores[Math.min(call++, scores.length - 1)] ?? 0;
      return [
        {
          verdict: score >= 0.5 ? 'pass' : 'fail',
          criterion: 's',
          score,
          explanation: `scores ${score}`,
          gaps: [],
        },
      ];
    },
  };
};

async function sat(
  providers: readonly LLMProvider[],
  options: PanelOptions = {},
  output = 'oolong is best',
): Promise<Assessment> {
  const reviewer = panel(
    providers.map((provider) => clear(provider)),
    options,
  );
  return (
    await definePipeline<string, string>({ reviewers: [reviewer], retries: 0 }).review(
      'tea',
      output,
    )
  ).assessments[0]!;
}

describe('panel', () => {
  it('goes with the majority, and tells votes and agreement', async () => {
    expect(await sat([blind('a'), blind('b'), strict('c')])).toMatchObject({
      verdict: 'pass',
      criterion: 'clear',
      votes: { pass: 2, fail: 1, failed: 0, agreement: 1 / 3 },
      explanation: '2 of 3 votes pass; agreement 0.33. clear: oolong is not explained',
    });
    const failed = await sat([strict('a'), strict('b'), blind('c')]);
    expect(failed).toMatchObject({ verdict: 'fail', votes: { pass: 1, fail: 2 } });
    expect(isJudged(failed) && failed.gaps).toHaveLength(1);
  });

  it('has failed under quorum, and goes on with a judge less above it', async () => {
    expect(await sat([blind('a'), broken('b'), broken('c')])).toMatchObject({
      verdict: 'errored',
      error: errorWith('quorum_missed', '1 of 3 judges voted, and the quorum is 2'),
    });
  });

  it('lets only what several found be edited, where it is asked to', async () => {
    const gaps = async (providers: readonly LLMProvider[]) => {
      const assessment = await sat(providers, { toEdit: 2, veto: 1 });
      return isJudged(assessment) ? assessment.gaps.map(({ standing }) => standing) : [];
    };
    expect(await gaps([strict('a'), strict('b'), blind('c')])).toEqual(['confirmed']);
    expect(await gaps([strict('a'), blind('b'), blind('c')])).toEqual(['disputed']);
    expect(panel([clear(blind())], { toEdit: 2 }).checksFindings).toBe(true);
  });

  it('asks again near the bar only, and while it is a tie', async () => {
    const asked = async (scores: readonly number[], rounds = 1) => {
      const reviewer = panel([scoring(...scores)], {
        borderline: { bar: 0.7, within: 0.1, rounds },
      });
      const [assessment] = (
        await definePipeline<string, string>({ reviewers: [reviewer] }).review('t', 'o')
      ).assessments;
      return assessment !== undefined && isJudged(assessment) ? assessment.votes : undefined;
    };
    expect(await asked([1])).toMatchObject({ pass: 1, fail: 0 });
    expect(await asked([0.75, 0.65])).toMatchObject({ pass: 2 });
    expect(await asked([0.7, 0.4, 0.6], 3)).toMatchObject({ pass: 2, fail: 1 });
  });

  it('gives each member its own part, its own steps and, in a round more, a new start', async () => {
    const names: string[] = [];
    const context = fakeReviewerContext({
      step: async (name, { schema }, work) => {
        names.push(name);
        return schema.parse(
          await work({ key: name, attempt: 1, signal: new AbortController().signal }),
        );
      },
    });
    const reviewer = panel([clear(blind('a')), clear(strict('b'))], {
      borderline: { bar: 0.5, within: 0.1 },
    });
    await reviewer.review({ task: 'tea', output: 'oolong', iteration: 1 }, context);
    expect(names).toEqual([
      'member1/verdicts',
      'member2/verdicts',
      'member1:again1/verdicts',
      'member2:again1/verdicts',
    ]);
    const scoped = panel([
      llmCriterion<{ a: string; b: string }, string>({
        id: 'x',
        question: 'Does it explain?',
        provider: strict(),
        scope: ({ a }) => a,
      }),
    ]);
    const review = await definePipeline<string, { a: string; b: string }>({
      reviewers: [scoped],
    }).review('tea', { a: 'tea', b: 'oolong' });
    expect(review.assessments[0]?.verdict).toBe('pass');
  });

  it('passes the provider of the pipeline on to members that lack one', async () => {
    const [inherited, own] = [blind('inherited'), strict('own')];
    await definePipeline<string, string>({
      reviewers: [panel([clear(), clear(own)])],
      provider: inherited,
    }).review('tea', 'oolong');
    expect([inherited.requests.length, own.requests.length]).toEqual([1, 1]);
  });
});

const material = [
  { label: 'artifact a.ts', text: 'one\ntwo\nthree' },
  { label: 'artifact b.ts (2)', text: 'three\nfour' },
];

describe('the verdict on a question', () => {
  const verdict = (...entries: readonly object[]) =>
    verdictOn(
      1,
      {
        token: 't',
        answers: entries.map((entry) => ({ question: 1, reason: 'so', answer: 'no', ...entry })),
      } as never,
      material,
    );
  const findings = (...entries: readonly object[]) => {
    const said = verdict(...entries);
    return said.kind === 'no' ? said.findings : said.kind;
  };

  it('has the place of its quote, first in the file that it names', () => {
    expect(findings({ quote: 'three' })).toEqual([
      { description: 'so', file: 'a.ts', line: 3, evidence: 'three' },
    ]);
    for (const file of ['b.ts', 'artifact b.ts (2)'])
      expect(findings({ quote: 'three', file })).toMatchObject([{ file: 'b.ts', line: 1 }]);
    expect(findings({ quote: 'two', file: 'b.ts' })).toMatchObject([{ file: 'a.ts', line: 2 }]);
    expect(findings({ quote: 'two', file: 'c.ts' })).toMatchObject([{ file: 'a.ts', line: 2 }]);
  });

  it('without a quote has the line that the judge names, if the file has it', () => {
    const line = (line: unknown) => findings({ file: 'a.ts', line });
    for (const good of [1, 3])
      expect(line(good)).toEqual([{ description: 'so', file: 'a.ts', line: good }]);
    for (const bad of [0, 4, 1.5, undefined])
      expect(line(bad)).toEqual([{ description: 'so', file: 'a.ts' }]);
    expect(findings({ line: 1 })).toEqual([{ description: 'so' }]);
    expect(findings({ quote: ' ', file: 'c.ts', line: 1 })).toEqual([{ description: 'so' }]);
  });

  it('says what the judge says, and how to mend it', () => {
    const more = { severity: 'minor', suggestedFix: 'mend' };
    expect(findings({ reason: ' ', ...more })).toEqual([{ description: 'no', ...more }]);
    expect(verdict({ reason: 'a' }, { reason: 'b', quote: 'nowhere' })).toMatchObject({
      kind: 'no',
      reason: 'a b',
      dropped: 1,
    });
  });

  it('is open without an answer, with two that differ, and where no quote occurs', () => {
    expect(verdictOn(2, { token: 't', answers: [] }, material)).toEqual({
      kind: 'undecided',
      problem: 'question 2 has no answer',
    });
    expect(verdict({}, { answer: 'yes' })).toMatchObject({
      kind: 'undecided',
      problem: expect.stringContaining('contradict each other: no and yes'),
    });
    expect(verdict({ quote: 'nowhere' })).toMatchObject({ kind: 'undecided' });
    expect(verdict({ answer: 'yes' }, { answer: 'yes' })).toEqual({ kind: 'yes', reason: 'so' });
  });
});

describe('the context of another opinion', () => {
  const told: unknown[] = [];
  const context = {
    ...fakeReviewerContext(),
    previous: [{}] as never,
    best: { iteration: 1, output: 'x' },
    nonce: 'secret',
    step: async (name: string) => void told.push(name),
    check: async (_schema: unknown, _work: unknown, name: string) => void told.push(name),
    ask: async (name: string) => void told.push(name),
  } as never as ReturnType<typeof fakeReviewerContext>;

  it('has names and a nonce of its own, and no history', async () => {
    const other = secondOpinionContext(context, 'opinion2');
    await other.step('s', { input: 1, schema: z.string() }, async () => 'x');
    await other.check(z.string(), () => 'x');
    await other.check(z.string(), () => 'x', 'c');
    await other.ask('q', { question: '?', allowed: ['approve'], gaps: [] });
    expect(told).toEqual(['opinion2/s', 'opinion2/check', 'opinion2/c', 'opinion2/q']);
    expect([other.previous, other.best]).toEqual([[], undefined]);
    const named = namedContext(context, 'member1');
    expect([named.previous, named.best]).toEqual([context.previous, context.best]);
    const nonces = [context, other, named, namedContext(context, 'member2')].map(
      ({ nonce }) => nonce,
    );
    expect(new Set(nonces).size).toBe(4);
    for (const nonce of nonces.slice(1)) expect(nonce).toMatch(/^[\da-f]{32}$/);
    expect(secondOpinionContext(context, 'opinion2').nonce).toBe(other.nonce);
  });
});

describe('votes on findings', () => {
  const rules = {
    reviewer: 'r',
    output: 'tea\n\n\n\n\n\n\nhoney',
    needed: 2,
    byCriterion: false,
    isCredible: () => true,
  };
  const opinion = (...texts: readonly string[]) => texts.map((text) => failed('c', text));
  const standings = (votes: SecondOpinionVotes) =>
    votes.gapsOf('c').map(({ description, standing }) => `${description}: ${standing}`);

  it('confirm what enough opinions contain, and dispute the rest', () => {
    const at = (line: number, evidence: string) => ({ location: { file: 'a', line }, evidence });
    const tea = [failed('c', 'tea is wrong', at(1, 'tea'))];
    const honey = [failed('c', 'honey is too sweet', at(8, 'honey'))];
    const votes = new SecondOpinionVotes(rules, tea);
    expect([...votes.undecided(1)]).toEqual(['c']);
    expect([...votes.undecided(0)]).toEqual([]);
    votes.count(honey);
    expect(standings(votes)).toEqual(['tea is wrong: disputed', 'honey is too sweet: disputed']);
    votes.count(tea);
    expect(standings(votes)).toEqual(['tea is wrong: confirmed', 'honey is too sweet: disputed']);
    expect([...votes.undecided(5)]).toEqual([]);
    expect(votes.gapsOf('other')).toEqual([]);
  });

  it('never confirm what is not credible, and by criterion need no equal place', () => {
    const invented = new SecondOpinionVotes(
      { ...rules, isCredible: () => false },
      opinion('the title is missing'),
    );
    expect([...invented.undecided(5)]).toEqual([]);
    invented.count(opinion('the title is missing'));
    expect(standings(invented)).toEqual(['the title is missing: disputed']);
    const loose = new SecondOpinionVotes({ ...rules, byCriterion: true }, opinion('a title lacks'));
    loose.count([failed('other', 'no sources')]);
    expect(standings(loose)).toEqual(['a title lacks: disputed']);
    loose.count(opinion('no sources are named'));
    expect(standings(loose)).toEqual(['a title lacks: confirmed']);
    loose.count([passed('c')]);
    expect(loose.gapsOf('c')).toHaveLength(1);
  });

  it('are counted, and tell how far they agree', () => {
    const vote = (passed = true) => ({ passed });
    expect(votesOf([vote()], 2)).toEqual({ pass: 1, fail: 0, failed: 2, agreement: 1 });
    expect(votesOf([vote(), vote(), vote(false)], 0)).toMatchObject({
      pass: 2,
      fail: 1,
      agreement: 1 / 3,
    });
  });
});

describe('a quote', () => {
  const quoted = (evidence: string | undefined, output: unknown, more: object = {}, task = 'tea') =>
    isQuoted({ evidence, ...more } as never, { task, output });
  const output = { artifacts: [{ type: 't', path: 'a.ts', content: 'one' }], note: 'two' };

  it('occurs in the file that it names, or anywhere where there is no such file', () => {
    expect([quoted(undefined, 'x'), quoted('  ', 'x')]).toEqual([undefined, undefined]);
    expect([quoted('one', 'one'), quoted('two', 'one')]).toEqual([true, false]);
    expect(quoted('two', output)).toBe(true);
    for (const more of [{ location: { file: 'a.ts' } }, { affectedArtifact: 'a.ts' }])
      expect([quoted('one', output, more), quoted('two', output, more)]).toEqual([true, false]);
    expect(quoted('two', output, { affectedArtifact: 'b.ts' })).toBe(true);
    expect(quoted('"note": "two"', output)).toBe(true);
  });

  it('of the task is no evidence', () => {
    expect(quoted('make tea', { task: 'make tea', text: 'x' }, {}, 'make tea')).toBe(false);
    expect(quoted('make tea', { text: 'make tea' }, {}, 'make tea')).toBe(true);
    expect(quoted('make tea', { task: 'make tea' }, {}, 'other')).toBe(true);
  });
});

it('calls that are gathered are one for each group, and each gets its own result', async () => {
  const made: (readonly number[])[] = [];
  const joined: unknown[] = [];
  const ask = gather<number, string>(async (items) => {
    made.push(items);
    return items.map((item) => `r${item}`);
  });
  const context = {
    join: <Value>(call: Promise<Value>) => {
      joined.push(call);
      return call;
    },
  };
  expect(
    await Promise.all([ask('a', 1, context), ask('b', 2, context), ask('a', 3, context)]),
  ).toEqual(['r1', 'r2', 'r3']);
  expect(new Set(made)).toEqual(new Set([[1, 3], [2]]));
  expect(joined).toHaveLength(1);
  expect(await ask('a', 4, context)).toBe('r4');
  expect(made).toHaveLength(3);
  const short = gather<number, string>(async () => ['one']);
  const both = [short('a', 1, context), short('a', 2, context)];
  await expect(Promise.all(both)).rejects.toThrow('the work returned 1 results');
});

it.each([
  ['severity of c', { severity: 'bad' }],
  ['category of c', { category: 'bad' }],
  ['tier of c', { tier: 'late' }],
  ['decides of c', { decides: 'all' }],
  ['no option `level`', { level: 1 }],
])('criteria are refused with a wrong %s', (named, options) => {
  expect(() => criterion('c', () => true, options as never)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(named) }),
  );
});

it('requirements that a function extracts are judged once each, without white space, and none without words', async () => {
  const asked: string[] = [];
  const coverage = requirementCoverage<string, string>({
    extractRequirements: async () => [' has a title ', 'has a title', ' ', '', 'has an end'],
    checkRequirementCovered: async (requirement: string) => {
      asked.push(requirement);
      return { covered: true, details: '' } as never;
    },
  } as never);
  await definePipeline<string, string>({ reviewers: [coverage], retries: 0 }).review('t', 'x');
  expect(asked).toEqual(['has a title', 'has an end']);
});
