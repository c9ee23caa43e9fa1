import { describe, expect, it } from 'vitest';
import { reviewOutput } from '../../../../src/pipeline/define-pipeline.js';
import type { CompletedWork } from '../../../../src/reviewer-stage/completed-work.js';
import {
  ChecklistDimension,
  type DimensionQuestion,
} from '../../../../src/reviewer-stage/dimensions/checklist-dimension.js';
import { CompletenessDimension } from '../../../../src/reviewer-stage/dimensions/default-dimensions.js';
import { dimension } from '../../../../src/reviewer-stage/dimensions/dimension-reviewer.js';
import {
  changeSections,
  historySections,
  packSections,
} from '../../../../src/reviewer-stage/dimensions/work-sections.js';
import { scriptedProvider } from '../../../../src/testing/index.js';
import { questionsOf, tokenOf } from '../../../support/answering-judge.js';
import { questionsIn } from '../../../support/checklist-judge.js';
import { work } from '../support.js';

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
    const assess = (dimensionOfMine: Asking) =>
      dimensionOfMine.assess(work, { signal, depth: 'quick' });
    await expect(assess(asking(always('yes')))).rejects.toMatchObject({
      code: 'reviewer_invalid',
      message: expect.stringContaining('no question') as string,
    });
    await expect(
      assess(asking(always('not_applicable'), { text: 'Is it fast?' })),
    ).rejects.toMatchObject({
      code: 'reviewer_invalid',
      message: expect.stringContaining('concerns') as string,
    });
    const silent = scriptedProvider((request) =>
      JSON.stringify({ token: tokenOf(request), answers: [] }),
    );
    await expect(assess(asking(silent, { text: 'Is it fast?' }))).rejects.toMatchObject({
      code: expect.stringMatching(/^answer_/) as string,
    });
  });

  it('is not one that asks thorough questions only: a quick review asks them, too', async () => {
    const provider = always('yes');
    expect(
      await asking(provider, { text: 'Is it fast?', thorough: true }).assess(work, {
        signal,
        depth: 'quick',
      }),
    ).toMatchObject({ level: 'excellent' });
    expect(provider.requests.flatMap(questionsIn)).toEqual(['Is it fast?']);
  });

  it('asks of many requirements together, and leaves none out', async () => {
    const provider = always('yes');
    const acceptanceCriteria = Array.from(
      { length: 45 },
      (_, index) => `Requirement ${index + 1} holds`,
    );
    await new CompletenessDimension({ provider }).assess(
      { ...work, acceptanceCriteria },
      { signal, depth: 'quick' },
    );
    const asked = provider.requests.flatMap(questionsIn).join('\n');
    for (const criterion of acceptanceCriteria) expect(asked).toContain(JSON.stringify(criterion));
    expect(
      provider.requests
        .flatMap(questionsIn)
        .filter((question) => question.includes('all of these requirements')),
    ).toHaveLength(1);
  });
});

describe('a dimension of your own', () => {
  it('is errored, and neither passes nor fails, where its judge answers nonsense or finds that it concerns nothing', async () => {
    for (const [provider, verdict] of [
      [scriptedProvider(() => 'APPROVED'), 'errored'],
      [always('not_applicable'), 'not_applicable'],
    ] as const) {
      const review = await reviewOutput({
        task: undefined,
        output: 'text',
        reviewers: [dimension({ id: 'own', provider, question: 'Is it fast?' })],
      });
      expect(review.assessments.map((assessment) => assessment.verdict)).not.toContain('pass');
      if (verdict === 'errored')
        expect(review.assessments).toMatchObject([{ verdict, criterion: 'own' }]);
    }
  });

  it('is refused with options that are none', () => {
    for (const options of [
      null,
      5,
      { id: '', question: 'Is it?' },
      { id: 'a', question: 'Is it?', threshold: 'poor' },
      { id: 'a', question: 'Is it?', severity: 'bad' },
      { id: 'a', question: 'Is it?', scope: 5 },
      { id: 'a' },
    ])
      expect(() => dimension(options as never), JSON.stringify(options)).toThrow(
        expect.objectContaining({ code: 'invalid_options' }),
      );
  });
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
    expect(
      historySections({
        sessionId: 's',
        request: 'r',
        executionResults: [],
        verificationResults: [],
        changedFiles: [],
      }),
    ).toEqual([]);
  });

  it('is dealt out in parts that fit, one of its own for what alone is too large, and one part where there is nothing', async () => {
    const tokens = { id: 'letters', count: async (text: string) => text.length };
    const files = ['a'.repeat(4), 'b'.repeat(4), 'c'.repeat(50), 'd'].map((content, index) => ({
      path: `${index}.ts`,
      status: 'new' as const,
      content,
    }));
    const shared = [{ label: 'plan', text: 'xx' }];
    const parts = await packSections(changeSections({ ...work, changedFiles: files }), {
      shared,
      maxTokens: 10,
      tokens,
    });
    expect(parts.map((part) => part.map(({ text }) => text.slice(0, 1)).join(''))).toEqual([
      'xab',
      'xc',
      'xd',
    ]);
    expect(await packSections([], { shared, maxTokens: 10, tokens })).toEqual([shared]);
  });
});
