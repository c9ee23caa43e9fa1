import { describe, expect, it } from 'vitest';
import { definePipeline, reviewOutput } from '@/blocks/pipeline/define-pipeline.js';
import type { CompletedWork } from '@/products/reviewer-stage/completed-work.js';
import {
  ChecklistDimension,
  type DimensionQuestion,
  type DimensionSettings,
} from '@/products/reviewer-stage/dimensions/checklist-dimension.js';
import {
  CodeQualityDimension,
  CompletenessDimension,
  ConsistencyDimension,
  IntentAlignmentDimension,
  SafetyDimension,
} from '@/products/reviewer-stage/dimensions/default-dimensions.js';
import {
  type DimensionOptions,
  dimension,
} from '@/products/reviewer-stage/dimensions/dimension-reviewer.js';
import {
  changeSections,
  historySections,
  packSections,
} from '@/products/reviewer-stage/dimensions/work-sections.js';
import { levelAtLeast } from '@/products/reviewer-stage/quality-level.js';
import { type OrchestratorStage, ReviewerStage } from '@/products/reviewer-stage/reviewer-stage.js';
import type { StageResult } from '@/products/reviewer-stage/stage-result.js';
import { summaryLines } from '@/products/reviewer-stage/stage-text.js';
import { fakeClock, scriptedProvider, settle } from '@/testing/index.js';
import { questionsOf, tokenOf } from '../../../../support/answering-judge.js';
import { checklistJudge, questionsIn } from '../../../../support/checklist-judge.js';
import { expectCode, withCode } from '../../../../support/matchers.js';
import { dimensions, good, keeping, reviewed, stageOf, work } from '../support.js';

const text = 'Oolong is best. Just trust me.';
const judge = checklistJudge([
  { question: /reasons/, found: /trust me/, reason: 'no reason is given', severity: 'minor' },
]);

describe('dimension', () => {
  it('computes a level from the answers, and passes at its threshold', async () => {
    const review = async (threshold: 'good' | 'excellent') => {
      const own = dimension({ id: 'sound', question: 'Does it give reasons?', threshold });
      return reviewOutput({ task: 'tea', output: text, provider: judge, reviewers: [own] });
    };
    expect((await review('good')).assessments).toMatchObject([
      {
        ...{ verdict: 'pass', score: 0.75, explanation: 'good: no reason is given' },
        gaps: [{ severity: 'minor', evidence: 'trust me' }],
      },
    ]);
    const failed = { verdict: 'fail', score: 0.75 };
    expect((await review('excellent')).assessments).toMatchObject([failed]);
  });

  it('takes the severity that it is given before that of the judge', async () => {
    const checklist = ['Does it give reasons?', 'Is it short?'] as const;
    const own = dimension({ id: 'sound', provider: judge, checklist, severity: 'critical' });
    const review = await reviewOutput({ task: 'tea', output: text, reviewers: [own] });
    expect(review.assessments).toMatchObject([
      { verdict: 'fail', score: 0, gaps: [{ severity: 'critical' }] },
    ]);
  });

  it('sees what its scope selects only, and its verdict is reused while that is equal', async () => {
    const provider = checklistJudge([{ question: /polite/, found: /rude/, reason: 'rude' }]);
    const pipeline = definePipeline<string, { title: string; body: string }>({
      provider,
      produce: async () => ({ title: 'Tea', body: 'rude' }),
      address: async (output) => ({ ...output, body: 'polite' }),
      criteria: { body: ({ body }) => body !== 'rude' || 'rude' },
      reviewers: [
        dimension<string, { title: string; body: string }>({
          ...{ id: 'tone', question: 'Is it polite?', scope: ({ output }) => output.title },
        }),
      ],
      failFast: false,
      policy: levelAtLeast('good'),
    });
    expect((await pipeline.run('tea')).approved).toBe(true);
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(provider.requests)).not.toContain('rude');
  });

  it('refuses wrong options, and a pipeline without a provider', () => {
    const own = { id: 'x', question: 'a?' };
    const wrong: readonly unknown[] = [
      ...[null, 5, { id: 'x' }, { ...own, id: '' }, { ...own, question: '' }],
      ...[
        { id: 'x', checklist: [] },
        { ...own, checklist: ['b?'] },
      ],
      ...[
        { threshold: 'poor' },
        { severity: 'huge' },
        { scope: 1 },
        { provider: {} },
        { more: 1 },
      ].map((more) => ({ ...own, ...more })),
    ];
    for (const options of wrong)
      expect(() => dimension(options as DimensionOptions<unknown, unknown>)).toThrow(
        withCode('invalid_options'),
      );
    expect(() =>
      definePipeline({
        produce: async () => 'x',
        reviewers: [dimension({ id: 'x', question: 'a?' })],
      }),
    ).toThrow(withCode('provider_missing'));
  });
});

const { signal } = new AbortController();

/** Answers every question alike. */
const always = (answer: string) =>
  scriptedProvider((request) =>
    JSON.stringify({
      token: tokenOf(request),
      answers: Array.from({ length: questionsOf(request) }, (_, index) => ({
        question: index + 1,
        answer,
        reason: 'so it is',
      })),
    }),
  );

class Asking extends ChecklistDimension {
  readonly id = 'asking';
  readonly name = 'Asking';
  asked: readonly DimensionQuestion[] = [];
  protected questions(): readonly DimensionQuestion[] {
    return this.asked;
  }
}

const asking = (provider: ReturnType<typeof always>, ...asked: DimensionQuestion[]): Asking =>
  Object.assign(new Asking({ provider }), { asked });

describe('a dimension that comes to no level', () => {
  it('is one without questions, one that concerns nothing, and one whose judge left a question open', async () => {
    const fast = { text: 'Is it fast?' };
    const assess = (dimensionOfMine: Asking) =>
      expect(dimensionOfMine.assess(work, { signal, depth: 'quick' })).rejects;
    const invalid = (part: string) => ({
      code: 'reviewer_invalid',
      message: expect.stringContaining(part) as string,
    });
    const wrong = (asked: unknown) =>
      Object.assign(asking(always('yes')), { asked: asked as DimensionQuestion[] });
    await assess(wrong([])).toMatchObject(invalid('no question'));
    for (const asked of [undefined, null, 'Is it fast?', { text: 'Is it fast?' }])
      await assess(wrong(asked)).toMatchObject(invalid('no list of questions'));
    for (const second of [undefined, null, {}, 'Is it fast?', { text: ' ' }, { text: 1n }])
      await assess(wrong([fast, second])).toMatchObject(invalid('question 2 no text'));
    await assess(asking(always('not_applicable'), fast)).toMatchObject(invalid('concerns'));
    const silent = scriptedProvider((request) =>
      JSON.stringify({ token: tokenOf(request), answers: [] }),
    );
    await assess(asking(silent, fast)).toMatchObject({
      code: expect.stringMatching(/^answer_/) as string,
    });
  });

  it('is not one that asks thorough questions only: a quick review asks them, too', async () => {
    const provider = always('yes');
    const own = asking(provider, { text: 'Is it fast?', thorough: true });
    expect(await own.assess(work, { signal, depth: 'quick' })).toMatchObject({
      level: 'excellent',
    });
    expect(provider.requests.flatMap(questionsIn)).toEqual(['Is it fast?']);
  });

  it('asks of many requirements together, and leaves none out', async () => {
    const provider = always('yes');
    const acceptanceCriteria = Array.from({ length: 45 }, (_, at) => `Requirement ${at + 1} holds`);
    const given = { ...work, acceptanceCriteria };
    await new CompletenessDimension({ provider }).assess(given, { signal, depth: 'quick' });
    const asked = provider.requests.flatMap(questionsIn);
    for (const criterion of acceptanceCriteria)
      expect(asked.join('\n')).toContain(JSON.stringify(criterion));
    expect(asked.filter((text) => text.includes('all of these requirements'))).toHaveLength(1);
  });
});

it('a dimension of your own is errored, and neither passes nor fails, where its judge answers nonsense or finds that it concerns nothing', async () => {
  for (const [provider, verdict] of [
    [scriptedProvider(() => 'APPROVED'), 'errored'],
    [always('not_applicable'), 'not_applicable'],
  ] as const) {
    const own = dimension({ id: 'own', provider, question: 'Is it fast?' });
    const review = await reviewOutput({ task: undefined, output: 'text', reviewers: [own] });
    expect(review.assessments.map((assessment) => assessment.verdict)).not.toContain('pass');
    if (verdict === 'errored')
      expect(review.assessments).toMatchObject([{ verdict, criterion: 'own' }]);
  }
});

describe('what judges are shown of the work', () => {
  it('names every file with what became of it and what is not shown, and what failed', () => {
    const changedFiles: CompletedWork['changedFiles'] = [
      { path: 'new.ts', oldPath: 'old.ts', status: 'renamed' },
      { path: 'a.ts', status: 'modified', added: 2, omitted: 'cut' },
      { path: 'b.ts', status: 'modified', removed: 3 },
      { path: 'logo.png', status: 'new', omitted: 'binary' },
    ];
    const sections = historySections({
      ...work,
      plan: 'one thing',
      changedFiles,
      verificationResults: [{ name: 'lint', passed: false }],
      executionResults: [{ step: 'one', status: 'failed', output: 'no' }],
    });
    const textOf = (label: string) => sections.find((section) => section.label === label)?.text;
    expect(textOf('changed files')?.split('\n')).toEqual([
      '- renamed: old.ts -> new.ts',
      '- modified: a.ts (+2 -0) [shown in part]',
      '- modified: b.ts (+0 -3)',
      '- new: logo.png [binary, not shown]',
    ]);
    expect([textOf('verification results'), textOf('execution results'), textOf('plan')]).toEqual([
      '- lint: FAILED',
      '- one: failed\nno',
      'one thing',
    ]);
    const nothing = { executionResults: [], verificationResults: [], changedFiles: [] };
    expect(historySections({ sessionId: 's', request: 'r', ...nothing })).toEqual([]);
  });

  it('is dealt out in parts that fit, one of its own for what alone is too large, and one part where there is nothing', async () => {
    const tokens = { id: 'letters', count: async (text: string) => text.length };
    const files = ['a'.repeat(4), 'b'.repeat(4), 'c'.repeat(50), 'd'].map((content, index) => ({
      path: `${index}.ts`,
      status: 'new' as const,
      content,
    }));
    const limits = { shared: [{ label: 'plan', text: 'xx' }], maxTokens: 10, tokens };
    const parts = await packSections(changeSections({ ...work, changedFiles: files }), limits);
    const firsts = parts.map((part) => part.map(({ text }) => text.slice(0, 1)).join(''));
    expect(firsts).toEqual(['xab', 'xc', 'xd']);
    expect(await packSections([], limits)).toEqual([limits.shared]);
  });
});

/** A class as a compiler writes it that knows no classes: its members stand outside of its text. */
function compiled(text: string): ChecklistDimension {
  class Compiled extends Asking {}
  Object.defineProperty(Compiled.prototype, 'questions', { value: questionsOfText[text] });
  return new Compiled();
}
const questionsOfText: Readonly<Record<string, () => readonly DimensionQuestion[]>> = {
  polite: () => [{ text: 'Is it polite?' }],
  brief: () => [{ text: 'Is it brief?' }],
};

class Polite extends Asking {
  protected override questions() {
    return [{ text: 'Is it polite?' }];
  }
}
class Brief extends Asking {
  protected override questions() {
    return [{ text: 'Is it brief?' }];
  }
}

describe('the version of a dimension', () => {
  it('is that of its rules: the same for the same, also in classes that were compiled', () => {
    expect(compiled('polite').version).toBe(compiled('polite').version);
    expect(compiled('polite').version).not.toBe(compiled('brief').version);
  });

  it('changes with the rules of the classes above it', () => {
    const polite = () => new (class Tone extends Polite {})().version;
    expect(polite()).toBe(polite());
    expect(polite()).not.toBe(new (class Tone extends Brief {})().version);
  });

  it('depends on its settings, and a provider of its own is enough', () => {
    const provider = scriptedProvider([]);
    expect(new Polite().needsProvider).toBe(true);
    expect(new Polite({ provider }).needsProvider).toBe(false);
    expect(new Polite().version).not.toBe(new Polite({ maxPromptTokens: 5 }).version);
    expect(new Polite().version).toMatch(/^[0-9a-f]{16}$/);
  });
});

type Each = new (settings: DimensionSettings) => ChecklistDimension;

const samples = [
  { path: 'src/validators/url.ts', content: 'export const isUrl = (text) => true;' },
];
const given: CompletedWork = { ...work, samples };

/** Each question of the shipped dimensions, by the words that it cannot lose. */
const quick: readonly (readonly [string, Each, RegExp, string])[] = [
  ['what was asked for', IntentAlignmentDimension, /what the request asks for/, 'FR-018'],
  ['mismatches', IntentAlignmentDimension, /contradict the request.*nobody asked/, 'FR-019'],
  ['structure', CodeQualityDimension, /^Structure: /, 'FR-022'],
  ['names', CodeQualityDimension, /^Naming: /, 'FR-023'],
  ['documentation', CodeQualityDimension, /^Documentation: /, 'FR-024'],
  ['error handling', CodeQualityDimension, /^Error handling: /, 'FR-025'],
  ['all requirements', CompletenessDimension, /^Are all requirements/, 'FR-027'],
  ['placeholders', CompletenessDimension, /nothing left as a placeholder or for later/, 'FR-028'],
  ['edge cases', CompletenessDimension, /^Are the edge cases considered/, 'FR-029'],
  ['existing patterns', ConsistencyDimension, /^Patterns: .*samples of neighbouring/, 'FR-031'],
  ['style', ConsistencyDimension, /^Style: .*samples of neighbouring/, 'FR-032'],
  ['naming conventions', ConsistencyDimension, /^Naming conventions: .*samples/, 'FR-033'],
  ['security', SafetyDimension, /^Security: .*injection.*authorisation/, 'FR-035'],
  ['data leaks', SafetyDimension, /^Data leaks: /, 'FR-036'],
  ['unsafe operations', SafetyDimension, /^Unsafe operations: /, 'FR-037'],
];
const thorough: typeof quick = [
  ['names as spelt', IntentAlignmentDimension, /spells out .*exactly so/, 'FR-020'],
  ['the plan', IntentAlignmentDimension, /all steps of the plan/, 'FR-021'],
  ['tests that check', CodeQualityDimension, /tests check behaviour/, 'FR-026'],
  ['what the changes need', CompletenessDimension, /registration.*migration/, 'FR-030'],
  ['agreement', ConsistencyDimension, /two ways for the same thing/, 'FR-034'],
  ['dependencies', SafetyDimension, /new dependencies and wider permissions/, 'FR-038'],
];
const shipped = [
  ...quick.map(([name, Each, question, id]) => [name, id, Each, question, 'quick'] as const),
  ...thorough.map(([name, Each, question, id]) => [name, id, Each, question, 'thorough'] as const),
];

describe('each question of the shipped dimensions [FR-022, FR-023, FR-024, FR-025]', () => {
  it.each(shipped)(
    '%s: is asked, and its No alone is the issue [%s, R2-123, R2-127]',
    async (_, id, Dimension, question, depth) => {
      const fault = { question, missing: /never there/, reason: `${id} is not met` };
      const provider = checklistJudge([fault]);
      const result = await new Dimension({ provider }).assess(given, { signal, depth });
      const asked = questionsIn(provider.requests[0]!).filter((text) => question.test(text));
      expect(asked).toHaveLength(1);
      const messages = result.issues.map((one) => (typeof one === 'string' ? one : one.message));
      expect(messages).toEqual([`${id} is not met`]);
      expect(['excellent', 'good']).not.toContain(result.level);
      const content = new Dimension({ provider: checklistJudge([]) });
      expect(await content.assess(given, { signal, depth })).toMatchObject({
        level: 'excellent',
        issues: [],
      });
    },
  );

  it('the model sees the neighbouring code that it compares with; without any, the other files [FR-031, R2-127]', async () => {
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

  it('each shipped dimension alone rejects work with its fault, and approves its twin [NFR-008, RV-104, RV-106, R2-128]', async () => {
    const faults = {
      intent_alignment: /what the request asks for/,
      code_quality: /^Structure/,
      completeness: /placeholder/,
      consistency: /^Patterns/,
      safety: /^Security/,
    };
    const where = 'src/validators/EmailValidator.ts:1';
    for (const [id, question] of Object.entries(faults)) {
      const fault = { question, found: /\/@\/\.test/, reason: `a fault of ${id}` };
      const judged = (given: CompletedWork) =>
        new ReviewerStage({ provider: checklistJudge([fault]) }).review(given);
      expect(await judged(work)).toMatchObject({
        decision: 'REJECTED',
        feedback: { issues: [{ dimension: id, message: `a fault of ${id}`, where }] },
      });
      const repaired = JSON.stringify(work).replace('/@/.test', '/^.+@.+$/.exec');
      expect((await judged(JSON.parse(repaired) as CompletedWork)).decision).toBe('APPROVED');
    }
  });

  it('what code finds needs no judge: its place is right, and a clean twin is approved [NFR-008, R2-128]', async () => {
    const judged = async (line: string) => {
      const content = `export const a = 1;\n${line}\n`;
      const changedFiles = [{ path: 'src/a.ts', status: 'new' as const, content }];
      const provider = checklistJudge([]);
      return new ReviewerStage({ provider }).review({ ...work, changedFiles });
    };
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
    const stage: OrchestratorStage<CompletedWork, StageResult> = stageOf({ logger });
    for (const wrong of [{ request: '' }, { changedFiles: [{ path: '', status: 'new' as const }] }])
      await expectCode(stage.onEnter({ ...work, ...wrong }), 'task_invalid');
    const entered = await stage.onEnter(work);
    const result = await stage.execute(entered);
    expect(result).toMatchObject({ decision: 'APPROVED', outcome: 'completed', exitCode: 0 });
    expect(await stage.onExit(result)).toBe(result);
    expect(logger.fields.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['stage_enter', 'stage_execute', 'stage_exit']),
    );
  });

  it('tells how long it took [RV-72, R2-124]', async () => {
    const clock = fakeClock();
    const slow = dimensions({
      safety: () => new Promise((done) => void clock.after(154_000, () => done(good))),
    });
    const review = reviewed({ dimensions: slow, clock, timeoutSeconds: 600 });
    await settle();
    await clock.advanceAsync(154_000);
    const result = await review;
    expect(result.summary?.durationMs).toBe(154_000);
    expect(summaryLines(result.summary!, (text) => text).at(-1)).toBe('Duration: 2m 34s');
  });
});
