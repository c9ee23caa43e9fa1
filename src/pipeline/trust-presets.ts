import type { LLMProvider } from '../core/llm-provider.js';
import { invalid } from '../core/options.js';
import type { Policy } from '../core/policy.js';
import { keepBest, type Ranking } from '../core/ranking.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkProvider } from '../model/answer/ask-options.js';
import { askDisputed } from '../policies/ask-disputed.js';
import { doNoHarm } from '../policies/do-no-harm.js';
import { holdProtected } from '../policies/hold-protected.js';
import type { Logger } from '../ports/logger.js';
import { confirmingReviewer, isSameModel } from '../reviewers/confirming-reviewer.js';
import { verified } from '../reviewers/verified.js';
import type { TrustName } from './trust-names.js';

interface Preset {
  /** The number of reviews; a run makes one fix fewer. */
  readonly reviews: number;
  readonly confirmers: number;
  /**
   * Whether a confirming judge's findings must be confirmed before they are edited; they always
   * block.
   */
  readonly checksDissent: boolean;
  /** Whether a dispute becomes a question to a person; otherwise the run escalates. */
  readonly asks: boolean;
  /**
   * Whether checks by code are protected, and whether the run stops fixing that is expected to do
   * harm.
   */
  readonly guards: boolean;
}

/** What a preset needs to create reviewers. */
export interface TrustPorts {
  /** The models that give second opinions and confirm. */
  readonly confirmWith: LLMProvider | readonly LLMProvider[] | undefined;
  /** Receives the warning if a model confirms itself. */
  readonly logger: Logger;
}

/** The ids and tiers of reviewers. */
export type TieredReviewers = readonly Pick<Reviewer<never, never>, 'id' | 'tier'>[];

/** How far a pipeline trusts its verdicts. Import `fast`, `guarded` or `autonomous`. */
export interface Trust {
  readonly name: TrustName;
  /** The number of reviews if `budget.reviews` is not set. */
  readonly reviews: number;
  /**
   * Returns the reviewers with checked findings, plus confirming judges. A reviewer that checks its
   * findings itself stays as it is. A pipeline with confirming judges gets no others.
   *
   * @throws ReviewLoopError `provider_missing`, `invalid_options`
   */
  readonly reviewers: <Task, Output>(
    given: readonly Reviewer<Task, Output>[],
    ports: TrustPorts,
  ) => Reviewer<Task, Output>[];
  /** Returns the policy with the guards of the preset. */
  readonly policy: (policy: Policy, reviewers: TieredReviewers) => Policy;
  /** Returns the ranking, which may protect the checks by code. */
  readonly ranking: (reviewers: TieredReviewers) => Ranking;
}

function trustOf(name: TrustName, preset: Preset): Trust {
  const { reviews, asks, guards } = preset;
  return {
    name,
    reviews,
    reviewers: (given, ports) => reviewersOf(given, { ...preset, ...ports, trust: name }),
    policy: (policy, reviewers) => {
      const guarding = guards ? holdProtected(doNoHarm(policy), codeChecks(reviewers)) : policy;
      return asks ? askDisputed(guarding) : guarding;
    },
    ranking: (reviewers) => keepBest(guards ? { protect: codeChecks(reviewers) } : {}),
  };
}

/** Checks findings before they are edited, and has an approval confirmed once. */
export const fast: Trust = trustOf('fast', {
  reviews: 4,
  confirmers: 1,
  checksDissent: false,
  asks: false,
  guards: false,
});

/** Does what `fast` does, protects checks by code, and asks a person about disputes. */
export const guarded: Trust = trustOf('guarded', {
  reviews: 4,
  confirmers: 1,
  checksDissent: true,
  asks: true,
  guards: true,
});

/** Has every approval confirmed twice, and protects checks by code. It asks nobody. */
export const autonomous: Trust = trustOf('autonomous', {
  reviews: 6,
  confirmers: 2,
  checksDissent: false,
  asks: false,
  guards: true,
});

/** The presets by name, for config files. */
export const trustPresets: Readonly<Record<TrustName, Trust>> = { fast, guarded, autonomous };

interface Trusting extends Preset, TrustPorts {
  readonly trust: TrustName;
}

function reviewersOf<Task, Output>(
  given: readonly Reviewer<Task, Output>[],
  { confirmWith, logger, checksDissent, confirmers, trust }: Trusting,
): Reviewer<Task, Output>[] {
  const others = otherProviders(confirmWith);
  const check = (reviewer: Reviewer<Task, Output>): Reviewer<Task, Output> =>
    reviewer.checksFindings
      ? reviewer
      : verified(reviewer, { confirmWith: reviewer.asks === undefined ? undefined : others });
  const twins = confirmersOf(given, { trust, others, logger, confirmers });
  return [
    ...given.map((reviewer) => (reviewer.tier === 'model' ? check(reviewer) : reviewer)),
    ...twins.map((reviewer) => (checksDissent ? check(reviewer) : reviewer)),
  ];
}

interface Confirmers {
  readonly trust: TrustName;
  readonly confirmers: number;
  readonly others: readonly LLMProvider[];
  readonly logger: Logger;
}

/** Returns the confirming judges: each asks the questions of all models once more. */
function confirmersOf<Task, Output>(
  reviewers: readonly Reviewer<Task, Output>[],
  { trust, others, logger, confirmers }: Confirmers,
): Reviewer<Task, Output>[] {
  const models = reviewers.filter(({ tier }) => tier === 'model');
  if (models.length === 0 || reviewers.some(({ tier }) => tier === 'confirm')) return [];
  const questions = models.filter(({ asks }) => asks !== undefined);
  if (questions.length === 0) {
    const ids = models.map(({ id }) => id).join(', ');
    throw invalid(
      'trust',
      'left out, or `confirm({ providers })` to be among the reviewers: ' +
        `the questions of ${ids} cannot be put to a confirming judge`,
      trust,
    );
  }
  const same = new Set<string>();
  const twins = Array.from(
    { length: confirmers },
    (_, index) => others[index % Math.max(1, others.length)],
  ).flatMap((other, index) =>
    questions.map((reviewer) => {
      const asked = reviewer.asks?.provider;
      if (asked !== undefined && (other === undefined || isSameModel(other, asked)))
        same.add(reviewer.id);
      return confirmingReviewer(reviewer, {
        id: `confirm:${reviewer.id}${confirmers > 1 ? `:${index + 1}` : ''}`,
        provider: other,
      });
    }),
  );
  if (same.size > 0)
    logger.warn(
      { reviewers: [...same] },
      'these are confirmed by the very model that judges them; ' +
        'name another one in `confirmWith`: a judge shares its blind spots with itself',
    );
  return twins;
}

/** @throws ReviewLoopError `invalid_options`, `provider_missing` */
function otherProviders(confirmWith: TrustPorts['confirmWith']): readonly LLMProvider[] {
  if (confirmWith === undefined) return [];
  const list = isList(confirmWith) ? confirmWith : [confirmWith];
  if (list.length === 0)
    throw invalid('confirmWith', 'a provider, or a list that is not empty', confirmWith);
  for (const provider of list) checkProvider(provider);
  return list;
}

function isList(value: LLMProvider | readonly LLMProvider[]): value is readonly LLMProvider[] {
  return Array.isArray(value);
}

/** Returns the ids of the checks by code, which outrank models. */
function codeChecks(reviewers: TieredReviewers): readonly string[] {
  return reviewers.filter(({ tier }) => tier === 'code').map(({ id }) => id);
}
