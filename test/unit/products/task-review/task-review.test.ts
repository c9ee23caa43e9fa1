import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { DiffSource } from '@/core/diff/diff-source.js';
import { parseDiff } from '@/core/diff/parse-diff.js';
import { memoryAttempts } from '@/ports/attempt-store.js';
import { memoryStore } from '@/ports/memory-store.js';
import type { TaskCheck } from '@/products/task-review/task-checks.js';
import { TaskReview } from '@/products/task-review/task-review.js';
import type { TaskReviewOptions } from '@/products/task-review/task-review-options.js';
import { reviewerOf } from '../../../support/reviewer.js';
import { type Answer, major, minor, reader, task } from './support.js';

/** A folder with one file, whose lines are compared with those of the last commit. */
class Folder {
  #lines = ['old'];

  write(...lines: string[]): void {
    this.#lines = lines;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  readonly source: DiffSource = {
    id: 'memory',
    head: async () => 'base',
    diff: async () => {
      const lines = this.#lines;
      const text =
        lines.join() === 'old'
          ? ''
          : `diff --git a/api.js b/api.js\nindex 1111111..2222222 100644\n--- a/api.js\n+++ b/api.js\n@@ -1 +1,${lines.length} @@\n-old\n${lines.map((line) => `+${line}\n`).join('')}`;
      return { base: 'base', head: 'working-tree', text, files: await parseDiff(text) };
    },
  };
}

/** A check that judges the lines of the folder, and may change them. */
function checkOf(id: 'tests' | 'lint', judge: () => true | string): TaskCheck {
  return reviewerOf(id, async (_, context) => {
    const said = await context.step('run', { input: id, schema: textSchema }, async () => {
      const answer = judge();
      return answer === true ? 'ok' : answer;
    });
    const passed = said === 'ok';
    const about = { criterion: id, explanation: said, gaps: [] };
    return [
      passed ? { verdict: 'pass', score: 1, ...about } : { verdict: 'fail', score: 0, ...about },
    ];
  });
}
const textSchema = z.string();

interface Script {
  /** What each attempt writes. */
  readonly writes?: readonly (readonly string[])[];
  readonly answers?: readonly (Answer | Error)[];
}

/** A task whose work and review are scripted. */
function scripted(
  { writes = [['new']], answers = [{ verdict: 'passed', reason: 'fine' }] }: Script,
  more: Partial<TaskReviewOptions> = {},
  onReview: (folder: Folder, call: number) => void = () => {},
) {
  const folder = new Folder();
  const attempts = memoryAttempts();
  const commits: string[] = [];
  const errors: (string | undefined)[] = [];
  const provider = reader((_, call) => {
    onReview(folder, call);
    return answers[Math.min(call, answers.length - 1)] ?? new Error('no answer');
  });
  const review = new TaskReview({
    ...{ diff: folder.source, provider, attempts, store: memoryStore() },
    tests: checkOf('tests', () => !folder.lines.includes('bug') || 'one test fails'),
    execute: async (_, { attempt, previousError }) => {
      errors.push(previousError);
      folder.write(...(writes[attempt - 1] ?? writes.at(-1) ?? []));
    },
    commit: async (_, work, { key }) =>
      void commits.push(
        `${key.split('/')[0]}:${work.attempt}:${work.change.diff.split('\n').at(-2)}`,
      ),
    ...more,
  });
  return { review, folder, attempts, commits, errors, provider };
}

describe('a task, without git and processes', () => {
  it('passes tests and review, and is committed once', async () => {
    const { review, commits, attempts, provider } = scripted({});
    const result = await review.run(task, { runId: 'r' });
    expect(result).toMatchObject({
      ...{ success: true, status: 'success', reviewStatus: 'passed', code: null, issues: 0 },
      ...{ error: null, previousError: null, run: { status: 'approved' } },
    });
    await review.run(task, { runId: 'r' });
    expect(commits).toEqual(['r:1:+new']);
    expect(provider.requests).toHaveLength(1);
    expect(await attempts.of(task.id)).toMatchObject([{ runId: 'r', attempt: 1, issues: 0 }]);
  });

  it('does not ask reviewers about work that fails its tests, and passes on what failed', async () => {
    const { review, errors, provider, commits, attempts } = scripted({
      writes: [['bug'], ['new']],
    });
    expect(await review.run(task, { runId: 'r' })).toMatchObject({ success: true });
    expect(errors).toEqual([undefined, expect.stringContaining('one test fails')]);
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.messages[0]?.content).toContain('one test fails');
    expect(commits).toEqual(['r:2:+new']);
    expect(await attempts.of(task.id)).toMatchObject([
      { attempt: 1, status: 'failed', errorCode: 'TESTS_FAILED', reviewStatus: null },
      { attempt: 2, status: 'success', errorCode: null },
    ]);
  });

  it('ends after its attempts, with the error for another one', async () => {
    const { review, errors, commits } = scripted({ writes: [['bug']] }, { maxAttempts: 2 });
    expect(await review.run(task)).toMatchObject({
      ...{ success: false, code: 'TESTS_FAILED', run: { status: 'exhausted' } },
      previousError: expect.stringContaining('2 of 2 attempts made') as unknown,
    });
    expect(errors).toHaveLength(2);
    expect(commits).toEqual([]);
  });

  it('fails where execute throws, or changes nothing, whatever reviewers would say', async () => {
    const thrown = scripted(
      {},
      { maxAttempts: 1, execute: () => Promise.reject(new Error('no space left')) },
    );
    expect(await thrown.review.run(task)).toMatchObject({
      ...{ code: 'TASK_FAILED', reviewFindings: 'execution: no space left' },
    });
    const idle = scripted({ writes: [['old']] }, { maxAttempts: 1 });
    expect(await idle.review.run(task)).toMatchObject({
      ...{ success: false, code: 'NOTHING_CHANGED' },
      error: expect.stringContaining('the task changed no file') as unknown,
    });
    for (const { provider, commits } of [thrown, idle])
      expect([provider.requests, commits]).toEqual([[], []]);
  });

  it('tests again what the linter changed, and tells the reviewer', async () => {
    const lint = (folder: () => Folder) =>
      checkOf('lint', () => {
        const { lines } = folder();
        if (lines.includes('var')) folder().write('// fixed', 'const');
        return true;
      });
    const given = scripted({ writes: [['var']] }, { lint: lint(() => given.folder) });
    expect(await given.review.run(task)).toMatchObject({ success: true });
    expect(given.commits[0]).toMatch(/:1:\+const$/);
    expect(given.provider.requests[0]?.messages[0]?.content).toContain(
      'api.js was changed by lint',
    );
  });

  it('tests and reviews again what reviewers fixed before it passes, three times at most [D002-10]', async () => {
    const issues = [major, minor].map((issue) => ({ ...issue, fixed: true }));
    const fixed = { verdict: 'fixed', reason: 'mended', issues } as const;
    const once = scripted(
      { answers: [fixed, { verdict: 'passed', reason: 'fine' }] },
      {},
      (folder, call) => (call === 0 ? folder.write('mended') : undefined),
    );
    expect(await once.review.run(task)).toMatchObject({
      ...{ success: true, reviewStatus: 'fixed', machineVerdict: 'fixed', issues: 2 },
      ...{ attempts: [{ attempt: 1 }], run: { status: 'approved', reviews: [{}, {}] } },
    });
    expect(once.commits[0]).toMatch(/:1:\+mended$/);
    const broken = scripted({ answers: [fixed] }, { maxAttempts: 1 }, (folder) =>
      folder.write('bug'),
    );
    expect(await broken.review.run(task)).toMatchObject({
      ...{ success: false, code: 'TESTS_FAILED', machineVerdict: null },
    });
    const always = scripted(
      { answers: [fixed] },
      { maxAttempts: 1, reviewPolicy: 'required' },
      (folder, call) => folder.write(`mended ${call}`),
    );
    expect(await always.review.run(task)).toMatchObject({
      ...{ success: false, code: 'REVIEW_FAILED' },
      reviewFindings: expect.stringContaining('fixed again after 2 rounds: mended') as unknown,
    });
    expect(always.provider.requests).toHaveLength(3);
  });

  it('takes no verdict that contradicts the files', async () => {
    const idle = scripted({ answers: [{ verdict: 'fixed', issues: [{ ...major, fixed: true }] }] });
    expect(await idle.review.run(task)).toMatchObject({
      ...{ success: false, code: 'REVIEW_ERROR', issues: null },
      error: expect.stringContaining('says REVIEW_FIXED, but changed no file') as unknown,
    });
    const busy = scripted({}, {}, (folder) => folder.write('theirs'));
    expect(await busy.review.run(task)).toMatchObject({
      ...{ success: false, code: 'REVIEW_ERROR' },
      error: expect.stringContaining('says passed, but changed files') as unknown,
    });
    for (const { commits } of [idle, busy]) expect(commits).toEqual([]);
  });

  it('names a commit that failed, and commits when it is run again', async () => {
    let fails = true;
    const given = scripted(
      {},
      {
        commit: async () => {
          if (fails) throw new Error('the index is locked');
        },
      },
    );
    expect(await given.review.run(task, { runId: 'r' })).toMatchObject({
      ...{ success: false, status: 'failed', code: 'COMMIT_FAILED', run: { status: 'approved' } },
      error: 'the commit failed: the index is locked',
    });
    fails = false;
    expect(await given.review.run(task, { runId: 'r' })).toMatchObject({ success: true });
    expect(given.errors).toHaveLength(1);
    expect(await given.attempts.of(task.id)).toMatchObject([{ status: 'success' }]);
  });

  it('asks a person, whose answer counts beside the verdict of the reviewers [P4-35, D002-05]', async () => {
    const failed = { answers: [{ verdict: 'failed', reason: 'thin', issues: [major] }] } as const;
    const ends = [];
    for (const kind of ['approve', 'skip', 'reject'] as const) {
      const given = scripted(failed, { hitlReview: true });
      const waiting = await given.review.run(task);
      expect(waiting).toMatchObject({ status: 'waiting', success: false, code: null, issues: 1 });
      if (waiting.run.status !== 'suspended') throw new Error('no question');
      const [request] = waiting.run.requests;
      if (request === undefined) throw new Error('no question');
      const end = await given.review.answer(task, request, { kind, by: 'Ada', reason: 'seen' });
      ends.push([end.reviewStatus, end.machineVerdict, end.humanDecision, end.code]);
      expect([end.success, end.run.approved]).toEqual([kind !== 'reject', false]);
      expect(end.run).toMatchObject({ status: kind === 'reject' ? 'rejected' : 'accepted' });
      expect(end.run).toMatchObject({ decidedBy: 'Ada' });
      expect(given.commits).toHaveLength(kind === 'reject' ? 0 : 1);
      expect(await given.attempts.last(task.id)).toMatchObject({
        ...{ decidedBy: 'Ada', decisionReason: 'seen' },
      });
    }
    expect(ends).toEqual([
      ['passed', 'failed', 'approve', null],
      ['skipped', 'failed', 'skip', null],
      ['rejected', 'failed', 'reject', 'REVIEW_REJECTED'],
    ]);
  });
});
