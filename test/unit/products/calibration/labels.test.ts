import { describe, expect, it } from 'vitest';
import { digestJson } from '@/core/json.js';
import { digestWith } from '@/core/version.js';
import { agentRequest, definePipeline, llmCriterion, type Reviewer, textOutput } from '@/index.js';
import type { JournalRecord } from '@/ports/store.js';
import type { AskRule } from '@/products/calibration/ask-where-unreliable.js';
import {
  askWhereUnreliable,
  CalibrationSchema,
  calibrationOfDecisions,
  labelsOfJournal,
  learnFromDecisions,
  type ReadLabel,
  readLabels,
} from '@/products/calibration/index.js';
import { answeringJudge } from '../../../support/answering-judge.js';

const line = (label: object): string => JSON.stringify(label);

describe('readLabels', () => {
  it('reads a label in every line, past a mark of the encoding, empty lines and members that it does not know', () => {
    const text = `\ufeff${line({ id: 'a', task: 't', output: 'x', label: 'pass', by: 'ann' })}\r\n\n${line({ output: { n: 1 }, label: 'fail' })}\n`;
    expect(readLabels(text, 'l.jsonl')).toEqual([
      { id: 'a', task: 't', output: 'x', label: 'pass' },
      { id: 'line 3', task: null, output: { n: 1 }, label: 'fail' },
    ]);
  });

  it('names every line that is wrong, ten at most, and reads nothing then', () => {
    const wrong = [
      'no json',
      '[]',
      line({ label: 'pass' }),
      line({ output: null, label: 'pass' }),
      line({ output: 'x', label: 'good' }),
      line({ id: '', output: 'x', label: 'pass' }),
    ];
    const read = () =>
      readLabels([...wrong, line({ output: 'x', label: 'pass' })].join('\n'), 'l.jsonl');
    for (const [index] of wrong.entries()) expect(read).toThrow(`l.jsonl:${index + 1}: `);
    expect(read).toThrow('l.jsonl:1: not JSON');
    expect(read).toThrow('label: ');
    expect(() => readLabels('x\n'.repeat(13), 'l.jsonl')).toThrow('\nand 3 more');
  });

  it('refuses a misspelt member that decides what a label means', () => {
    const labelled = { output: 'x', label: 'pass' };
    const read = (more: object) => readLabels(line({ ...labelled, ...more }), 'l.jsonl');
    expect(() => read({ overriden: true })).toThrow('the nearest is overridden');
    expect(() => read({ arangement: 'a' })).toThrow('the nearest is arrangement');
    expect(read({ by: 'ann', tags: [], reason: 'x' })).toHaveLength(1);
  });

  it('refuses an id that is given twice, and a file without labels', () => {
    const twice = [
      line({ id: 'a', output: 'x', label: 'pass' }),
      line({ id: 'a', output: 'y', label: 'fail' }),
    ].join('\n');
    expect(() => readLabels(twice, 'l.jsonl')).toThrow(
      'l.jsonl:2: duplicate id "a", first in line 1',
    );
    expect(() => readLabels('\n \n', 'l.jsonl')).toThrow('l.jsonl contains no labels');
  });
});

describe('labelsOfJournal', () => {
  const digest = digestWith(digestJson('the text'), undefined);
  const step: JournalRecord = {
    type: 'step',
    name: 'produce',
    input: '',
    value: 'the text',
    at: 1,
  };
  const answer = (kind: string, more: object = {}, about = digest) =>
    ({
      type: 'answer',
      name: 'approval',
      digest: about,
      at: 0,
      answer: { kind, by: 'ann', ...more },
    }) as unknown as JournalRecord;
  const labels = (...records: JournalRecord[]) =>
    labelsOfJournal([step, ...records]).labels.map(({ label, reason }) => [label, reason]);

  it('takes what people said of a version, and the reason or the note; who skips says nothing [R2-065]', () => {
    const [overridden] = labelsOfJournal([step, answer('override', { reason: 'urgent' })]).labels;
    expect(overridden).toMatchObject({ label: 'fail', overridden: true });
    const request = { id: 'q', approved: false, gaps: [] };
    const asked = { type: 'request', request, at: 0 } as unknown as JournalRecord;
    const approved = { ...answer('approve', { reason: 'urgent' }), id: 'q' };
    expect(labels(asked, approved)).toEqual([['fail', 'urgent']]);
    expect(labels(answer('approve'))).toEqual([['pass', undefined]]);
    expect(labels(answer('override', { reason: 'urgent' }))).toEqual([['fail', 'urgent']]);
    expect(labels(answer('reject', { reason: 'false' }))).toEqual([['fail', 'false']]);
    expect(labels(answer('revise', { note: 'shorter' }))).toEqual([['fail', 'shorter']]);
    expect(labels(answer('skip'))).toEqual([]);
  });

  it('counts the last answer about a version, and tells of those whose version is gone', () => {
    const run = { type: 'run', runId: 'r1', task: 'write' } as unknown as JournalRecord;
    expect(
      labelsOfJournal([
        run,
        step,
        answer('revise'),
        answer('approve'),
        answer('reject', {}, 'gone'),
      ]),
    ).toEqual({
      labels: [
        {
          id: `r1:${digest.slice(0, 12)}`,
          task: 'write',
          output: 'the text',
          label: 'pass',
          by: 'ann',
          at: '1970-01-01T00:00:00.000Z',
        },
      ],
      lost: 1,
    });
    expect(
      labelsOfJournal([answer('reject', {}, 'kept')], { digest: 'kept', output: 'x' }),
    ).toMatchObject({ labels: [{ output: 'x', label: 'fail' }], lost: 0 });
  });
});

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

it('calibrationOfDecisions returns one record for each version of a judge, which says that the work is no sample', () => {
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
