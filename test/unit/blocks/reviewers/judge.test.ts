import { describe, expect, it, vi } from 'vitest';
import { modelCoverage } from '@/blocks/requirements/index.js';
import { confirmingReviewer } from '@/blocks/reviewers/confirm.js';
import { reviewerErrors } from '@/blocks/reviewers/errors.js';
import { inTurn } from '@/blocks/reviewers/in-turn.js';
import { type JudgeCall, type JudgeOptions, judge } from '@/blocks/reviewers/judge.js';
import {
  type Assessment,
  definePipeline,
  type LLMProvider,
  type LLMRequest,
  llmCriterion,
  memoryStore,
  pairwise,
  panel,
  type Reviewer,
  ReviewLoopError,
  verified,
} from '@/index.js';
import { fakeReviewerContext, scriptedProvider } from '@/testing/index.js';
import { questionsOf, tokenOf } from '../../../support/answering-judge.js';
import { erroredBy, errorWith, expectCode } from '../../../support/matchers.js';
import { failed, passed, reviewer, suspended, undecided } from '../../engine/support.js';

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
    const sections = [
      { label: 'a', text: 'one' },
      { label: 'b', text: 'two' },
    ];
    const verdicts = async (about?: readonly string[]) => {
      const provider = answering({ answer: 'no', quote: 'one' });
      const questions = [{ text: 'good?', about }, { text: 'short?' }];
      const { reply } = await asked({ provider, sections, questions }, { reasks: 0 });
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
    await expectCode(asked({ sections }, { maxPromptTokens: 100 }), 'view_truncated');
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
});

/** What a reviewer answers outside of a pipeline. */
const alone = (reviewer: Reviewer<string, string>) =>
  reviewer.review({ task: '', output: '', iteration: 1 }, fakeReviewerContext());

describe('several judges', () => {
  it('of a panel give the reasons of what fails, and of nothing else', async () => {
    const mixed = reviewer<string>('mixed', async () => [
      { ...passed('x'), explanation: 'well said' },
      failed('y', 'too long'),
    ]);
    const fine = reviewer<string>('fine', async () => [{ ...passed('x'), explanation: 'lovely' }]);
    const found = await alone(panel([mixed, fine], { id: 'p' }));
    const [assessment] = found as readonly { explanation: string }[];
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
      const found = await alone(panel(members, { id: 'p', ...options }));
      return (found as readonly Assessment[])[0]?.verdict;
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
    const inner = plain('clear', async () => [failed('clear'), failed('part'), skipped]);
    const twin = confirmingReviewer(inner, { id: 'confirm:clear', provider: undefined });
    const failing = (criterion: string) => ({
      criterion,
      gaps: [{ criterionId: criterion, raisedBy: 'confirm:clear' }],
    });
    expect(await alone(twin)).toMatchObject({
      assessments: [
        failing('confirm:clear'),
        failing('confirm:clear/part'),
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

type Review = Reviewer<string, string>['review'];

const model = (id: string): LLMProvider => scriptedProvider(() => '', { id });

/** A reviewer of a model that answers by a function for each model. */
function seated(answers: Readonly<Record<string, Review>>): Reviewer<string, string> {
  const as = (provider: LLMProvider = model('first')): Reviewer<string, string> =>
    reviewer('judge', answers[provider.id] ?? (async () => [passed('judge')]), {
      version: provider.id,
      tier: 'model',
      asks: { provider, asking: as },
    });
  return as();
}

const plain = (id: string, review: Review): Reviewer<string, string> =>
  reviewer(id, review, { tier: 'model' });

async function assessed(reviewer: Reviewer<string, string>): Promise<Assessment | undefined> {
  const pipeline = definePipeline<string, string>({ reviewers: [reviewer], retries: 0 });
  return (await pipeline.review('task', 'the output')).assessments[0];
}

const rejects = (error: unknown): Review => {
  return () => Promise.reject(error);
};
const outage = new ReviewLoopError('reviewer_threw', 'an outage', { retryable: false });
const noField = new TypeError('no field');

describe('a judge in turn that fails', () => {
  const turning = (answers: Readonly<Record<string, Review>>, tries = 2) =>
    inTurn(seated(answers), { providers: [model('a'), model('b')], tries, passes: { first: 2 } });

  it('with an error of its own is asked again, and with one that no other try mends once', async () => {
    const threw = { code: 'reviewer_threw', retryable: true, cause: { message: 'no field' } };
    for (const [thrown, error, times] of [
      [new TypeError('no field'), threw, 2],
      [outage, { what: 'an outage' }, 1],
    ] as const) {
      const b = vi.fn<Review>(() => Promise.reject(thrown));
      const failed = { verdict: 'errored', criterion: 'judge', error };
      expect(await assessed(turning({ b }))).toMatchObject(failed);
      expect(b).toHaveBeenCalledTimes(times);
    }
  });

  it('and answers what is no assessment is errored', async () => {
    expect(await assessed(turning({ b: async () => 'fine' as never }))).toMatchObject(
      erroredBy('reviewer_invalid'),
    );
  });

  it('because it waits for a person has not failed', async () => {
    const asks: Review = async (_, context) => {
      await context.ask('ok', { question: 'ok?', allowed: ['approve'], gaps: [] });
      return [passed('judge')];
    };
    const pipeline = definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [turning({ a: asks, b: asks })],
      store: memoryStore(),
    });
    const yes = { kind: 'approve', by: 'ann' } as const;
    let outcome = await pipeline.run('task', { runId: 'r' });
    for (let answers = 0; answers < 2; answers += 1)
      outcome = await pipeline.answer(suspended(outcome).requests[0], yes);
    expect(outcome).toMatchObject({ status: 'approved' });
  });
});

describe('a judge in turn', () => {
  const turning = (judge: Reviewer<string, string>) =>
    inTurn(judge, { providers: [model('a')], passes: { first: 1 } });

  it('keeps what its reviewer selects and mends, which may use its reviewer', async () => {
    const judge = {
      ...seated({ a: async () => [passed('judge')] }),
      mark: '!',
      scope(this: { mark: string }, { output }: { readonly output: string }) {
        return `${output}${this.mark}`;
      },
      async fix(this: { mark: string }, output: string) {
        return `${output}${this.mark}`;
      },
    };
    const taken = turning(judge);
    expect(taken.scope?.({ task: 'task', output: 'x' })).toBe('x!');
    expect(await taken.fix?.('x', {} as never, {} as never)).toBe('x!');
    const bare = turning(seated({}));
    expect([bare.scope, bare.fix]).toEqual([undefined, undefined]);
  });

  it('says which model voted, where a provider has one', async () => {
    const named = { ...model('a'), model: 'large' };
    const providers = [named, model('b')];
    const found = await assessed(inTurn(seated({}), { providers, passes: { first: 2 } }));
    const by = found !== undefined && 'votes' in found ? found.votes?.by : undefined;
    expect(by).toMatchObject([
      { judge: 'a', model: 'large', passed: true },
      { judge: 'b', passed: true },
    ]);
    expect(by?.[1]).not.toHaveProperty('model');
  });
});

describe('a member of a panel that fails', () => {
  const members = (second: Review) =>
    panel([plain('one', async () => [passed('one')]), plain('two', second)], { quorum: 2 });

  const [invalid, unsure] = [{ code: 'reviewer_invalid' }, { code: 'reviewer_undecided' }];
  const threw = { code: 'reviewer_threw', cause: { message: 'no field' } };
  const down = { retryable: false, cause: { what: 'an outage' } };
  const skipped = { verdict: 'skipped', criterion: 'two', reason: 'not for me' } as const;
  const open = undecided('two', { mandatory: true });
  const errored = { verdict: 'errored', criterion: 'two', error: outage } as const;
  it.each<[string, object, Review]>([
    ['with an error of this library', down, rejects(outage)],
    ['with an error of its own', { retryable: true, cause: threw }, rejects(noField)],
    ['because it judged nothing', { cause: invalid }, async () => [skipped]],
    ['because it could not tell', { cause: unsure }, async () => [open]],
    ['with an assessment that is errored', down, async () => [passed('other'), errored]],
    ['with what is no assessment', { cause: invalid }, async () => 'fine' as never],
  ])('%s has no vote', async (_, error, second) => {
    expect(await assessed(members(second))).toMatchObject({
      verdict: 'errored',
      error: { code: 'quorum_missed', ...error },
    });
  });

  it('leaves the others to decide where they are enough', async () => {
    const two = ['one', 'two'].map((id) => plain(id, async () => [passed(id)]));
    const three = panel([...two, plain('three', rejects(outage))], { quorum: 2 });
    const votes = { pass: 2, fail: 0, failed: 1 };
    expect(await assessed(three)).toMatchObject({ verdict: 'pass', votes });
  });
});

describe('a panel', () => {
  const member = (id: string, more: Partial<Reviewer<string, string>> = {}) => ({
    ...plain(id, async () => [passed(id)]),
    ...more,
  });

  it('is minor only if every member is', () => {
    const severity = (...all: ('minor' | 'major' | undefined)[]) =>
      panel(all.map((one, index) => member(`m${index}`, { severity: one }))).severity;
    expect(severity('minor', 'minor')).toBe('minor');
    expect(severity('minor', 'major')).toBeUndefined();
    expect(severity('minor', 'minor', 'major')).toBeUndefined();
    expect(severity('minor', undefined)).toBeUndefined();
  });

  it.each<[string, readonly unknown[], object]>([
    ['reviewers', [member('a'), {}], {}],
    ['reviewers', [member('a'), null], {}],
    ['id', [member('a')], { id: '' }],
    ['id', [member('a')], { id: 7 }],
    ['id', [member('a')], { id: ' ' }],
    ['non-empty list', [], {}],
    ['at most 1', [member('a')], { quorum: 2 }],
    ['tie', [member('a')], { tie: 'pass' }],
    ['panel has no option `voters`', [member('a')], { voters: 1 }],
    ['quorum', [member('a')], { quorum: 0 }],
    ['veto', [member('a')], { veto: 0 }],
    ['toEdit', [member('a')], { toEdit: 0 }],
    ['borderline', [member('a')], { borderline: 7 }],
    ['borderline.bar', [member('a')], { borderline: { bar: 2, within: 0.1 } }],
    ['borderline.within', [member('a')], { borderline: { bar: 0.5, within: 0 } }],
    ['borderline.rounds', [member('a')], { borderline: { bar: 0.5, within: 0.1, rounds: 0 } }],
  ])('names what is wrong with its %s', (name, members, wrong) => {
    const refused = expect.objectContaining(errorWith('invalid_options', name));
    expect(() => panel(members as Reviewer<string, string>[], wrong)).toThrow(refused);
  });

  it('counts edits if a member does', () => {
    const counts = panel([member('a'), member('b', { countsEdits: true })]);
    expect(counts.countsEdits).toBe(true);
    expect(panel([member('a'), member('b')])).not.toHaveProperty('countsEdits');
  });
});

describe('another opinion that fails', () => {
  const opinions = (...answers: readonly Review[]) => {
    let asked = 0;
    return verified(
      plain('judge', (subject, context) => {
        asked += 1;
        return (answers[asked - 1] as Review)(subject, context);
      }),
      { opinions: 5 },
    );
  };
  const finds: Review = async () => [failed('judge', 'wrong')];

  it('with an error of its own may be tried again', async () => {
    const found = await assessed(opinions(finds, rejects(new TypeError('no field'))));
    expect(found).toMatchObject({
      verdict: 'errored',
      criterion: 'judge',
      error: { code: 'reviewer_threw', retryable: true, cause: { message: 'no field' } },
    });
  });

  it('with an error that no other try mends says so', async () => {
    const found = await assessed(opinions(finds, finds, rejects(outage)));
    expect(found).toMatchObject({
      verdict: 'errored',
      error: { code: 'reviewer_threw', retryable: false, cause: { what: 'an outage' } },
    });
    if (found?.verdict === 'errored') expect(found.error.message).toContain('opinion 3');
  });

  it('with an assessment that is errored fails that criterion alone', async () => {
    const both: Review = async () => [failed('judge', 'wrong'), failed('other', 'bad')];
    const half: Review = async () => [
      { verdict: 'errored', criterion: 'judge', error: outage },
      failed('other', 'bad'),
    ];
    const pipeline = definePipeline<string, string>({
      reviewers: [opinions(both, half, both, both, both)],
      retries: 0,
    });
    expect((await pipeline.review('task', 'the output')).assessments).toMatchObject([
      { verdict: 'errored', criterion: 'judge' },
      { verdict: 'fail', criterion: 'other', gaps: [{ standing: 'confirmed' }] },
    ]);
  });
});
