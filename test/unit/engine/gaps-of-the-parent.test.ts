import { describe, expect, it } from 'vitest';
import { closedGaps } from '../../../src/engine/parent-gaps.js';
import {
  type Assessment,
  criterion,
  definePipeline,
  type Gap,
  gap,
  noProgress,
  ReviewLoopError,
  thresholds,
} from '../../../src/index.js';
import { failed, passed } from './support.js';

const errored = (criterion: string): Assessment => ({
  ...{ verdict: 'errored', criterion, error: new ReviewLoopError('timeout', 'too late') },
});
const undecided = (criterion: string): Assessment => ({
  ...{ verdict: 'undecided', criterion, reason: 'who knows', decidableBy: ['person'] },
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
    for (const verdict of [passed('tone'), failed('tone')])
      expect(became([old()], [reply('judge', verdict, errored('other'))])).toEqual({
        fixed: ['gap-1'],
      });
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
  const outcome = await definePipeline<string, string>({
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
    expect({ status, lives, output }).toEqual({
      status: 'approved',
      lives: ['new', 'gone'],
      output: '1234',
    });
  });

  it('a model that abstains on its own gap closes nothing: the question is open', async () => {
    const { status, code, lives, reviews } = await run(['LOUD', '1234'], 'model');
    expect({ status, code, lives }).toEqual({
      status: 'inconclusive',
      code: 'undecided',
      lives: ['new', 'unknown'],
    });
    expect(reviews[1]?.assessments).toContainEqual(
      expect.objectContaining({ verdict: 'undecided', criterion: 'tone' }),
    );
  });
});
