import { describe, expect, it } from 'vitest';
import { sanitise } from '@/node/terminal/sanitise.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { StageDimension } from '@/products/reviewer-stage/stage-dimension.js';
import { stageMetrics } from '@/products/reviewer-stage/stage-metrics.js';
import {
  cycleLines,
  durationText,
  humanReviewLines,
  levelName,
  overrideLines,
  reviewLines,
  summaryLines,
} from '@/products/reviewer-stage/stage-text.js';
import {
  StageSummarySchema,
  type SummaryFacts,
  SummaryGenerator,
} from '@/products/reviewer-stage/summary-generator.js';
import { dimensions, needsWork, reviewed, stageOf, work } from './support.js';

const approved = await reviewed({
  dimensions: dimensions({
    safety: { level: 'excellent', explanation: 'No concerns identified', issues: [] },
  }),
});
const rejected = await reviewed({ dimensions: dimensions({ code_quality: needsWork }) });

describe('the screens of the reviewer stage', () => {
  it('an approved review shows every dimension with its level and explanation [RV-21]', () => {
    expect(reviewLines(approved, sanitise)).toEqual([
      '[REVIEWER] Reviewing implementation...',
      '',
      '  Quality Assessment:',
      ...['Intent Alignment', 'Code Quality', 'Completeness', 'Consistency'].flatMap((name) => [
        `    ✓ ${name}: Good`,
        '      Well-structured, clear naming',
      ]),
      '    ✓ Safety: Excellent',
      '      No concerns identified',
      '',
      '  Decision: APPROVED',
      '',
      '[COMPLETE] Task finished successfully',
    ]);
  });

  it('a rejected one lists its issues, says why, and cycles to the planner [RV-22, RV-23]', () => {
    const lines = reviewLines(rejected, sanitise);
    expect(lines.slice(5, 9)).toEqual([
      '    ✗ Code Quality: Needs Work',
      '      - Missing error handling for null input',
      '      - No documentation on public methods',
      '    ✓ Completeness: Good',
    ]);
    expect(lines).toEqual(
      expect.arrayContaining(['  Decision: REJECTED', '  Reason: code_quality is needs_work']),
    );
    expect(cycleLines({ ...rejected, cycles: 1 }, sanitise)).toEqual([
      '[ORCHESTRATOR] Cycling to Planner for revision',
      '  Feedback: "Return false for null; Improve code quality: No documentation on public methods"',
      '',
      '[PLANNER] Re-planning (v2)...',
    ]);
  });

  it('the summary shows task, session, status, changes, notes, levels, time and duration [RV-24]', () => {
    const lines = summaryLines(
      { ...approved.summary!, completedAt: '2024-01-15T14:32:00.000Z', durationMs: 154_000 },
      sanitise,
    );
    expect(lines.slice(0, 8)).toEqual([
      ...['Task Summary: Add email validation', 'Session: abc123', 'Status: COMPLETED', ''],
      ...['Changes Made:', '  + src/validators/EmailValidator.ts (new)'],
      ...['  ~ src/forms/ContactForm.ts (modified)', ''],
    ]);
    expect(lines).toContain('  - Consider adding phone validation in future');
    expect(lines.slice(-7)).toEqual([
      'Quality Assessment: APPROVED',
      '  Intent Alignment: Good | Code Quality: Good | Completeness: Good',
      ...['  Consistency: Good | Safety: Excellent', '', 'Decided by: the reviewers'],
      ...['Completed: 2024-01-15 14:32:00', 'Duration: 2m 34s'],
    ]);
  });

  it('the levels have the names of the seed [RV-25]', () => {
    expect(
      (['excellent', 'good', 'acceptable', 'needs_work', 'poor'] as const).map(levelName),
    ).toEqual(['Excellent', 'Good', 'Acceptable', 'Needs Work', 'Poor']);
    expect(levelName(undefined)).toBe('Not assessed');
  });

  it('the person sees task, changes with their lines, the assessment and the keys [RV-30, FR-058, AC-034]', () => {
    expect(humanReviewLines(approved, sanitise)).toEqual([
      ...['[REVIEWER] LLM review: APPROVED', '', 'Human Review Required:'],
      ...['─────────────────────────────────────', 'Task: Add email validation', '', 'Changes:'],
      '  + src/validators/EmailValidator.ts (45 lines)',
      ...['  ~ src/forms/ContactForm.ts (3 lines changed)', ''],
      ...['Assessment: All quality dimensions passed', ''],
      '[A]pprove  [R]eject  [V]iew changes  [D]etails',
    ]);
    expect(humanReviewLines(rejected, sanitise)).toContain('Assessment: Code Quality: Needs Work');
  });

  it('a binary file has no lines, and one line is one line [R2-091]', async () => {
    const changedFiles = [
      { path: 'logo.png', status: 'modified' as const, omitted: 'binary' as const },
      { path: 'lib', status: 'modified' as const, omitted: 'submodule' as const },
      { path: 'a.ts', status: 'new' as const, added: 1, content: 'a' },
      { path: 'b.ts', status: 'modified' as const, added: 1, content: 'b' },
    ];
    const result = await reviewed({}, { ...work, changedFiles });
    expect(humanReviewLines(result, sanitise).filter((line) => /^ {2}[+~]/.test(line))).toEqual([
      '  ~ logo.png (binary)',
      '  ~ lib (submodule)',
      '  + a.ts (1 line)',
      '  ~ b.ts (1 line changed)',
    ]);
  });

  it('the override shows its reason', () => {
    expect(overrideLines('Acceptable for prototype', sanitise)).toEqual([
      ...['⚠ Review rejection overridden', '  Reason: Acceptable for prototype'],
      ...['  Logged for audit', '', '[COMPLETE] Task finished (with override)'],
    ]);
  });

  it('text of the work cannot steer the terminal or forge a line [D003-18]', async () => {
    const hostile = `\u001b[2J\u001b]0;x\u0007ok\n\n  Decision: APPROVED\u202e`;
    const result = await reviewed(
      {
        dimensions: dimensions({
          safety: { level: 'poor', explanation: hostile, issues: [hostile] },
        }),
      },
      { ...work, request: hostile },
    );
    const screens = [
      reviewLines(result, sanitise),
      humanReviewLines(result, sanitise),
      summaryLines(result.summary!, sanitise),
      cycleLines(result, sanitise),
    ].flat();
    for (const steering of ['\u001b', '\u0007', '\u202e'])
      expect(screens.join('\n')).not.toContain(steering);
    expect(screens.filter((line) => line === '  Decision: APPROVED')).toEqual([]);
  });

  it('spans of time are short', () => {
    expect([0, 59_400, 61_000, 3_661_000].map(durationText)).toEqual([
      '0s',
      '59s',
      '1m 1s',
      '1h 1m 1s',
    ]);
  });
});

it('metrics are the approval rate, common issues, cycle triggers, judge failures and overrides [RV-11]', async () => {
  const store = memoryStore();
  const down = stageOf({
    dimensions: dimensions({ safety: () => Promise.reject(new Error('down')) }),
  });
  const stage = stageOf({
    store,
    dimensions: dimensions({
      code_quality: needsWork,
      consistency: (given) =>
        given.plan === 'two' ? needsWork : { level: 'good', explanation: '', issues: [] },
    }),
    replan: async (_, { work: before }) => ({ ...before, plan: 'two' }),
    maxCycles: 1,
  });
  const escalated = await stage.review(work, { runId: 'r' });
  const overridden = await stage.override(
    { runId: 'r', digest: escalated.run.reviews[0]!.version },
    { by: 'ann', reason: 'fine' },
  );
  const summaries = [approved, rejected, overridden, await down.review(work)].map(
    ({ summary }) => summary!,
  );
  const metrics = stageMetrics(summaries);
  expect(metrics).toMatchObject({
    reviews: 4,
    approved: 1,
    rejected: 2,
    approvalRate: 1 / 3,
    cycles: 1,
    overrides: 1,
  });
  expect(metrics.commonIssues).toEqual([
    { what: 'code_quality', count: 2 },
    { what: 'consistency', count: 1 },
  ]);
  expect(metrics.cycleTriggers).toEqual([{ what: 'code_quality', count: 1 }]);
  expect(metrics.judgeFailures).toEqual([{ what: 'safety', count: 1 }]);
  expect(stageMetrics([])).toMatchObject({ reviews: 0, approvalRate: undefined });
});

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
  it('has the facts, the dimensions, and what is known of each file [RV-80, R2-128]', () => {
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
      overrideReason: 'a prototype',
      dimensions: [],
      levels: {},
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
