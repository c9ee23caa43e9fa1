import { type Assessment, isJudged } from '../core/assessment.js';
import { deriveContext } from '../core/decorate-reviewer.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../core/reviewer.js';
import type { CheckBoard } from './check-board.js';
import type { ReadChange } from './read-change.js';
import type { ReviewTask } from './task.js';
import { mostRepairs, type TaskWork } from './task-work.js';

/** A judge of the work on a task, such as `command({ id: 'tests', run: ['npm', 'test'] })`. */
export type TaskCheck = Reviewer<ReviewTask, TaskWork>;

/** What the checks are made of. */
export interface TaskCheckOptions {
  readonly tests: TaskCheck | undefined;
  readonly lint: TaskCheck | undefined;
  readonly readChange: ReadChange;
  readonly board: CheckBoard;
}

/** How an explanation begins that tells of files which the linter changed by itself. */
export const autoFixed = 'auto-fixed:';

/**
 * Execution, then tests, then lint: each only when the one before passed. What a linter changes by itself is a proposal: it becomes the
 * next version, which is tested again.
 */
export function taskChecks(options: TaskCheckOptions): Reviewer<ReviewTask, TaskWork> {
  const { tests, lint } = options;
  const version = `checks:${[tests, lint].map((check) => `${check?.id}@${check?.version}`).join(':')}`;
  return {
    id: 'checks',
    version,
    tier: 'code',
    review: async (subject, context) => {
      const { failure } = subject.output;
      if (failure !== undefined)
        return [executionFailed(failure), ...skipped([tests, lint], 'the task was not done')];
      const tested = tests === undefined ? [] : await ask(tests, subject, context);
      if (!isPassed(tested))
        return [executed, ...tested, ...skipped([lint], 'the tests did not pass')];
      const linted = lint === undefined ? undefined : await lintOf(lint, subject, context, options);
      options.board.put(context.runId, subject.iteration, {
        test: said(tested),
        lint: linted && lintStatus(subject.output, linted),
      });
      return {
        assessments: [executed, ...tested, ...(linted?.assessments ?? [])],
        proposal: linted?.proposal,
      };
    },
  };
}

function lintStatus({ lintFixed }: TaskWork, { assessments, proposal }: Linted): string {
  return (
    lintFixed ?? (proposal === undefined && isPassed(assessments) ? 'clean' : said(assessments))
  );
}

function isPassed(assessments: readonly Assessment[]): boolean {
  return assessments.every(({ verdict }) => verdict === 'pass');
}

interface Linted {
  readonly assessments: readonly Assessment[];
  readonly proposal: TaskWork | undefined;
}

async function lintOf(
  lint: TaskCheck,
  subject: ReviewSubject<ReviewTask, TaskWork>,
  context: ReviewerContext,
  { readChange }: TaskCheckOptions,
): Promise<Linted> {
  const { output } = subject;
  const before = await readChange('lint/before', output.change.base, context);
  const assessments = await ask(lint, subject, context);
  const after = await readChange('lint/after', output.change.base, context);
  if (before.digest === after.digest || !isPassed(assessments))
    return { assessments, proposal: undefined };
  const earlier = new Map(before.files.map((file) => [file.path, JSON.stringify(file)]));
  const touched = after.files
    .filter((file) => earlier.get(file.path) !== JSON.stringify(file))
    .map(({ path }) => path);
  const what = `${autoFixed} ${touched.length === 0 ? 'files were' : `${touched.join(', ')} ${touched.length === 1 ? 'was' : 'were'}`} changed by ${lint.id}`;
  const fail: Assessment = {
    verdict: 'fail',
    criterion: lint.id,
    score: 0,
    explanation: what,
    gaps: [],
  };
  if (output.repairs >= mostRepairs)
    return {
      assessments: [
        { ...fail, explanation: `${lint.id} changes files every time it runs: ${what}` },
      ],
      proposal: undefined,
    };
  return {
    assessments: [fail],
    proposal: { ...output, change: after, repairs: output.repairs + 1, lintFixed: what },
  };
}

/** Asks a judge whose steps stay apart from those of the others, about what it reads. */
async function ask(
  check: TaskCheck,
  subject: ReviewSubject<ReviewTask, TaskWork>,
  context: ReviewerContext,
): Promise<readonly Assessment[]> {
  const own = deriveContext(context, {
    step: (step, options, work) => context.step(`${check.id}/${step}`, options, work),
    check: (schema, work, step = 'check') => context.check(schema, work, `${check.id}/${step}`),
  });
  const { task, output } = subject;
  // what a scope selects stands in the place of the output, as for every reviewer
  const read =
    check.scope === undefined
      ? subject
      : { ...subject, output: check.scope({ task, output }) as TaskWork };
  const answer = await check.review(read, own);
  return 'assessments' in answer ? answer.assessments : answer;
}

const executed: Assessment = {
  verdict: 'pass',
  criterion: 'execution',
  score: 1,
  explanation: 'the task was done',
  gaps: [],
};

function executionFailed(failure: string): Assessment {
  return { verdict: 'fail', criterion: 'execution', score: 0, explanation: failure, gaps: [] };
}

function skipped(checks: readonly (TaskCheck | undefined)[], reason: string): Assessment[] {
  return checks.flatMap((check): Assessment[] =>
    check === undefined ? [] : [{ verdict: 'skipped', criterion: check.id, reason }],
  );
}

/** What checks said, as reviewers are shown it. */
function said(assessments: readonly Assessment[]): string {
  return assessments
    .map((assessment) =>
      isJudged(assessment)
        ? assessment.explanation
        : assessment.verdict === 'errored'
          ? assessment.error.message
          : assessment.reason,
    )
    .join('\n');
}
