import { type Address, onlyAsked } from '../address/only-asked.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { invalid } from '../core/options.js';
import type { Policy } from '../core/policy.js';
import { keepBest, type Ranking } from '../core/ranking.js';
import type { Reviewer } from '../core/reviewer.js';
import { checkProvider } from '../model/answer/ask-options.js';
import { askDisputed } from '../policies/ask-disputed.js';
import { holdProtected } from '../policies/hold-protected.js';
import { thresholds } from '../policies/thresholds.js';
import type { Logger } from '../ports/logger.js';
import { isSameModel } from '../reviewers/confirming-reviewer.js';
import { inTurn } from '../reviewers/in-turn.js';
import type { TrustName } from './trust-names.js';

interface Preset {
  readonly passes: { readonly first: number; readonly edited: number };
  /** Whether a dispute becomes a question to a person; otherwise the run escalates. */
  readonly asks: boolean;
}

/** What a preset needs to create reviewers. */
export interface TrustPorts {
  /** The models that take turns with the judge of each reviewer. */
  readonly confirmWith: LLMProvider | readonly LLMProvider[] | undefined;
  /** Receives a warning if one model takes all turns, or if a reviewer can take none. */
  readonly logger: Logger;
}

/** The ids and tiers of reviewers. */
export type TieredReviewers = readonly Pick<Reviewer<never, never>, 'id' | 'tier'>[];

/** How far a pipeline trusts its verdicts. Import `fast`, `guarded` or `autonomous`. */
export interface Trust {
  readonly name: TrustName;
  /** How many passes in a row a first text needs, and an edited one. */
  readonly passes: { readonly first: number; readonly edited: number };
  /** The number of reviews if `budget.reviews` is not set. */
  readonly reviews: number;
  /**
   * Returns the reviewers with judges that take turns. A reviewer that checks its findings itself
   * stays as it is, and so does one that cannot ask another model.
   *
   * @throws ReviewLoopError `provider_missing`, `invalid_options`
   */
  readonly reviewers: <Task, Output>(
    given: readonly Reviewer<Task, Output>[],
    ports: TrustPorts,
  ) => Reviewer<Task, Output>[];
  /** Returns `address`, guarded by `onlyAsked`. */
  readonly address: <Task, Output>(given: Address<Task, Output>) => Address<Task, Output>;
  /**
   * Returns the policy with the guards of the preset.
   *
   * @param policy - Decides what they do not. Without one: `thresholds()`, so that a fix that fails
   *   twice does not end the run.
   */
  readonly policy: (policy: Policy | undefined, reviewers: TieredReviewers) => Policy;
  /** Returns the ranking, which protects the checks by code. */
  readonly ranking: (reviewers: TieredReviewers) => Ranking;
}

/** A text may need several edits, and each makes it due again. */
const reviews = 9;

function trustOf(name: TrustName, { passes, asks }: Preset): Trust {
  return {
    name,
    passes,
    reviews,
    reviewers: (given, ports) => reviewersOf(given, { ...ports, passes, trust: name }),
    address: (given) => onlyAsked(given),
    policy: (policy = thresholds(), reviewers) => {
      const guarding = holdProtected(policy, codeChecks(reviewers));
      return asks ? askDisputed(guarding) : guarding;
    },
    ranking: (reviewers) => keepBest({ protect: codeChecks(reviewers) }),
  };
}

/** A text needs 2 passes in a row, an edited one 4. */
export const fast: Trust = trustOf('fast', { passes: { first: 2, edited: 4 }, asks: false });

/** A text needs 3 passes in a row, an edited one 5. Disputes are put to a person. */
export const guarded: Trust = trustOf('guarded', { passes: { first: 3, edited: 5 }, asks: true });

/** A text needs 4 passes in a row, an edited one 6. It asks nobody. */
export const autonomous: Trust = trustOf('autonomous', {
  passes: { first: 4, edited: 6 },
  asks: false,
});

/** The presets by name, for config files. */
export const trustPresets: Readonly<Record<TrustName, Trust>> = { fast, guarded, autonomous };

interface Turns extends TrustPorts, Pick<Preset, 'passes'> {
  readonly trust: TrustName;
}

function reviewersOf<Task, Output>(
  given: readonly Reviewer<Task, Output>[],
  { confirmWith, logger, passes, trust }: Turns,
): Reviewer<Task, Output>[] {
  const others = otherProviders(confirmWith);
  checkSomeCanTurn(given, trust);
  const alone: string[] = [];
  const once: string[] = [];
  const turning = given.map((reviewer) => {
    if (reviewer.tier !== 'model' || reviewer.checksFindings) return reviewer;
    const providers = judgesOf(reviewer, others);
    if (providers.length === 0) {
      once.push(reviewer.id);
      return reviewer;
    }
    if (providers.length === 1) alone.push(reviewer.id);
    return inTurn(reviewer, { providers, passes });
  });
  if (alone.length > 0)
    logger.warn(
      { reviewers: alone },
      'one model takes all turns of these, and it repeats its own mistakes; ' +
        'name models of other families in `confirmWith`',
    );
  if (once.length > 0)
    logger.warn(
      { reviewers: once },
      'these cannot ask another model, so each is asked once a version',
    );
  return turning;
}

/** Returns the models that take turns, each once: that of the reviewer begins. */
function judgesOf(
  { asks }: Pick<Reviewer<never, never>, 'asks'>,
  others: readonly LLMProvider[],
): readonly LLMProvider[] {
  if (asks === undefined) return [];
  const all = asks.provider === undefined ? others : [asks.provider, ...others];
  return all.filter((one, index) => all.findIndex((other) => isSameModel(one, other)) === index);
}

/** @throws ReviewLoopError `invalid_options` if a preset would do nothing for any judge */
function checkSomeCanTurn(
  given: readonly Pick<Reviewer<never, never>, 'id' | 'tier' | 'asks' | 'checksFindings'>[],
  trust: TrustName,
): void {
  const models = given.filter(({ tier }) => tier === 'model');
  const checked = given.some(({ tier, checksFindings }) => tier === 'confirm' || checksFindings);
  if (models.length === 0 || checked || models.some(({ asks }) => asks !== undefined)) return;
  throw invalid(
    'trust',
    'left out, or `confirm({ providers })` to be among the reviewers: ' +
      `the questions of ${models.map(({ id }) => id).join(', ')} cannot be put to another judge`,
    trust,
  );
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
