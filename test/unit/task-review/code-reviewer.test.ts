import { describe, expect, it } from 'vitest';
import type { CodeReviewConfig } from '../../../src/task-review/code-review-config.js';
import { codeReviewer } from '../../../src/task-review/code-reviewer.js';
import type { TaskWork } from '../../../src/task-review/task.js';
import type { TaskChange } from '../../../src/task-review/task-change.js';
import { CheckOutputs } from '../../../src/task-review/task-checks.js';
import {
  fakeReviewerContext,
  type ScriptedAnswer,
  scriptedProvider,
} from '../../../src/testing/index.js';
import { task } from './support.js';

const change: TaskChange = {
  ...{ base: 'base', digest: 'd1', diff: '+new\n', leftOut: 0 },
  files: [{ path: 'api.js', status: 'modified', added: 1, removed: 0, binary: false }],
};
const verdict = (name: string, issues: readonly object[] = []): string =>
  JSON.stringify({ verdict: name, reason: 'as it is', issues });

/** What the reviewer says about work, and what it proposes. */
async function judged(
  answer: ScriptedAnswer,
  {
    work = {},
    after = change,
    outputs = {},
    ...config
  }: CodeReviewConfig & {
    readonly work?: Partial<TaskWork>;
    readonly after?: TaskChange;
    readonly outputs?: { readonly test?: string; readonly lint?: string };
  } = {},
) {
  const provider = scriptedProvider([answer, answer, answer]);
  const checkOutputs = new CheckOutputs();
  checkOutputs.put('run', 1, outputs);
  const read: string[] = [];
  const reviewer = codeReviewer({
    review: { provider, reasks: 0, ...config },
    checkOutputs,
    readChange: async (name, base) => {
      read.push(`${name} ${base}`);
      return name === 'after' ? after : change;
    },
  });
  const output: TaskWork = { attempt: 1, change, repairs: 0, ...work };
  const said = await reviewer.review({ task, output, iteration: 1 }, fakeReviewerContext());
  const { assessments, proposal } =
    'assessments' in said ? said : { assessments: said, proposal: undefined };
  return {
    assessment: assessments[0],
    proposal,
    read,
    prompt: provider.requests[0]?.messages[0]?.content ?? '',
  };
}

describe('the review of a task', () => {
  it('passes or fails with the reason, the text and the issues', async () => {
    expect(await judged(verdict('passed'))).toMatchObject({
      assessment: {
        ...{ verdict: 'pass', criterion: 'review', score: 1, gaps: [] },
        explanation: 'passed: as it is\nREVIEW_PASSED: as it is',
      },
      ...{ proposal: undefined, read: ['before base', 'after base'] },
    });
    const issue = { severity: 'major', text: 'no tests', file: 'api.js', line: 3 };
    expect(
      (
        await judged(
          verdict('failed', [
            issue,
            { ...issue, line: undefined },
            { severity: 'minor', text: 'x' },
          ]),
        )
      ).assessment,
    ).toMatchObject({
      ...{ verdict: 'fail', criterion: 'review', score: 0 },
      gaps: [
        {
          ...{ severity: 'major', description: 'no tests', suggestedFix: 'no tests' },
          ...{ location: { file: 'api.js', line: 3 }, criterionId: 'review', autoFixable: true },
        },
        { location: { file: 'api.js' } },
        { severity: 'minor', description: 'x' },
      ],
    });
    expect(
      (await judged('bad\nREVIEW_FAILED: thin', { verdicts: 'markers' })).assessment,
    ).toMatchObject({
      verdict: 'fail',
      gaps: [],
      explanation: 'failed: thin\nbad\nREVIEW_FAILED: thin',
    });
  });

  it('has no verdict where none came, and says whether to ask again', async () => {
    expect((await judged('')).assessment).toMatchObject({
      ...{ verdict: 'errored', criterion: 'review' },
      error: { code: 'review_not_run', what: expect.stringMatching(/empty response/) as string },
    });
    expect((await judged(new Error('gone'))).assessment).toMatchObject({
      ...{ verdict: 'errored', criterion: 'review' },
      error: { code: 'review_broken', retryable: true },
    });
    const prose = await judged('Fine.\nIt is.', { verdicts: 'markers' });
    expect(prose.assessment).toMatchObject({
      error: { code: 'review_not_run', retryable: false, value: 'Fine.\nIt is.' },
    });
    const both = 'REVIEW_PASSED\nREVIEW_FAILED';
    expect((await judged(both, { verdicts: 'markers' })).assessment).toMatchObject({
      error: { code: 'review_broken', retryable: false, value: both },
    });
  });

  it('proposes the files that it fixed, a bounded number of times', async () => {
    const after = { ...change, digest: 'd2' };
    const fixed = await judged(verdict('fixed'), { after, work: { repairs: 1 } });
    expect(fixed).toMatchObject({
      assessment: { verdict: 'fail', explanation: expect.stringMatching(/^fixed: /) as string },
      proposal: { change: { digest: 'd2' }, repairs: 2, attempt: 1 },
    });
    const again = await judged(verdict('fixed'), { after, work: { repairs: 2 } });
    expect(again.proposal).toBeUndefined();
    expect(again.assessment).toMatchObject({
      ...{
        verdict: 'fail',
        explanation: expect.stringMatching(/^failed: fixed again after 2 rounds/) as string,
      },
    });
  });

  it('contradicts the files with no verdict', async () => {
    const changed = await judged(verdict('passed'), { after: { ...change, digest: 'd2' } });
    for (const { assessment, proposal } of [changed, await judged(verdict('fixed'))]) {
      expect(assessment).toMatchObject({
        ...{ verdict: 'errored', error: { code: 'review_broken', retryable: false } },
      });
      expect(proposal).toBeUndefined();
    }
  });

  it('is shown what tests and linter said, and what failed before', async () => {
    const { prompt } = await judged(verdict('passed'), {
      outputs: { test: '15 passed', lint: 'a.js was changed' },
      work: { previousError: 'it broke' },
    });
    for (const text of ['15 passed', 'a.js was changed', 'it broke', '+new'])
      expect(prompt).toContain(text);
  });

  it('reads no work that is binary only', async () => {
    const [file] = change.files;
    if (file === undefined) throw new Error('no file');
    const binary = { ...change, files: [{ ...file, binary: true }] };
    const { assessment, read, prompt } = await judged(verdict('passed'), {
      work: { change: binary },
    });
    expect(assessment).toMatchObject({
      ...{ verdict: 'errored', criterion: 'review', error: { code: 'review_not_run' } },
    });
    expect([read, prompt]).toEqual([[], '']);
  });

  it('passes only what was shown whole', async () => {
    const part = { ...change, leftOut: 1, totalBytes: 900 };
    expect((await judged(verdict('passed'), { work: { change: part } })).assessment).toMatchObject({
      ...{ verdict: 'undecided', decidableBy: ['person'] },
      reason: 'only 5 of 900 bytes were shown (diffBytes: 30000)',
    });
    expect((await judged(verdict('failed'), { work: { change: part } })).assessment).toMatchObject({
      verdict: 'fail',
    });
  });
});

describe('the reviewer of a task', () => {
  const parts = { checkOutputs: new CheckOutputs(), readChange: async () => change };
  const built = (review: CodeReviewConfig | false) => codeReviewer({ ...parts, review });
  const provider = { ...scriptedProvider([]), id: 'p', model: 'm' };

  it('has another version with another model or other options', () => {
    const versions = [
      built(false),
      built({}),
      built({ provider }),
      built({ provider: { ...provider, model: 'n' } }),
      built({ provider: { ...provider, id: 'q' } }),
      built({ provider, roles: ['docs'] }),
    ].map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
    expect(built({ provider }).version).toBe(versions[2]);
  });

  it('takes the model of the run where it has none', () => {
    expect(built({}).withProvider?.(provider)?.version).toBe(built({ provider }).version);
    expect(built({ provider }).withProvider).toBeUndefined();
  });

  it('that is disabled skips the review', async () => {
    const output = { attempt: 1, change, repairs: 0 };
    expect(
      await built(false).review({ task, output, iteration: 1 }, fakeReviewerContext()),
    ).toMatchObject([{ verdict: 'skipped', criterion: 'review' }]);
  });
});
