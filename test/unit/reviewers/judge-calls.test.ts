import { describe, expect, it } from 'vitest';
import { type LLMRequest, llmCriterion, pairwise, panel } from '../../../src/index.js';
import { modelCoverage } from '../../../src/requirements/index.js';
import { confirmingReviewer } from '../../../src/reviewers/confirming-reviewer.js';
import { reviewerErrors } from '../../../src/reviewers/errors.js';
import { type JudgeCall, type JudgeOptions, judge } from '../../../src/reviewers/judge.js';
import { fakeReviewerContext, scriptedProvider } from '../../../src/testing/index.js';
import { questionsOf, tokenOf } from '../../support/answering-judge.js';
import { failed, passed, reviewer } from '../engine/support.js';

/** A judge that answers every question alike. */
const answering = (entry: object, answers?: readonly object[]) =>
  scriptedProvider((request) =>
    JSON.stringify({
      token: tokenOf(request),
      answers:
        answers ??
        Array.from({ length: questionsOf(request) }, (_, index) => ({
          question: index + 1,
          reason: 'so',
          ...entry,
        })),
    }),
  );

async function asked(more: Partial<JudgeCall> = {}, options: JudgeOptions = {}) {
  const provider = answering({ answer: 'yes' });
  const call: JudgeCall = {
    ...{ provider, task: 'write', nonce: 'n', signal: undefined, warmUp: undefined },
    sections: [{ label: 'a', text: 'one' }],
    questions: [{ text: 'good?' }],
    context: fakeReviewerContext(),
    ...more,
  };
  const reply = await judge(call, options);
  const request = provider.requests[0];
  return { reply, name: request?.schemaName, token: request && tokenOf(request) };
}

describe('a call of a judge', () => {
  it('has a token of its own for each text, task, question and secret', async () => {
    const calls: readonly Partial<JudgeCall>[] = [
      {},
      { nonce: 'm' },
      { task: 'paint' },
      { task: undefined },
      { sections: [{ label: 'a', text: 'two' }] },
      { sections: [{ label: 'b', text: 'one' }] },
      { questions: [{ text: 'bad?' }] },
    ];
    const tokens = await Promise.all(calls.map(async (call) => (await asked(call)).token));
    expect(new Set(tokens).size).toBe(calls.length);
    expect((await asked()).token).toBe(tokens[0]);
  });

  it('names its schema by its number', async () => {
    expect([(await asked()).name, (await asked({ part: 1 })).name]).toEqual([
      'verdicts',
      'verdicts',
    ]);
    expect((await asked({ part: 2 })).name).toBe('verdicts_2');
  });

  it('takes a quote from the part that its question is about, and from no other', async () => {
    const verdicts = async (about?: readonly string[]) => {
      const provider = answering({ answer: 'no', quote: 'one' });
      const { reply } = await asked(
        {
          provider,
          sections: [
            { label: 'a', text: 'one' },
            { label: 'b', text: 'two' },
          ],
          questions: [{ text: 'good?', about }, { text: 'short?' }],
        },
        { reasks: 0 },
      );
      return reply.verdicts.map(({ kind }) => kind);
    };
    expect(await verdicts()).toEqual(['no', 'no']);
    expect(await verdicts([])).toEqual(['no', 'no']);
    expect(await verdicts(['a'])).toEqual(['no', 'no']);
    expect(await verdicts(['b'])).toEqual(['undecided', 'no']);
  });

  it('tells what was cut, and of answers that nobody asked for', async () => {
    const provider = answering({}, [
      ...[1, 2, 2, 0].map((question) => ({ question, answer: 'yes', reason: 'so' })),
    ]);
    const sections = [{ label: 'a', text: 'word '.repeat(400) }];
    const { reply } = await asked(
      { provider, sections },
      { allowTruncated: true, maxPromptTokens: 100 },
    );
    expect(reply.remarks).toEqual([
      expect.stringMatching(/^a: \d+ of 2000 characters left out$/),
      'ignored answers to questions that were not asked: 2, 0',
    ]);
    expect(reply.part).toMatch(/^only \d+ of 2000 characters were shown \(maxPromptTokens: 100\)$/);
    const [, shown = 0] = /^only (\d+)/.exec(reply.part ?? '') ?? [];
    const [, left = 0] = /^a: (\d+)/.exec(reply.remarks[0] ?? '') ?? [];
    expect(Number(shown) + Number(left)).toBe(2000);
    await expect(asked({ sections }, { maxPromptTokens: 100 })).rejects.toMatchObject({
      code: 'view_truncated',
    });
    expect((await asked()).reply).toMatchObject({ remarks: [], part: undefined });
  });

  it('waits for the first call with the same beginning, and lets others go when it is over', async () => {
    const prefixes: string[] = [];
    let released = 0;
    const warmUp: JudgeCall['warmUp'] = async (prefix) => {
      prefixes.push(prefix);
      return () => {
        released += 1;
      };
    };
    await asked({ warmUp });
    await asked({ warmUp, questions: [{ text: 'bad?' }] });
    await asked({ warmUp, sections: [{ label: 'a', text: 'two' }] });
    expect(released).toBe(3);
    expect(prefixes[1]).toBe(prefixes[0]);
    expect(prefixes[2]).not.toBe(prefixes[0]);
    const provider = scriptedProvider(() => new Error('down'));
    await expect(asked({ warmUp, provider })).rejects.toThrow();
    expect(released).toBe(4);
    await asked({ warmUp, context: undefined });
    expect(released).toBe(4);
  });
});

describe('the fences of other judges', () => {
  const subject = { task: 'tea', output: 'new', iteration: 2 };
  const token = async (
    ask: (provider: ReturnType<typeof scriptedProvider>) => Promise<unknown>,
  ) => {
    const requests: LLMRequest[] = [];
    const provider = scriptedProvider((request) => {
      requests.push(request);
      return 'no JSON';
    });
    await ask(provider);
    return requests[0] && tokenOf(requests[0]);
  };

  it('differ for every text that pairwise and modelCoverage show', async () => {
    const compared = (output: string, old: string, task = 'tea') =>
      token(async (provider) =>
        pairwise({ provider }).review({ ...subject, output, task }, {
          ...fakeReviewerContext(),
          best: { iteration: 1, output: old },
        } as never),
      );
    const covered = (output: string, requirement: string) =>
      token(async (provider) => {
        const unsure = { requirement, source: 'explicit', covered: false, state: 'unsure' };
        const coverage = { ...unsure, coverageDetails: 'few words', confidence: 0.5 } as const;
        return modelCoverage({ provider }).judgeAll(
          [coverage as never],
          { output },
          fakeReviewerContext(),
        );
      });
    for (const tokens of [
      [compared('a', 'b'), compared('a', 'c'), compared('c', 'b'), compared('a', 'b', 'milk')],
      [covered('a', 'r'), covered('b', 'r'), covered('a', 's')],
    ]) {
      const found = await Promise.all(tokens);
      expect(new Set(found).size).toBe(found.length);
      expect(found).not.toContain(undefined);
    }
  });

  it('modelCoverage says why a requirement stays unsure', async () => {
    const coverage = {
      ...{ requirement: 'r', source: 'explicit', covered: false, state: 'unsure' },
      ...{ coverageDetails: 'few words', confidence: 0.5 },
    } as never;
    const provider = scriptedProvider(() => 'no JSON');
    const [judged] = await modelCoverage({ provider }).judgeAll(
      [coverage],
      { output: 'x' },
      fakeReviewerContext(),
    );
    expect(judged).toMatchObject({ covered: false, state: 'unsure' });
    expect(judged?.coverageDetails).toContain("the model's answer could not be used");
  });
});

describe('several judges', () => {
  it('of a panel give the reasons of what fails, and of nothing else', async () => {
    const mixed = reviewer<string>('mixed', async () => [
      { ...passed('x'), explanation: 'well said' },
      failed('y', 'too long'),
    ]);
    const fine = reviewer<string>('fine', async () => [{ ...passed('x'), explanation: 'lovely' }]);
    const [assessment] = (await panel([mixed, fine], { id: 'p' }).review(
      { task: '', output: '', iteration: 1 },
      fakeReviewerContext(),
    )) as readonly { explanation: string }[];
    expect(assessment?.explanation).toContain('mixed: too long');
    expect(assessment?.explanation).not.toMatch(/well said|lovely/);
  });

  it('of a panel decide by majority; a veto and a split only where they are asked for', async () => {
    const vote = (pass: boolean, index: number, score = 1) =>
      reviewer<string>(`m${index}`, async () => [
        pass ? { ...passed('x'), score } : failed('x', 'bad'),
      ]);
    const verdict = async (votes: string, options: object = {}, score = 1) => {
      const members = [...votes].map((letter, index) => vote(letter === 'p', index, score));
      const [assessment] = (await panel(members, { id: 'p', ...options }).review(
        { task: '', output: '', iteration: 1 },
        fakeReviewerContext(),
      )) as readonly { verdict: string }[];
      return assessment?.verdict;
    };
    expect(await verdict('ppf')).toBe('pass');
    expect(await verdict('pff')).toBe('fail');
    expect(await verdict('pf')).toBe('fail');
    expect(await verdict('pf', { tie: 'errored' })).toBe('errored');
    expect(await verdict('ppf', { tie: 'errored' })).toBe('pass');
    expect(await verdict('pff', { tie: 'errored' })).toBe('fail');
    expect(await verdict('ppf', { veto: 1 })).toBe('fail');
    expect(await verdict('pppf', { veto: 2 })).toBe('pass');
    expect(await verdict('pf', { veto: 1, tie: 'errored' })).toBe('fail');
    expect(await verdict('ppp', {}, 0)).not.toBe('pass');
  });

  it('that confirm have names of their own in every assessment and gap', async () => {
    const skipped = { verdict: 'skipped', criterion: 'other', reason: 'r' } as const;
    const inner = reviewer<string>(
      'clear',
      async () => [failed('clear'), failed('part'), skipped],
      { tier: 'model' },
    );
    const twin = confirmingReviewer(inner, { id: 'confirm:clear', provider: undefined });
    expect(
      await twin.review({ task: '', output: '', iteration: 1 }, fakeReviewerContext()),
    ).toMatchObject({
      assessments: [
        {
          criterion: 'confirm:clear',
          gaps: [{ criterionId: 'confirm:clear', raisedBy: 'confirm:clear' }],
        },
        {
          criterion: 'confirm:clear/part',
          gaps: [{ criterionId: 'confirm:clear/part', raisedBy: 'confirm:clear' }],
        },
        { verdict: 'skipped', criterion: 'confirm:clear/other', reason: 'r' },
      ],
    });
  });

  it('have errors for which the judge is to blame', () => {
    expect(Object.values(reviewerErrors).map(({ code, kind }) => `${kind}: ${code}`)).toEqual([
      'judge: quorum_missed',
      'judge: reviewer_undecided',
      'judge: criterion_threw',
      'judge: criterion_invalid',
      'judge: report_unclear',
      'judge: criterion_mutated',
    ]);
  });

  it('cannot be asked without a model', async () => {
    const criterion = llmCriterion<string, string>({ id: 'c', question: '?' });
    expect(criterion.withProvider).toBeTypeOf('function');
  });
});
