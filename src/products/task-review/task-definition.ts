import * as z from 'zod';
import { type HonestWorkOptions, honestWorkOf } from '../../blocks/criteria/diff/honest-work.js';
import { defined } from '../../blocks/pipeline/define-pipeline.js';
import type { DiffSource } from '../../core/diff/diff-source.js';
import { isReviewError, messageOf } from '../../core/errors.js';
import { withDefaults } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import type { Review } from '../../core/review.js';
import type { StepContext } from '../../core/step.js';
import { truncateBytes } from '../../core/text/truncate.js';
import type { Definition } from '../../engine/definition.js';
import type { HumanTexts } from '../../ports/human-gate.js';
import { codeReviewer } from './code-reviewer.js';
import { issueText } from './review-answer.js';
import { textOf, verdictIn } from './review-rounds.js';
import { maxRepairs, type ReviewTask, type TaskWork, TaskWorkSchema } from './task.js';
import { changeOf, changeReader, diffsOf, type ReadChange } from './task-change.js';
import { type CheckOutputs, type TaskCheck, taskChecks } from './task-checks.js';
import { taskPolicy } from './task-policy.js';
import { fixRequest } from './task-result.js';
import { portsOf, type TaskReviewOptions } from './task-review-options.js';

function honestTask(diff: DiffSource, options: HonestWorkOptions): TaskCheck {
  return honestWorkOf<TaskWork>(async ({ change }, { signal }) => {
    const now = await diff.diff({ kind: 'working-tree', base: change.base }, { signal });
    const isSame = changeOf(now).digest === change.digest;
    return isSame ? now.files : now.files.map((file) => ({ ...file, omitted: true }));
  }, options);
}

/** For steps without their own. Calls, commands and git have their own. */
const checkTimeoutMs = 900_000;

/** No other attempt is made after these errors of `execute`. */
const endsRun: readonly string[] = ['cancelled', 'history_changed'];

/** For an error that the next attempt gets. */
const maxErrorBytes = 1024;

const defaults = {
  ...({ honestWork: false, review: {}, reviewPolicy: 'advisory', hitlReview: false } as const),
  ...{ maxAttempts: 3, reviewErrorRetries: 1, executeTimeoutMs: 3_600_000 },
};

/** `execute`, then checks, then the code review. */
export function taskDefinition(
  options: TaskReviewOptions,
  checkOutputs: CheckOutputs,
): Definition<ReviewTask, TaskWork> {
  const { diff, tests, lint, execute, notify, expiresAfterMs, budget } = options;
  const { honestWork, review, reviewErrorRetries, executeTimeoutMs, ...policy } = withDefaults(
    options,
    defaults,
  );
  const readChange = changeReader(
    diff,
    review === false ? {} : { maxBytes: review.diffBytes, redact: review.redact },
  );
  const honest = honestWork === false ? undefined : honestTask(diff, honestWork);
  const parts = { readChange, checkOutputs };
  const attempts = new TaskAttempts(options, readChange);
  const definition = defined<ReviewTask, TaskWork>({
    ...portsOf(options),
    name: 'task-review',
    output: TaskWorkSchema,
    reuse: false,
    retries: reviewErrorRetries,
    reviewers: [taskChecks({ honest, tests, lint, ...parts }), codeReviewer({ review, ...parts })],
    policy: taskPolicy(policy),
    // the policy counts attempts; the linter or reviewers may fix each attempt a few times
    budget: { ...budget, reviews: policy.maxAttempts * (maxRepairs + 2) },
    timeouts: {
      produceMs: executeTimeoutMs,
      addressMs: executeTimeoutMs,
      checkMs: checkTimeoutMs,
    },
    human: {
      policy: 'auto',
      ...(notify && { notify }),
      ...(expiresAfterMs !== undefined && { expiresAfterMs }),
    },
    produce: (task, context) => attempts.first(task, context),
    ...(execute && {
      address: (work, gaps, context) => {
        const error = gaps.map(({ description, evidence = '' }) =>
          `${description}\n${evidence}`.trim(),
        );
        return attempts.next(work, context, context.note ?? error.join('\n'));
      },
    }),
  });
  // without `execute`, the caller of the hook fixes the code and comes back
  return { ...definition, callerRevises: true };
}

interface AttemptStart {
  readonly base: string;
  readonly attempt: number;
  readonly previousError: string | undefined;
}

class TaskAttempts {
  readonly #options: Pick<TaskReviewOptions, 'diff' | 'execute'>;
  readonly #readChange: ReadChange;

  constructor(options: Pick<TaskReviewOptions, 'diff' | 'execute'>, readChange: ReadChange) {
    this.#options = options;
    this.#readChange = readChange;
  }

  /** Records the commit before the work, and makes the first attempt. */
  async first(task: ReviewTask, context: StepContext): Promise<TaskWork> {
    const { diff } = this.#options;
    const base = await context.step('base', { input: diff.id, schema: z.string() }, ({ signal }) =>
      diff.head({ signal }),
    );
    return this.#attempt(task, { base, attempt: 1, previousError: undefined }, context);
  }

  next(
    work: TaskWork,
    context: StepContext & { readonly task: ReviewTask },
    error: string,
  ): Promise<TaskWork> {
    const start = {
      base: work.change.base,
      attempt: work.attempt + 1,
      previousError: truncateBytes(error, maxErrorBytes),
    };
    return this.#attempt(context.task, start, context);
  }

  /** A failure of `execute` becomes part of the work, so another attempt is possible. */
  async #attempt(task: ReviewTask, start: AttemptStart, context: StepContext): Promise<TaskWork> {
    const { base, attempt, previousError } = start;
    let failure: string | undefined;
    try {
      const { signal, step, reportUsage, ask, runId } = context;
      const given = { signal, step, reportUsage, ask, runId };
      await this.#options.execute?.(task, { ...given, attempt, previousError });
    } catch (error) {
      if (context.signal.aborted || (isReviewError(error) && endsRun.includes(error.code)))
        throw error;
      failure = truncateBytes(messageOf(error), maxErrorBytes);
    }
    const change = await this.#readChange('change', base, context);
    return {
      attempt,
      change,
      repairs: 0,
      ...(previousError !== undefined && { previousError }),
      ...(failure !== undefined && { failure }),
    };
  }
}

/** For a shown review without readable issues. */
const maxShownBytes = 3000;

/** A person reads the number of issues, each with its place, and the verdict. */
export function formatReviewFindings(
  review: Pick<Review, 'gaps' | 'assessments'>,
  work?: Pick<TaskWork, 'repairs'>,
): string {
  const issues = review.gaps.filter(
    (gap) => gap.raisedBy === 'review' && !gap.description.startsWith('review: '),
  );
  const verdict = verdictIn(review);
  const repairs = work?.repairs ?? 0;
  const count = `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'} found:`;
  const lines = issues.map(
    (gap) => `  ${issueText({ severity: gap.severity, text: gap.description, ...gap.location })}`,
  );
  const text = textOf(review);
  return [
    issues.length > 0
      ? [count, ...lines].join('\n')
      : text === ''
        ? 'No issues found'
        : truncateBytes(text, maxShownBytes),
    `Verdict: REVIEW_${verdict.toUpperCase()}${repairedText(repairs)}`,
  ].join('\n\n');
}

function repairedText(repairs: number): string {
  return repairs === 0
    ? ''
    : ` (repaired ${plural(repairs, 'time')} by linter or reviewers, and reviewed again)`;
}

export function taskQuestionTexts(
  task: Pick<ReviewTask, 'id' | 'name'>,
  review: Review | undefined,
  work: TaskWork | undefined,
): HumanTexts {
  const findings = review === undefined ? '' : textOf(review);
  return {
    title: `📋 Review: ${task.id} — ${task.name}`,
    assessment: review === undefined ? 'No review took place.' : formatReviewFindings(review, work),
    ...(work !== undefined && { changes: diffsOf(work.change).join('') }),
    details: findings === '' ? 'The reviewers reported nothing.' : findings,
    note: fixRequest(findings),
  };
}
