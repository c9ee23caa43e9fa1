import type { Assessment } from '../core/assessment.js';
import { type PlainCheck, plainCheckOf } from '../core/plain-check.js';
import type { Reviewer } from '../core/reviewer.js';
import type { Usage } from '../core/usage.js';
import { mayRecover, mayReuse, type ReviewJob } from './ask-reviewer.js';
import type { ReviewerReply } from './reviewer-reply.js';
import type { Leaf, LeafOptions, LeafSink } from './timed-call.js';

const noUsage: Usage = Object.freeze({});
const atOnce = Promise.resolve();

/** Returns the check of a reviewer, if the engine can make it without a context. */
export function bareCheckOf<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewer: Reviewer<Task, Output>,
): PlainCheck | undefined {
  return job.run.isBare && reviewer.scope === undefined && !mayReuse(job, reviewer)
    ? plainCheckOf(reviewer.review)
    : undefined;
}

/** One check of a criterion whose result is all that anybody can observe. */
export class BareCheck<Task, Output> implements LeafOptions, LeafSink<unknown> {
  readonly #job: ReviewJob<Task, Output>;
  readonly #reviewer: Reviewer<Task, Output>;
  readonly #check: PlainCheck;
  /** Takes the answer; `again` if the judge failed and may be asked again. */
  readonly #settle: (answer: ReviewerReply, again: boolean) => void;

  constructor(
    job: ReviewJob<Task, Output>,
    reviewer: Reviewer<Task, Output>,
    check: PlainCheck,
    settle: (answer: ReviewerReply, again: boolean) => void,
  ) {
    this.#job = job;
    this.#reviewer = reviewer;
    this.#check = check;
    this.#settle = settle;
  }

  get label(): string {
    return `iter:${this.#job.version.iteration}/review:${this.#reviewer.id}/check`;
  }

  get timeoutMs(): number {
    return this.#job.definition.timeouts.checkMs;
  }

  begin(): void {
    this.#job.run.tell<unknown>(this, (call) => this.#call(call));
  }

  #call(call: Leaf): unknown {
    const { run, version, task } = this.#job;
    run.throwIfPassed();
    const { tier } = this.#reviewer;
    return this.#check.call(version.output, task, tier === 'confirm' ? [] : run.reviews, call);
  }

  resolve(answer: unknown): void {
    let assessment: Assessment;
    try {
      assessment = this.#check.assess(answer, this.label);
    } catch (error) {
      this.reject(error);
      return;
    }
    void atOnce.then(() => this.#tell(assessment));
  }

  reject(error: unknown): void {
    void this.#check.failed(error).then((assessment) => this.#tell(assessment));
  }

  #tell(assessment: Assessment): void {
    const { run, version, definition } = this.#job;
    const again =
      assessment.verdict === 'errored' &&
      mayRecover(assessment) &&
      definition.retries > 0 &&
      run.ended === undefined;
    this.#settle(
      {
        reviewer: this.#reviewer.id,
        assessments: [assessment],
        proposal: undefined,
        view: version.digest,
        reused: false,
        usage: noUsage,
      },
      again,
    );
  }
}
