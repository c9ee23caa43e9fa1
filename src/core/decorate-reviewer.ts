import { hashText } from './hash.js';
import type { Reviewer, ReviewerAnswer, ReviewerContext, ReviewSubject } from './reviewer.js';

export interface DecoratedReview<Task, Output> {
  readonly reviewer: Reviewer<Task, Output>;
  readonly subject: ReviewSubject<Task, Output>;
  readonly context: ReviewerContext;
  /** Asks the reviewer without its decoration, in the context that the decoration derives. */
  readonly answer: () => Promise<ReviewerAnswer>;
}

export interface ReviewerDecoration<Task, Output> {
  readonly id?: string | undefined;
  /**
   * Its new tier. `after` names reviewers of the same tier, so another tier drops it.
   *
   * @default as the reviewer
   */
  readonly tier?: Reviewer<Task, Output>['tier'] | undefined;
  /**
   * The rules that the decoration adds; they become part of `version`. Undefined if the decoration
   * never changes a verdict.
   */
  readonly tag: string | undefined;
  readonly checksFindings?: true | undefined;
  readonly context?: ((context: ReviewerContext) => ReviewerContext) | undefined;
  readonly reply?: ((review: DecoratedReview<Task, Output>) => Promise<ReviewerAnswer>) | undefined;
}

/** All members of a reviewer; the compiler refuses an object that lacks one. */
type CompleteReviewer<Task, Output> = {
  readonly [Name in keyof Required<Reviewer<Task, Output>>]: Reviewer<Task, Output>[Name];
};

/**
 * Members that the decoration does not change stay the same. A tag changes the version.
 * `withProvider` and `asks.asking` return decorated reviewers too.
 */
export function decorate<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  decoration: ReviewerDecoration<Task, Output>,
): Reviewer<Task, Output> {
  const { asks, withProvider, scope, fix, version } = reviewer;
  const { tag, id = reviewer.id, tier = reviewer.tier } = decoration;
  const { context: derive, reply } = decoration;
  const again = (other: Reviewer<Task, Output>): Reviewer<Task, Output> =>
    decorate(keepOrder(reviewer, other), decoration);
  return {
    id,
    version: tag === undefined ? version : hashText(`${tag}\u0000${version}`).slice(0, 16),
    tier,
    reuse: reviewer.reuse,
    scope: scope && ((subject) => scope.call(reviewer, subject)),
    after: tier === reviewer.tier ? reviewer.after : undefined,
    fix: fix && ((output, gap, context) => fix.call(reviewer, output, gap, context)),
    checksFindings: decoration.checksFindings ?? reviewer.checksFindings,
    countsEdits: reviewer.countsEdits,
    severity: reviewer.severity,
    // what the decoration made of a grade is its own: its version covers the bar
    grading: tag ? undefined : reviewer.grading,
    withProvider: withProvider && ((provider) => again(withProvider.call(reviewer, provider))),
    asks: asks && {
      provider: asks.provider,
      asking: (provider, how) => again(asks.asking(provider, how)),
    },
    review: (subject, context) => {
      const answer = (): Promise<ReviewerAnswer> =>
        reviewer.review(subject, derive === undefined ? context : derive(context));
      return reply === undefined ? answer() : reply({ reviewer, subject, context, answer });
    },
  } satisfies CompleteReviewer<Task, Output>;
}

/**
 * Returns `other`, the same reviewer with another provider, with the `after` of `reviewer`. Callers
 * set `after` by a spread, so `withProvider` and `asks.asking` lose it.
 */
export function keepOrder<Task, Output>(
  { after }: Pick<Reviewer<Task, Output>, 'after'>,
  other: Reviewer<Task, Output>,
): Reviewer<Task, Output> {
  return after === undefined || other.after !== undefined ? other : { ...other, after };
}

/** Every other member is read when it is used, so that getters such as `signal` stay live. */
export function deriveContext(
  context: ReviewerContext,
  changes: Partial<ReviewerContext>,
): ReviewerContext {
  const changed: ReviewerContext = { ...context, ...changes };
  const member = <Name extends keyof ReviewerContext>(name: Name): ReviewerContext[Name] =>
    (Object.hasOwn(changes, name) ? changed : context)[name];
  return {
    get signal() {
      return member('signal');
    },
    get step() {
      return member('step');
    },
    get runId() {
      return member('runId');
    },
    get iteration() {
      return member('iteration');
    },
    get reportUsage() {
      return member('reportUsage');
    },
    get budget() {
      return member('budget');
    },
    get previous() {
      return member('previous');
    },
    get best() {
      return member('best');
    },
    get check() {
      return member('check');
    },
    get nonce() {
      return member('nonce');
    },
    get ask() {
      return member('ask');
    },
    get join() {
      return member('join');
    },
  };
}
