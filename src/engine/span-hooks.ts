import { messageOf, type ReviewLoopError } from '../core/errors.js';
import { deepFrozen } from '../core/json.js';
import type { Review } from '../core/review.js';
import type { Around, Span, SpanEnd } from '../core/span.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { RunJournal } from './journal.js';
import { lastGrace } from './run-result.js';
import { within } from './timed-call.js';

export interface HookedWork<Value> {
  readonly work: () => Promise<Value>;
  readonly endOf: (value: Value) => SpanEnd;
  /** Returns the end of work that failed, unless hooks are told the error. */
  readonly endOfError: (error: unknown) => SpanEnd | undefined;
}

/**
 * The first hook is outermost. Returns the result of the work, whatever the hooks do. Once the run
 * has ended, it no longer waits for them.
 */
export function hooked<Value>(
  run: TracedRun,
  hooks: readonly Around[],
  span: Span,
  job: HookedWork<Value>,
): Promise<Value> {
  let started: Promise<Value> | undefined;
  const start = (): Promise<Value> => {
    started ??= job.work();
    return started;
  };
  const finish = async (): Promise<SpanEnd> => {
    try {
      return deepFrozen(job.endOf(await start()));
    } catch (error) {
      const end = job.endOfError(error);
      if (end === undefined) throw error;
      return deepFrozen(end);
    }
  };
  const all = hooks.reduceRight<() => Promise<unknown>>(
    (inner, hook) => () => guarded(run, hook, span, inner as () => Promise<SpanEnd>),
    finish,
  );
  return new Promise((resolve, reject) => {
    const settle = (): void => void start().then(resolve, reject);
    const around = all();
    const ignore = run.onEnd(() => {
      const over = (): void => {
        const { clock } = run.ports;
        within(clock, lastGrace, 'the hook `around`', around).then(settle, settle);
      };
      start().then(over, over);
    });
    around.then(settle, settle).finally(ignore);
  });
}

/** Calls one hook. Its own errors are logged. */
async function guarded(
  run: TracedRun,
  hook: Around,
  span: Span,
  inner: () => Promise<SpanEnd>,
): Promise<SpanEnd> {
  let called: Promise<SpanEnd> | undefined;
  const next = (): Promise<SpanEnd> => {
    called ??= inner();
    called.catch(() => {});
    return called;
  };
  const about = { run: run.id, span: span.kind, name: span.name };
  try {
    await hook(span, next);
    if (called === undefined) run.ports.logger.warn(about, 'the hook `around` did not call `next`');
  } catch (error) {
    let hasFailed = false;
    await called?.catch(() => {
      hasFailed = true;
    });
    if (!hasFailed)
      run.ports.logger.error({ ...about, error: messageOf(error) }, 'the hook `around` threw');
  }
  return next();
}

export interface TracedRun {
  readonly id: string;
  readonly iteration: number;
  readonly reviews: readonly Review[];
  readonly replaying: boolean;
  readonly journal: Pick<RunJournal, 'header' | 'resumed' | 'records'> | undefined;
  readonly ports: { readonly clock: Clock; readonly logger: Logger };
  readonly ended: ReviewLoopError | undefined;
  readonly onEnd: (callback: () => void) => () => void;
  readonly throwIfEnded: () => void;
}
