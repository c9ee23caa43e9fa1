import type { Assessment } from '../core/assessment.js';
import { type PlainCheck, plainCheckOf, type Reviewer } from '../core/reviewer.js';
import type { Usage } from '../core/usage.js';
import { mayRecover, mayReuse, type ReviewerReply } from './reviewer-reply.js';
import type { Leaf, LeafOptions, LeafSink } from './timed-call.js';
import type { ReviewJob } from './verdict-cache.js';

const noUsage: Usage = Object.freeze({});
const atOnce = Promise.resolve();

export interface CheckHost<Seat> {
  /** `again`: the judge failed and may be asked again. */
  readonly take: (seat: Seat, answer: ReviewerReply, again: boolean) => void;
}

/** Undefined if the check needs a context. */
export function bareCheckOf<Task, Output>(
  job: ReviewJob<Task, Output>,
  reviewer: Reviewer<Task, Output>,
): PlainCheck | undefined {
  return job.run.isBare && reviewer.scope === undefined && !mayReuse(job, reviewer)
    ? plainCheckOf(reviewer.review)
    : undefined;
}

/** One check of a criterion whose result is all that anybody can observe. */
export class BareCheck<Task, Output, Seat extends { readonly reviewer: Reviewer<Task, Output> }>
  implements LeafOptions, LeafSink<unknown>
{
  readonly #job: ReviewJob<Task, Output>;
  readonly #seat: Seat;
  readonly #check: PlainCheck;
  readonly #host: CheckHost<Seat>;
  /** Whether the slot was free, and the check answers without a promise. */
  #isBeginning = false;

  constructor(job: ReviewJob<Task, Output>, seat: Seat, check: PlainCheck, host: CheckHost<Seat>) {
    this.#job = job;
    this.#seat = seat;
    this.#check = check;
    this.#host = host;
  }

  get label(): string {
    return `iter:${this.#job.version.iteration}/review:${this.#seat.reviewer.id}/check`;
  }

  get timeoutMs(): number {
    return this.#job.definition.timeouts.checkMs;
  }

  begin(): void {
    this.#isBeginning = true;
    this.#job.run.tell<unknown>(this, (call) => this.#call(call));
    this.#isBeginning = false;
  }

  #call(call: Leaf): unknown {
    const { run, version, task } = this.#job;
    run.throwIfPassed();
    const { tier } = this.#seat.reviewer;
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
    // all reviewers are asked before one answers
    if (this.#isBeginning) void atOnce.then(() => this.#tell(assessment));
    else this.#tell(assessment);
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
    this.#host.take(
      this.#seat,
      {
        reviewer: this.#seat.reviewer.id,
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
