import { describe, expect, it } from 'vitest';
import {
  type AgentOutput,
  type AgentRequest,
  type AgentReviewCriteria,
  agentRequest,
  type CriterionResult,
  criterion,
  type ReviewCriterion,
  SelfReviewLoop,
  textOutput,
} from '@/index.js';
import { silentLogger } from '@/ports/logger.js';
import type { PartialSelfReviewConfig } from '@/products/self-review/config.js';
import type { ReviewContext } from '@/products/self-review/index.js';
import { SelfReviewResultSchema } from '@/schemas.js';
import { fakeClock } from '@/testing/index.js';
import { never } from '../../engine/support.js';

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
    context: ReviewContext,
  ) => Promise<CriterionResult>,
  more: Partial<ReviewCriterion> = {},
): ReviewCriterion => ({
  ...{ id, name: id.toUpperCase(), description: `${id} is in order` },
  ...{ severity: 'major', category: 'quality', ...more },
  validate,
});

const result = (
  passed: boolean,
  score = passed ? 1 : 0,
  details = passed ? 'fine' : 'bad',
): CriterionResult => ({ passed, score, details });

const textOf = (output: AgentOutput): string =>
  output.artifacts.map((artifact) => artifact.content ?? '').join('\n');

const passes = (id: string) => check(id, async () => result(true));
const fails = (id: string, more?: Partial<ReviewCriterion>) =>
  check(id, async () => result(false), more);
const says = (id: string, more?: Partial<ReviewCriterion>) =>
  check(id, async (output) => result(textOf(output).includes(id)), more);
const throws = (message: string) => check('broken', () => Promise.reject(new Error(message)));

/** Criteria with requirements that are covered when the text says them. */
function withRequirements(requirements: readonly string[], criteria = [passes('ok')]) {
  const given = {
    agentId: 'poet',
    extracted: 0,
    criteria,
    async extractRequirements() {
      given.extracted += 1;
      return [...requirements];
    },
    checkRequirementCovered: async (requirement: string, output: AgentOutput) => {
      const covered = textOf(output).includes(requirement);
      const confidence = covered ? 0.9 : 0.1;
      return { requirement, source: 'explicit' as const, covered, coverageDetails: '', confidence };
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

type Criteria = AgentReviewCriteria | readonly ReviewCriterion[];

/** Reviews one draft, which nobody can improve. */
const draft = (criteria: Criteria, config: PartialSelfReviewConfig = {}, text = 'x') =>
  new SelfReviewLoop(criteria, config).execute(request, author(text).produce);

function drafts(
  criteria: Criteria,
  texts: readonly string[],
  config: PartialSelfReviewConfig = {},
) {
  const { produce, address } = author(...texts);
  return new SelfReviewLoop(criteria, config).execute(request, produce, address);
}

describe('the loop [SR-147]', () => {
  it('produces, reviews, addresses the gaps and reviews again until it is approved [SR-01, SR-02, SR-04, SR-65, SR-66, SR-70]', async () => {
    const { produce, address, drafts: made } = author('a', 'ab', 'abc');
    const loop = new SelfReviewLoop([says('b'), says('c')]);
    const { output, reviews, outcome } = await loop.execute(request, produce, address);
    expect(outcome).toMatchObject({ status: 'approved', approved: true });
    expect(reviews.map(({ decision, iteration }) => [iteration, decision])).toEqual([
      [1, 'needs_work'],
      [2, 'needs_work'],
      [3, 'approved'],
    ]);
    expect(textOf(output)).toBe('abc');
    expect(made()).toBe(3);
  });

  it('an approved output carries its review and its score; the record has ids, duration and time [SR-62, SR-63, SR-68, SR-86]', async () => {
    const { output, reviews } = await draft(withRequirements([]));
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
    const { produce, address, drafts: made } = author('a');
    const loop = new SelfReviewLoop(withRequirements([]), { enabled: false });
    const { reviews, outcome } = await loop.execute(request, produce, address);
    expect(reviews).toEqual([]);
    expect(made()).toBe(1);
    expect(outcome).toMatchObject({
      status: 'accepted',
      approved: false,
      acceptance: { kind: 'not_reviewed' },
    });
  });

  it('at the last iteration the best output comes back with its review, and the note of the seed [SR-71, SR-132]', async () => {
    const criteria = ['a', 'b', 'c', 'd'].map((id) => says(id));
    const config = { escalateAfterIterations: 3, qualityThreshold: 0.9 };
    const { output, reviews, outcome } = await drafts(criteria, ['ab', 'abc', 'abd'], config);
    expect(reviews).toHaveLength(3);
    expect(outcome.approved).toBe(false);
    expect(textOf(output)).toBe('abc');
    expect(output.selfReviewResult).toEqual(reviews[1]);
    expect(output.qualityScore).toBe(reviews[1]?.overallScore);
    expect(output.routingHints).toMatchObject({
      needsApproval: true,
      notes: `Max review iterations (3) reached. Final score: ${reviews[1]?.overallScore}`,
    });
  });

  it('too many critical gaps escalate, with the note that tells a router [SR-69, SR-80, SR-133, SR-151]', async () => {
    const critical = ['a', 'b'].map((id) => fails(id, { severity: 'critical' }));
    const { output, reviews, outcome } = await drafts(critical, ['x', 'y']);
    expect(outcome).toMatchObject({ status: 'escalated', code: 'critical_gaps' });
    expect(reviews[0]).toMatchObject({ decision: 'escalate', criticalGapCount: 2 });
    expect(output.routingHints?.needsApproval).toBe(true);
    expect(output.routingHints?.notes).toMatch(/^Self-review escalation: /);
  });

  it('every iteration is logged with agent, score, gaps and decision [SR-67]', async () => {
    const logged: object[] = [];
    const logger = {
      ...silentLogger,
      info: (fields: object, message: string) => {
        if (message.startsWith('Self-review iteration')) logged.push({ ...fields, message });
      },
    };
    const { produce, address } = author('a', 'ab');
    const criteria = withRequirements([], [says('b')]);
    await new SelfReviewLoop(criteria, {}, { logger }).execute(request, produce, address);
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
    const first = await draft([passes('a')], {}, 'tea');
    expect(first.output).toHaveProperty('selfReviewResult');
    const looking = check('a', async (o) => {
      seen.push(o);
      return result(true);
    });
    await new SelfReviewLoop([looking]).execute(request, async () => first.output);
    expect(seen).toEqual([textOutput('tea')]);
  });

  it('criteria learn what the request says, and what earlier reviews of the run found [SR-72, R3-099]', async () => {
    const contexts: ReviewContext[] = [];
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
    const looking = check('b', async (o, _, context) => {
      // the members are read at once: they may be getters
      const { previousReviews, previousOutputs, projectConfig, designTokens } = context;
      const { acceptanceCriteria } = context;
      contexts.push({
        ...{ ...context, previousReviews, previousOutputs, projectConfig, designTokens },
        acceptanceCriteria,
      });
      return result(textOf(o).includes('b'));
    });
    await new SelfReviewLoop([looking]).execute(rich, produce, address);
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
    const texts = ['The poem must mention tea', 'The poem must mention tea. should rhyme'];
    const { reviews } = await drafts(criteria, texts);
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

  it('a score below 0.7 of the threshold escalates from the given review on [SR-81, SR-131]', async () => {
    const score = (text: string) => text.charCodeAt(0) / 1000;
    const weak = check('weak', async (o) => result(false, score(textOf(o))), {
      category: 'incorrect',
    });
    const { outcome } = await drafts([weak], ['a', 'b', 'c']);
    expect(outcome).toMatchObject({ status: 'escalated', code: 'low_score' });
    expect(outcome.reviews).toHaveLength(2);
  });

  it('approved needs both thresholds and no critical or major gap; minor ones are no obstacle [SR-82, SR-83, D004-17]', async () => {
    const decide = async (...criteria: readonly ReviewCriterion[]) =>
      (await draft(criteria, { maxIterations: 1 })).reviews[0]?.decision;
    const scored = (score: number) => check('a', async () => result(true, score));
    expect(await decide(passes('a'))).toBe('approved');
    expect(await decide(passes('a'), fails('b'))).toBe('needs_work');
    const minor = check('c', async () => result(false, 0.5), { severity: 'minor' });
    expect(await decide(passes('a'), passes('b'), minor)).toBe('approved');
    expect(await decide(scored(0.5))).toBe('approved');
    expect(await decide(scored(0.4))).toBe('needs_work');
  });
});

describe('defects of the seed', () => {
  it('nothing is fixed after the last review, and what comes back was reviewed [D004-01]', async () => {
    const reviewed: string[] = [];
    let fixes = 0;
    const looking = check('a', async (o) => {
      reviewed.push(textOf(o));
      return result(false);
    });
    const { output } = await new SelfReviewLoop([looking], { escalateAfterIterations: 3 }).execute(
      request,
      author('v0').produce,
      async () => textOutput(`v${++fixes}`),
    );
    expect(fixes).toBe(2);
    expect(reviewed).toContain(textOf(output));
  });

  it('SR-84: escalateOnCriticalGaps switches the rule off [D004-03]', async () => {
    const critical = ['a', 'b', 'c'].map((id) => fails(id, { severity: 'critical' }));
    const { outcome } = await draft(critical, {
      escalateOnCriticalGaps: false,
      maxIterations: 1,
      qualityThreshold: 0.5,
    });
    expect(outcome.status).toBe('exhausted');
  });

  it('critical gaps may be given one attempt before they escalate [D004-04]', async () => {
    const critical = ['a', 'b'].map((id) => says(id, { severity: 'critical' }));
    const config = { escalateCritical: 'after-attempt' } as const;
    expect((await drafts(critical, ['x', 'ab'], config)).outcome.approved).toBe(true);
  });

  it('19 of 20 requirements are enough at 0.9, unless the missing one is mandatory [D004-05]', async () => {
    const requirements = Array.from({ length: 20 }, (_, index) => `part ${index};`);
    const most = requirements.slice(1).join(' ');
    const review = (requirements: readonly string[]) =>
      draft(withRequirements(requirements), {}, most);
    const plain = await review(requirements);
    expect(plain.reviews[0]).toMatchObject({
      completenessScore: 0.95,
      minorGapCount: 1,
      majorGapCount: 0,
    });
    expect(plain.outcome.approved).toBe(true);
    for (const mandatory of ['it must work', 'mentions tea'])
      expect((await review([mandatory, ...requirements.slice(1)])).outcome.approved).toBe(false);
  });

  it('a score that is no score is a failure of the judge [D004-09]', async () => {
    for (const score of [Number.NaN, -1, 2]) {
      const odd = check('odd', async () => result(true, score));
      const { outcome } = await draft([passes('a'), odd]);
      expect(outcome.status).toBe('inconclusive');
    }
  });

  it('a criterion that throws loses neither the output nor the other results [D004-10]', async () => {
    const { output, reviews, outcome } = await drafts([fails('a'), throws('boom')], ['x', 'y']);
    expect(textOf(output)).toBe('x');
    expect(reviews[0]?.gaps).toHaveLength(1);
    expect(outcome.reason).toContain('boom');
  });

  it('one instance serves concurrent requests [D004-12]', async () => {
    const loop = new SelfReviewLoop([says('bb')], { escalateAfterIterations: 3 });
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
    const reworded = check('a', async () => result(false, 0, `reworded ${++words}`));
    const config = { maxIterations: 2, qualityThreshold: 0.5 };
    const { reviews } = await drafts([reworded], ['a', 'b'], config);
    expect(reviews[0]?.gaps[0]?.id).toBe(reviews[1]?.gaps[0]?.id);
  });

  it('no criteria and no requirements are never approved [D004-18]', async () => {
    const { outcome } = await draft({ ...withRequirements([]), criteria: [] });
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

  it('a worse attempt is not kept, and an attempt that changes nothing ends the loop [D004-42]', async () => {
    const criteria = ['a', 'b', 'c'].map((id) => says(id));
    const { output } = await drafts(criteria, ['ab', 'a', 'a']);
    expect(textOf(output)).toBe('ab');
  });

  it('an escalation, a used-up count and a failure can be told apart by status [D004-47]', async () => {
    const critical = [fails('a', { severity: 'critical' })];
    const runs = [
      await draft(critical, { maxCriticalGapsBeforeEscalate: 0 }),
      await draft([fails('a')], { qualityThreshold: 0.5 }),
      await draft([throws('x')]),
    ];
    expect(runs.map(({ outcome }) => outcome.status)).toEqual([
      'escalated',
      'exhausted',
      'inconclusive',
    ]);
  });

  it('a coverage check that throws, and an extraction that throws, are failures of the judge', async () => {
    for (const member of ['checkRequirementCovered', 'extractRequirements']) {
      const down = () => Promise.reject(new Error(`no ${member}`));
      const { outcome } = await draft({ ...withRequirements(['a']), [member]: down });
      expect(outcome.status).toBe('inconclusive');
      expect(outcome.reason).toContain(`no ${member}`);
    }
  });

  it('without any output, run tells the outcome and execute throws the error behind it', async () => {
    const loop = new SelfReviewLoop([criterion<AgentOutput>('a', () => true)]);
    const cause = new Error('model down');
    const down = () => Promise.reject(cause);
    const failed = { code: 'produce_failed' };
    expect((await loop.run(request, down)).outcome).toMatchObject({ status: 'failed', ...failed });
    await expect(loop.execute(request, down)).rejects.toMatchObject({ ...failed, cause });
  });
});
