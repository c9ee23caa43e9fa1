import { describe, expect, it } from 'vitest';
import type { CompletedWork } from '../../../../src/reviewer-stage/completed-work.js';
import type {
  ChecklistDimension,
  DimensionSettings,
} from '../../../../src/reviewer-stage/dimensions/checklist-dimension.js';
import {
  CodeQualityDimension,
  CompletenessDimension,
  ConsistencyDimension,
  IntentAlignmentDimension,
  SafetyDimension,
} from '../../../../src/reviewer-stage/dimensions/default-dimensions.js';
import {
  type OrchestratorStage,
  ReviewerStage,
} from '../../../../src/reviewer-stage/reviewer-stage.js';
import type { StageResult } from '../../../../src/reviewer-stage/stage-result.js';
import { summaryLines } from '../../../../src/reviewer-stage/stage-text.js';
import { SummaryGenerator } from '../../../../src/reviewer-stage/summary-generator.js';
import { fakeClock, settle } from '../../../../src/testing/index.js';
import { checklistJudge, questionsIn } from '../../../support/checklist-judge.js';
import { dimensions, five, good, keeping, saying, work } from '../support.js';

type Each = new (settings: DimensionSettings) => ChecklistDimension;

const samples = [
  { path: 'src/validators/url.ts', content: 'export const isUrl = (text) => true;' },
];
const given: CompletedWork = { ...work, samples };

/** Each question of the shipped dimensions, by the words that it cannot lose, and its depth. */
const shipped: readonly (readonly [string, Each, RegExp, 'quick' | 'thorough', string])[] = [
  ['what was asked for', IntentAlignmentDimension, /what the request asks for/, 'quick', 'FR-018'],
  [
    'mismatches',
    IntentAlignmentDimension,
    /contradict the request.*nobody asked/,
    'quick',
    'FR-019',
  ],
  ['names as spelt', IntentAlignmentDimension, /spells out .*exactly so/, 'thorough', 'FR-020'],
  ['the plan', IntentAlignmentDimension, /all steps of the plan/, 'thorough', 'FR-021'],
  ['structure', CodeQualityDimension, /^Structure: /, 'quick', 'FR-022'],
  ['names', CodeQualityDimension, /^Naming: /, 'quick', 'FR-023'],
  ['documentation', CodeQualityDimension, /^Documentation: /, 'quick', 'FR-024'],
  ['error handling', CodeQualityDimension, /^Error handling: /, 'quick', 'FR-025'],
  ['tests that check', CodeQualityDimension, /tests check behaviour/, 'thorough', 'FR-026'],
  ['all requirements', CompletenessDimension, /^Are all requirements/, 'quick', 'FR-027'],
  [
    'placeholders',
    CompletenessDimension,
    /nothing left as a placeholder or for later/,
    'quick',
    'FR-028',
  ],
  ['edge cases', CompletenessDimension, /^Are the edge cases considered/, 'quick', 'FR-029'],
  ['what the changes need', CompletenessDimension, /registration.*migration/, 'thorough', 'FR-030'],
  [
    'existing patterns',
    ConsistencyDimension,
    /^Patterns: .*samples of neighbouring/,
    'quick',
    'FR-031',
  ],
  ['style', ConsistencyDimension, /^Style: .*samples of neighbouring/, 'quick', 'FR-032'],
  ['naming conventions', ConsistencyDimension, /^Naming conventions: .*samples/, 'quick', 'FR-033'],
  ['agreement', ConsistencyDimension, /two ways for the same thing/, 'thorough', 'FR-034'],
  ['security', SafetyDimension, /^Security: .*injection.*authorisation/, 'quick', 'FR-035'],
  ['data leaks', SafetyDimension, /^Data leaks: /, 'quick', 'FR-036'],
  ['unsafe operations', SafetyDimension, /^Unsafe operations: /, 'quick', 'FR-037'],
  ['dependencies', SafetyDimension, /new dependencies and wider permissions/, 'thorough', 'FR-038'],
];

describe('each question of the shipped dimensions', () => {
  it.each(
    shipped.map(
      ([name, Dimension, question, depth, id]) => [name, id, Dimension, question, depth] as const,
    ),
  )(
    '%s: is asked, and its No alone is the issue [%s, R2-123, R2-127]',
    async (_, id, Dimension, question, depth) => {
      const { signal } = new AbortController();
      const fault = { question, missing: /never there/, reason: `${id} is not met` };
      const provider = checklistJudge([fault]);
      const result = await new Dimension({ provider }).assess(given, { signal, depth });
      expect(questionsIn(provider.requests[0]!).filter((text) => question.test(text))).toHaveLength(
        1,
      );
      expect(
        result.issues.map((issue) => (typeof issue === 'string' ? issue : issue.message)),
      ).toEqual([`${id} is not met`]);
      expect(['excellent', 'good']).not.toContain(result.level);
      const content = await new Dimension({ provider: checklistJudge([]) }).assess(given, {
        signal,
        depth,
      });
      expect(content).toMatchObject({ level: 'excellent', issues: [] });
    },
  );

  it('the model sees the neighbouring code that it compares with; without any, the other files [FR-031, R2-127]', async () => {
    const { signal } = new AbortController();
    const provider = checklistJudge([]);
    const dimension = new ConsistencyDimension({ provider });
    await dimension.assess(given, { signal });
    await dimension.assess(work, { signal });
    const [compared, alone] = provider.requests.map(({ messages }) =>
      messages.map(({ content }) => content).join('\n'),
    );
    expect(compared).toContain('export const isUrl');
    expect(alone).not.toContain('export const isUrl');
    expect(
      questionsIn(provider.requests[1]!).filter((text) => /rest of the changed files/.test(text)),
    ).toHaveLength(3);
  });

  it('each shipped dimension alone rejects work with its fault, and approves its twin [RV-104, R2-128]', async () => {
    const questions = [
      /what the request asks for/,
      /^Structure/,
      /placeholder/,
      /^Patterns/,
      /^Security/,
    ];
    for (const [index, id] of five.entries()) {
      const question = questions[index]!;
      const fault = { question, found: /\/@\/\.test/, reason: `a fault of ${id}` };
      const rejected = await new ReviewerStage({ provider: checklistJudge([fault]) }).review(work);
      expect(rejected).toMatchObject({
        decision: 'REJECTED',
        feedback: {
          issues: [
            {
              dimension: id,
              message: `a fault of ${id}`,
              where: 'src/validators/EmailValidator.ts:1',
            },
          ],
        },
      });
      const repaired = JSON.parse(
        JSON.stringify(work).replace('/@/.test', '/^.+@.+$/.exec'),
      ) as CompletedWork;
      expect(
        (await new ReviewerStage({ provider: checklistJudge([fault]) }).review(repaired)).decision,
      ).toBe('APPROVED');
    }
  });

  it('what code finds needs no judge: its place is right, and a clean twin is approved [NFR-008, R2-128]', async () => {
    const judged = async (line: string) =>
      new ReviewerStage({ provider: checklistJudge([]) }).review({
        ...work,
        changedFiles: [
          { path: 'src/a.ts', status: 'new', content: `export const a = 1;\n${line}\n` },
        ],
      });
    for (const [fault, twin] of [
      ['eval(text)', 'JSON.parse(text)'],
      ['new Agent({ rejectUnauthorized: false })', 'new Agent({ rejectUnauthorized: true })'],
      [`const key = "${['ghp', 'b'.repeat(36)].join('_')}"`, 'const key = process.env.API_KEY'],
    ] as const) {
      expect(await judged(fault), fault).toMatchObject({
        decision: 'REJECTED',
        feedback: { issues: [{ dimension: 'safety', where: 'src/a.ts:2' }] },
      });
      expect((await judged(twin)).decision, twin).toBe('APPROVED');
    }
  });
});

describe('the stage', () => {
  it('is one of an orchestrator, which enters, executes and leaves it [AC-001, R2-128]', async () => {
    const logger = keeping();
    const stage: OrchestratorStage<CompletedWork, StageResult> = new ReviewerStage({
      dimensions: dimensions(),
      logger,
    });
    await expect(stage.onEnter({ ...work, request: '' })).rejects.toMatchObject({
      code: 'task_invalid',
    });
    await expect(
      stage.onEnter({ ...work, changedFiles: [{ path: '', status: 'new' }] }),
    ).rejects.toMatchObject({ code: 'task_invalid' });
    const entered = await stage.onEnter(work);
    const result = await stage.execute(entered);
    expect(result).toMatchObject({ decision: 'APPROVED', outcome: 'completed', exitCode: 0 });
    expect(await stage.onExit(result)).toBe(result);
    expect(logger.fields.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['stage_enter', 'stage_execute', 'stage_exit']),
    );
  });

  it('shows every changed file, with its content, to each shipped dimension [FR-010, R2-128]', async () => {
    const provider = checklistJudge([]);
    await new ReviewerStage({ provider }).review(work);
    expect(provider.requests).toHaveLength(5);
    for (const { messages } of provider.requests) {
      const prompt = messages.map(({ content }) => content).join('\n');
      for (const { path, content = 'none' } of work.changedFiles) {
        expect(prompt).toContain(path);
        expect(prompt).toContain(content);
      }
    }
  });

  it('adds less than a second to what its judges take, on a simple review [RV-63, NFR-001, R2-128]', async () => {
    const clock = fakeClock();
    // the slowest judge that leaves the target of 15 s: a second of it is left for the stage
    const slow = five.map((id) =>
      saying(
        id,
        () => new Promise<typeof good>((done) => void clock.after(14_000, () => done(good))),
      ),
    );
    let ended = false;
    const review = new ReviewerStage({ dimensions: slow, clock }).review(work);
    void review.then(() => {
      ended = true;
    });
    await settle();
    await clock.advanceAsync(15_000);
    expect(ended).toBe(true);
    const { summary } = await review;
    expect(summary?.durationMs).toBeLessThanOrEqual(15_000);
  });

  it('tells how long it took [RV-72, R2-124]', async () => {
    const clock = fakeClock();
    const slow = dimensions({
      safety: () => new Promise((done) => void clock.after(154_000, () => done(good))),
    });
    const review = new ReviewerStage({ dimensions: slow, clock, timeoutSeconds: 600 }).review(work);
    await settle();
    await clock.advanceAsync(154_000);
    const result = await review;
    expect(result.summary?.durationMs).toBe(154_000);
    expect(summaryLines(result.summary!, (text) => text).at(-1)).toBe('Duration: 2m 34s');
  });

  it('its summary has the session, the goal, the changes, the notes, the decision and a level for each dimension [RV-80, R2-128]', async () => {
    const { dimensions: judged } = await new ReviewerStage({
      dimensions: dimensions({
        safety: { ...good, level: 'acceptable', issues: ['a lock is new'] },
      }),
    }).review(work);
    const summary = new SummaryGenerator().generate(
      work,
      {
        ...{ runId: 'r', decision: 'REJECTED', outcome: 'rejected', reasoning: 'safety' },
        ...{ cycles: 0, cycleTriggers: [], usage: {}, durationMs: 1, decidedBy: 'ann' },
        completedAt: '2026-01-01T00:00:00.000Z',
      },
      judged,
    );
    expect(summary).toMatchObject({
      sessionId: 'abc123',
      goal: 'Add email validation',
      decision: 'REJECTED',
      changes: [
        { path: 'src/validators/EmailValidator.ts', kind: 'new', added: 45, removed: 0 },
        { path: 'src/forms/ContactForm.ts', kind: 'modified', added: 2, removed: 1 },
      ],
      levels: {
        intent_alignment: 'good',
        code_quality: 'good',
        completeness: 'good',
        consistency: 'good',
        safety: 'acceptable',
      },
    });
    expect(summary.notes).toContain('Safety: a lock is new');
    expect(summary.notes).toContain('Consider adding phone validation in future');
  });
});
