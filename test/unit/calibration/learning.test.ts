import { describe, expect, it } from 'vitest';
import {
  type AskRule,
  askWhereUnreliable,
  CalibrationSchema,
  calibrationOfDecisions,
  learnFromDecisions,
  type ReadLabel,
  readLabels,
} from '../../../src/calibration/index.js';
import {
  agentRequest,
  definePipeline,
  llmCriterion,
  type Reviewer,
  textOutput,
} from '../../../src/index.js';
import { answeringJudge } from '../../support/answering-judge.js';

type Verdict = 'pass' | 'fail';
let made = 0;

/** A label of one judge about new work. */
function label(
  said: Verdict,
  person: Verdict,
  more: Partial<ReadLabel> & { score?: number } = {},
): ReadLabel {
  const { score, ...rest } = more;
  made += 1;
  return {
    id: `run-${made}:x`,
    task: 't',
    output: `output ${made}`,
    label: person,
    verdicts: { clear: { verdict: said, ...(score !== undefined && { score }) } },
    ...rest,
  };
}
const many = (count: number, one: () => ReadLabel): ReadLabel[] =>
  Array.from({ length: count }, one);

describe('learnFromDecisions', () => {
  it('drafts a rule where people disagreed too often, and none where they agreed', () => {
    const { judges } = learnFromDecisions([
      ...many(15, () => label('pass', 'fail')),
      ...many(15, () => label('pass', 'pass')),
      ...many(30, () => label('fail', 'fail')),
    ]);
    expect(judges).toEqual([
      {
        criterion: 'clear',
        passes: { agreed: 15, of: 30, interval: expect.anything() },
        fails: { agreed: 30, of: 30, interval: expect.anything() },
        overridden: 0,
        rule: { criterion: 'clear', passFrom: null },
      },
    ]);
  });

  it('trusts from the lowest score that is reliable enough', () => {
    const labels = [
      ...many(30, () => label('pass', 'pass', { score: 1 })),
      ...many(10, () => label('pass', 'pass', { score: 0.8 })),
      ...many(25, () => label('pass', 'fail', { score: 0.6 })),
      ...many(30, () => label('fail', 'fail', { score: 0 })),
      ...many(25, () => label('fail', 'pass', { score: 0.4 })),
    ];
    expect(learnFromDecisions(labels).judges[0]?.rule).toEqual({
      criterion: 'clear',
      passFrom: 0.8,
      failTo: 0,
    });
  });

  it('knows nothing of a judge with too few decisions', () => {
    const few = many(19, () => label('pass', 'fail'));
    expect(learnFromDecisions(few).judges[0]?.rule).toBeUndefined();
    expect(learnFromDecisions([...few, label('pass', 'fail')]).judges[0]?.rule).toEqual({
      criterion: 'clear',
      passFrom: null,
    });
  });

  it('compares the low end of the interval unless told otherwise', () => {
    const labels = [
      ...many(16, () => label('pass', 'pass')),
      ...many(4, () => label('pass', 'fail')),
    ];
    expect(learnFromDecisions(labels).judges[0]?.rule).toBeDefined();
    expect(learnFromDecisions(labels, { compare: 'estimate' }).judges[0]?.rule).toBeUndefined();
  });

  it('takes no override for good work, and counts it', () => {
    const overrides = many(40, () => label('fail', 'fail', { overridden: true }));
    const { judges, unused } = learnFromDecisions(overrides);
    expect(judges).toEqual([
      {
        criterion: 'clear',
        passes: { agreed: 0, of: 0, interval: null },
        fails: { agreed: 0, of: 0, interval: null },
        overridden: 40,
      },
    ]);
    expect(unused.overridden).toBe(40);
  });

  it('leaves out what contradicts itself, what is repeated, and what is about no single judge', () => {
    const same = { task: 't', output: 'same' };
    const both = { clear: { verdict: 'pass' as const }, short: { verdict: 'pass' as const } };
    const { judges, unused } = learnFromDecisions([
      label('pass', 'pass', same),
      label('pass', 'fail', same),
      ...many(100, () => label('pass', 'fail', { output: 'one voice' })),
      label('pass', 'fail', { verdicts: both }),
      label('pass', 'fail', { verdicts: {} }),
      label('pass', 'fail', { verdicts: both, criterion: 'short' }),
    ]);
    expect(unused).toEqual({ overridden: 0, contradictory: 2, repeated: 99, unattributed: 2 });
    expect(judges.map(({ criterion, passes }) => [criterion, passes.agreed, passes.of])).toEqual([
      ['clear', 0, 1],
      ['short', 0, 1],
    ]);
  });

  it('learns nothing from nothing, and refuses what is no label or option', () => {
    expect(learnFromDecisions([]).judges).toEqual([]);
    const wrong: unknown[] = [[null], [{ label: 'good' }], 'labels'];
    for (const labels of wrong)
      expect(() => learnFromDecisions(labels as ReadLabel[])).toThrow(/labels/);
    const options: object[] = [
      { minAgreement: 2 },
      { minDecisions: 0 },
      { compare: 'x' },
      { x: 1 },
    ];
    for (const given of options) expect(() => learnFromDecisions([], given)).toThrow();
  });

  it('grows with its labels, also with a score of its own each', () => {
    const labels = many(20_000, () =>
      label('pass', made % 2 === 0 ? 'pass' : 'fail', { score: 1 / (made + 1) }),
    );
    expect(learnFromDecisions(labels).judges[0]?.passes.of).toBe(20_000);
  });

  it('reads verdicts from a file, and takes no misspelt member for another label', () => {
    const line = JSON.stringify(
      label('pass', 'fail', { score: 0.5, reason: 'dull', at: '2026-01-01' }),
    );
    expect(learnFromDecisions(readLabels(line, 'x')).judges[0]?.passes).toMatchObject({ of: 1 });
    expect(() => readLabels(line.replace('"verdicts"', '"verdict"'), 'x')).toThrow(/verdicts/);
    expect(() => readLabels(line.replace('"score":0.5', '"score":5'), 'x')).toThrow(
      /x:1: verdicts/,
    );
    const hostile = line.replace('"clear"', '"__proto__"');
    expect(
      learnFromDecisions(readLabels(hostile, 'x')).judges.map(({ criterion }) => criterion),
    ).not.toContain('clear');
    expect(Object.prototype).not.toHaveProperty('verdict');
  });
});

describe('calibrationOfDecisions', () => {
  it('returns one record for each version of a judge, which says that the work is no sample', () => {
    const version = (name: string, said: Verdict, person: Verdict): ReadLabel =>
      label(said, person, { verdicts: { clear: { verdict: said, version: name } } });
    const found = calibrationOfDecisions(
      [
        version('a', 'pass', 'pass'),
        version('a', 'pass', 'fail'),
        version('a', 'fail', 'fail'),
        version('b', 'fail', 'pass'),
        label('fail', 'fail', { overridden: true }),
      ],
      { clock: { now: () => 0, monotonic: () => 0 } as never },
    );
    expect(found.map(({ judge, confusion }) => [judge, confusion])).toEqual([
      [
        { id: 'clear', version: 'a' },
        { truePass: 1, falsePass: 1, trueFail: 1, falseFail: 0 },
      ],
      [
        { id: 'clear', version: 'b' },
        { truePass: 0, falsePass: 0, trueFail: 0, falseFail: 1 },
      ],
    ]);
    for (const record of found) {
      expect(CalibrationSchema.parse(record)).toEqual(record);
      expect(record.notes.join()).toContain('no random sample');
    }
    expect(calibrationOfDecisions([])).toEqual([]);
  });
});

describe('askWhereUnreliable', () => {
  const clear = llmCriterion<ReturnType<typeof textOutput>, unknown>({
    id: 'clear',
    question: 'Is the text clear?',
  });
  // it reads the text: what the prompt lacks, it cannot pass
  const judge = (verdict: 'yes' | 'no') =>
    answeringJudge({ 'output.md': (text) => verdict === 'yes' && text.includes('a text') });
  const run = async (verdict: 'yes' | 'no', rules: readonly AskRule[]) => {
    const outcome = await definePipeline({
      produce: async () => textOutput('a text'),
      reviewers: [askWhereUnreliable(clear, rules)],
      provider: judge(verdict),
      budget: { reviews: 1 },
    }).run(agentRequest({ id: 't', description: 'a text' }));
    const [assessment] = outcome.reviews[0]?.assessments ?? [];
    return { status: outcome.status, verdict: assessment?.verdict, outcome };
  };

  it('approves nothing on a pass that people often disagreed with, and a person decides', async () => {
    expect(await run('yes', [])).toMatchObject({ status: 'approved', verdict: 'pass' });
    const { outcome, ...asked } = await run('yes', [{ criterion: 'clear', passFrom: null }]);
    expect(asked).toEqual({ status: 'inconclusive', verdict: 'undecided' });
    expect(outcome.reviews[0]?.assessments[0]).toMatchObject({
      decidableBy: ['person'],
      reason: expect.stringContaining('the judge said pass'),
    });
  });

  it('never turns a failure into a pass', async () => {
    for (const failTo of [null, 0, 0.5]) {
      const { status, verdict } = await run('no', [{ criterion: 'clear', failTo }]);
      expect(status).not.toBe('approved');
      expect(verdict).toBe(failTo === null ? 'undecided' : 'fail');
    }
  });

  it('is another version with each rule, keeps what it decorates, and leaves other criteria alone', async () => {
    const rule: AskRule = { criterion: 'clear', passFrom: null };
    const plain = clear as Reviewer<ReturnType<typeof textOutput>, unknown>;
    expect(askWhereUnreliable(plain, [])).toBe(plain);
    const versions = [
      plain,
      askWhereUnreliable(plain, [rule]),
      askWhereUnreliable(plain, [{ ...rule, passFrom: 0.5 }]),
    ];
    expect(new Set(versions.map(({ version }) => version)).size).toBe(3);
    expect(versions.every(({ id, tier }) => id === 'clear' && tier === plain.tier)).toBe(true);
    expect(await run('yes', [{ criterion: 'other', passFrom: null }])).toMatchObject({
      verdict: 'pass',
    });
  });

  it('refuses what is no rule', () => {
    const rule: AskRule = { criterion: 'clear', passFrom: null };
    const wrong: unknown[] = [
      [{ criterion: 'clear' }],
      [{ ...rule, passFrom: 2 }],
      [{ ...rule, approve: true }],
      [rule, rule],
      rule,
    ];
    for (const rules of wrong)
      expect(() =>
        askWhereUnreliable(clear as Reviewer<unknown, unknown>, rules as AskRule[]),
      ).toThrow(/rules/);
  });
});
