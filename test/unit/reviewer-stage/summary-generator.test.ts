import { describe, expect, it } from 'vitest';
import type { StageDimension } from '../../../src/reviewer-stage/stage-dimension.js';
import {
  StageSummarySchema,
  type SummaryFacts,
  SummaryGenerator,
} from '../../../src/reviewer-stage/summary-generator.js';
import { work } from './support.js';

const facts: SummaryFacts = {
  ...{ runId: 'r', decision: 'REJECTED', outcome: 'rejected', reasoning: 'done is poor' },
  ...{ cycles: 1, cycleTriggers: [['done']], usage: { inputTokens: 3 }, durationMs: 7 },
  ...{ completedAt: '2026-01-01T00:00:00.000Z', decidedBy: 'the reviewers' },
};
const judged: StageDimension = {
  ...{ id: 'done', name: 'Done', shortName: 'Did', level: 'poor', passed: false },
  ...{ explanation: 'something is left', issues: [{ message: 'a FIXME' }, { message: 'a TODO' }] },
};
const silent: StageDimension = {
  ...{ id: 'safety', name: 'Safety', shortName: 'Safety', level: undefined, passed: false },
  ...{ explanation: ' ', issues: [], verdict: 'undecided', error: undefined },
};
const made = (
  given: Partial<typeof work> = {},
  dimensions: readonly StageDimension[] = [judged, silent],
  more: Partial<SummaryFacts> = {},
) => new SummaryGenerator().generate({ ...work, ...given }, { ...facts, ...more }, dimensions);

describe('the summary of reviewed work', () => {
  it('has the facts, the dimensions, and what is known of each file', () => {
    const summary = made({
      base: 'abc',
      head: 'def',
      notes: ['by hand'],
      changedFiles: [
        { path: 'b.ts', oldPath: 'a.ts', status: 'renamed', added: 1, removed: 0, omitted: 'cut' },
        { path: 'c.ts', status: 'deleted' },
      ],
    });
    expect(summary).toStrictEqual({
      ...{ schemaVersion: 1, ...facts, sessionId: 'abc123', goal: 'Add email validation' },
      ...{ base: 'abc', head: 'def', levels: { done: 'poor', safety: null } },
      changes: [
        { path: 'b.ts', kind: 'renamed', oldPath: 'a.ts', added: 1, removed: 0, omitted: 'cut' },
        { path: 'c.ts', kind: 'deleted' },
      ],
      notes: ['Done: something is left', 'Done: a FIXME', 'Done: a TODO', 'by hand'],
      dimensions: [
        {
          ...{ id: 'done', name: 'Done', shortName: 'Did', level: 'poor', passed: false },
          ...{ explanation: 'something is left', issues: ['a FIXME', 'a TODO'] },
        },
        {
          ...{ id: 'safety', name: 'Safety', shortName: 'Safety', level: null, passed: false },
          ...{ explanation: ' ', issues: [], verdict: 'undecided' },
        },
      ],
    });
    expect(StageSummarySchema.parse(summary)).toEqual(summary);
  });

  it('lacks what is not known', () => {
    const { notes: _, ...plain } = work;
    const summary = new SummaryGenerator().generate(plain, facts, [silent]);
    for (const name of ['base', 'head', 'overrideReason']) expect(summary).not.toHaveProperty(name);
    expect(summary.notes).toEqual([]);
    expect(made({}, [], { overrideReason: 'a prototype' })).toMatchObject({
      ...{ overrideReason: 'a prototype', dimensions: [], levels: {} },
    });
  });

  it('says each thing once', () => {
    const [issue] = judged.issues;
    const twice = { ...judged, explanation: 'a FIXME', issues: [issue, issue] } as StageDimension;
    expect(made({ notes: ['Done: a FIXME', 'x', 'x'] }, [twice]).notes).toEqual([
      'Done: a FIXME',
      'x',
    ]);
  });
});
