import { type Assessment, AssessmentSchema, VerifiedAssessments } from '../kernel/assessment.js';
import { messageOf, ReviewLoopError } from '../kernel/errors.js';
import { copyJson, digestJson } from '../kernel/json.js';
import type { Reviewer, ReviewerAnswer, Subject } from '../kernel/reviewer.js';
import { digestWith, type Version } from '../kernel/version.js';
import type { Definition } from './definition.js';
import type { Run } from './run.js';
import { Scope } from './scope.js';

/** What one reviewer said of one version. */
export interface Answered {
  readonly reviewer: string;
  readonly assessments: readonly Assessment[];
  readonly proposal: unknown;
  /** The digest of what it read. */
  readonly view: string;
  readonly reused: boolean;
}

/** Verdicts of this run, by reviewer id, reviewer version and view (law 8). */
export type Verdicts = Map<string, Answered>;

/** Everything that one review works on. */
export interface ReviewJob<Task, Output> {
  readonly run: Run;
  readonly definition: Definition<Task, Output>;
  readonly task: Task;
  readonly version: Version<Output>;
  readonly verdicts: Verdicts;
}

/** How waiting for a person is seen. */
export interface Watch {
  /** Called with the scope of each try. */
  readonly scope: (scope: Scope) => void;
  /** Called when a scope begins to wait, and when it no longer does. */
  readonly wait: () => void;
}

/**
 * Gets the verdict of one reviewer: reused where the view is equal, else asked, and asked again when the judge failed.
 * Never rejects; a judge that failed is an `errored` assessment.
 */
export async function askReviewer<Task, Output>(job: ReviewJob<Task, Output>, reviewer: Reviewer<Task, Output>, watch: Watch): Promise<Answered> {
  const view = viewOf(job, reviewer);
  if (view instanceof ReviewLoopError) return erroredAnswer(reviewer.id, job.version.digest, view);
  const key = reuseKey(job, reviewer, view);
  const known = key === undefined ? undefined : job.verdicts.get(key);
  if (known !== undefined) return { ...known, reused: true };
  const subject = { task: job.task, output: view.output, iteration: reviewer.scope === undefined ? job.version.iteration : 1 };
  for (let attempt = 0; ; attempt += 1) {
    const scope = scopeOf(job, reviewer, { view, again: attempt > 0, watch });
    const answered = await tryOnce(reviewer, subject, scope, view.digest);
    const failures = answered.assessments.filter((assessment) => assessment.verdict === 'errored');
    if (failures.length === 0 && key !== undefined) job.verdicts.set(key, answered);
    const hopeless = attempt >= job.definition.retries || job.run.ended !== undefined || !failures.some(({ error }) => error.retryable);
    if (hopeless) return answered;
  }
}

interface View<Output> {
  readonly output: Output;
  readonly digest: string;
}

/** What a reviewer reads; its scope must be a pure function. Nobody can tell what it reads of a workspace, so that belongs to it whole. */
function viewOf<Task, Output>({ task, version }: ReviewJob<Task, Output>, reviewer: Reviewer<Task, Output>): View<Output> | ReviewLoopError {
  if (reviewer.scope === undefined) return version;
  try {
    const view = copyJson(reviewer.scope({ task, output: version.output }), { freeze: true });
    return { output: view as Output, digest: digestWith(digestJson(view), version.tree) };
  } catch (error) {
    return new ReviewLoopError('scope_failed', `the scope of ${reviewer.id} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** Under which key a verdict may be reused; confirming judges, and judges that read everything, always look anew. */
function reuseKey<Task, Output>({ definition }: ReviewJob<Task, Output>, { id, version, scope, stage }: Reviewer<Task, Output>, view: View<Output>): string | undefined {
  const reusable = definition.reuse && scope !== undefined && stage !== 'confirm';
  return reusable ? `${id}\u0000${version}\u0000${view.digest}` : undefined;
}

interface Try<Output> {
  readonly view: View<Output>;
  readonly again: boolean;
  readonly watch: Watch;
}

function scopeOf<Task, Output>({ run, definition, version }: ReviewJob<Task, Output>, reviewer: Reviewer<Task, Output>, { view, again, watch }: Try<Output>): Scope {
  const scope = new Scope(run, {
    name: `iter:${version.iteration}/review:${reviewer.id}`,
    phase: 'review',
    digest: `${reviewer.version}:${view.digest}`,
    version: version.digest,
    timeoutMs: definition.timeouts.checkMs,
    previous: reviewer.scope !== undefined || reviewer.stage === 'confirm' ? undefined : run.reviews,
    again,
    onWait: watch.wait,
  });
  watch.scope(scope);
  return scope;
}

async function tryOnce<Task, Output>(reviewer: Reviewer<Task, Output>, subject: Subject<Task, Output>, scope: Scope, view: string): Promise<Answered> {
  try {
    const answer = await reviewer.review(subject, scope);
    if (answer instanceof VerifiedAssessments) return { reviewer: reviewer.id, assessments: answer.assessments, proposal: undefined, view, reused: false };
    const { assessments, proposal } = unpack(answer);
    return { reviewer: reviewer.id, assessments: checked(reviewer.id, assessments), proposal, view, reused: false };
  } catch (error) {
    if (error instanceof ReviewLoopError) return erroredAnswer(reviewer.id, view, error);
    return erroredAnswer(reviewer.id, view, new ReviewLoopError('reviewer_threw', `${reviewer.id} threw: ${messageOf(error)}`, { cause: error, retryable: true }));
  }
}

function unpack(answer: ReviewerAnswer): { readonly assessments: readonly Assessment[]; readonly proposal: unknown } {
  return typeof answer === 'object' && answer !== null && 'assessments' in answer ? answer : { assessments: answer, proposal: undefined };
}

function checked(reviewer: string, assessments: readonly Assessment[]): readonly Assessment[] {
  if (!Array.isArray(assessments) || assessments.length === 0) {
    throw new ReviewLoopError('reviewer_invalid', `${reviewer} returned no assessment`, { value: assessments, retryable: true });
  }
  return assessments.map((assessment) => {
    const parsed = AssessmentSchema.safeParse(assessment);
    if (!parsed.success)
      throw new ReviewLoopError('reviewer_invalid', `${reviewer} returned an assessment that was refused: ${parsed.error.message}`, { cause: parsed.error, value: assessment, retryable: true });
    return parsed.data;
  });
}

/** The answer of a reviewer that failed. */
export function erroredAnswer(reviewer: string, view: string, error: ReviewLoopError): Answered {
  return { reviewer, assessments: [{ verdict: 'errored', criterion: reviewer, error }], proposal: undefined, view, reused: false };
}
