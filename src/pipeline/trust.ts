import { keepOrder } from '../core/decorate-reviewer.js';
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
import { inherit } from './inherit-provider.js';
import type { Trust } from './trust-preset.js';

interface Preset {
  /** Reviews, so one fix less. */
  readonly reviews: number;
  readonly confirmers: number;
  /** Whether a dissent of a confirming judge must be confirmed before it is edited; it blocks in any case. */
  readonly checksDissent: boolean;
  /** Whether a person is asked about disputes, where else the run escalates. */
  readonly asks: boolean;
  /** Whether checks by code are protected, and fixing ends where it is expected to do harm. */
  readonly guards: boolean;
}

const presets: Readonly<Record<Trust, Preset>> = {
  fast: { reviews: 4, confirmers: 1, checksDissent: false, asks: false, guards: false },
  guarded: { reviews: 4, confirmers: 1, checksDissent: true, asks: true, guards: true },
  autonomous: { reviews: 6, confirmers: 2, checksDissent: false, asks: false, guards: true },
};

/** @throws ReviewLoopError `invalid_options` */
export function checkTrust(trust: unknown): void {
  if (trust !== undefined && !(typeof trust === 'string' && Object.hasOwn(presets, trust)))
    throw invalid('trust', "'fast', 'guarded' or 'autonomous'", trust);
}

/** What a preset makes reviewers of. */
export interface Trusting {
  readonly trust: Trust | undefined;
  readonly provider: LLMProvider | undefined;
  readonly confirmWith: LLMProvider | readonly LLMProvider[] | undefined;
  readonly logger: Logger;
}

/**
 * The reviewers of a pipeline: with its provider, and under a preset with findings that are checked and with confirming judges. A
 * reviewer that checks its findings itself, and confirming judges of the pipeline's own, stay as they are.
 *
 * @throws ReviewLoopError `provider_missing`, `invalid_options`
 */
export function trustedReviewers<Task, Output>(
  given: readonly Reviewer<Task, Output>[],
  { trust, provider, confirmWith, logger }: Trusting,
): Reviewer<Task, Output>[] {
  const reviewers = given.map((reviewer) =>
    keepOrder(reviewer, inherit(reviewer, provider, reviewer.id)),
  );
  const others = otherProviders(confirmWith);
  if (trust === undefined) {
    if (others.length > 0)
      throw invalid(
        'confirmWith',
        'left out without `trust`',
        others.map(({ id }) => id).join(', '),
      );
    return reviewers;
  }
  const { checksDissent } = presets[trust];
  const check = (reviewer: Reviewer<Task, Output>): Reviewer<Task, Output> =>
    reviewer.checksFindings
      ? reviewer
      : verified(reviewer, { confirmWith: reviewer.asks === undefined ? undefined : others });
  const checked = reviewers.map((reviewer) =>
    reviewer.tier === 'model' ? check(reviewer) : reviewer,
  );
  const confirmers = confirmersOf(reviewers, { trust, others, logger });
  return [
    ...checked,
    ...confirmers.map((reviewer) => (checksDissent ? check(reviewer) : reviewer)),
  ];
}

interface Confirmers {
  readonly trust: Trust;
  readonly others: readonly LLMProvider[];
  readonly logger: Logger;
}

/** Every question to a model once more, by each of the confirming judges. */
function confirmersOf<Task, Output>(
  reviewers: readonly Reviewer<Task, Output>[],
  { trust, others, logger }: Confirmers,
): Reviewer<Task, Output>[] {
  const { confirmers } = presets[trust];
  const models = reviewers.filter(({ tier }) => tier === 'model');
  if (models.length === 0 || reviewers.some(({ tier }) => tier === 'confirm')) return [];
  const questions = models.filter(({ asks }) => asks !== undefined);
  if (questions.length === 0) {
    const ids = models.map(({ id }) => id).join(', ');
    throw invalid(
      'trust',
      `left out, or \`confirm({ providers })\` to be among the reviewers: the questions of ${ids} cannot be put to a confirming judge`,
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
      'these are confirmed by the very model that judges them; name another one in `confirmWith`: a judge shares its blind spots with itself',
    );
  return twins;
}

/** @throws ReviewLoopError `invalid_options`, `provider_missing` */
function otherProviders(confirmWith: Trusting['confirmWith']): readonly LLMProvider[] {
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

/** How many reviews a preset has. */
export function trustedIterations(trust: Trust | undefined): number | undefined {
  return trust && presets[trust].reviews;
}

type Tiered = readonly Pick<Reviewer<never, never>, 'id' | 'tier'>[];

/** What checks by code say, which outranks models (law 10). */
function byCode(reviewers: Tiered): readonly string[] {
  return reviewers.filter(({ tier }) => tier === 'code').map(({ id }) => id);
}

/** A policy under a preset. */
export function trustedPolicy(trust: Trust | undefined, policy: Policy, reviewers: Tiered): Policy {
  if (trust === undefined) return policy;
  const { asks, guards } = presets[trust];
  const guarded = guards ? holdProtected(doNoHarm(policy), byCode(reviewers)) : policy;
  return asks ? askDisputed(guarded) : guarded;
}

/** The ranking under a preset. */
export function trustedRanking(trust: Trust | undefined, reviewers: Tiered): Ranking {
  return keepBest(
    trust !== undefined && presets[trust].guards ? { protect: byCode(reviewers) } : {},
  );
}
