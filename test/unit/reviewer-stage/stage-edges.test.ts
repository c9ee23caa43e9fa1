import { describe, expect, it } from 'vitest';
import type { Gap } from '../../../src/core/gap.js';
import type { Outcome } from '../../../src/core/outcome.js';
import { memoryStore } from '../../../src/ports/memory-store.js';
import type { CompletedWork } from '../../../src/reviewer-stage/completed-work.js';
import {
  ageText,
  metricsLines,
  reviewShowLines,
} from '../../../src/reviewer-stage/history-text.js';
import { ReviewerStage } from '../../../src/reviewer-stage/reviewer-stage.js';
import { stageFeedbackOf } from '../../../src/reviewer-stage/stage-feedback.js';
import { stageMetrics } from '../../../src/reviewer-stage/stage-metrics.js';
import {
  stageErrorCode,
  stageExitCode,
  stageOutcomeOf,
} from '../../../src/reviewer-stage/stage-outcome.js';
import {
  cycleLines,
  decisionLines,
  humanReviewLines,
  summaryLines,
} from '../../../src/reviewer-stage/stage-text.js';
import type { StageSummary } from '../../../src/reviewer-stage/summary-generator.js';
import { summaryPage } from '../../../src/reviewer-stage/summary-page.js';
import { dimensions, five, good, keeping, needsWork, saying, work } from './support.js';

const plain = (text: string): string => text;
const stageOf = (options: object = {}) =>
  new ReviewerStage({ dimensions: dimensions(), ...options });
const endedAs = (status: string, more: object = {}) =>
  ({ status, reviews: [], code: 'x', reason: 'why', ...more }) as unknown as Outcome<CompletedWork>;

describe('the ends of a review', () => {
  it('each have one outcome, one exit code of the seed, and its error code where something went wrong', () => {
    const ends = [
      endedAs('approved'),
      endedAs('accepted', { acceptance: { kind: 'override' } }),
      endedAs('accepted', { acceptance: { kind: 'person' } }),
      endedAs('rejected', { code: 'person_rejected' }),
      endedAs('rejected'),
      endedAs('exhausted', { code: 'no_address' }),
      endedAs('exhausted', { code: 'max_iterations' }),
      endedAs('escalated'),
      endedAs('stalled'),
      endedAs('inconclusive'),
      endedAs('timed_out'),
      endedAs('suspended'),
      endedAs('cancelled'),
      endedAs('failed'),
    ];
    expect(
      ends.map((run) => {
        const outcome = stageOutcomeOf(run);
        return [run.status, outcome, stageExitCode(outcome), stageErrorCode(run, outcome)];
      }),
    ).toEqual([
      ['approved', 'completed', 0, undefined],
      ['accepted', 'overridden', 0, undefined],
      ['accepted', 'completed', 0, undefined],
      ['rejected', 'declined', 51, 'ACODE-REVIEW-004'],
      ['rejected', 'rejected', 50, undefined],
      ['exhausted', 'rejected', 50, undefined],
      ['exhausted', 'escalated', 50, undefined],
      ['escalated', 'escalated', 50, undefined],
      ['stalled', 'escalated', 50, undefined],
      ['inconclusive', 'escalated', 50, 'ACODE-REVIEW-002'],
      ['timed_out', 'timed_out', 52, 'ACODE-REVIEW-003'],
      ['suspended', 'suspended', 53, undefined],
      ['cancelled', 'cancelled', 130, undefined],
      ['failed', 'failed', 1, 'ACODE-REVIEW-001'],
    ]);
  });

  it('a review that is cancelled before it begins reports every dimension as not assessed, and decides nothing', async () => {
    const result = await stageOf().review(work, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({
      decision: 'INCONCLUSIVE',
      outcome: 'cancelled',
      exitCode: 130,
      feedback: undefined,
    });
    expect(
      result.dimensions.map(({ id, level, passed, explanation }) => [
        id,
        level,
        passed,
        explanation,
      ]),
    ).toEqual(five.map((id) => [id, undefined, false, 'not assessed']));
    expect(humanReviewLines(result, plain)).toContain(
      `Assessment: ${result.dimensions.map(({ name }) => `${name}: Not assessed`).join(', ')}`,
    );
  });

  it('a summary that cannot be kept is ACODE-REVIEW-005, is logged, and costs the decision nothing', async () => {
    const logger = keeping();
    const result = await stageOf({
      logger,
      saveSummary: () => Promise.reject(new Error('disk full')),
    }).review(work);
    expect(result).toMatchObject({
      decision: 'APPROVED',
      code: 'ACODE-REVIEW-005',
      exitCode: 0,
      summary: { decision: 'APPROVED' },
    });
    expect(logger.fields.find(({ event }) => event === 'summary_failed')).toMatchObject({
      error: 'disk full',
    });
  });

  it('an override of a run that nobody kept is misuse', async () => {
    await expect(
      stageOf({ store: memoryStore() }).override(
        { runId: 'none', digest: 'f'.repeat(64) },
        { by: 'ann', reason: 'fine' },
      ),
    ).rejects.toMatchObject({ code: 'run_unknown' });
  });

  it('every event of a question reaches its listener, with its end', async () => {
    const asked: unknown[] = [];
    const result = await stageOf({
      humanReview: 'require',
      expiresAfterMs: 60_000,
      onDecline: 'stop',
      notify: async (request: unknown) => void asked.push(request),
    }).review(work, { runId: 'r' });
    expect([result.outcome, asked]).toMatchObject([
      'suspended',
      [{ runId: 'r', expiresAt: expect.any(String) as string }],
    ]);
  });

  it('options of the wrong kind are refused when the stage is built', () => {
    const dimensionsAndBars = [
      { dimensions: 5 },
      { dimensions: [{}] },
      { enabled: { safety: 'no' } },
      { enabled: { none: true } },
      { thresholds: { safety: 'poor' } },
    ];
    for (const options of [
      null,
      5,
      ...dimensionsAndBars,
      { onDecline: 'x' },
      { humanReview: 'x' },
      { replan: 5 },
      { maxCycles: -1 },
      { unknown: 1 },
    ])
      expect(() => new ReviewerStage(options as never), JSON.stringify(options)).toThrow(
        expect.objectContaining({ code: 'invalid_options' }),
      );
  });
});

describe('feedback', () => {
  it('says where as well as it is known', () => {
    const gap = (more: Partial<Gap>): Gap =>
      ({ severity: 'major', category: 'quality', suggestedFix: 'Mend it', ...more }) as Gap;
    const { issues, text } = stageFeedbackOf(
      [
        gap({ criterionId: 'a', description: 'one', location: { file: 'x.ts' } }),
        gap({ criterionId: 'b', description: 'two', affectedArtifact: 'y.ts' }),
        gap({ description: 'three', raisedBy: 'somebody' }),
        gap({ description: 'four', severity: 'critical' }),
      ],
      { reason: 'no', cycle: 1, note: 'hurry' },
    );
    expect(issues.map(({ dimension, message, where }) => [dimension, message, where])).toEqual([
      ['', 'four', ''],
      ['a', 'one', 'x.ts'],
      ['b', 'two', 'y.ts'],
      ['somebody', 'three', ''],
    ]);
    expect(text.split('\n').at(-1)).toBe('A person said: hurry');
  });
});

describe('screens of what is rare', () => {
  const summary = (more: Partial<StageSummary> = {}): StageSummary => ({
    ...{
      schemaVersion: 1,
      runId: 'r',
      sessionId: 's',
      goal: 'g',
      notes: [],
      decision: 'REJECTED',
      outcome: 'overridden',
      reasoning: 'why',
      levels: {},
      dimensions: [],
    },
    ...{
      changes: [],
      cycleTriggers: [],
      usage: {},
      cycles: 0,
      completedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 1000,
      decidedBy: 'ann',
    },
    ...more,
  });

  it('ages are shown in the largest unit', () => {
    expect(
      [59_999, 60_000, 7_200_000, 172_800_000].map((ms) => [
        ageText(ms),
        ageText(ms, { long: true }),
      ]),
    ).toEqual([
      ['just now', 'just now'],
      ['1m ago', '1 minute ago'],
      ['2h ago', '2 hours ago'],
      ['2d ago', '2 days ago'],
    ]);
  });

  it('review, summary and page show an override, cycles, and moved, deleted and unread files', () => {
    const changes = [
      { path: 'new.ts', oldPath: 'old.ts', kind: 'renamed' as const, added: 1, removed: 1 },
      { path: 'gone.ts', kind: 'deleted' as const },
      { path: 'logo.png', kind: 'new' as const, omitted: 'binary' as const },
    ];
    const told = summary({ overrideReason: 'for a prototype', cycles: 2, changes, base: 'abc' });
    const now = Date.parse('2026-01-01T00:05:00.000Z');
    expect(reviewShowLines(told, { now, status: 'accepted' }, plain)).toEqual(
      expect.arrayContaining([
        '  Time: 5 minutes ago',
        '  Override: for a prototype (ann)',
        '  Cycles: 2',
        '  Status: accepted',
      ]),
    );
    expect(summaryLines(told, plain)).toEqual(
      expect.arrayContaining([
        'Override: for a prototype',
        '  > old.ts -> new.ts (renamed)',
        '  - gone.ts (deleted)',
        '  + logo.png (new)',
      ]),
    );
    const page = summaryPage(told, plain);
    for (const line of [
      '- override: for a prototype',
      '- changes: abc..',
      '- renamed: new.ts (+1 -1)',
      '- new: logo.png (+0 -0), binary',
    ])
      expect(page).toContain(line);
    expect(page).not.toContain('## Quality');
    expect(summaryPage(summary(), plain)).not.toContain('## Changes');
  });

  it('a decision after cycles says how many, an override how it ended, and a planner without feedback gets none', async () => {
    const store = memoryStore();
    const stage = new ReviewerStage({
      store,
      maxCycles: 1,
      dimensions: [saying('own', needsWork)],
      replan: async (_, { work: before, cycle }) => ({ ...before, notes: [`cycle ${cycle}`] }),
    });
    const escalated = await stage.review(work, { runId: 'r' });
    expect(decisionLines(escalated, plain)).toEqual(
      expect.arrayContaining(['  Cycles: 1', '  Decision: REJECTED']),
    );
    const overridden = await stage.override(
      { runId: 'r', digest: escalated.run.reviews[0]!.version },
      { by: 'ann', reason: 'fine' },
    );
    expect(decisionLines(overridden, plain).at(-1)).toBe(
      '[COMPLETE] Task finished (with override)',
    );
    expect(cycleLines({ feedback: undefined, cycles: 1 }, plain)).toContain('  Feedback: ""');
    expect(
      humanReviewLines({ decision: 'APPROVED', dimensions: [], summary: undefined }, plain),
    ).toContain('Task: ');
  });

  it('metrics tell what is known of the cost, and of nothing that it is nothing', async () => {
    const { summary: made } = await new ReviewerStage({
      dimensions: dimensions({ safety: good }),
    }).review(work);
    const priced = { ...made!, usage: { costUsd: 0.5, inputTokens: 10, outputTokens: 5 } };
    expect(metricsLines(stageMetrics([priced]), plain)).toEqual(
      expect.arrayContaining([
        '  Cost: $0.5000, 15 tokens',
        '  Approval rate: 100 % (1 approved, 0 rejected, 0 inconclusive)',
        '  Judge failures: none',
      ]),
    );
    expect(metricsLines(stageMetrics([]), plain)).toEqual(
      expect.arrayContaining([
        '  Approval rate: unknown (0 approved, 0 rejected, 0 inconclusive)',
        '  Cost: unknown, tokens unknown',
      ]),
    );
  });
});
