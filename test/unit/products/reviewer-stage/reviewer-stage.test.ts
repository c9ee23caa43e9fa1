import { describe, expect, it } from 'vitest';
import { criterion } from '@/blocks/reviewers/criterion.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import { DimensionAssessor } from '@/products/reviewer-stage/dimension-assessor.js';
import { ReviewerStage } from '@/products/reviewer-stage/reviewer-stage.js';
import type { StageFeedback } from '@/products/reviewer-stage/stage-feedback.js';
import type { ReviewerStageOptions } from '@/products/reviewer-stage/stage-options.js';
import {
  type StageSummary,
  SummaryGenerator,
} from '@/products/reviewer-stage/summary-generator.js';
import { fakeClock } from '@/testing/index.js';
import { errorWith, withCode } from '../../../support/matchers.js';
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

const repaired = (given: CompletedWork): boolean => given.plan?.includes('handle null') === true;
type Replan = NonNullable<ReviewerStageOptions['replan']>;
const invalid = withCode('invalid_options');
const strict = { code_quality: (given: CompletedWork) => (repaired(given) ? good : needsWork) };

describe('the life of the stage', () => {
  it('every part of the work reaches every dimension [ReviewerStageTests.Should_Load_Full_Context, RV-02, RV-41, FR-001, FR-002, AC-002]', async () => {
    const seen: CompletedWork[] = [];
    const stage = stageOf({
      dimensions: [
        saying('all', (given) => {
          seen.push(given);
          return good;
        }),
      ],
    });
    await stage.review(work);
    expect(seen).toEqual([work]);
  });

  it('request, plan, execution, verification and changed files are there [FR-006, FR-007, FR-008, FR-009, FR-010]', async () => {
    const entered = await stageOf().onEnter(work);
    expect(entered).toMatchObject({
      request: 'Add email validation',
      plan: work.plan,
      executionResults: [{ status: 'succeeded' }],
      verificationResults: [{ passed: true }],
      changedFiles: [{ added: 45 }, { removed: 1 }],
    });
  });

  it('enters, executes and leaves, and logs each [FR-003, FR-004, FR-005, AC-003, AC-004, AC-005]', async () => {
    const logger = keeping();
    const result = await reviewed({ logger });
    expect(result.decision).toBe('APPROVED');
    const events = logger.fields.map(({ event }) => event).filter((event) => event !== undefined);
    expect(events).toEqual([
      'stage_enter',
      'stage_execute',
      'review_cycle',
      'review_decision',
      'stage_exit',
    ]);
  });

  it('the decision is logged under the fields of the seed [RV-82, RV-83, RV-84, RV-85, RV-86, RV-87]', async () => {
    const logger = keeping();
    await reviewed({ dimensions: dimensions({ safety: { ...good, level: 'excellent' } }), logger });
    const record = logger.fields.find(({ event }) => event === 'review_decision');
    expect(record).toMatchObject({
      session_id: 'abc123',
      decision: 'approved',
      duration_ms: expect.any(Number),
      human_review: false,
    });
    expect(record?.['dimensions']).toEqual({
      intent_alignment: 'good',
      code_quality: 'good',
      completeness: 'good',
      consistency: 'good',
      safety: 'excellent',
    });
  });

  it('review, decision and reasoning are logged, also of a rejection [NFR-013, NFR-014, NFR-015, RV-10]', async () => {
    const logger = keeping();
    await reviewed({ dimensions: dimensions(strict), logger });
    expect(logger.fields.some((fields) => fields['gaps'] === 2)).toBe(true);
    expect(logger.fields.find(({ event }) => event === 'review_decision')).toMatchObject({
      decision: 'rejected',
      reasoning: expect.stringContaining('code_quality is needs_work'),
    });
  });

  it('refuses what is no work, and says what is missing', async () => {
    const stage = stageOf();
    await expect(
      stage.review({ ...work, changedFiles: [{ path: '', status: 'new' }] }),
    ).rejects.toMatchObject({ code: 'task_invalid' });
    const assessor = new DimensionAssessor(dimensions());
    for (const wrong of [{}, null, undefined, 'work'] as unknown[] as CompletedWork[]) {
      for (const refused of [
        stage.review(wrong),
        stage.execute(wrong),
        stage.onEnter(wrong),
        assessor.assess(wrong),
      ])
        await expect(refused).rejects.toMatchObject(errorWith('task_invalid', 'completed work'));
    }
  });
});

describe('the decision', () => {
  it('each enabled dimension has a result [ReviewerStageTests.Should_Assess_All_Dimensions, RV-42, FR-017, AC-017]', async () => {
    const { dimensions: results } = await reviewed();
    expect(results.map(({ id, level, passed }) => [id, level, passed])).toEqual(
      five.map((id) => [id, 'good', true]),
    );
  });

  it('approved, done, exit code 0 [ReviewerStageTests.Should_Approve_Good_Work, RV-43, FR-039, FR-040, AC-018, AC-019]', async () => {
    expect(await reviewed()).toMatchObject({
      decision: 'APPROVED',
      outcome: 'completed',
      exitCode: 0,
      feedback: undefined,
      code: undefined,
    });
  });

  it('work without a changed file is judged by nobody, whatever judges say [R2-008]', async () => {
    const result = await reviewed({}, { ...work, changedFiles: [] });
    expect(result).toMatchObject({
      decision: 'INCONCLUSIVE',
      exitCode: 50,
      run: { status: 'inconclusive', code: 'nothing_judged' },
    });
    expect(result.dimensions.map(({ level }) => level)).toEqual(five.map(() => undefined));
  });

  it('dimensions without a model stay undecided if the caller says so', async () => {
    const asking = dimensions().map((one) => ({ ...one, needsProvider: true }));
    const {
      decision,
      run,
      dimensions: results,
    } = await reviewed({ dimensions: asking, withoutModel: 'undecided' });
    expect([decision, run.status, run.code]).toEqual(['INCONCLUSIVE', 'inconclusive', 'undecided']);
    expect(results.map((one) => 'verdict' in one && one.verdict)).toEqual(
      five.map(() => 'undecided'),
    );
    expect(() => stageOf({ dimensions: asking })).toThrow(/provider/);
    for (const wrong of [{ withoutModel: 'approve' }, { reviewers: 'all' }])
      expect(() => new ReviewerStage(wrong as never)).toThrow(invalid);
  });

  it('a reviewer beside the dimensions rejects, too', async () => {
    const rejecting = criterion('small', (given: CompletedWork) => given.changedFiles.length < 2);
    expect(await reviewed({ reviewers: [rejecting] })).toMatchObject({
      decision: 'REJECTED',
      outcome: 'rejected',
    });
  });

  it('rejected, with feedback, exit code 50, after a single review without a planner [ReviewerStageTests.Should_Reject_Poor_Work, RV-17, RV-44, FR-041, EXIT-50]', async () => {
    const result = await reviewed({
      dimensions: dimensions({ code_quality: { ...needsWork, level: 'poor' } }),
    });
    expect(result).toMatchObject({ decision: 'REJECTED', outcome: 'rejected', exitCode: 50 });
    expect(result.run.reviews).toHaveLength(1);
    expect(result.dimensions.find(({ id }) => id === 'code_quality')).toMatchObject({
      level: 'poor',
      passed: false,
    });
  });

  it('the decision says why [FR-042, AC-021]', async () => {
    const rejected = await reviewed({ dimensions: dimensions(strict) });
    expect(rejected.reasoning).toContain('code_quality is needs_work');
    expect((await reviewed()).reasoning).toContain('good or better');
  });

  it('the feedback lists issues with their place and what to do [FR-043, FR-044, FR-045, AC-022, AC-023, NFR-009]', async () => {
    const { feedback } = await reviewed({ dimensions: dimensions(strict) });
    expect(feedback?.issues).toEqual([
      {
        dimension: 'code_quality',
        message: 'Missing error handling for null input',
        where: 'src/validators/EmailValidator.ts:3',
        suggestion: 'Return false for null',
        severity: 'major',
      },
      {
        dimension: 'code_quality',
        message: 'No documentation on public methods',
        where: '',
        suggestion: 'Improve code quality: No documentation on public methods',
        severity: 'major',
      },
    ]);
    expect(feedback?.text).toContain('src/validators/EmailValidator.ts:3');
  });

  it('passed is a level of at least min_quality, with a threshold of its own for single dimensions [FR-065, RV-39, D003-01, D003-02]', async () => {
    const consistency = { level: 'acceptable' as const, explanation: '', issues: ['tabs'] };
    const middling = dimensions({ consistency });
    const decide = async (options: Partial<ReviewerStageOptions>) =>
      (await reviewed({ dimensions: middling, ...options })).decision;
    expect(await decide({})).toBe('REJECTED');
    for (const lower of [
      { minQuality: 'acceptable' },
      { thresholds: { consistency: 'acceptable' } },
      { enabled: { consistency: false } },
    ] as const)
      expect(await decide(lower)).toBe('APPROVED');
    expect(await decide({ dimensions: dimensions(), minQuality: 'excellent' })).toBe('REJECTED');
  });

  it('a dimension that fails, or answers no level, blocks and is no level [ACODE-REVIEW-002, D003-14]', async () => {
    const broken = [
      () => Promise.reject(new Error('unparsable')),
      async () => ({ level: 'fine', explanation: '', issues: [] }) as never,
      async () => undefined as never,
    ];
    for (const answer of broken) {
      const result = await reviewed({ dimensions: dimensions({ safety: answer }) });
      expect(result).toMatchObject({
        ...{ decision: 'INCONCLUSIVE', outcome: 'escalated', exitCode: 50 },
        code: 'ACODE-REVIEW-002',
      });
      const byId = new Map(result.dimensions.map((one) => [one.id, one]));
      expect(byId.get('safety')).toMatchObject({ level: undefined, passed: false });
      expect(byId.get('code_quality')).toMatchObject({ level: 'good' });
    }
  });

  it('dimensions can be disabled, but not all; ids are unique [FR-066, D003-13, D003-11]', async () => {
    const enabled = { safety: false, consistency: false };
    const { dimensions: results } = await reviewed({ enabled });
    expect(results.map(({ id }) => id)).toEqual(five.slice(0, 3));
    const none = Object.fromEntries(five.map((id) => [id, false]));
    expect(() => stageOf({ enabled: none })).toThrow(withCode('no_reviewers'));
    expect(() => stageOf({ dimensions: [] })).toThrow('`dimensions` is empty');
    expect(() => stageOf({ dimensions: [...dimensions(), saying('safety', good)] })).toThrow(
      withCode('duplicate_id'),
    );
    expect(() => stageOf({ enabled: { style: false } })).toThrow(invalid);
  });

  it('the same work gives the same decision, levels and feedback [NFR-004, D003-09]', async () => {
    const stage = stageOf({ dimensions: dimensions(strict) });
    const [first, second] = [await stage.review(work), await stage.review(work)];
    expect([second.decision, second.dimensions, second.feedback]).toEqual([
      first.decision,
      first.dimensions,
      first.feedback,
    ]);
  });
});

describe('cycles', () => {
  const replanner = () => {
    const told: StageFeedback[] = [];
    const replan: Replan = async (feedback, { work: before }) => {
      told.push(feedback);
      return { ...before, plan: ['write a validator', 'handle null'] };
    };
    return { told, replan };
  };

  it('feedback goes to the planner, its work is reviewed [CycleIntegrationTests.Should_Cycle_To_Planner, RV-58, FR-046, FR-047, FR-049, AC-020, AC-025]', async () => {
    const { told, replan } = replanner();
    const result = await reviewed({ dimensions: dimensions(strict), replan });
    expect(result).toMatchObject({ decision: 'APPROVED', outcome: 'completed', cycles: 1 });
    expect(told).toHaveLength(1);
    expect(told[0]?.issues[0]?.message).toBe('Missing error handling for null input');
    expect(result.run.output?.plan).toEqual(['write a validator', 'handle null']);
  });

  it('cycles are counted, and escalate at the limit [CycleIntegrationTests.Should_Escalate_At_Limit, RV-59, FR-048, FR-050, AC-026, AC-027, D003-07]', async () => {
    let plans = 0;
    const replan: Replan = async (_, { work: before }) => ({
      ...before,
      notes: [`plan ${++plans}`],
    });
    const worse = dimensions({
      code_quality: () => ({
        ...{ level: 'needs_work', explanation: '', issues: [`another issue ${plans}`] },
      }),
    });
    const result = await reviewed({ dimensions: worse, replan, maxCycles: 2 });
    const escalated = { outcome: 'escalated', exitCode: 50 };
    expect(result).toMatchObject({ ...escalated, decision: 'REJECTED', cycles: 2 });
    expect(plans).toBe(2);
    plans = 0;
    const none = await reviewed({ dimensions: worse, replan, maxCycles: 0 });
    expect(none).toMatchObject({ outcome: 'escalated', cycles: 0 });
    expect(plans).toBe(0);
  });

  it('a planner that breaks ends it as failed, with the best work kept [ACODE-REVIEW-001, EXIT-1]', async () => {
    const replan = (): Promise<CompletedWork> => Promise.reject(new Error('no plan'));
    expect(await reviewed({ dimensions: dimensions(strict), replan })).toMatchObject({
      ...{ outcome: 'failed', code: 'ACODE-REVIEW-001', exitCode: 1 },
      run: { output: work },
    });
  });
});

describe('a person', () => {
  const answering = async (
    options: object,
    kind: 'approve' | 'reject' | 'skip',
    reason?: string,
  ) => {
    const stage = stageOf({ store: memoryStore(), ...options });
    const asked = await stage.review(work, { runId: 'r' });
    if (asked.run.status !== 'suspended') throw new Error(asked.run.status);
    const answer = { kind, by: 'ann', ...(reason !== undefined && { reason }) };
    return { stage, asked, result: await stage.answer(asked.run.requests[0], answer) };
  };

  it('waits after an approval, and goes on with the answer [HumanReviewTests.Should_Prompt_When_Configured, RV-53, FR-056, FR-057, FR-059, AC-033, AC-035]', async () => {
    const { asked, result } = await answering({ humanReview: 'prompt' }, 'approve');
    expect(asked).toMatchObject({ decision: 'APPROVED', outcome: 'suspended', exitCode: 53 });
    expect(result).toMatchObject({
      ...{ decision: 'APPROVED', outcome: 'completed', exitCode: 0 },
      summary: { decidedBy: 'ann' },
    });
  });

  it('auto completes at once; prompt and require wait for a person, whom require does not let skip [HumanReviewTests.Should_Auto_When_Configured, RV-06, RV-54, FR-067]', async () => {
    expect((await reviewed({ humanReview: 'auto' })).outcome).toBe('completed');
    const prompted = await reviewed({ humanReview: 'prompt' });
    const required = await reviewed({ humanReview: 'require' });
    expect([prompted.outcome, required.outcome]).toEqual(['suspended', 'suspended']);
    const skip = ['skip'];
    expect(prompted.run).toMatchObject({ requests: [{ allowed: expect.arrayContaining(skip) }] });
    expect(required.run).toMatchObject({
      requests: [{ allowed: expect.not.arrayContaining(skip) }],
    });
  });

  it('a person who declines ends it, where there is no planner or it is not to go back [ACODE-REVIEW-004, EXIT-51]', async () => {
    const { result } = await answering({ humanReview: 'prompt' }, 'reject', 'not like this');
    expect(result).toMatchObject({
      ...{ decision: 'REJECTED', outcome: 'declined', exitCode: 51 },
      ...{ code: 'ACODE-REVIEW-004', reasoning: 'not like this' },
    });
    const replan = async (): Promise<CompletedWork> => work;
    const options = { humanReview: 'prompt', replan, onDecline: 'stop' };
    expect((await answering(options, 'reject')).result.outcome).toBe('declined');
  });

  it('declined work goes back to the planner with the reason while cycles are left [D003-05]', async () => {
    const told: StageFeedback[] = [];
    const replan: Replan = async (feedback, { work: before }) => {
      told.push(feedback);
      return { ...before, notes: ['again'] };
    };
    const options = { humanReview: 'require', replan, maxCycles: 1 };
    const { stage, result } = await answering(options, 'reject', 'use the shared validator');
    expect(told[0]?.text).toContain('use the shared validator');
    expect(result).toMatchObject({ outcome: 'suspended', cycles: 1 });
    if (result.run.status !== 'suspended') throw new Error(result.run.status);
    const ended = await stage.answer(result.run.requests[0], { kind: 'reject', by: 'ann' });
    expect(ended).toMatchObject({ outcome: 'declined', exitCode: 51 });
  });

  it('the answer is logged [FR-060, AC-036]', async () => {
    const logger = keeping();
    await answering({ humanReview: 'prompt', logger }, 'approve');
    expect(logger.fields.filter(({ event }) => event === 'review_decision').at(-1)).toMatchObject({
      human_review: true,
      decided_by: 'ann',
      outcome: 'completed',
    });
  });

  it.each([
    ['auto', 'inconclusive', 50],
    ['prompt', 'suspended', 53],
  ] as const)(
    'decides the dimensions that no model judged: %s',
    async (humanReview, status, exitCode) => {
      const asking = dimensions().map((one) => ({ ...one, needsProvider: true }));
      const logger = keeping();
      const stage = stageOf({
        ...{ dimensions: asking, withoutModel: 'undecided', humanReview },
        ...{ logger, store: memoryStore() },
      });
      const open = await stage.review(work, { runId: 'r' });
      expect([open.run.status, open.exitCode]).toEqual([status, exitCode]);
      const version = { runId: 'r', digest: open.run.reviews.at(-1)?.version ?? '' };
      const yes = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, 'yes' as const]));
      await expect(
        stage.decide(version, { by: 'ann', decisions: yes('none') }),
      ).rejects.toMatchObject({ code: 'decision_unknown' });
      const some = await stage.decide(version, { by: 'ann', decisions: yes('safety') });
      expect([some.decision, some.exitCode]).toEqual(['INCONCLUSIVE', exitCode]);
      const rest = yes(...five.filter((id) => id !== 'safety'));
      const all = await stage.decide(version, { by: 'bob', decisions: rest, reason: 'I read it' });
      expect(all.decision).toBe('APPROVED');
      expect(all.dimensions.map(({ level, passed }) => [level, passed])).toEqual(
        five.map(() => ['excellent', true]),
      );
      expect(all.summary?.decidedBy).toBe('bob, ann');
      expect([all.outcome, all.exitCode]).toEqual(
        humanReview === 'auto' ? ['completed', 0] : ['suspended', 53],
      );
    },
  );

  it('decides that a dimension is not met, which rejects', async () => {
    const stage = stageOf({
      dimensions: [saying('safety', good, { needsProvider: true })],
      withoutModel: 'undecided',
      store: memoryStore(),
    });
    const open = await stage.review(work, { runId: 'r' });
    const version = { runId: 'r', digest: open.run.reviews.at(-1)?.version ?? '' };
    const rejected = await stage.decide(version, { by: 'ann', decisions: { safety: 'no' } });
    expect(rejected).toMatchObject({
      ...{ decision: 'REJECTED', outcome: 'rejected', exitCode: 50 },
      dimensions: [{ id: 'safety', level: 'poor', passed: false }],
      feedback: { issues: [{ dimension: 'safety' }] },
    });
    const old = { ...version, digest: '0' };
    await expect(
      stage.decide(old, { by: 'ann', decisions: { safety: 'yes' } }),
    ).rejects.toMatchObject({ code: 'decision_stale' });
  });

  it('rejected work goes through with a reason only, beside the decision [HumanReviewTests.Should_Handle_Override, RV-55, FR-061, FR-062, AC-037, AC-038]', async () => {
    const stage = stageOf({ dimensions: dimensions(strict), store: memoryStore() });
    const rejected = await stage.review(work, { runId: 'r' });
    const version = { runId: 'r', digest: rejected.run.reviews.at(-1)!.version };
    const override = (reason: string) => stage.override(version, { by: 'ann', reason });
    await expect(override(' ')).rejects.toMatchObject({ code: 'reason_required' });
    expect(await override('Acceptable for prototype')).toMatchObject({
      ...{ decision: 'REJECTED', outcome: 'overridden', exitCode: 0 },
      summary: { decidedBy: 'ann', overrideReason: 'Acceptable for prototype' },
    });
  });

  it('a failed dimension, an escalation and a timeout can be overridden too [D003-22]', async () => {
    const stage = stageOf({
      dimensions: dimensions({ safety: () => Promise.reject(new Error('down')) }),
      store: memoryStore(),
    });
    const escalated = await stage.review(work, { runId: 'r' });
    const through = await stage.override(
      { runId: 'r', digest: escalated.run.reviews.at(-1)!.version },
      { by: 'ann', reason: 'checked by hand' },
    );
    expect(through.outcome).toBe('overridden');
  });
});

it('a review out of time is neither approved nor waited for [ACODE-REVIEW-003, EXIT-52, FR-068, NFR-005, NFR-006, RV-12]', async () => {
  const clock = fakeClock();
  const stage = stageOf({
    dimensions: dimensions({ safety: () => new Promise(() => {}) }),
    ...{ clock, timeoutSeconds: 30 },
  });
  const pending = stage.review(work);
  await clock.advanceAsync(30_000);
  expect(await pending).toMatchObject({
    ...{ decision: 'INCONCLUSIVE', outcome: 'timed_out', exitCode: 52 },
    code: 'ACODE-REVIEW-003',
  });
  expect(clock.pending).toBe(0);
});

describe('the summary', () => {
  it('what was asked, and what was decided [SummaryGeneratorTests.Should_Generate_Summary, RV-50, FR-051, FR-054, AC-028, AC-031]', async () => {
    const { summary } = await reviewed();
    const quality = { id: 'code_quality', name: 'Code Quality', level: 'good', passed: true };
    expect(summary).toMatchObject({
      ...{ sessionId: 'abc123', goal: 'Add email validation', decision: 'APPROVED' },
      ...{ outcome: 'completed', decidedBy: 'the reviewers', levels: { safety: 'good' } },
      dimensions: expect.arrayContaining([expect.objectContaining(quality)]),
    });
    expect(Date.parse(summary!.completedAt)).toBeGreaterThan(0);
  });

  it('every changed file with its lines [SummaryGeneratorTests.Should_Include_Changes, RV-51, FR-052, AC-029]', async () => {
    const { summary } = await reviewed();
    expect(summary?.changes).toEqual([
      { path: 'src/validators/EmailValidator.ts', kind: 'new', added: 45, removed: 0 },
      { path: 'src/forms/ContactForm.ts', kind: 'modified', added: 2, removed: 1 },
    ]);
  });

  it('explanations, concerns and the notes of the work [SummaryGeneratorTests.Should_Include_Notes, RV-52, FR-053, AC-030]', async () => {
    const { summary } = await reviewed({ dimensions: dimensions(strict) });
    expect(summary?.notes).toEqual(
      expect.arrayContaining([
        'Code Quality: No documentation on public methods',
        'Safety: Well-structured, clear naming',
        'Consider adding phone validation in future',
      ]),
    );
  });

  it('it is kept, for every kind of end [FR-055, AC-032]', async () => {
    const kept: StageSummary[] = [];
    const saveSummary = async (summary: StageSummary): Promise<void> => void kept.push(summary);
    await reviewed({ saveSummary });
    await reviewed({ dimensions: dimensions(strict), saveSummary });
    expect(kept.map(({ outcome }) => outcome)).toEqual(['completed', 'rejected']);
  });

  it('a summary that cannot be made or kept costs the decision nothing [ACODE-REVIEW-005]', async () => {
    class Broken extends SummaryGenerator {
      protected override notesOf(): string[] {
        throw new Error('no notes');
      }
    }
    const logger = keeping();
    const full = () => Promise.reject(Object.assign(new Error('disk full'), { code: 'ENOSPC' }));
    const results = [
      await reviewed({ summaryGenerator: new Broken(), logger }),
      await reviewed({ saveSummary: full, logger }),
    ];
    for (const result of results)
      expect(result).toMatchObject({
        ...{ decision: 'APPROVED', outcome: 'completed', exitCode: 0 },
        code: 'ACODE-REVIEW-005',
      });
    expect(results[1]?.summary).toMatchObject({ decision: 'APPROVED' });
    const told = logger.fields.filter(({ event }) => event === 'summary_failed');
    expect(told).toMatchObject([{ error: 'no notes' }, { error: 'disk full', code: undefined }]);
  });

  it.each([
    ['a known service', ['ghp', 'a'.repeat(36)].join('_')],
    ['a service that only the rules of secretlint know', `shpat_${'0a1b2c3d'.repeat(4)}`],
  ])('contains no secrets of %s, wherever they were [NFR-010]', async (_, secret) => {
    const explanation = `the key ${secret} is in the code`;
    const leaky = dimensions({
      safety: { level: 'needs_work', explanation, issues: [`remove ${secret}`] },
    });
    const given = { ...work, request: `use ${secret}`, notes: [`key: ${secret}`] };
    const { summary } = await reviewed({ dimensions: leaky }, given);
    expect(JSON.stringify(summary)).not.toContain(secret);
    expect(summary?.goal).toContain('REDACTED');
  });
});
