import { describe, expect, it } from 'vitest';
import type { Diff, DiffSource } from '../../../src/diff/diff-source.js';
import { readFences } from '../../../src/model/prompt/fence.js';
import { criterion } from '../../../src/reviewers/criterion.js';
import type { TaskWork } from '../../../src/task-review/task.js';
import { TaskReview } from '../../../src/task-review/task-review.js';
import type { TaskReviewOptions } from '../../../src/task-review/task-review-options.js';
import { passes, task } from './support.js';

const fileOf = (path: string, added: number): Diff['files'][number] => ({
  path,
  status: 'modified',
  added,
  removed: 0,
  binary: false,
  submodule: false,
  header: '',
  hunks: [],
  omitted: false,
});

/** A folder that is only told of: what its files hold, and what has changed in them. */
function folder() {
  const changes = new Map([['a.js', 1]]);
  const diff: DiffSource = {
    id: 'told',
    head: async () => 'base',
    diff: async () => ({
      base: 'base',
      head: 'working-tree',
      files: [...changes].map(([path, added]) => fileOf(path, added)),
      text: `+${[...changes].flat().join(' ')}\n`,
    }),
  };
  return { changes, diff };
}

const tests = (check: (work: TaskWork) => unknown = () => true) =>
  criterion<TaskWork>('tests', (work) => check(work) as boolean);
const reviewed = (options: Partial<TaskReviewOptions> & Pick<TaskReviewOptions, 'diff'>) =>
  new TaskReview({ execute: async () => {}, provider: passes(), maxAttempts: 1, ...options }).run(
    task,
  );

describe('tests and linter of a task', () => {
  it('may be any judges: their calls are separate, and each reads what its scope selects', async () => {
    const { diff } = folder();
    const scoped = criterion(
      'lint',
      (paths: readonly string[]) => JSON.stringify(paths) === '["a.js"]' || 'another view',
      { scope: ({ change }: TaskWork) => change.files.map(({ path }) => path) },
    );
    const result = await reviewed({ diff, tests: tests(), lint: scoped });
    expect(result).toMatchObject({ success: true, reviewStatus: 'passed' });
  });

  it('a check that judged nothing blocks, although nothing failed', async () => {
    const skipped = 'no tests were found';
    const silent = criterion<TaskWork>('tests', () => ({
      passed: false,
      score: 0,
      details: '',
      skipped,
    }));
    expect(await reviewed({ diff: folder().diff, tests: silent })).toMatchObject({
      success: false,
      status: 'failed',
      run: { status: 'inconclusive', code: 'check_broken', reason: 'judged nothing: tests' },
    });
  });

  it('a judge that breaks stops the task, and says so', async () => {
    const broken = tests(() => {
      throw new Error('no test runner');
    });
    const result = await reviewed({ diff: folder().diff, tests: broken, maxAttempts: 3 });
    expect(result).toMatchObject({
      success: false,
      code: 'TESTS_FAILED',
      machineVerdict: null,
      run: { status: 'inconclusive', code: 'check_broken' },
    });
    expect(result.attempts).toHaveLength(1);
    expect(result.reviewFindings).toContain('no test runner');
  });

  it('the reviewer is shown what a linter complains of that is no failure of the task', async () => {
    const { diff } = folder();
    const failing = await reviewed({
      diff,
      tests: tests(),
      lint: criterion<TaskWork>('lint', () => 'a.js:1 no var'),
    });
    expect(failing).toMatchObject({
      success: false,
      code: 'LINT_FAILED',
      previousError: expect.stringContaining('no var'),
    });
  });

  it('names the files that the linter changed, and stops a linter that changes them on every run', async () => {
    const { changes, diff } = folder();
    let runs = 0;
    const restless = criterion<TaskWork>('lint', () => {
      runs += 1;
      changes.set('b.js', runs).set('a.js', runs + 10);
      return true;
    });
    const result = await reviewed({ diff, lint: restless });
    expect(runs).toBe(3);
    expect(result).toMatchObject({ success: false, code: 'LINT_FAILED' });
    expect(result.reviewFindings).toContain(
      'lint changes files on every run: auto-fixed: a.js, b.js were changed by lint',
    );
  });

  it('tells a reviewer of a linter that took a file away', async () => {
    const { changes, diff } = folder();
    changes.set('trash.js', 1);
    const provider = passes();
    const tidy = criterion<TaskWork>('lint', () => changes.delete('trash.js') || true);
    expect(await reviewed({ diff, lint: tidy, provider })).toMatchObject({ success: true });
    const lint = readFences(provider.requests[0]?.messages[0]?.content ?? '').find(
      ({ label }) => label === 'lint status',
    );
    expect(lint?.text).toBe('auto-fixed: files were changed by lint');
  });

  it('without tests, linter and review nothing was judged: accepted, and never approved', async () => {
    expect(await reviewed({ diff: folder().diff, review: false })).toMatchObject({
      success: true,
      reviewStatus: 'skipped',
      run: { status: 'accepted', approved: false, code: 'not_reviewed' },
    });
    expect(await reviewed({ diff: folder().diff, review: false, tests: tests() })).toMatchObject({
      success: true,
      run: { status: 'approved' },
    });
  });
});
