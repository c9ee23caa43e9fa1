import { expectTypeOf, it } from 'vitest';
import { command } from '@/blocks/reviewers/command/command.js';
import type { DiffSource } from '@/core/diff/diff-source.js';
import type { LLMProvider } from '@/index.js';
import {
  type AttemptStore,
  buildReviewPrompt,
  type CodeReview,
  memoryAttempts,
  type parseTasks,
  postDoneHook,
  ReviewVerdict,
  reviewCode,
  runCodeReview,
  type TaskAttempt,
  type TaskResult,
  TaskReview,
} from '@/products/task-review/index.js';
import type { TaskErrorCode } from '@/products/task-review/task-attempts.js';

declare const diff: DiffSource;
declare const provider: LLMProvider;
const task = { id: 'TASK-1', name: 'Add tea' };

it('types of a task review', () => {
  const review = new TaskReview({
    diff,
    provider,
    tests: command({ id: 'tests', run: 'npm test' }),
    attempts: memoryAttempts(),
    reviewPolicy: 'required',
  });
  expectTypeOf(review.run(task)).resolves.toEqualTypeOf<TaskResult>();
  expectTypeOf<TaskResult['code']>().toEqualTypeOf<TaskErrorCode | null>();
  expectTypeOf<TaskResult['attempts']>().toEqualTypeOf<readonly TaskAttempt[]>();
  // @ts-expect-error a task has a name
  void review.run({ id: 'TASK-1' });
  // @ts-expect-error no policy of that name
  new TaskReview({ diff, reviewPolicy: 'lenient' });
  // @ts-expect-error who does a task changes files, and gives nothing
  new TaskReview({ diff, execute: (given: { id: string }) => given.id });
  // @ts-expect-error no source of diffs
  new TaskReview({ provider });
});

it('the functions with the interface of spec-runner', () => {
  expectTypeOf(runCodeReview(task, { provider })).resolves.toEqualTypeOf<
    [verdict: ReviewVerdict, error: string | null, output: string | null]
  >();
  expectTypeOf(postDoneHook(task, { diff, provider })).resolves.toEqualTypeOf<
    [
      success: boolean,
      error: string | null,
      reviewStatus: TaskAttempt['reviewStatus'],
      reviewFindings: string | null,
    ]
  >();
  expectTypeOf(
    buildReviewPrompt(
      task,
      { cliName: 'claude' },
      { testOutput: '15 passed', lintOutput: 'clean', previousError: 'it broke' },
    ),
  ).toEqualTypeOf<string>();
  expectTypeOf(ReviewVerdict.PASSED).toEqualTypeOf<'passed'>();
  // @ts-expect-error a role that there is not
  void reviewCode(task, { provider, roles: ['boss'] });
});

it('a review says no more than reviewers can: what a person decides is not among its verdicts', () => {
  expectTypeOf<CodeReview['verdict']>().toEqualTypeOf<
    'passed' | 'fixed' | 'failed' | 'not_run' | 'error'
  >();
  expectTypeOf<TaskAttempt['reviewStatus']>().toEqualTypeOf<
    'passed' | 'fixed' | 'failed' | 'skipped' | 'rejected' | 'not_run' | 'error' | null
  >();
});

it('types of attempts and of lists', () => {
  expectTypeOf(memoryAttempts()).toEqualTypeOf<AttemptStore>();
  expectTypeOf<AttemptStore['last']>().returns.resolves.toEqualTypeOf<TaskAttempt | undefined>();
  expectTypeOf<Awaited<ReturnType<typeof parseTasks>>[number]>().toExtend<{
    readonly id: string;
    readonly line: number;
    readonly dependsOn: readonly string[];
  }>();
  // @ts-expect-error read only
  memoryAttempts().record = async () => {};
});
