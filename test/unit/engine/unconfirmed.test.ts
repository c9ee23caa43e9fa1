import { describe, expect, it } from 'vitest';
import { type Assessment, definePipeline } from '../../../src/index.js';
import { failed, passed, reviewer } from './support.js';

const skipped = (criterion: string): Assessment => ({
  verdict: 'skipped',
  criterion,
  reason: 'no such part',
});

/** What judges say of an output, and what one review makes of that: criteria and verdicts. */
async function verdicts(replies: Readonly<Record<string, readonly Assessment[]>>) {
  const review = await definePipeline<string, string>({
    reviewers: Object.entries(replies).map(([id, assessments]) =>
      reviewer(id, async () => [...assessments], {
        tier: id.startsWith('confirm:') ? 'confirm' : 'code',
      }),
    ),
  }).review('task', 'x');
  return Object.fromEntries(
    review.assessments.map(({ criterion, verdict }) => [criterion, verdict]),
  );
}

describe('a verdict that a confirming judge does not confirm, as its question does not apply', () => {
  it('leaves the question undecided', async () => {
    expect(await verdicts({ a: [passed('a')], 'confirm:a': [skipped('confirm:a')] })).toEqual({
      a: 'pass',
      'confirm:a': 'undecided',
    });
  });

  it('leaves open the part of the reviewer that it is about, and no other', async () => {
    expect(
      await verdicts({
        a: [passed('tone'), passed('size'), skipped('colour')],
        'confirm:a': [
          passed('confirm:a/tone'),
          skipped('confirm:a/size'),
          skipped('confirm:a/colour'),
        ],
      }),
    ).toMatchObject({
      'confirm:a/tone': 'pass',
      'confirm:a/size': 'undecided',
      'confirm:a/colour': 'skipped',
    });
  });

  it('is confirmed where another judge of the same reviewer confirms that part', async () => {
    const judges = (second: Assessment) =>
      verdicts({
        a: [passed('tone')],
        'confirm:a:1': [skipped('confirm:a:1/tone')],
        'confirm:a:2': [second],
      });
    expect(await judges(passed('confirm:a:2/tone'))).toMatchObject({
      'confirm:a:1/tone': 'skipped',
    });
    expect(await judges(skipped('confirm:a:2/tone'))).toMatchObject({
      'confirm:a:1/tone': 'undecided',
      'confirm:a:2/tone': 'undecided',
    });
  });

  it('is not confirmed by a judge of another reviewer', async () => {
    expect(
      await verdicts({
        a: [passed('a')],
        'a:x': [passed('a:x')],
        'confirm:a': [skipped('confirm:a')],
        'confirm:a:x': [passed('confirm:a:x')],
      }),
    ).toMatchObject({ 'confirm:a': 'undecided', 'confirm:a:x': 'pass' });
  });

  it('is told by the id of the judge, also where the id of a reviewer has numbers', async () => {
    const skippedBy = async (reviewed: string, judges: readonly string[]) => {
      const said = await verdicts({
        [reviewed]: [passed(reviewed)],
        other: [passed('other')],
        'confirm:other': [passed('confirm:other')],
        ...Object.fromEntries(judges.map((id) => [id, [skipped(id)]])),
      });
      return judges.map((id) => said[id]);
    };
    expect(await skippedBy('a', ['confirm:a:1', 'confirm:a:12'])).toEqual([
      'undecided',
      'undecided',
    ]);
    expect(await skippedBy('a:5', ['confirm:a:5'])).toEqual(['undecided']);
    expect(await skippedBy('a:x', ['confirm:a:1:x'])).toEqual(['skipped']);
  });

  it('is that of all reviewers where a judge confirms the whole task', async () => {
    const whole = 'confirm:the task';
    expect(await verdicts({ a: [passed('a')], [whole]: [skipped(whole)] })).toMatchObject({
      [whole]: 'undecided',
    });
    expect(
      await verdicts({
        a: [passed('a')],
        'confirm:a': [passed('confirm:a')],
        [whole]: [skipped(whole)],
      }),
    ).toMatchObject({ [whole]: 'skipped' });
    expect(await verdicts({ a: [skipped('a')], [whole]: [skipped(whole)] })).toMatchObject({
      [whole]: 'skipped',
    });
  });

  it('says which judge found nothing to confirm, and asks a person', async () => {
    const review = await definePipeline<string, string>({
      reviewers: [
        reviewer('a', async () => [passed('a')]),
        reviewer('confirm:a', async () => [skipped('confirm:a')], { tier: 'confirm' }),
      ],
    }).review('task', 'x');
    expect(review.assessments[1]).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringContaining('no such part'),
      decidableBy: ['person'],
    });
    expect(review.decision.kind).not.toBe('approve');
  });
});

describe('a failure that nobody confirms', () => {
  it('is asked about by nobody, because nothing can be approved', async () => {
    expect(await verdicts({ a: [failed('a')], 'confirm:a': [skipped('confirm:a')] })).toEqual({
      a: 'fail',
      'confirm:a': 'skipped',
    });
  });
});
