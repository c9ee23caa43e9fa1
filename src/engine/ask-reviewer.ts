import { timeoutAfter } from '../core/abort-signal.js';
import { type Assessment, VerifiedAssessments } from '../core/assessment.js';
import { messageOf, type ReviewError, ReviewLoopError } from '../core/errors.js';
import { copyJson, digestJson } from '../core/json.js';
import type { Reviewer, ReviewerAnswer, ReviewSubject } from '../core/reviewer.js';
import type { CheckedAnswer } from '../core/reviewer-answer.js';
import { addUsage, type Usage } from '../core/usage.js';
import { digestWith } from '../core/version.js';
import {
  type Asked,
  erroredAnswer,
  mayRecover,
  mayReuse,
  type ReviewerReply,
  type View,
} from './reviewer-reply.js';
import type { ReviewJob } from './verdict-cache.js';
import { WorkContext } from './work-context.js';

export interface Watch {
  /** Called with the context of each try. */
  readonly begin: (context: WorkContext) => void;
  /** Called when a context begins to wait, and when it no longer does. */
  readonly wait: () => void;
}

/** Reuses a verdict on an equal view. Never rejects: a failed judge is an `errored` assessment. */
export function askReviewer<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewer: Reviewer<Task, Output>,
  watch: Watch,
): Promise<Pick<Asked, 'answered'>> {
  const view = selected(job, reviewer);
  if (view instanceof ReviewLoopError)
    return Promise.resolve({ answered: erroredAnswer(reviewer.id, job.version.digest, view) });
  if (!reviewer.countsEdits && !mayReuse(job, reviewer)) return ask(job, reviewer, { view, watch });
  return askUnlessKnown(job, reviewer, { view, watch }).then((answered) => ({ answered }));
}

async function askUnlessKnown<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewer: Reviewer<Task, Output>,
  { view: read, watch }: Omit<Try<Output>, 'again'>,
): Promise<ReviewerReply> {
  let view = read;
  try {
    const verdicts = await job.verdicts();
    if (reviewer.countsEdits) view = verdicts.edits.of(reviewer.id, job.version, read);
    if (!mayReuse(job, reviewer)) return (await ask(job, reviewer, { view, watch })).answered;
    return await verdicts.of(job, { reviewer, view }, (onWait) => {
      const wait = (): void => {
        onWait();
        watch.wait();
      };
      return ask(job, reviewer, {
        view,
        watch: { begin: (context) => watch.begin(context), wait },
      });
    });
  } catch (error) {
    return erroredAnswer(reviewer.id, view.digest, thrownBy(reviewer.id, error));
  }
}

/** Asks again if the judge failed. Never rejects. */
export async function ask<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewer: Reviewer<Task, Output>,
  { view, watch }: Omit<Try<Output>, 'again'>,
  first?: ReviewerReply,
): Promise<Asked> {
  const { id } = reviewer;
  const subject = subjectOf(job, reviewer, view);
  let earlier: readonly Assessment[] | undefined = first?.assessments;
  let usage: Usage = {};
  for (let attempt = Number(first !== undefined); ; attempt += 1) {
    const scope = scopeOf(job, reviewer, { view, again: earlier !== undefined, watch });
    let answered: ReviewerReply;
    try {
      job.run.throwIfPassed();
      const answer = await reviewer.review(subject, scope);
      const { assessments, proposal } =
        answer instanceof VerifiedAssessments ? answer : await checked(id, answer);
      answered = {
        reviewer: id,
        assessments,
        proposal,
        view: view.digest,
        reused: false,
        usage,
      };
    } catch (error) {
      answered = erroredAnswer(id, view.digest, thrownBy(id, error));
    }
    usage = addUsage(usage, scope.spent);
    answered = { ...answered, usage };
    if (earlier !== undefined) answered = await withFaults(answered, earlier);
    earlier = answered.assessments;
    const ended = job.run.ended !== undefined;
    if (attempt >= job.definition.retries || ended || !answered.assessments.some(mayRecover)) {
      return { answered, lasting: !ended && answered.proposal === undefined && scope.lasting };
    }
  }
}

function subjectOf<Task, Output>(
  { task, version }: ReviewJob<Task, Output>,
  { scope }: Reviewer<Task, Output>,
  { output, edits }: View<Output>,
): ReviewSubject<Task, Output> {
  const iteration = scope === undefined ? version.iteration : 1;
  return { task, output, iteration, ...(edits !== undefined && { edits }) };
}

/** Loaded on first use: answers of criteria need no check. */
async function checked(reviewer: string, answer: ReviewerAnswer): Promise<CheckedAnswer> {
  return (await import('../core/reviewer-answer.js')).checkedAnswer(reviewer, answer);
}

async function withFaults(
  answered: ReviewerReply,
  earlier: readonly Assessment[],
): Promise<ReviewerReply> {
  return { ...answered, assessments: afterFaults(answered.assessments, earlier) };
}

function thrownBy(id: string, error: unknown): ReviewLoopError {
  return error instanceof ReviewLoopError
    ? error
    : new ReviewLoopError('reviewer_threw', `${id} threw: ${messageOf(error)}`, {
        cause: error,
        retryable: true,
      });
}

/**
 * The scope of a reviewer must be a pure function. The digest includes the whole workspace tree,
 * because the files that a reviewer reads are unknown.
 */
export function selected<Task, Output>(
  { task, version }: ReviewJob<Task, Output>,
  reviewer: Reviewer<Task, Output>,
): View<Output> | ReviewLoopError {
  if (reviewer.scope === undefined) return version;
  try {
    const view = copyJson(reviewer.scope({ task, output: version.output }), { freeze: true });
    return { output: view as Output, digest: digestWith(digestJson(view), version.tree) };
  } catch (error) {
    return new ReviewLoopError(
      'scope_failed',
      `the scope of ${reviewer.id} failed: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

interface Try<Output> {
  readonly view: View<Output>;
  readonly again: boolean;
  readonly watch: Watch;
}

function scopeOf<Task, Output>(
  { run, definition, version, best }: ReviewJob<Task, Output>,
  reviewer: Reviewer<Task, Output>,
  { view, again, watch }: Try<Output>,
): WorkContext {
  const fresh = reviewer.scope !== undefined || reviewer.tier === 'confirm';
  const scope = new WorkContext(run, {
    name: `iter:${version.iteration}/review:${reviewer.id}`,
    phase: 'review',
    digest: `${reviewer.version}:${view.digest}`,
    version: version.digest,
    timeoutMs: definition.timeouts.checkMs,
    previous: fresh ? undefined : run.reviews,
    best: fresh ? undefined : best,
    again,
    onWait: watch.wait,
  });
  watch.begin(scope);
  return scope;
}

/** A timeout of the last attempt names what used up the time. */
export function afterFaults(
  now: readonly Assessment[],
  earlier: readonly Assessment[],
): Assessment[] {
  return now.map((one) => {
    const before = earlier.find(({ criterion }) => criterion === one.criterion);
    if (one.verdict !== 'errored' || before?.verdict !== 'errored') return one;
    const { error } = before;
    if (one.error.code !== 'timeout' || !(error instanceof ReviewLoopError)) return one;
    const isTimeout = error.code === 'timeout';
    return { ...one, error: isTimeout ? error : timeoutAfter('timeout', whatOf(one.error), error) };
  });
}

function whatOf(error: ReviewError): string {
  return error instanceof ReviewLoopError ? error.what : error.message;
}
