import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { ArtifactSchema, artifactsOf } from '@/core/artifact.js';
import { isJudged, isOpenQuestion, isVerdict, VerifiedAssessments } from '@/core/assessment.js';
import { AssessmentSchema, ComparisonSchema, VotesSchema } from '@/core/assessment-schema.js';
import {
  CoverageEvidenceSchema,
  coverageState,
  RequirementCoverageSchema,
} from '@/core/coverage.js';
import { CriterionResultSchema, FindingSchema } from '@/core/criterion.js';
import { isNonEmpty, openQuestions, questionText, undecidedStop } from '@/core/decision.js';
import { ReviewLoopError } from '@/core/errors.js';
import {
  countOf,
  EffortSchema,
  type Gap,
  GapCategorySchema,
  GapSchema,
  gap,
  isOpen,
  severityRank,
} from '@/core/gap.js';
import { HumanAnswerSchema, HumanRequestSchema, isExpired, isOverride } from '@/core/human.js';
import { isProvider, ReliedResultSchema } from '@/core/llm-provider.js';
import { signedGaps } from '@/core/named-gaps.js';
import { partlyShown, passOfWhole, resultOfWhole } from '@/core/partial-view.js';
import { asksNobody, mayAsk } from '@/core/policy.js';
import { checkedAnswer } from '@/core/reviewer-answer.js';
import { addUsage, readUsage, tokensOf, UsageSchema } from '@/core/usage.js';
import { digestWith } from '@/core/version.js';
import { errorWith } from '../../support/matchers.js';

const place = { file: 'a', line: 1, quote: 'q', share: 0.5 };

const coverage = {
  requirement: 'r',
  source: 'explicit',
  covered: true,
  coverageDetails: 'd',
  evidenceLocation: 'a:1',
  confidence: 0.5,
  probability: 0.5,
  decidedBy: 'person',
  state: 'covered',
  evidence: [{ ...place, doubt: 'negated' }],
};

const finding = {
  id: 'g',
  severity: 'major',
  category: 'missing',
  description: 'd',
  suggestedFix: 's',
  estimatedEffort: 'small',
  autoFixable: false,
  affectedRequirement: 'r',
  affectedArtifact: 'a',
  criterionId: 'c',
  raisedBy: 'judge',
  location: { file: 'a', line: 1, endLine: 2 },
  evidence: 'e',
  lifecycle: 'new',
  standing: 'waived',
} as const;

const votes = { pass: 1, fail: 2, failed: 0, agreement: 0.5 };

const comparison = { with: 1, result: 'tie', flipped: true };

const said = {
  criterion: 'c',
  score: 0.5,
  explanation: 'e',
  gaps: [finding],
  category: 'quality',
  coverage,
  votes,
  comparison,
};

const undecided = {
  verdict: 'undecided',
  criterion: 'c',
  reason: 'r',
  question: 'q',
  decidableBy: ['person'],
  mandatory: false,
  coverage,
} as const;

const error = new ReviewLoopError('timeout', 'late');

const result = {
  passed: true,
  score: 0.5,
  details: 'd',
  suggestedFix: 's',
  estimatedEffort: 'large',
  findings: [
    {
      description: 'd',
      file: 'a',
      line: 1,
      endLine: 2,
      evidence: 'e',
      suggestedFix: 's',
      severity: 'minor',
      category: 'incomplete',
      autoFixable: true,
    },
  ],
  skipped: 's',
  undecided: 'u',
  decidableBy: ['model'],
};

const request = {
  id: 'i',
  runId: 'r',
  digest: 'd',
  question: 'q',
  gaps: [finding],
  allowed: ['approve', 'reject', 'revise', 'override', 'skip', 'decide'],
  expiresAt: '2026-01-01',
  undecided: [{ criterion: 'c', question: 'q', reason: 'r' }],
  approved: true,
};

const usage = { inputTokens: 1, outputTokens: 0, cachedInputTokens: 1, totalTokens: 1, costUsd: 0 };

const answered = { text: 't', object: {}, finish: 'stop', usage, model: 'm' };

const [aFinding = {}] = result.findings;
const [by, reason] = ['b', 'r'];

/** A schema, and a whole value with each of its members. */
const shapes: readonly [string, z.ZodType, object][] = [
  ['an artifact', ArtifactSchema, { type: 't', path: 'p', content: 'c' }],
  ['votes', VotesSchema, votes],
  ['a comparison', ComparisonSchema, comparison],
  ['evidence of coverage', CoverageEvidenceSchema, { ...place, doubt: 'planned' }],
  ['a coverage', RequirementCoverageSchema, coverage],
  ['a gap', GapSchema, finding],
  ['a pass', AssessmentSchema, { verdict: 'pass', ...said }],
  ['a fail', AssessmentSchema, { verdict: 'fail', ...said, score: 0 }],
  ['an open question', AssessmentSchema, undecided],
  ['a skipped assessment', AssessmentSchema, { verdict: 'skipped', criterion: 'c', reason }],
  ['an errored assessment', AssessmentSchema, { verdict: 'errored', criterion: 'c', error }],
  ['a finding', FindingSchema, aFinding],
  ['a result', CriterionResultSchema, result],
  ['a question to a person', HumanRequestSchema, request],
  ['an approval', HumanAnswerSchema, { kind: 'approve', by, reason }],
  ['a rejection', HumanAnswerSchema, { kind: 'reject', by, reason }],
  ['a revision', HumanAnswerSchema, { kind: 'revise', by, note: 'n' }],
  ['an override', HumanAnswerSchema, { kind: 'override', by, reason }],
  ['a skip', HumanAnswerSchema, { kind: 'skip', by, reason }],
  ['a decision', HumanAnswerSchema, { kind: 'decide', by, decisions: { c: 'yes' }, reason }],
  ['a usage', UsageSchema, usage],
  ['a result of a model', ReliedResultSchema, answered],
];
const wholeOf = new Map(shapes.map(([name, schema, whole]) => [name, { schema, whole }]));
const counts = [-1, 0.5];
const share = [-0.1, 1.1];
const blank = ['', ' '];

/** Values of the right type that are outside of what a member may have. */
const outside: readonly [string, string, readonly unknown[]][] = [
  ['votes', 'pass fail failed', counts],
  ['votes', 'agreement', share],
  ['a comparison', 'with', [0, 1.5]],
  ['a comparison', 'result', ['equal']],
  ['evidence of coverage', 'line', [0, 1.5]],
  ['evidence of coverage', 'share', share],
  ['a coverage', 'confidence probability', share],
  ['a coverage', 'source state', ['guessed']],
  ['a coverage', 'evidence', [[{}]]],
  ['a gap', 'severity category estimatedEffort lifecycle standing', ['bad']],
  ['a gap', 'location', [{}, { file: 'a', line: 0 }, { file: 'a', endLine: 0 }, { line: 1.5 }]],
  ['a pass', 'score', [0, 1.1]],
  ['a pass', 'gaps', [[{}]]],
  ['a pass', 'coverage votes comparison', [{}]],
  ['a fail', 'score', share],
  ['an open question', 'reason question', ['']],
  ['an open question', 'decidableBy', [['']]],
  ['a skipped assessment', 'reason', ['']],
  ['an errored assessment', 'error', [{}, new Error('e')]],
  ['a finding', 'description', ['']],
  ['a finding', 'line endLine', [0, 1.5]],
  ['a result', 'score', share],
  ['a result', 'skipped undecided', ['']],
  ['a result', 'findings decidableBy', [[{}]]],
  ['a question to a person', 'gaps undecided', [[{}]]],
  ['a question to a person', 'allowed', [['agree']]],
  ['an approval', 'by reason', blank],
  ['a rejection', 'by reason', blank],
  ['a revision', 'by note', [...blank, undefined]],
  ['an override', 'by reason', [...blank, undefined]],
  ['a skip', 'by reason', blank],
  ['a decision', 'by reason', blank],
  ['a decision', 'decisions', [{}, { c: 'maybe' }, undefined]],
  ['a usage', Object.keys(usage).join(' '), [-1]],
  ['a result of a model', 'finish', ['done']],
  ['a result of a model', 'usage', [{ inputTokens: -1 }, undefined]],
];

describe('shapes of data', () => {
  it.each(shapes)('%s is taken whole, and each wrong member is refused', (_, schema, whole) => {
    expect(schema.parse(whole)).toEqual(whole);
    // an object of a model is what the service parsed
    for (const member of Object.keys(whole).filter((key) => key !== 'object'))
      expect(schema.safeParse({ ...whole, [member]: () => 1 }).success, member).toBe(false);
  });

  it.each(outside)('%s refuses in %s: %j', (name, members, values) => {
    const { schema, whole } = wholeOf.get(name) ?? {};
    for (const member of members.split(' '))
      for (const value of values)
        expect(schema?.safeParse({ ...whole, [member]: value }).success, member).toBe(false);
  });

  const memberOf = (schema: z.ZodType, name: string) =>
    (schema as never as { shape: Readonly<Record<string, z.ZodType>> }).shape[name];
  it.each([
    ['categories', GapCategorySchema, 'missing incorrect incomplete quality'],
    ['efforts', EffortSchema, 'trivial small medium large'],
    ['lifecycles', memberOf(GapSchema, 'lifecycle'), 'new persisting fixed regressed gone unknown'],
    ['standings', memberOf(GapSchema, 'standing'), 'unchecked confirmed disputed waived'],
    ['results of a comparison', memberOf(ComparisonSchema, 'result'), 'better worse tie'],
    ['sources', memberOf(RequirementCoverageSchema, 'source'), 'explicit implicit inferred'],
    ['states', memberOf(RequirementCoverageSchema, 'state'), 'covered uncovered unsure'],
    ['doubts', memberOf(CoverageEvidenceSchema, 'doubt'), 'negated planned restated'],
    [
      'ends of an answer',
      memberOf(ReliedResultSchema, 'finish'),
      'stop length content-filter tool-calls error other',
    ],
  ])('the words of %s', (_, schema, words) => {
    for (const word of words.split(' ')) expect(schema?.safeParse(word).success, word).toBe(true);
    expect(schema?.safeParse('').success).toBe(false);
  });

  it('a gap may be fixed by the producer, if nothing else is said', () => {
    const { autoFixable: _, ...rest } = finding;
    expect(GapSchema.parse(rest)).toMatchObject({ autoFixable: true });
  });
});

describe('artifacts', () => {
  it('a text is one artifact, an output with a list has those that are whole', () => {
    expect(artifactsOf('text')).toEqual([{ type: 'text', path: 'output', content: 'text' }]);
    const binary = { type: 't', path: 'q' };
    const page = { ...binary, content: 'c' };
    const wrong = [{ path: 1 }, { type: 1 }, { content: 1 }].map((more) => ({ ...page, ...more }));
    const broken = [null, 'x', {}, { path: 'p' }, { type: 't' }, ...wrong];
    expect(artifactsOf({ artifacts: [page, ...broken, binary] })).toEqual([page, binary]);
  });

  it.each([null, undefined, 7, {}, [], { artifacts: 'p' }])('%o has none', (output) => {
    expect(artifactsOf(output)).toEqual([]);
  });
});

describe('assessments', () => {
  const of = (verdict: string, more: object = {}) => ({ verdict, ...more }) as never;

  it('a verdict is a pass or a fail that is no comparison', () => {
    const verdicts = ['pass', 'fail', 'undecided', 'skipped', 'errored'].map((each) => of(each));
    const all = [...verdicts, of('pass', { comparison })];
    expect(all.map(isJudged)).toEqual([true, true, false, false, false, true]);
    expect(all.map(isVerdict)).toEqual([true, true, false, false, false, false]);
  });

  it('an open question is one whose answer is needed', () => {
    const all = [undefined, true, false].map((mandatory) => of('undecided', { mandatory }));
    expect([...all, of('fail')].map(isOpenQuestion)).toEqual([true, true, false, false]);
  });

  it('the reason of open questions names three of them, by their words or their criterion', () => {
    const ask = (criterion: string, question?: string) => of('undecided', { criterion, question });
    const [a, b, c, d] = [ask('a', 'Is a?'), ask('b'), ask('c'), ask('d')];
    expect(undecidedStop({ assessments: [of('pass')] })).toBeUndefined();
    expect(undecidedStop({ assessments: [a, of('pass')] })).toEqual({
      kind: 'stop',
      status: 'inconclusive',
      code: 'undecided',
      reason: '1 of 2 assessments is undecided: Is a?',
    });
    expect(undecidedStop({ assessments: [a, b, c] })?.reason).toBe(
      '3 of 3 assessments are undecided: Is a?; b; c',
    );
    const { reason } = undecidedStop({ assessments: [a, b, c, d] }) ?? {};
    expect(reason).toMatch(/: Is a\?; b; c and 1 more$/);
    expect(openQuestions({ assessments: [a, of('fail'), d] })).toEqual([a, d]);
    expect([a, b].map(questionText)).toEqual(['Is a?', 'b']);
  });

  it('a part that was shown passes nothing as a whole', () => {
    const shown = partlyShown({ shown: 1, total: 2, unit: 'bytes', limit: 'l' });
    expect(shown).toMatch(/1 of 2 bytes.*l/);
    const [pass, fail] = [of('pass', said), of('fail', said)];
    expect(passOfWhole(pass, undefined)).toBe(pass);
    expect(passOfWhole(fail, 'part')).toBe(fail);
    expect(passOfWhole(pass, 'part')).toEqual({
      verdict: 'undecided',
      criterion: 'c',
      reason: 'part',
      decidableBy: ['person'],
    });
  });

  it('nor does a result, which does not skip what it did not see', () => {
    const none = { passed: false, score: 0, details: 'd' };
    const [passed, failed] = [
      { ...none, passed: true, score: 1 },
      { ...none, score: 0.5 },
    ];
    const open = { ...none, undecided: 'part', decidableBy: ['person'] };
    expect(resultOfWhole(passed, undefined)).toBe(passed);
    expect(resultOfWhole(failed, 'part')).toBe(failed);
    expect(resultOfWhole(passed, 'part')).toEqual(open);
    expect(resultOfWhole({ ...none, skipped: 's' }, 'part')).toEqual(open);
  });
});

describe('the answer of a reviewer', () => {
  const skipped = { verdict: 'skipped', criterion: 'c', reason: 'r' } as const;

  it('is a list, or a list with a proposal', () => {
    const assessments = [skipped];
    for (const list of [assessments, new VerifiedAssessments(skipped)])
      expect(checkedAnswer('judge', list)).toEqual({ assessments, proposal: undefined });
    const proposing = { assessments, proposal: 'p' };
    expect(checkedAnswer('judge', proposing)).toEqual(proposing);
  });

  const invalid = { ...errorWith('reviewer_invalid', /^judge /), retryable: true };
  const pass = { verdict: 'pass' };
  it.each([
    ['judges nothing', [], {}],
    ['judges nothing', undefined, {}],
    ['judges nothing', null, {}],
    ['judges nothing', 'pass', {}],
    ['judges nothing', { assessments: [] }, {}],
    ['judges nothing', { assessments: undefined, proposal: 1 }, {}],
    ['is broken, which is the value', [pass], { value: pass, cause: expect.anything() }],
  ])('is refused where it %s: %o', (_, answer, more) => {
    const refused = expect.objectContaining({ ...invalid, ...more });
    expect(() => checkedAnswer('judge', answer as never)).toThrow(refused);
  });

  it('has gaps signed by the reviewer, which keep their criterion', () => {
    const judged = (gaps: readonly object[]) => ({ verdict: 'fail', ...said, gaps }) as never;
    const own = { ...finding, raisedBy: 'me' };
    expect(signedGaps(judged([own]), 'me')[0]).toBe(own);
    expect(signedGaps(judged([finding]), 'me')).toEqual([{ ...finding, raisedBy: 'me' }]);
    const bare = { ...own, criterionId: undefined };
    expect(signedGaps(judged([bare]), 'me')).toEqual([{ ...own, criterionId: 'c' }]);
  });

  it('has a gap for a fail without one, and none for a pass', () => {
    expect(signedGaps({ verdict: 'pass', ...said, gaps: [] } as never, 'me')).toEqual([]);
    const bare = { verdict: 'fail', criterion: 'c', score: 0, explanation: 'e', gaps: [] } as const;
    const [made] = signedGaps(bare, 'me');
    expect(made).toEqual({
      id: '',
      severity: 'major',
      category: 'quality',
      description: 'c: e',
      suggestedFix: 'c: e',
      estimatedEffort: 'medium',
      autoFixable: true,
      criterionId: 'c',
      raisedBy: 'me',
    });
    const silent = { ...bare, explanation: '', category: 'missing' } as const;
    expect(signedGaps(silent, 'me')).toMatchObject([{ description: 'c', category: 'missing' }]);
  });
});

describe('gaps', () => {
  it('are open unless they are disputed or waived', () => {
    const open = (standing?: Gap['standing']) => isOpen({ ...finding, standing });
    for (const standing of [undefined, 'unchecked', 'confirmed'] as const)
      expect(open(standing), standing).toBe(true);
    for (const standing of ['disputed', 'waived'] as const)
      expect(open(standing), standing).toBe(false);
  });

  it('are counted by severity', () => {
    expect([countOf([finding, finding], 'major'), countOf([finding], 'minor')]).toEqual([2, 0]);
  });

  it('take every option, and refuse the others by name', () => {
    const options = {
      severity: 'minor',
      category: 'missing',
      suggestedFix: 's',
      estimatedEffort: 'large',
      autoFixable: false,
      affectedRequirement: 'r',
      evidence: 'e',
      file: 'a',
      line: 1,
      endLine: 2,
    } as const;
    const { file, line, endLine, ...given } = options;
    expect(gap('d', options)).toEqual({
      id: '',
      description: 'd',
      ...given,
      affectedArtifact: 'a',
      location: { file, line, endLine },
    });
    expect(() => gap('d', { x: 1 } as never)).toThrow(
      `gap has no option \`x\`; it has ${Object.keys(options).join(', ')}`,
    );
    expect(() => gap(' ')).toThrow('`description`');
    expect(() => gap(7 as never)).toThrow('`description`');
    expect(() => gap('d', { severity: 'bad' as never })).toThrow('`gap`');
    expect(gap('d', { file: 'a' })).toMatchObject({ location: { file: 'a' } });
    expect(Object.isFrozen(gap('d'))).toBe(false);
  });

  it('rank by severity', () => {
    expect((['minor', 'major', 'critical'] as const).map(severityRank)).toEqual([0, 1, 2]);
  });
});

it.each([
  [true, undefined, 'covered'],
  [true, 'covered', 'covered'],
  [true, 'unsure', 'unsure'],
  [true, 'uncovered', 'uncovered'],
  [false, undefined, 'uncovered'],
  [false, 'covered', 'uncovered'],
  [false, 'unsure', 'unsure'],
  [false, 'uncovered', 'uncovered'],
] as const)('coverage covered: %s with the state %s is %s', (covered, state, expected) => {
  expect(coverageState({ covered, state })).toBe(expected);
});

describe('questions to people', () => {
  const asked = (changes: object) => ({ ...request, ...changes }) as never;

  it('approving is an override where the reviewers do not approve', () => {
    expect(isOverride(asked({ approved: false, gaps: [] }))).toBe(true);
    expect(isOverride(asked({ approved: true }))).toBe(false);
    expect(isOverride(asked({ approved: undefined }))).toBe(true);
    expect(isOverride(asked({ approved: undefined, gaps: [] }))).toBe(false);
  });

  it('expire after their time, and not at all without one', () => {
    const at = Date.parse('2026-01-01');
    const expired = [at - 1, at, at + 1].map((now) => isExpired(asked({}), now));
    expect(expired).toEqual([false, false, true]);
    expect(isExpired(asked({ expiresAt: undefined }), at)).toBe(false);
  });
});

describe('usage', () => {
  it('has a total, or the sum of what is known', () => {
    for (const [given, total] of [
      [{}, undefined],
      [{ inputTokens: 2 }, 2],
      [{ outputTokens: 3 }, 3],
      [{ inputTokens: 2, outputTokens: 3 }, 5],
      [{ inputTokens: 2, totalTokens: 9 }, 9],
    ] as const)
      expect(tokensOf(given)).toBe(total);
  });

  it('is added member by member; what nobody knows stays unknown', () => {
    expect(addUsage({}, {})).toEqual({});
    expect(addUsage({ inputTokens: 1 }, { outputTokens: 2, costUsd: 0.5 })).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      costUsd: 0.5,
      totalTokens: 3,
    });
    expect(addUsage({ costUsd: 1 }, { costUsd: 2 })).toEqual({ costUsd: 3 });
    expect(addUsage({}, { totalTokens: 2, inputTokens: undefined })).toEqual({ totalTokens: 2 });
  });

  it('is read from the reports of others, and unknown members are refused', () => {
    expect(
      readUsage({
        inputTokens: 5,
        inputTokenDetails: { cacheReadTokens: 3 },
        outputTokenDetails: {},
        reasoningTokens: 1,
        raw: {},
      }),
    ).toEqual({ inputTokens: 5, cachedInputTokens: 3, reasoningTokens: 1 });
    const cached = { cachedInputTokens: 1 };
    expect(readUsage({ ...cached, inputTokenDetails: { cacheReadTokens: 3 } })).toEqual(cached);
    const less = { inputTokenDetails: { cacheReadTokens: -1 } };
    for (const value of [{ tokens: 1 }, { inputTokens: -1 }, less, 7])
      expect(() => readUsage(value)).toThrow(
        expect.objectContaining({ code: 'invalid_options', value, cause: expect.anything() }),
      );
  });
});

describe('other nouns', () => {
  it('a provider has an id and a function', () => {
    const provider = { id: 'p', generate: async () => ({}) };
    expect(isProvider(provider)).toBe(true);
    const { id, generate } = provider;
    const wrong = [{ id }, { generate }, { generate, id: 7 }, { id, generate: 7 }];
    for (const other of [null, undefined, 'p', {}, ...wrong]) expect(isProvider(other)).toBe(false);
  });

  it('a digest changes with the tree of a workspace', () => {
    expect(digestWith('d', undefined)).toBe('d');
    const others = [digestWith('d', 't'), digestWith('d', 'u'), digestWith('e', 't')];
    expect(new Set([...others, 'd']).size).toBe(4);
    expect(digestWith('d', 't')).toHaveLength(64);
  });

  it('only what says so asks nobody', () => {
    const policy = () => undefined;
    expect(mayAsk(policy)).toBe(true);
    expect(asksNobody(policy)).toBe(policy);
    expect(mayAsk(policy)).toBe(false);
  });

  it('a list without items is empty', () => {
    expect([isNonEmpty([]), isNonEmpty([1])]).toEqual([false, true]);
  });
});
