import { type Assessment, isJudged } from '../../core/assessment.js';
import { deriveContext } from '../../core/decorate-reviewer.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../../core/reviewer.js';
import { maxRepairs, type ReviewTask, type TaskWork } from './task.js';
import { nothingIn, type ReadChange } from './task-change.js';

/** A reviewer of the work on a task, such as `command({ id: 'tests', run: ['npm', 'test'] })`. */
export type TaskCheck = Reviewer<ReviewTask, TaskWork>;

export interface CheckOutput {
  readonly test?: string | undefined;
  readonly lint?: string | undefined;
}

/** Kept for the code review, until the run ends. */
export class CheckOutputs {
  readonly #outputs = new Map<string, Map<number, CheckOutput>>();

  put(runId: string, iteration: number, output: CheckOutput): void {
    const ofRun = this.#outputs.get(runId) ?? new Map<number, CheckOutput>();
    this.#outputs.set(runId, ofRun.set(iteration, output));
  }

  get(runId: string, iteration: number): CheckOutput {
    return this.#outputs.get(runId)?.get(iteration) ?? {};
  }

  forget(runId: string): void {
    this.#outputs.delete(runId);
  }
}

export interface TaskCheckOptions {
  /** Judges whether the work weakens what checks it. @default nothing does */
  readonly honest?: TaskCheck | undefined;
  readonly tests: TaskCheck | undefined;
  readonly lint: TaskCheck | undefined;
  readonly readChange: ReadChange;
  readonly checkOutputs: CheckOutputs;
}

/** The first word of an explanation about files that the linter changed. */
export const autoFixed = 'auto-fixed:';

/**
 * Checks execution, the change and honest work, then tests, then lint. A failure or an empty change
 * skips the rest. Files that the linter changes become the next version, which is tested again.
 */
export function taskChecks(options: TaskCheckOptions): Reviewer<ReviewTask, TaskWork> {
  const { honest, tests, lint } = options;
  const version = `checks:${[honest, tests, lint].map((check) => `${check?.id}@${check?.version}`).join(':')}`;
  return {
    id: 'checks',
    version,
    tier: 'code',
    review: async (subject, context) => {
      const { said, stop } = await beforeTests(options, subject, context);
      if (stop !== undefined) return [...said, ...skipped([tests, lint], stop)];
      const tested = tests === undefined ? [] : await ask(tests, subject, context);
      if (!isPassed(tested))
        return [...said, ...tested, ...skipped([lint], 'the tests did not pass')];
      const result =
        lint === undefined ? undefined : await runLint(lint, subject, context, options);
      options.checkOutputs.put(context.runId, subject.iteration, {
        test: outputOf(tested),
        lint: result && lintStatus(subject.output, result),
      });
      return {
        assessments: [...said, ...tested, ...(result?.assessments ?? [])],
        proposal: result?.proposal,
      };
    },
  };
}

/** Asks what must hold before tests say anything. `stop` is the reason to leave them out. */
async function beforeTests(
  { honest }: TaskCheckOptions,
  subject: ReviewSubject<ReviewTask, TaskWork>,
  context: ReviewerContext,
): Promise<{ readonly said: readonly Assessment[]; readonly stop?: string | undefined }> {
  const { failure, change } = subject.output;
  if (failure !== undefined)
    return { said: [verdictOf('execution', 'fail', failure)], stop: 'the task was not done' };
  const done = verdictOf('execution', 'pass', 'the task was done');
  const nothing = nothingIn(change);
  if (nothing !== undefined)
    return { said: [done, verdictOf('change', 'fail', nothing)], stop: nothing };
  const judged = honest === undefined ? [] : await ask(honest, subject, context);
  // where nothing applies, nothing is said
  const said = [done, ...judged.filter(({ verdict }) => verdict !== 'skipped')];
  return { said, stop: isPassed(said) ? undefined : 'the work weakens what checks it' };
}

function lintStatus({ lintFixed }: TaskWork, { assessments, proposal }: LintResult): string {
  const clean = proposal === undefined && isPassed(assessments);
  return lintFixed ?? (clean ? 'clean' : outputOf(assessments));
}

function isPassed(assessments: readonly Assessment[]): boolean {
  return assessments.every(({ verdict }) => verdict === 'pass');
}

interface LintResult {
  readonly assessments: readonly Assessment[];
  readonly proposal: TaskWork | undefined;
}

async function runLint(
  lint: TaskCheck,
  subject: ReviewSubject<ReviewTask, TaskWork>,
  context: ReviewerContext,
  { readChange }: TaskCheckOptions,
): Promise<LintResult> {
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
  // the last line is the summary of a linter
  const summary = outputOf(assessments).trimEnd().split('\n').at(-1) ?? '';
  const said = [what, summary].filter((text) => text !== '').join(': ');
  if (output.repairs >= maxRepairs)
    return {
      assessments: [verdictOf(lint.id, 'fail', `${lint.id} changes files on every run: ${what}`)],
      proposal: undefined,
    };
  return {
    assessments: [verdictOf(lint.id, 'fail', what)],
    proposal: { ...output, change: after, repairs: output.repairs + 1, lintFixed: said },
  };
}

/** Its id is a prefix of the names of its steps. */
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
  // as for every reviewer, the selection of `scope` replaces the output
  const selected =
    check.scope === undefined
      ? subject
      : { ...subject, output: check.scope({ task, output }) as TaskWork };
  const answer = await check.review(selected, own);
  return 'assessments' in answer ? answer.assessments : answer;
}

function verdictOf(criterion: string, verdict: 'pass' | 'fail', explanation: string): Assessment {
  return { verdict, criterion, score: verdict === 'pass' ? 1 : 0, explanation, gaps: [] };
}

function skipped(checks: readonly (TaskCheck | undefined)[], reason: string): Assessment[] {
  return checks.flatMap((check): Assessment[] =>
    check === undefined ? [] : [{ verdict: 'skipped', criterion: check.id, reason }],
  );
}

function outputOf(assessments: readonly Assessment[]): string {
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
