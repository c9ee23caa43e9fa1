import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  type CriterionResult,
  criterion,
  type Logger,
  type RequirementCoverage,
  type ReviewCriterion,
  SelfReviewLoop,
  textOutput,
} from '../../../src/index.js';
import { SelfReviewConfigSchema, SelfReviewResultSchema } from '../../../src/schemas.js';
import { type SelfReviewContext, selfReviewConfig } from '../../../src/self-review/index.js';
import { fakeClock } from '../../../src/testing/index.js';
import { never } from '../engine/support.js';

const request = agentRequest({
  id: 'task-1',
  description: 'Write a poem',
  acceptanceCriteria: ['mentions tea'],
});

const check = (
  id: string,
  validate: (
    output: AgentOutput,
    request: AgentRequest,
    context: SelfReviewContext,
  ) => Promise<CriterionResult>,
  more: Partial<ReviewCriterion> = {},
): ReviewCriterion => ({
  id,
  name: id.toUpperCase(),
  description: `${id} is in order`,
  severity: 'major',
  category: 'quality',
  ...more,
  validate,
});

const result = (
  passed: boolean,
  score = passed ? 1 : 0,
  details = passed ? 'fine' : 'bad',
): CriterionResult => ({ passed, score, details });

const textOf = (output: AgentOutput): string =>
  output.artifacts.map((artifact) => artifact.content ?? '').join('\n');

/** Criteria with requirements that are covered when the text says them. */
function withRequirements(
  requirements: readonly string[],
  criteria: readonly ReviewCriterion[] = [check('ok', async () => result(true))],
): AgentReviewCriteria & { extracted: number } {
  const given = {
    agentId: 'poet',
    extracted: 0,
    criteria: [...criteria],
    async extractRequirements() {
      given.extracted += 1;
      return [...requirements];
    },
    async checkRequirementCovered(
      requirement: string,
      output: AgentOutput,
    ): Promise<RequirementCoverage> {
      const covered = textOf(output).includes(requirement);
      return {
        requirement,
        source: 'explicit',
        covered,
        coverageDetails: covered ? 'found' : 'not found',
        confidence: covered ? 0.9 : 0.1,
      };
    },
  };
  return given;
}

/** Produces texts one after another. */
function author(...texts: readonly string[]) {
  let next = 0;
  const take = async (): Promise<AgentOutput> =>
    textOutput(texts[Math.min(next++, texts.length - 1)] ?? '');
  return { produce: take, address: take, drafts: () => next };
}

describe('the loop [SR-147]', () => {
  it('produces, reviews, addresses the gaps and reviews again until it is approved [SR-01, SR-02, SR-04, SR-65, SR-66, SR-70]', async () => {
    const { produce, address, drafts } = author('a', 'ab', 'abc');
    const loop = new SelfReviewLoop([
      check('b', async (o) => result(textOf(o).includes('b'))),
      check('c', async (o) => result(textOf(o).includes('c'))),
    ]);
    const { output, reviews, outcome } = await loop.execute(request, produce, address);
    expect(outcome).toMatchObject({ status: 'approved', approved: true });
    expect(reviews.map(({ decision, iteration }) => [iteration, decision])).toEqual([
      [1, 'needs_work'],
      [2, 'needs_work'],
      [3, 'approved'],
    ]);
    expect(textOf(output)).toBe('abc');
    expect(drafts()).toBe(3);
  });

  it('an approved output carries its review and its score; the record has ids, duration and time [SR-62, SR-63, SR-68, SR-86]', async () => {
    const { produce, address } = author('a');
    const { output, reviews } = await new SelfReviewLoop(withRequirements([])).execute(
      request,
      produce,
      address,
    );
    const [review] = reviews;
    expect(output.selfReviewResult).toEqual(review);
    expect(output.qualityScore).toBe(review?.overallScore);
    expect(output.routingHints).toBeUndefined();
    expect(review).toMatchObject({ taskId: 'task-1', agentId: 'poet', iteration: 1 });
    expect(review?.reviewId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(Number.isNaN(Date.parse(review?.timestamp ?? ''))).toBe(false);
    expect(SelfReviewResultSchema.safeParse(review).success).toBe(true);
  });

  it('switched off, it produces once and reviews nothing; that is accepted, not approved [SR-64]', async () => {
    const { produce, address, drafts } = author('a');
    const { reviews, outcome } = await new SelfReviewLoop(withRequirements([]), {
      enabled: false,
    }).execute(request, produce, address);
    expect(reviews).toEqual([]);
    expect(drafts()).toBe(1);
    expect(outcome).toMatchObject({
      status: 'accepted',
      approved: false,
      acceptance: { kind: 'not_reviewed' },
    });
  });

  it('at the last iteration the best output comes back with its review, and the note of the seed [SR-71, SR-132]', async () => {
    const { produce, address } = author('ab', 'abc', 'abd');
    const criteria = ['a', 'b', 'c', 'd'].map((id) =>
      check(id, async (o) => result(textOf(o).includes(id))),
    );
    const { output, reviews, outcome } = await new SelfReviewLoop(criteria, {
      escalateAfterIterations: 3,
      qualityThreshold: 0.9,
    }).execute(request, produce, address);
    expect(reviews).toHaveLength(3);
    expect(outcome.approved).toBe(false);
    expect(textOf(output)).toBe('abc');
    expect(output.selfReviewResult).toEqual(reviews[1]);
    expect(output.routingHints).toMatchObject({
      needsApproval: true,
      notes: `Max review iterations (3) reached. Final score: ${reviews[1]?.overallScore}`,
    });
  });

  it('too many critical gaps escalate, with the note that tells a router [SR-69, SR-80, SR-133, SR-151]', async () => {
    const critical = ['a', 'b'].map((id) =>
      check(id, async () => result(false), { severity: 'critical' }),
    );
    const { output, reviews, outcome } = await new SelfReviewLoop(critical).execute(
      request,
      author('x').produce,
      author('y').address,
    );
    expect(outcome).toMatchObject({ status: 'escalated', code: 'critical_gaps' });
    expect(reviews[0]).toMatchObject({ decision: 'escalate', criticalGapCount: 2 });
    expect(output.routingHints?.needsApproval).toBe(true);
    expect(output.routingHints?.notes).toMatch(/^Self-review escalation: /);
  });

  it('every iteration is logged with agent, score, gaps and decision [SR-67]', async () => {
    const logged: object[] = [];
    const logger: Logger = {
      debug: () => {},
      warn: () => {},
      error: () => {},
      info: (fields, message) => {
        if (message.startsWith('Self-review iteration')) logged.push({ ...fields, message });
      },
    };
    const { produce, address } = author('a', 'ab');
    await new SelfReviewLoop(
      {
        ...withRequirements([]),
        criteria: [check('b', async (o) => result(textOf(o).includes('b')))],
      },
      {},
      { logger },
    ).execute(request, produce, address);
    expect(logged).toMatchObject([
      { agentId: 'poet', gapCount: 1, decision: 'needs_work', message: 'Self-review iteration 1' },
      {
        agentId: 'poet',
        gapCount: 0,
        qualityScore: 1,
        decision: 'approved',
        message: 'Self-review iteration 2',
      },
    ]);
  });

  it('judges an output without the review of an earlier run', async () => {
    const seen: AgentOutput[] = [];
    const first = await new SelfReviewLoop([check('a', async () => result(true))]).execute(
      request,
      async () => textOutput('tea'),
    );
    expect(first.output).toHaveProperty('selfReviewResult');
    await new SelfReviewLoop([
      check('a', async (o) => {
        seen.push(o);
        return result(true);
      }),
    ]).execute(request, async () => first.output);
    expect(seen).toEqual([textOutput('tea')]);
  });

  it('criteria learn what the request says, and what earlier reviews of the run found [SR-72]', async () => {
    const contexts: SelfReviewContext[] = [];
    const rich: AgentRequest = {
      context: {
        task: { id: 't', description: 'd', acceptanceCriteria: ['one'] },
        items: [
          { type: 'project_config', content: { lang: 'en' } },
          { type: 'design_tokens', content: { blue: '#00f' } },
        ],
        previousOutputs: [textOutput('before')],
      },
    };
    const { produce, address } = author('a', 'ab');
    await new SelfReviewLoop([
      check('b', async (o, _, context) => {
        contexts.push({
          ...context,
          previousReviews: context.previousReviews,
          previousOutputs: context.previousOutputs,
          projectConfig: context.projectConfig,
          designTokens: context.designTokens,
          acceptanceCriteria: context.acceptanceCriteria,
        });
        return result(textOf(o).includes('b'));
      }),
    ]).execute(rich, produce, address);
    expect(contexts[0]).toMatchObject({
      previousReviews: [],
      projectConfig: { lang: 'en' },
      designTokens: { blue: '#00f' },
      acceptanceCriteria: ['one'],
      previousOutputs: [{ artifacts: [{ content: 'before' }] }],
    });
    expect(contexts[1]?.previousReviews).toMatchObject([
      { iteration: 1, taskId: 't', decision: 'needs_work' },
    ]);
  });

  it('every requirement is checked against each version; an uncovered one is a gap [SR-05, SR-73, SR-75, SR-129]', async () => {
    const criteria = withRequirements(['The poem must mention tea', 'should rhyme']);
    const { produce, address } = author(
      'The poem must mention tea',
      'The poem must mention tea. should rhyme',
    );
    const { reviews } = await new SelfReviewLoop(criteria).execute(request, produce, address);
    expect(criteria.extracted).toBe(1);
    expect(reviews[0]).toMatchObject({
      taskRequirements: ['The poem must mention tea', 'should rhyme'],
      completenessScore: 0.5,
      decision: 'needs_work',
    });
    expect(reviews[0]?.requirementsCovered.map(({ covered }) => covered)).toEqual([true, false]);
    expect(reviews[0]?.gaps[0]).toMatchObject({
      severity: 'major',
      category: 'missing',
      description: 'Requirement not addressed: should rhyme',
      suggestedFix: 'Add implementation for: should rhyme',
      estimatedEffort: 'medium',
      affectedRequirement: 'should rhyme',
    });
    expect(reviews[1]).toMatchObject({ completenessScore: 1, decision: 'approved' });
  });

  it('a failed criterion becomes a gap with its severity, category, name and suggestion [SR-06, SR-74]', async () => {
    const gaps: unknown[] = [];
    const bare = check('bare', async () => ({ passed: false, score: 0.3, details: 'too short' }), {
      severity: 'critical',
      category: 'incomplete',
    });
    const full = check('full', async () => ({
      passed: false,
      score: 0.3,
      details: 'wrong',
      suggestedFix: 'do this',
      estimatedEffort: 'large',
    }));
    await new SelfReviewLoop([bare, full]).execute(
      request,
      author('x').produce,
      async (output, given) => {
        gaps.push(...given);
        return output;
      },
    );
    expect(gaps).toMatchObject([
      {
        severity: 'critical',
        category: 'incomplete',
        description: 'BARE: too short',
        suggestedFix: 'bare is in order',
        estimatedEffort: 'medium',
        autoFixable: true,
      },
      {
        severity: 'major',
        description: 'FULL: wrong',
        suggestedFix: 'do this',
        estimatedEffort: 'large',
      },
    ]);
  });

  it('the reasoning names scores, counts that are not zero, and what follows [SR-85]', async () => {
    const minor = check('style', async () => result(false, 0.5), { severity: 'minor' });
    const { reviews } = await new SelfReviewLoop([
      minor,
      check('a', async () => result(true)),
    ]).execute(request, author('x').produce);
    expect(reviews[0]?.reasoning).toBe(
      'Quality: 90% | Completeness: 100% | Gaps: 1 minor | All quality thresholds met.',
    );
    const stuck = await new SelfReviewLoop([check('a', async () => result(false))], {
      maxIterations: 1,
      qualityThreshold: 0.5,
    }).execute(request, author('x').produce);
    expect(stuck.reviews[0]?.reasoning).toBe(
      'Quality: 60% | Completeness: 100% | Gaps: 1 major | The gaps are left.',
    );
    const escalated = await new SelfReviewLoop(
      [check('a', async () => result(false), { severity: 'critical' })],
      { maxCriticalGapsBeforeEscalate: 0 },
    ).execute(request, author('x').produce);
    expect(escalated.reviews[0]?.reasoning).toBe(
      'Quality: 60% | Completeness: 100% | Gaps: 1 critical | Escalating for human review.',
    );
  });

  it('a score below 0.7 of the threshold escalates from the given review on [SR-81, SR-131]', async () => {
    const { produce, address } = author('a', 'b', 'c');
    const weak = check('weak', async (o) => result(false, textOf(o).charCodeAt(0) / 1000), {
      category: 'incorrect',
    });
    const { outcome } = await new SelfReviewLoop([weak]).execute(request, produce, address);
    expect(outcome).toMatchObject({ status: 'escalated', code: 'low_score' });
    expect(outcome.reviews).toHaveLength(2);
  });

  it('approved needs both thresholds and no critical or major gap [SR-82, SR-83]', async () => {
    const decide = async (criteria: readonly ReviewCriterion[], config = {}) =>
      (
        await new SelfReviewLoop(criteria, { maxIterations: 1, ...config }).execute(
          request,
          author('x').produce,
        )
      ).reviews[0]?.decision;
    expect(await decide([check('a', async () => result(true))])).toBe('approved');
    expect(
      await decide([check('a', async () => result(true)), check('b', async () => result(false))]),
    ).toBe('needs_work');
    expect(await decide([check('a', async () => result(true, 0.5))])).toBe('approved');
    expect(await decide([check('a', async () => result(true, 0.4))])).toBe('needs_work');
  });
});

describe('the configuration', () => {
  it('SR-39, SR-40, SR-41, SR-42, SR-43 have the defaults and ranges of the seed', () => {
    expect(SelfReviewConfigSchema.parse({})).toMatchObject({
      enabled: true,
      maxIterations: 3,
      qualityThreshold: 0.8,
      completenessThreshold: 0.9,
      escalateOnCriticalGaps: true,
    });
    for (const wrong of [
      { maxIterations: 0 },
      { maxIterations: 11 },
      { maxIterations: 1.5 },
      { qualityThreshold: 1.1 },
      { completenessThreshold: -0.1 },
      { enabled: 'yes' },
    ]) {
      expect(() => selfReviewConfig(wrong as object)).toThrow(
        expect.objectContaining({ code: 'invalid_options' }),
      );
    }
  });

  it('SR-44, SR-45, SR-46, SR-47, SR-48, SR-49 have the defaults of the seed', () => {
    expect(SelfReviewConfigSchema.parse({})).toMatchObject({
      escalateAfterIterations: 2,
      maxCriticalGapsBeforeEscalate: 1,
      timeoutPerIterationMs: 60_000,
      cacheReviewResults: true,
      captureForLearning: true,
      learningThresholdGaps: 3,
    });
  });

  it('a partial configuration is laid over the defaults, and one for a task over that [SR-08, SR-50]', async () => {
    const loop = new SelfReviewLoop([check('a', async () => result(true, 0.9))], {
      qualityThreshold: 0.99,
      maxIterations: 1,
    });
    expect((await loop.execute(request, author('x').produce)).outcome.approved).toBe(false);
    expect(
      (
        await loop.execute(request, author('x').produce, undefined, {
          config: { qualityThreshold: 0.5 },
        })
      ).outcome.approved,
    ).toBe(true);
    expect((await loop.execute(request, author('x').produce)).outcome.approved).toBe(false);
  });

  it('undefined members and odd numbers are no crash: they are ignored or refused [D004-11]', () => {
    expect(selfReviewConfig({ maxIterations: undefined }).maxIterations).toBe(3);
    expect(
      () => new SelfReviewLoop([check('a', async () => result(true))], { maxIterations: 0 }),
    ).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringContaining('maxIterations'),
      }),
    );
    expect(() => selfReviewConfig({ maxIteration: 3 } as object)).toThrow(/maxIteration/);
  });

  it('the defaults are written in one place [D004-43]', () => {
    const loop = new SelfReviewLoop([check('a', async () => result(true))]);
    expect(loop.config).toEqual(SelfReviewConfigSchema.parse({}));
  });
});

describe('defects of the seed', () => {
  it('nothing is fixed after the last review, and what comes back was reviewed [D004-01]', async () => {
    const reviewed: string[] = [];
    let fixes = 0;
    const { output } = await new SelfReviewLoop(
      [
        check('a', async (o) => {
          reviewed.push(textOf(o));
          return result(false);
        }),
      ],
      { escalateAfterIterations: 3 },
    ).execute(request, author('v0').produce, async () => textOutput(`v${++fixes}`));
    expect(fixes).toBe(2);
    expect(reviewed).toContain(textOf(output));
  });

  it('escalateAfterIterations is 1-based, and one that could never hold is refused [D004-02]', async () => {
    expect(() => selfReviewConfig({ maxIterations: 2, escalateAfterIterations: 3 })).toThrow(
      /escalateAfterIterations/,
    );
    expect(selfReviewConfig({ maxIterations: 1 }).escalateAfterIterations).toBe(1);
    const weak = check('weak', async () => result(false, 0.1), { category: 'incorrect' });
    const { outcome } = await new SelfReviewLoop([weak], {
      maxIterations: 2,
      escalateAfterIterations: 1,
    }).execute(request, author('x').produce);
    expect(outcome.reviews).toHaveLength(1);
    expect(outcome.status).toBe('escalated');
  });

  it('SR-84: escalateOnCriticalGaps switches the rule off [D004-03]', async () => {
    const critical = ['a', 'b', 'c'].map((id) =>
      check(id, async () => result(false), { severity: 'critical' }),
    );
    const { outcome } = await new SelfReviewLoop(critical, {
      escalateOnCriticalGaps: false,
      maxIterations: 1,
      qualityThreshold: 0.5,
    }).execute(request, author('x').produce);
    expect(outcome.status).toBe('exhausted');
  });

  it('critical gaps may be given one attempt before they escalate [D004-04]', async () => {
    const critical = ['a', 'b'].map((id) =>
      check(id, async (o) => result(textOf(o).includes(id)), { severity: 'critical' }),
    );
    const { produce, address } = author('x', 'ab');
    expect(
      (
        await new SelfReviewLoop(critical, { escalateCritical: 'after-attempt' }).execute(
          request,
          produce,
          address,
        )
      ).outcome.approved,
    ).toBe(true);
  });

  it('19 of 20 requirements are enough at 0.9, unless the missing one is mandatory [D004-05]', async () => {
    const requirements = Array.from({ length: 20 }, (_, index) => `part ${index};`);
    const most = requirements.slice(1).join(' ');
    const plain = await new SelfReviewLoop(withRequirements(requirements)).execute(
      request,
      author(most).produce,
    );
    expect(plain.reviews[0]).toMatchObject({
      completenessScore: 0.95,
      minorGapCount: 1,
      majorGapCount: 0,
    });
    expect(plain.outcome.approved).toBe(true);
    const must = await new SelfReviewLoop(
      withRequirements(['it must work', ...requirements.slice(1)]),
    ).execute(request, author(most).produce);
    expect(must.outcome.approved).toBe(false);
    const accepted = await new SelfReviewLoop(
      withRequirements(['mentions tea', ...requirements.slice(1)]),
    ).execute(request, author(most).produce);
    expect(accepted.outcome.approved).toBe(false);
  });

  it('a score that is no score is a failure of the judge [D004-09]', async () => {
    for (const score of [Number.NaN, -1, 2]) {
      const { outcome } = await new SelfReviewLoop([
        check('a', async () => result(true)),
        check('odd', async () => result(true, score)),
      ]).execute(request, author('x').produce);
      expect(outcome.status).toBe('inconclusive');
    }
  });

  it('a criterion that throws loses neither the output nor the other results [D004-10]', async () => {
    const { output, reviews, outcome } = await new SelfReviewLoop([
      check('a', async () => result(false)),
      check('b', async () => {
        throw new Error('boom');
      }),
    ]).execute(request, author('x').produce, author('y').address);
    expect(textOf(output)).toBe('x');
    expect(reviews[0]?.gaps).toHaveLength(1);
    expect(outcome.reason).toContain('boom');
  });

  it('one instance serves concurrent requests [D004-12]', async () => {
    const loop = new SelfReviewLoop([check('b', async (o) => result(textOf(o).includes('bb')))], {
      escalateAfterIterations: 3,
    });
    const runs = await Promise.all(
      Array.from({ length: 5 }, () =>
        loop.execute(
          request,
          async () => textOutput('a'),
          async (o) => textOutput(`${textOf(o)}b`),
        ),
      ),
    );
    for (const { reviews } of runs)
      expect(reviews.map(({ iteration }) => iteration)).toEqual([1, 2, 3].slice(0, reviews.length));
  });

  it('the time of an iteration is bounded [D004-13]', async () => {
    const clock = fakeClock();
    const pending = new SelfReviewLoop(
      [check('a', () => never())],
      { timeoutPerIterationMs: 1000 },
      { clock },
    ).execute(request, author('x').produce);
    await clock.advanceAsync(1000);
    expect((await pending).outcome).toMatchObject({ status: 'inconclusive' });
  });

  it('cacheReviewResults and learningThresholdGaps are alive, and affectedArtifact is set [D004-13]', async () => {
    let asked = 0;
    const scoped = {
      ...check('css', async () => {
        asked += 1;
        return result(true);
      }),
      scope: () => 'the same',
    };
    const other = check('other', async (o) => ({
      ...result(textOf(o) === 'b'),
      ...(textOf(o) !== 'b' && { findings: [{ description: 'x', file: 'output.md', line: 1 }] }),
    }));
    const run = async (cacheReviewResults: boolean, learningThresholdGaps: number) => {
      const { produce, address } = author('a', 'b');
      const captured: unknown[] = [];
      const { reviews } = await new SelfReviewLoop([scoped, other], {
        cacheReviewResults,
        learningThresholdGaps,
      }).execute(request, produce, address, {
        learn: { relevantTo: async () => '', capture: async (entry) => void captured.push(entry) },
      });
      expect(reviews[0]?.gaps[0]).toMatchObject({ affectedArtifact: 'output.md' });
      return captured.length;
    };
    expect(await run(true, 1)).toBe(1);
    expect(asked).toBe(1);
    expect(await run(false, 2)).toBe(0);
    expect(asked).toBe(3);
  });

  it('gap ids are the same from review to review [D004-15]', async () => {
    let words = 0;
    const { produce, address } = author('a', 'b');
    const { reviews } = await new SelfReviewLoop(
      [check('a', async () => result(false, 0, `reworded ${++words}`))],
      { maxIterations: 2, qualityThreshold: 0.5 },
    ).execute(request, produce, address);
    expect(reviews[0]?.gaps[0]?.id).toBe(reviews[1]?.gaps[0]?.id);
  });

  it('minor gaps do not stand in the way of approval [D004-17]', async () => {
    const { outcome, reviews } = await new SelfReviewLoop([
      check('a', async () => result(true)),
      check('b', async () => result(true)),
      check('c', async () => result(false, 0.5), { severity: 'minor' }),
    ]).execute(request, author('x').produce);
    expect(outcome.approved).toBe(true);
    expect(reviews[0]?.minorGapCount).toBe(1);
  });

  it('no criteria and no requirements are never approved [D004-18]', async () => {
    const { outcome } = await new SelfReviewLoop({ ...withRequirements([]), criteria: [] }).execute(
      request,
      author('x').produce,
    );
    expect(outcome).toMatchObject({ approved: false, status: 'inconclusive' });
  });

  it('criteria and requirements are judged side by side [D004-19]', async () => {
    let out = 0;
    let peak = 0;
    const slow = async () => {
      peak = Math.max(peak, ++out);
      await Promise.resolve();
      out -= 1;
    };
    const criteria = withRequirements(
      ['a', 'b', 'c'],
      ['x', 'y'].map((id) =>
        check(id, async () => {
          await slow();
          return result(true);
        }),
      ),
    );
    const covered = criteria.checkRequirementCovered;
    criteria.checkRequirementCovered = async (...given) => {
      await slow();
      return covered(...given);
    };
    await new SelfReviewLoop(criteria).execute(request, author('a b c').produce);
    expect(peak).toBeGreaterThan(1);
  });

  it('the produced output is never changed, and a stale hint does not survive approval [D004-33]', async () => {
    const produced: AgentOutput = Object.freeze({
      ...textOutput('a'),
      routingHints: { needsApproval: true, notes: 'Self-review escalation: earlier' },
    });
    const { output } = await new SelfReviewLoop([check('a', async () => result(true))]).execute(
      request,
      async () => produced,
    );
    expect(output.routingHints).toBeUndefined();
    expect(produced.routingHints?.needsApproval).toBe(true);
    const own = await new SelfReviewLoop([check('a', async () => result(true))]).execute(
      request,
      async () => ({
        ...textOutput('a'),
        routingHints: { needsApproval: true, notes: 'spends money' },
      }),
    );
    expect(own.output.routingHints).toEqual({ needsApproval: true, notes: 'spends money' });
  });

  it('a worse attempt is not kept, and an attempt that changes nothing ends the loop [D004-42]', async () => {
    const { produce, address } = author('ab', 'a', 'a');
    const { output } = await new SelfReviewLoop(
      ['a', 'b', 'c'].map((id) => check(id, async (o) => result(textOf(o).includes(id)))),
    ).execute(request, produce, address);
    expect(textOf(output)).toBe('ab');
  });

  it('an escalation, a used-up count and a failure can be told apart by status [D004-47]', async () => {
    const statuses = new Set<string>();
    statuses.add(
      (
        await new SelfReviewLoop(
          [check('a', async () => result(false), { severity: 'critical' })],
          { maxCriticalGapsBeforeEscalate: 0 },
        ).execute(request, author('x').produce)
      ).outcome.status,
    );
    statuses.add(
      (
        await new SelfReviewLoop([check('a', async () => result(false))], {
          qualityThreshold: 0.5,
        }).execute(request, author('x').produce)
      ).outcome.status,
    );
    statuses.add(
      (
        await new SelfReviewLoop([
          check('a', async () => {
            throw new Error('x');
          }),
        ]).execute(request, author('x').produce)
      ).outcome.status,
    );
    expect(statuses).toEqual(new Set(['escalated', 'exhausted', 'inconclusive']));
  });

  it('a coverage check that throws, and an extraction that throws, are failures of the judge', async () => {
    const covers = {
      ...withRequirements(['a']),
      checkRequirementCovered: async () => {
        throw new Error('no index');
      },
    };
    expect(
      (await new SelfReviewLoop(covers).execute(request, author('x').produce)).outcome,
    ).toMatchObject({ status: 'inconclusive', reason: expect.stringContaining('no index') });
    const extracts = {
      ...withRequirements(['a']),
      extractRequirements: async () => {
        throw new Error('no parser');
      },
    };
    expect(
      (await new SelfReviewLoop(extracts).execute(request, author('x').produce)).outcome,
    ).toMatchObject({ status: 'inconclusive', reason: expect.stringContaining('no parser') });
  });

  it('without any output, run tells the outcome and execute throws the error behind it', async () => {
    const loop = new SelfReviewLoop([criterion<AgentOutput>('a', () => true)]);
    const down = async (): Promise<AgentOutput> => {
      throw new Error('model down');
    };
    expect((await loop.run(request, down)).outcome).toMatchObject({
      status: 'failed',
      code: 'produce_failed',
    });
    await expect(loop.execute(request, down)).rejects.toMatchObject({ code: 'produce_failed' });
  });
});
