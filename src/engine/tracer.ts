import { onAbort } from '../core/abort-signal.js';
import { isReviewError } from '../core/errors.js';
import type { HumanAnswer } from '../core/human.js';
import { deepFrozen } from '../core/json.js';
import type { Outcome } from '../core/outcome.js';
import type { Review } from '../core/review.js';
import type { Reviewer } from '../core/reviewer.js';
import type { Around, Span, SpanEnd } from '../core/span.js';
import type { ModelCall, ModelReply, StepAttempt } from '../core/step.js';
import type { Usage } from '../core/usage.js';
import type { Version } from '../core/version.js';
import { elapsedOn } from '../ports/clock.js';
import type { WorkOptions } from './run-options.js';
import { hooked, type TracedRun } from './span-hooks.js';
import type { Leaf, LeafWork } from './timed-call.js';

type NewSpan<Kind extends Span> = Kind extends Span ? Omit<Kind, 'runId' | 'replayed'> : never;
type NewEnd<Kind extends SpanEnd> = Kind extends SpanEnd
  ? Omit<Kind, 'durationMs' | 'replayed'>
  : never;

interface Work<Value> {
  readonly work: () => Value | Promise<Value>;
  readonly begin?: ((span: Span) => void) | undefined;
  readonly endOf: (value: Value) => NewEnd<SpanEnd>;
  readonly endOfWaiting?: (() => NewEnd<SpanEnd>) | undefined;
}

type Reply = Pick<Extract<SpanEnd, { kind: 'reviewer' }>, 'assessments' | 'reused' | 'usage'>;

type Place = Pick<Version<unknown>, 'digest' | 'iteration'>;

export class Tracer {
  readonly #run: TracedRun;
  readonly #hooks: readonly Around[];
  #root: Span | undefined;
  #review: Span | undefined;
  /** The spans of work that makes calls of models, by the name of its context. */
  readonly #working = new Map<string, Span>();
  /** Ends the spans of the reviewers that have not answered, and waits for them. */
  readonly #open = new Set<() => Promise<unknown>>();
  carried: Readonly<Record<string, string>> | undefined;

  constructor(run: TracedRun, hooks: readonly Around[]) {
    this.#run = run;
    this.#hooks = hooks;
  }

  run<Output>(name: string, work: () => Promise<Outcome<Output>>): Promise<Outcome<Output>> {
    const { journal } = this.#run;
    const about = {
      kind: 'run',
      name,
      iteration: 1,
      resumed: journal?.resumed === true,
      carried: journal?.header?.carried,
      carry: (data: Readonly<Record<string, string>>) => {
        this.carried ??= Object.freeze({ ...data });
      },
    } as const;
    return this.#around(about, {
      work,
      begin: (span) => {
        this.#root = span;
      },
      endOf: (outcome) => ({ kind: 'run', outcome }),
    });
  }

  work<Value>(
    { phase, name, digest }: WorkOptions,
    call: Leaf,
    { by, work }: { readonly by: { readonly spent: Usage }; readonly work: LeafWork<Value> },
  ): Promise<Value> {
    const kind = phase === 'address' ? 'address' : 'produce';
    const { iteration } = this.#run;
    const about = { name: kind, iteration, parent: this.#root };
    return this.#around(kind === 'address' ? { ...about, kind, digest } : { ...about, kind }, {
      work: () => untilAborted(call.signal, () => work(call)),
      begin: (span) => this.#working.set(name, span),
      endOf: () => ({ kind, usage: by.spent }),
      endOfWaiting: () => ({ kind, usage: by.spent, waits: true }),
    });
  }

  review<Result>(version: Place, reviewers: number, work: () => Promise<Result>): Promise<Result> {
    const { reviews: before } = this.#run;
    const { digest, iteration } = version;
    const parent = this.#root;
    return this.#around(
      { kind: 'review', name: `review ${iteration}`, iteration, parent, digest, reviewers },
      {
        work: async () => {
          try {
            return await work();
          } finally {
            await Promise.all([...this.#open].map((end) => end()));
          }
        },
        begin: (span) => {
          this.#review = span;
        },
        endOf: () => ({ kind: 'review', review: this.#reviewAfter(before) }),
      },
    );
  }

  /** Returns the review that the run has got; undefined if it waits for a person. */
  #reviewAfter(before: readonly Review[]): Review | undefined {
    const { reviews } = this.#run;
    return reviews === before ? undefined : reviews.at(-1);
  }

  reviewer(
    { id, version, tier }: Pick<Reviewer<never, never>, 'id' | 'version' | 'tier'>,
    { digest, iteration }: Place,
    ask: (answered: (reply: Reply) => void) => void,
  ): void {
    let end: (reply: Reply | undefined) => void = () => {};
    const replied = new Promise<Reply | undefined>((resolve) => {
      end = resolve;
    });
    const about = { name: id, iteration, parent: this.#review, digest, version, tier };
    const done = this.#around(
      { kind: 'reviewer', ...about },
      {
        work: () => {
          // a hook may begin after the run has ended: then nobody reads the answer
          if (this.#run.ended === undefined) ask(end);
          return replied;
        },
        begin: (span) => this.#working.set(`iter:${iteration}/review:${id}`, span),
        endOf: (reply) => this.#endOf(reply),
      },
    ).finally(() => this.#open.delete(close));
    const close = (): Promise<unknown> => {
      end(undefined);
      return done;
    };
    this.#open.add(close);
  }

  #endOf(reply: Reply | undefined): NewEnd<Extract<SpanEnd, { kind: 'reviewer' }>> {
    const kind = 'reviewer';
    if (reply !== undefined) {
      const { assessments, reused, usage } = reply;
      return { kind, assessments, reused, usage };
    }
    this.#run.throwIfEnded();
    return { kind, assessments: [], reused: false, usage: {}, waits: true };
  }

  ofStep(name: string, { signal }: Leaf): Pick<StepAttempt, 'traceModel'> {
    return { traceModel: (call, work) => this.#model(name, { ...call, signal }, work) };
  }

  #model<Reply extends ModelReply>(
    by: string,
    { signal, provider, model, request }: ModelCall & { readonly signal: AbortSignal },
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    const parent = this.#working.get(by);
    const { iteration } = this.#run;
    return this.#around(
      {
        kind: 'model',
        name: model ?? provider,
        iteration,
        parent,
        provider,
        model,
        request: request && deepFrozen(structuredClone(request)),
      },
      {
        work: () => untilAborted(signal, work),
        endOf: ({ usage, model, finish, text }) => ({ kind: 'model', usage, model, finish, text }),
      },
    );
  }

  async waited(id: string, answer: HumanAnswer, answeredAt: number): Promise<void> {
    const records = this.#run.journal?.records ?? [];
    const asked = records.find((one) => one.type === 'request' && one.request.id === id);
    if (asked?.type !== 'request') return;
    const { request, at: askedAt } = asked;
    const about = { name: request.question, iteration: 1, parent: this.#root };
    await this.#around(
      { kind: 'wait', ...about, request, answer, askedAt, answeredAt },
      { work: () => {}, endOf: () => ({ kind: 'wait' }) },
    );
  }

  #around<Value>(
    about: NewSpan<Span>,
    { work, begin, endOf, endOfWaiting }: Work<Value>,
  ): Promise<Value> {
    const run = this.#run;
    const { clock } = run.ports;
    const replayed = run.replaying && { replayed: true as const };
    const span: Span = Object.freeze({ ...about, runId: run.id, ...replayed });
    begin?.(span);
    let startedAt = 0;
    const placed = (end: NewEnd<SpanEnd>): SpanEnd => ({
      ...end,
      durationMs: Math.max(0, elapsedOn(clock) - startedAt),
      ...(run.replaying && { replayed: true }),
    });
    return hooked(run, this.#hooks, span, {
      work: async () => {
        startedAt = elapsedOn(clock);
        return work();
      },
      endOf: (value) => placed(endOf(value)),
      endOfError: (error) =>
        isReviewError(error) && error.code === 'suspended' && endOfWaiting !== undefined
          ? placed(endOfWaiting())
          : undefined,
    });
  }
}

/** Does work until the signal of its call is aborted: then nobody waits for it any longer. */
async function untilAborted<Value>(
  signal: AbortSignal,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const result = (async () => work())();
  return new Promise((resolve, reject) => {
    const ignore = onAbort(signal, () => reject(signal.reason));
    result.then(resolve, reject).finally(ignore);
  });
}
