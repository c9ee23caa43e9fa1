import { describe, expect, it } from 'vitest';
import { carryGaps } from '../../../src/engine/parent-gaps.js';
import { type Assessment, type Gap, gap, ReviewLoopError } from '../../../src/index.js';
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

const became = (
  gaps: readonly Gap[],
  answers: readonly ReturnType<typeof reply>[],
  now: readonly Gap[] = [],
) => {
  const { carried, fixed } = carryGaps(gaps, now, answers);
  return { carried: carried.map(({ id }) => id), fixed: fixed.map(({ id }) => id) };
};
const none = { carried: [], fixed: [] };

describe('a gap of the parent version that is not raised again', () => {
  it('is fixed if its criterion was judged', () => {
    for (const verdict of [passed('tone'), failed('tone')])
      expect(became([old()], [reply('judge', verdict, errored('other'))])).toEqual({
        ...none,
        fixed: ['gap-1'],
      });
    const { fixed } = carryGaps([old()], [], [reply('judge', passed('tone'))]);
    expect(fixed).toEqual([old({ lifecycle: 'fixed' })]);
  });

  it('is carried on if its criterion has no verdict', () => {
    for (const verdict of [errored('tone'), skipped('tone')])
      expect(became([old()], [reply('judge', verdict, passed('other'))])).toEqual({
        ...none,
        carried: ['gap-1'],
      });
    const { carried } = carryGaps([old()], [], [reply('judge', errored('tone'))]);
    expect(carried).toEqual([old({ lifecycle: 'persisting' })]);
  });

  it('is neither if its criterion is an open question now', () => {
    expect(became([old()], [reply('judge', undecided('tone'))])).toEqual(none);
  });

  it('follows its judge if nobody assessed its criterion', () => {
    const answers = [reply('other', errored('other')), reply('judge', passed('colour'))];
    expect(became([old()], answers)).toEqual({ ...none, fixed: ['gap-1'] });
    const partly = [reply('judge', passed('colour'), errored('size'))];
    expect(became([old()], partly)).toEqual({ ...none, carried: ['gap-1'] });
    expect(became([old()], [reply('other', passed('other'))])).toEqual({
      ...none,
      carried: ['gap-1'],
    });
  });
});

describe('a gap of the parent version', () => {
  it('that is raised again, disputed or waived is neither fixed nor carried on', () => {
    const answers = [reply('judge', passed('tone'))];
    expect(became([old()], answers, [old()])).toEqual(none);
    expect(became([old({ standing: 'disputed' })], answers)).toEqual(none);
    expect(became([old({ standing: 'waived' })], answers)).toEqual(none);
    expect(became([old({ standing: 'confirmed' })], answers).fixed).toEqual(['gap-1']);
  });

  it('does not hide the others', () => {
    const gaps = [old(), old({ id: 'gap-2', criterionId: 'size' }), old({ id: 'gap-3' })];
    const answers = [reply('judge', passed('tone'), errored('size'))];
    expect(became(gaps, answers, [old()])).toEqual({ carried: ['gap-2'], fixed: ['gap-3'] });
  });

  it('is nothing where there is no parent', () => {
    expect(carryGaps(undefined, [old()], [])).toEqual(none);
  });
});
