import { describe, expect, it } from 'vitest';
import type { Gap } from '@/core/gap.js';
import type { Outcome } from '@/core/outcome.js';
import { type Limiter, limiter } from '@/index.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import { DimensionAssessor } from '@/products/reviewer-stage/dimension-assessor.js';
import { ReviewerStage } from '@/products/reviewer-stage/reviewer-stage.js';
import { stageFeedbackOf } from '@/products/reviewer-stage/stage-feedback.js';
import {
  ageText,
  metricsLines,
  reviewShowLines,
  stageMetrics,
} from '@/products/reviewer-stage/stage-metrics.js';
import type { ReviewerStageOptions } from '@/products/reviewer-stage/stage-options.js';
import {
  cycleLines,
  decisionLines,
  humanReviewLines,
  summaryLines,
  summaryPage,
} from '@/products/reviewer-stage/stage-text.js';
import {
  type StageSummary,
  stageErrorCode,
  stageExitCode,
  stageOutcomeOf,
} from '@/products/reviewer-stage/summary-generator.js';
import { fakeClock, fakeRandom, scriptedProvider } from '@/testing/index.js';
import { withCode } from '../../../support/matchers.js';
import {
  dimensions,
  five,
  good,
  keeping,
  needsWork,
  reviewed,
  saying,
  stageOf,
  work,
} from './support.js';

const plain = (text: string): string => text;
const ownStage = (options: Partial<ReviewerStageOptions> = {}) =>
  stageOf({ dimensions: [saying('own', good)], ...options });
const endedAs = (status: string, more: object = {}) =>
  ({ status, reviews: [], code: 'x', reason: 'why', ...more }) as unknown as Outcome<CompletedWork>;

describe('the ends of a review', () => {
  it('each have one outcome, one exit code of the seed, and its error code where something went wrong', () => {
    const ends: [Outcome<CompletedWork>, string, number, string?][] = [
      [endedAs('approved'), 'completed', 0],
      [endedAs('accepted', { acceptance: { kind: 'override' } }), 'overridden', 0],
      [endedAs('accepted', { acceptance: { kind: 'person' } }), 'completed', 0],
      [endedAs('rejected', { code: 'person_rejected' }), 'declined', 51, 'ACODE-REVIEW-004'],
      [endedAs('rejected'), 'rejected', 50],
      [endedAs('exhausted', { code: 'no_address' }), 'rejected', 50],
      [endedAs('exhausted', { code: 'max_iterations' }), 'escalated', 50],
      [endedAs('escalated'), 'escalated', 50],
      [endedAs('stalled'), 'escalated', 50],
      [endedAs('inconclusive'), 'escalated', 50, 'ACODE-REVIEW-002'],
      [endedAs('timed_out'), 'timed_out', 52, 'ACODE-REVIEW-003'],
      [endedAs('suspended'), 'suspended', 53],
      [endedAs('cancelled'), 'cancelled', 130],
      [endedAs('failed'), 'failed', 1, 'ACODE-REVIEW-001'],
    ];
    for (const [run, outcome, exitCode, code] of ends) {
      const made = stageOutcomeOf(run);
      const told = [made, stageExitCode(made), stageErrorCode(run, made)];
      expect(told, run.status).toEqual([outcome, exitCode, code]);
    }
  });

  it('a review that is cancelled before it begins reports every dimension as not assessed, and decides nothing', async () => {
    const result = await stageOf().review(work, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({
      ...{ decision: 'INCONCLUSIVE', outcome: 'cancelled', exitCode: 130, feedback: undefined },
      dimensions: five.map((id) => ({
        id,
        level: undefined,
        passed: false,
        explanation: 'not assessed',
      })),
    });
    expect(humanReviewLines(result, plain)).toContain(
      `Assessment: ${result.dimensions.map(({ name }) => `${name}: Not assessed`).join(', ')}`,
    );
  });

  it('an override of a run that nobody kept is misuse', async () => {
    const version = { runId: 'none', digest: 'f'.repeat(64) };
    await expect(
      stageOf({ store: memoryStore() }).override(version, { by: 'ann', reason: 'fine' }),
    ).rejects.toMatchObject({ code: 'run_unknown' });
  });

  it('every event of a question reaches its listener, with its end', async () => {
    const asked: unknown[] = [];
    const result = await stageOf({
      ...{ humanReview: 'require', expiresAfterMs: 60_000, onDecline: 'stop' },
      notify: async (request: unknown) => void asked.push(request),
    }).review(work, { runId: 'r' });
    expect([result.outcome, asked]).toMatchObject([
      'suspended',
      [{ runId: 'r', expiresAt: expect.any(String) as string }],
    ]);
  });
});

it('feedback says where as well as it is known, and once what dimensions say alike [R3-091]', () => {
  const gap = (more: Partial<Gap>): Gap =>
    ({ severity: 'major', category: 'quality', suggestedFix: 'Mend it', ...more }) as Gap;
  const { issues, text } = stageFeedbackOf(
    [
      gap({ criterionId: 'a', description: 'one', location: { file: 'x.ts' } }),
      gap({ criterionId: 'b', description: 'two', affectedArtifact: 'y.ts' }),
      gap({ criterionId: 'c', description: 'two', affectedArtifact: 'y.ts' }),
      gap({ criterionId: 'c', description: 'two', affectedArtifact: 'y.ts' }),
      gap({ description: 'three', raisedBy: 'somebody' }),
      gap({ description: 'four', severity: 'critical' }),
    ],
    { reason: 'no', cycle: 1, note: 'hurry' },
  );
  expect(issues.map(({ dimension, message, where }) => [dimension, message, where])).toEqual([
    ['', 'four', ''],
    ['a', 'one', 'x.ts'],
    ['b, c', 'two', 'y.ts'],
    ['somebody', 'three', ''],
  ]);
  expect(text.split('\n').at(-1)).toBe('A person said: hurry');
});

describe('screens of what is rare', () => {
  const summary = (more: Partial<StageSummary> = {}): StageSummary => ({
    ...{ schemaVersion: 1, runId: 'r', sessionId: 's', goal: 'g', notes: [] },
    ...{ decision: 'REJECTED', outcome: 'overridden', reasoning: 'why', decidedBy: 'ann' },
    ...{ levels: {}, dimensions: [], changes: [], cycleTriggers: [], usage: {}, cycles: 0 },
    ...{ completedAt: '2026-01-01T00:00:00.000Z', durationMs: 1000, ...more },
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
    const stage = stageOf({
      store,
      maxCycles: 1,
      dimensions: [saying('own', needsWork)],
      replan: async (_, { work: before, cycle }) => ({ ...before, notes: [`cycle ${cycle}`] }),
    });
    const escalated = await stage.review(work, { runId: 'r' });
    expect(decisionLines(escalated, plain)).toEqual(
      expect.arrayContaining(['  Cycles: 1', '  Decision: REJECTED']),
    );
    const version = { runId: 'r', digest: escalated.run.reviews[0]!.version };
    const overridden = await stage.override(version, { by: 'ann', reason: 'fine' });
    const last = decisionLines(overridden, plain).at(-1);
    expect(last).toBe('[COMPLETE] Task finished (with override)');
    expect(cycleLines({ feedback: undefined, cycles: 1 }, plain)).toContain('  Feedback: ""');
    const bare = { decision: 'APPROVED', dimensions: [], summary: undefined } as const;
    expect(humanReviewLines(bare, plain)).toContain('Task: ');
  });

  it('metrics tell what is known of the cost, and of nothing that it is nothing', async () => {
    const { summary: made } = await reviewed({ dimensions: dimensions({ safety: good }) });
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

it('a review that was begun is resumed from its record, in another process', async () => {
  const store = memoryStore();
  await ownStage({ store, humanReview: 'require' }).review(work, { runId: 'r' });
  const asked: string[] = [];
  const own = saying('own', () => {
    asked.push('own');
    return good;
  });
  const again = ownStage({ store, humanReview: 'require', dimensions: [own] });
  expect(await again.resume('r')).toMatchObject({
    ...{ outcome: 'suspended', decision: 'APPROVED', summary: { sessionId: 'abc123' } },
  });
  expect(asked).toEqual([]);
  await expect(again.resume('none')).rejects.toMatchObject({ code: 'run_unknown' });
});

describe('the ports of a stage', () => {
  it('are the clock, the random ids and the log that are given', async () => {
    const clock = fakeClock(Date.parse('2026-01-01T00:00:00.000Z'));
    const logger = keeping();
    const result = await ownStage({ clock, logger, random: fakeRandom() }).review(work);
    expect(result.summary?.completedAt).toBe('2026-01-01T00:00:00.000Z');
    const other = await ownStage({ random: fakeRandom() }).review(work);
    expect(other.run.runId).toBe(result.run.runId);
    expect(logger.fields.length).toBeGreaterThan(3);
  });

  it('asks again a judge that failed, as often as it may', async () => {
    const callsWith = async (retries: number): Promise<number> => {
      let calls = 0;
      const failing = saying('own', () => {
        calls += 1;
        return Promise.reject(new Error('down'));
      });
      const result = await reviewed({ dimensions: [failing], retries });
      expect(result.decision).toBe('INCONCLUSIVE');
      return calls;
    };
    expect([await callsWith(0), await callsWith(2)]).toEqual([1, 3]);
  });
});

describe('an assessor of dimensions', () => {
  it('returns each level, against the lowest quality that is asked for', async () => {
    const two = [saying('a', good), saying('b', needsWork)];
    const assessed = async (options: ConstructorParameters<typeof DimensionAssessor>[1]) => {
      const results = await new DimensionAssessor(two, options).assess(work);
      return results.map(({ id, level, passed }) => `${id} ${level} ${passed}`);
    };
    expect(await assessed({})).toEqual(['a good true', 'b needs_work false']);
    expect(await assessed({ minQuality: 'excellent' })).toEqual([
      'a good false',
      'b needs_work false',
    ]);
    const lowest = { minQuality: 'needs_work', retries: 0 } as const;
    expect((await assessed(lowest))[1]).toBe('b needs_work true');
    expect(() => new DimensionAssessor(two, { quality: 'good' } as never)).toThrow(
      withCode('invalid_options'),
    );
  });

  it('gives its model to dimensions that need one, and stops with its caller', async () => {
    const provider = scriptedProvider([]);
    let given: unknown;
    const asking = {
      ...saying('own', good, { needsProvider: true }),
      assess: async (_: unknown, context: { readonly provider?: unknown }) => {
        given = context.provider;
        return good;
      },
    };
    await new DimensionAssessor([asking], { provider }).assess(work);
    expect(given).toMatchObject({ id: 'scripted' });
    await expect(
      new DimensionAssessor([asking], { provider }).assess(work, { signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});

describe('the page of a summary', () => {
  const summaryOf = async (more: Partial<StageSummary> = {}): Promise<StageSummary> => {
    const { summary } = await reviewed({ dimensions: dimensions({ code_quality: needsWork }) });
    if (summary === undefined) throw new Error('no summary');
    const when = { completedAt: '2026-01-01T00:00:00.000Z', durationMs: 1000 };
    return { ...summary, runId: 'r', ...when, ...more };
  };
  it('has decision, facts, changes, levels and notes', async () => {
    const page = summaryPage(
      await summaryOf({ base: 'abc', head: 'def', overrideReason: 'why' }),
      plain,
    );
    expect(page.split('\n\n').slice(0, 4)).toEqual([
      '# REJECTED: Add email validation',
      expect.stringContaining('code\\_quality is needs\\_work'),
      [
        ...['- session: abc123, run: r', '- outcome: rejected, decided by the reviewers'],
        ...['- override: why', '- changes: abc..def'],
        '- completed: 2026-01-01T00:00:00.000Z, took 1s',
      ].join('\n'),
      '## Changes',
    ]);
    expect(page).toContain('- new: src/validators/EmailValidator.ts (+45 -0)\n');
    expect(page).toContain('| dimension | level | passed | why |\n|---|---|---|---|\n');
    expect(page).toContain(
      '| Code Quality | Needs Work | no | null is not handled<br>Missing error handling for null input<br>No documentation on public methods |\n',
    );
    expect(page).toMatch(/\| Safety \| Good \| yes \| .* \|\n/);
    expect(page.endsWith('- Consider adding phone validation in future\n')).toBe(true);
  });

  it('shows texts as they are, and no text as Markdown or as a line of its own', async () => {
    const goal = 'a\n# b <i> [c](d) `e` *f* |g| \\h';
    const page = summaryPage(await summaryOf({ goal, notes: [] }), plain);
    expect(page.split('\n')[0]).toBe(
      '# REJECTED: a \\# b \\<i\\> \\[c\\](d) \\`e\\` \\*f\\* \\|g\\| \\\\h',
    );
    expect(page).not.toContain('## Notes');
  });
});

const broken = {
  ...work,
  verificationResults: [{ name: 'false', passed: false, details: 'exit 1' }],
};

/** Reviews work whose verification failed; returns how often the model was asked. */
async function callsFor(failedWork?: 'skip' | 'assess') {
  let calls = 0;
  const provider = scriptedProvider(() => {
    calls += 1;
    return '{}';
  });
  const stage = new ReviewerStage({ provider, failedWork });
  const { decision } = await stage.review(broken);
  return { calls, decision };
}

it('no model is asked about work whose verification failed, unless it is wanted [R2-053]', async () => {
  expect(await callsFor()).toEqual({ calls: 0, decision: 'REJECTED' });
  expect((await callsFor('assess')).calls).toBeGreaterThan(0);
});

describe('the work of a stage', () => {
  it('that goes back to the planner is in the log, with its cycle and its issues', async () => {
    const logger = keeping();
    let isPlanned = false;
    const reasons: string[] = [];
    const result = await reviewed({
      dimensions: dimensions({ code_quality: () => (isPlanned ? good : needsWork) }),
      logger,
      replan: async (feedback, { work: before }) => {
        isPlanned = true;
        reasons.push(feedback.reason);
        return { ...before, plan: ['again'] };
      },
    });
    expect(result.decision).toBe('APPROVED');
    expect(reasons).toEqual([expect.stringContaining('2')]);
    expect(logger.fields).toContainEqual({
      event: 'replan',
      session_id: 'abc123',
      cycle: 1,
      issues: 2,
    });
  });

  it('is reviewed in the slots of the limiter that the stage was given', async () => {
    const names: string[] = [];
    const slots = limiter({ concurrency: 1 });
    const counting: Limiter = {
      ...slots,
      enter: (...call) => {
        names.push('slot');
        slots.enter(...call);
      },
    };
    await reviewed({ limiter: counting });
    expect(names.length).toBeGreaterThanOrEqual(5);
  });
});

it('the planner of a stage asks a person, and goes on with the answer', async () => {
  let isPlanned = false;
  const stage = stageOf({
    dimensions: dimensions({
      code_quality: () =>
        isPlanned
          ? { level: 'excellent', explanation: '', issues: [] }
          : { level: 'needs_work', explanation: '', issues: ['no plan'] },
    }),
    store: memoryStore(),
    replan: async (_, { work: before, ask }) => {
      const { kind } = await ask('tool', { question: 'Change the plan?', allowed: ['approve'] });
      isPlanned = true;
      return { ...before, plan: ['write a validator', kind] };
    },
  });
  const asked = await stage.review(work);
  if (asked.run.status !== 'suspended') throw new Error(asked.run.reason);
  expect(asked.run.requests[0]).toMatchObject({ from: 'address', question: 'Change the plan?' });
  const ended = await stage.answer(asked.run.requests[0], { kind: 'approve', by: 'Ada' });
  expect(ended).toMatchObject({ decision: 'APPROVED' });
  expect(ended.run.output?.plan).toEqual(['write a validator', 'approve']);
});
