import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/ports/memory-store.js';
import { DimensionAssessor } from '../../../src/reviewer-stage/dimension-assessor.js';
import { ReviewerStage } from '../../../src/reviewer-stage/reviewer-stage.js';
import type { ReviewerStageOptions } from '../../../src/reviewer-stage/stage-options.js';
import type { StageSummary } from '../../../src/reviewer-stage/summary-generator.js';
import { summaryPage } from '../../../src/reviewer-stage/summary-page.js';
import { fakeClock, fakeRandom, scriptedProvider } from '../../../src/testing/index.js';
import { dimensions, good, keeping, needsWork, saying, work } from './support.js';

const stageOf = (options: Partial<ReviewerStageOptions> = {}) =>
  new ReviewerStage({ dimensions: [saying('own', good)], ...options });

describe('a review that was begun', () => {
  it('is resumed from its record, in another process', async () => {
    const store = memoryStore();
    await stageOf({ store, humanReview: 'require' }).review(work, { runId: 'r' });
    const asked: string[] = [];
    const again = stageOf({
      ...{ store, humanReview: 'require' },
      dimensions: [
        saying('own', () => {
          asked.push('own');
          return good;
        }),
      ],
    });
    expect(await again.resume('r')).toMatchObject({
      ...{ outcome: 'suspended', decision: 'APPROVED', summary: { sessionId: 'abc123' } },
    });
    expect(asked).toEqual([]);
    await expect(again.resume('none')).rejects.toMatchObject({ code: 'run_unknown' });
  });
});

describe('the ports of a stage', () => {
  it('are the clock, the random ids and the log that are given', async () => {
    const clock = fakeClock(Date.parse('2026-01-01T00:00:00.000Z'));
    const logger = keeping();
    const result = await stageOf({
      ...{ clock, logger, random: fakeRandom() },
    }).review(work);
    expect(result.summary?.completedAt).toBe('2026-01-01T00:00:00.000Z');
    const other = await stageOf({ random: fakeRandom() }).review(work);
    expect(other.run.runId).toBe(result.run.runId);
    expect(logger.fields.length).toBeGreaterThan(3);
  });

  it('asks again a judge that failed, as often as it may', async () => {
    const callsWith = async (retries?: number): Promise<number> => {
      let calls = 0;
      const failing = saying('own', () => {
        calls += 1;
        return Promise.reject(new Error('down'));
      });
      const stage = stageOf({ dimensions: [failing], ...(retries !== undefined && { retries }) });
      expect((await stage.review(work)).decision).toBe('INCONCLUSIVE');
      return calls;
    };
    expect(await callsWith(0)).toBe(1);
    expect(await callsWith(2)).toBe(3);
  });

  it('tells how a summary failed', async () => {
    const logger = keeping();
    const { code } = await stageOf({
      logger,
      saveSummary: () => Promise.reject(Object.assign(new Error('disk full'), { code: 'ENOSPC' })),
    }).review(work);
    expect(code).toBe('ACODE-REVIEW-005');
    expect(logger.fields.find(({ event }) => event === 'summary_failed')).toMatchObject({
      ...{ error: 'disk full', code: undefined },
    });
  });
});

describe('an assessor of dimensions', () => {
  it('returns each level, against the lowest quality that is asked for', async () => {
    const assessed = async (options: ConstructorParameters<typeof DimensionAssessor>[1]) =>
      (
        await new DimensionAssessor([saying('a', good), saying('b', needsWork)], options).assess(
          work,
        )
      ).map(({ id, level, passed }) => [id, level, passed]);
    expect(await assessed({})).toEqual([
      ['a', 'good', true],
      ['b', 'needs_work', false],
    ]);
    expect(await assessed({ minQuality: 'excellent' })).toEqual([
      ['a', 'good', false],
      ['b', 'needs_work', false],
    ]);
    expect(await assessed({ minQuality: 'needs_work', retries: 0 })).toMatchObject([
      {},
      ['b', 'needs_work', true],
    ]);
    expect(() => new DimensionAssessor([saying('a', good)], { quality: 'good' } as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
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
  const plain = (text: string): string => text;
  const summaryOf = async (more: Partial<StageSummary> = {}): Promise<StageSummary> => {
    const { summary } = await new ReviewerStage({
      dimensions: dimensions({ code_quality: needsWork }),
    }).review(work);
    if (summary === undefined) throw new Error('no summary');
    return {
      ...summary,
      ...{ runId: 'r', completedAt: '2026-01-01T00:00:00.000Z', durationMs: 1000 },
      ...more,
    };
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
        '- session: abc123, run: r',
        '- outcome: rejected, decided by the reviewers',
        '- override: why',
        '- changes: abc..def',
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
