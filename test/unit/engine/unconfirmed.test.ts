import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  definePipeline,
  type Policy,
  type Reviewer,
  ReviewLoopError,
} from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

const skips = (criterion: string): Assessment => ({
  verdict: 'skipped',
  criterion,
  reason: 'it does not apply',
});

/** Judges by their ids, and what they say. */
type Saying = Readonly<Record<string, readonly Assessment[]>>;

const saying = (said: Saying, tier: Reviewer<unknown, string>['tier']) =>
  Object.entries(said).map(([id, assessments]) =>
    reviewer<string>(id, async () => [...assessments], { tier }),
  );

const approves: Policy = () => ({ kind: 'approve', reason: 'good enough' });

/** Returns the verdict about each criterion. */
async function verdicts(said: Saying, confirming: Saying, more: Saying = {}) {
  const outcome = await definePipeline<string, string>({
    produce: async () => 'x',
    reviewers: [
      ...saying(said, 'model'),
      ...saying(confirming, 'confirm'),
      ...saying(more, 'code'),
    ],
    policy: approves,
  }).run('task');
  const [review] = outcome.reviews;
  return Object.fromEntries(
    (review?.assessments ?? []).map(({ criterion, verdict }) => [criterion, verdict]),
  );
}

describe('a judge that confirms, and to whom its question does not apply', () => {
  it('leaves the question open where the judge that it confirms gave a verdict', async () => {
    for (const verdict of [passed('tone'), failed('tone')])
      expect(
        await verdicts({ tone: [verdict] }, { 'confirm:tone': [skips('confirm:tone')] }),
      ).toEqual({ tone: verdict.verdict, 'confirm:tone': 'undecided' });
  });

  it('says that a person can decide it, and why it is open', async () => {
    const outcome = await definePipeline<string, string>({
      produce: async () => 'x',
      reviewers: [
        ...saying({ tone: [passed('tone')] }, 'model'),
        ...saying({ 'confirm:tone': [skips('confirm:tone')] }, 'confirm'),
      ],
    }).run('task');
    expect(outcome.approved).toBe(false);
    expect(outcome.reviews[0]?.assessments[1]).toMatchObject({
      verdict: 'undecided',
      criterion: 'confirm:tone',
      reason: expect.stringContaining('it does not apply'),
      decidableBy: ['person'],
    });
  });

  it('leaves nothing open where that judge gave no verdict either', async () => {
    const other = { other: [passed('other')] };
    expect(
      await verdicts(
        { ...other, tone: [skips('tone')] },
        { 'confirm:tone': [skips('confirm:tone')] },
      ),
    ).toEqual({ tone: 'skipped', other: 'pass', 'confirm:tone': 'skipped' });
  });

  it('leaves nothing open where another one confirms the same', async () => {
    expect(
      await verdicts(
        { tone: [passed('tone')] },
        {
          'confirm:tone:1': [skips('confirm:tone:1')],
          'confirm:tone:2': [passed('confirm:tone:2')],
        },
      ),
    ).toEqual({ tone: 'pass', 'confirm:tone:1': 'skipped', 'confirm:tone:2': 'pass' });
  });

  it('leaves the question open where another one confirms something else', async () => {
    expect(
      await verdicts(
        { tone: [passed('tone')], length: [passed('length')] },
        {
          'confirm:tone': [skips('confirm:tone')],
          'confirm:length': [passed('confirm:length')],
        },
      ),
    ).toMatchObject({ 'confirm:tone': 'undecided', 'confirm:length': 'pass' });
  });

  it('leaves the question open where all that confirm the same skip it', async () => {
    expect(
      await verdicts(
        { tone: [passed('tone')] },
        {
          'confirm:tone:1': [skips('confirm:tone:1')],
          'confirm:tone:2': [skips('confirm:tone:2')],
        },
      ),
    ).toMatchObject({ 'confirm:tone:1': 'undecided', 'confirm:tone:2': 'undecided' });
  });
});

describe('a judge that confirms each part of another one', () => {
  it('and fails at one of them has failed there', async () => {
    const error = new ReviewLoopError('timeout', 'no answer');
    const down: Assessment = { verdict: 'errored', criterion: 'confirm:list/b', error };
    expect(
      await verdicts(
        { list: [passed('a'), passed('b')] },
        { 'confirm:list': [skips('confirm:list/a'), down] },
      ),
    ).toMatchObject({ 'confirm:list/a': 'undecided', 'confirm:list/b': 'errored' });
  });

  it('leaves open the parts that it skips, if the other one judged them', async () => {
    const list = [passed('list/a'), passed('list/b'), skips('list/c')];
    const parts = [
      passed('confirm:list/list/a'),
      skips('confirm:list/list/b'),
      skips('confirm:list/list/c'),
    ];
    expect(await verdicts({ list }, { 'confirm:list': parts })).toEqual({
      'list/a': 'pass',
      'list/b': 'pass',
      'list/c': 'skipped',
      'confirm:list/list/a': 'pass',
      'confirm:list/list/b': 'undecided',
      'confirm:list/list/c': 'skipped',
    });
  });

  it('is not confirmed by one that judged another part, but by one that judged the same', async () => {
    const list = [passed('a'), passed('b')];
    expect(
      await verdicts(
        { list },
        {
          'confirm:list:1': [skips('confirm:list:1/a'), skips('confirm:list:1/b')],
          'confirm:list:2': [passed('confirm:list:2/a')],
        },
      ),
    ).toMatchObject({ 'confirm:list:1/a': 'skipped', 'confirm:list:1/b': 'undecided' });
  });

  it('does not take the part of another judge for one of this', async () => {
    expect(
      await verdicts(
        { list: [skips('a')], other: [passed('other')] },
        { 'confirm:list': [skips('confirm:list/a'), skips('confirm:list/other')] },
      ),
    ).toMatchObject({ 'confirm:list/a': 'skipped', 'confirm:list/other': 'skipped' });
  });
});

describe('a judge of the whole task', () => {
  const skipped = { 'confirm:task': [skips('confirm:task')] };

  it('leaves the question open where it is the only one that confirms', async () => {
    expect(await verdicts({ tone: [passed('tone')] }, skipped)).toMatchObject({
      'confirm:task': 'undecided',
    });
  });

  it('leaves nothing open where another one confirms, or where there is no verdict', async () => {
    const tone = { 'confirm:tone': [passed('confirm:tone')] };
    expect(await verdicts({ tone: [passed('tone')] }, { ...skipped, ...tone })).toMatchObject({
      'confirm:task': 'skipped',
    });
    expect(await verdicts({ tone: [skips('tone')] }, skipped)).toMatchObject({
      'confirm:task': 'skipped',
    });
  });
});

describe('a judge that only looks like one that confirms', () => {
  it('is one of another tier, or of another name: what it skips stays skipped', async () => {
    expect(
      await verdicts(
        { tone: [passed('tone')], 'confirm:tone': [skips('confirm:tone')] },
        { 'tone:confirm:': [skips('tone:confirm:')], last: [skips('last')] },
      ),
    ).toEqual({
      tone: 'pass',
      'confirm:tone': 'skipped',
      'tone:confirm:': 'skipped',
      last: 'skipped',
    });
  });

  it('can be confirmed itself', async () => {
    expect(
      await verdicts(
        { tone: [passed('tone')] },
        { 'confirm:confirm:style': [skips('confirm:confirm:style')] },
        { 'confirm:style': [passed('confirm:style')] },
      ),
    ).toMatchObject({ 'confirm:style': 'pass', 'confirm:confirm:style': 'undecided' });
  });
});

describe('the id of a judge that confirms', () => {
  it('tells whom it confirms, also where that id ends with a number', async () => {
    const said = {
      list: [passed('list')],
      'list:5': [passed('list:5')],
      other: [passed('other')],
    };
    const other = { 'confirm:other': [passed('confirm:other')] };
    const skipped = async (id: string) =>
      (await verdicts(said, { ...other, [id]: [skips(id)] }))[id];
    expect(await skipped('confirm:list:1')).toBe('undecided');
    expect(await skipped('confirm:list:12')).toBe('undecided');
    expect(await skipped('confirm:list:5')).toBe('undecided');
    expect(await skipped('confirm:list:1:x')).toBe('skipped');
  });
});

describe('a failure that nobody confirms', () => {
  it('stays as it is where the policy approves nothing with it', async () => {
    const review = await definePipeline<string, string>({
      reviewers: [
        reviewer('tone', async () => [failed('tone')]),
        reviewer('confirm:tone', async () => [skips('confirm:tone')], { tier: 'confirm' }),
      ],
    }).review('task', 'x');
    expect(review.assessments.map(({ verdict }) => verdict)).toEqual(['fail', 'skipped']);
  });
});
