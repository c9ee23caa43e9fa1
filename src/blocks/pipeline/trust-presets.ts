import { keepOrder } from '../../core/decorate-reviewer.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { invalid } from '../../core/options.js';
import { plural } from '../../core/plural.js';
import type { Policy } from '../../core/policy.js';
import { keepBest, type Ranking } from '../../core/ranking.js';
import type { Reviewer } from '../../core/reviewer.js';
import { askDisputed, holdProtected } from '../../engine/policies/guards.js';
import { thresholds } from '../../engine/policies/thresholds.js';
import type { Logger } from '../../ports/logger.js';
import { type Address, onlyAsked } from '../address/only-asked.js';
import { checkProvider } from '../models/answer/ask-options.js';
import { inTurn } from '../reviewers/in-turn.js';
import { differentJudges, whatJudgesBuy } from '../reviewers/in-turn-options.js';
import type { TrustName } from './trust-names.js';

interface Preset {
  readonly passes: { readonly first: number; readonly edited: number };
  /** Whether a dispute becomes a question to a person; otherwise the run escalates. */
  readonly asks: boolean;
  /** The bar of grades that have none of their own, as a share of the scale. */
  readonly bar?: number;
}

export interface TrustPorts {
  /** The models that take turns with the judge of each reviewer. */
  readonly confirmWith: LLMProvider | readonly LLMProvider[] | undefined;
  /** Receives a warning where judges, families or a bar are missing. */
  readonly logger: Logger;
}

/** The ids and tiers of reviewers. */
export type TieredReviewers = readonly Pick<Reviewer<never, never>, 'id' | 'tier'>[];

/** How far a pipeline trusts its verdicts. Import `fast`, `guarded` or `autonomous`. */
export interface Trust {
  readonly name: TrustName;
  /** The passes of how many different judges a first text needs, and an edited one. */
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

function trustOf(name: TrustName, preset: Preset): Trust {
  return {
    name,
    passes: preset.passes,
    reviews,
    reviewers: (given, ports) => reviewersOf(given, { ...ports, ...preset, trust: name }),
    address: (given) => onlyAsked(given),
    policy: (policy = thresholds(), reviewers) => {
      const guarding = holdProtected(policy, codeChecks(reviewers));
      return preset.asks ? askDisputed(guarding) : guarding;
    },
    ranking: (reviewers) => keepBest({ protect: codeChecks(reviewers) }),
  };
}

/** Warns once of each. */
class MissingJudges {
  readonly #needs: Needs;
  readonly #noTurns: string[] = [];
  readonly #alone: string[] = [];
  readonly #ofOneFamily: string[] = [];
  readonly #notStrict: string[] = [];
  readonly #few = new Map<number, string[]>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Notes what a reviewer with these judges lacks. A minor criterion needs one pass. */
  note({ id, severity, grading }: Judged, judges: readonly LLMProvider[]): void {
    const { passes, bar } = this.#needs;
    if (judges.length === 0) this.#noTurns.push(id);
    if (judges.length === 0 || severity === 'minor') return;
    const families = new Set(judges.map((judge) => judge.id)).size;
    if (judges.length === 1) this.#alone.push(id);
    else if (judges.length < passes.first)
      this.#few.set(judges.length, [...(this.#few.get(judges.length) ?? []), id]);
    if (judges.length > 1 && families === 1) this.#ofOneFamily.push(id);
    if (bar !== undefined && (grading === undefined || grading.bar < bar)) this.#notStrict.push(id);
  }

  warn(): void {
    const { trust, passes, bar = 0 } = this.#needs;
    this.#tell(
      this.#alone,
      `\`${trust}\` needs ${passes.first} judges, and these have one: ${onePass}`,
    );
    for (const [judges, ids] of this.#few)
      this.#tell(
        ids,
        `\`${trust}\` needs ${passes.first} judges, and these have ${judges}, so a text needs ` +
          `${plural(judges, 'pass', 'passes')}: ${whatJudgesBuy}`,
      );
    this.#tell(
      this.#ofOneFamily,
      'all judges of these are of one family: on recorded judges, a second judge of the same family ' +
        'takes 1.2 points off the wrong approvals, one of another family 1.4',
    );
    this.#tell(
      this.#notStrict,
      `\`${trust}\` counts on a strict bar, and these have none: set \`scale: 10\` and leave ` +
        `\`passFrom\` out, or set it to ${10 * bar}`,
    );
    this.#tell(this.#noTurns, 'these cannot ask another model, so each is asked once a version');
  }

  #tell(reviewers: readonly string[], message: string): void {
    if (reviewers.length > 0) this.#needs.logger.warn({ reviewers }, message);
  }
}

/** Two judges of two families, each once; a third one for an edited text. */
export const fast: Trust = trustOf('fast', { passes: { first: 2, edited: 3 }, asks: false });

/**
 * Three judges of at least two families, each once; a fourth one for an edited text. Disputes are put
 * to a person.
 */
export const guarded: Trust = trustOf('guarded', { passes: { first: 3, edited: 4 }, asks: true });

/**
 * The judges of `guarded` with a strict bar: 7 of 10, unless a criterion sets its own. It asks nobody,
 * so certify what it approves.
 */
export const autonomous: Trust = trustOf('autonomous', {
  passes: { first: 3, edited: 4 },
  asks: false,
  bar: 0.7,
});

export const trustPresets: Readonly<Record<TrustName, Trust>> = { fast, guarded, autonomous };

interface Turns extends TrustPorts, Preset {
  readonly trust: TrustName;
}

function reviewersOf<Task, Output>(
  given: readonly Reviewer<Task, Output>[],
  turns: Turns,
): Reviewer<Task, Output>[] {
  const { passes, bar, trust } = turns;
  const others = otherProviders(turns.confirmWith);
  checkSomeCanTurn(given, trust);
  const missing = new MissingJudges(turns);
  const turning = given.map((one) => {
    if (one.tier !== 'model' || one.checksFindings) return one;
    const reviewer = bar === undefined ? one : withBar(one, bar);
    const providers = judgesOf(reviewer, others);
    missing.note(reviewer, providers);
    return providers.length === 0 ? reviewer : inTurn(reviewer, { providers, passes });
  });
  missing.warn();
  return turning;
}

function withBar<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  bar: number,
): Reviewer<Task, Output> {
  const { asks } = reviewer;
  return asks === undefined ? reviewer : keepOrder(reviewer, asks.asking(asks.provider, { bar }));
}

/**
 * Returns the models that take turns, each once. That of the reviewer begins; models of families that
 * did not judge yet go before further ones of the same.
 */
function judgesOf(
  { asks }: Pick<Reviewer<never, never>, 'asks'>,
  others: readonly LLMProvider[],
): readonly LLMProvider[] {
  if (asks === undefined) return [];
  const all = differentJudges(asks.provider === undefined ? others : [asks.provider, ...others]);
  const opens = (one: LLMProvider): boolean => all.find(({ id }) => id === one.id) === one;
  return [...all.filter(opens), ...all.filter((one) => !opens(one))];
}

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

function otherProviders(confirmWith: TrustPorts['confirmWith']): readonly LLMProvider[] {
  if (confirmWith === undefined) return [];
  const list = [confirmWith].flat();
  if (list.length === 0)
    throw invalid('confirmWith', 'a provider, or a list that is not empty', confirmWith);
  for (const provider of list) checkProvider(provider);
  return list;
}

/** They outrank models. */
function codeChecks(reviewers: TieredReviewers): readonly string[] {
  return reviewers.filter(({ tier }) => tier === 'code').map(({ id }) => id);
}

interface Needs {
  readonly trust: string;
  readonly passes: { readonly first: number };
  /** The strict bar of a preset, as a share of the scale. */
  readonly bar?: number;
  readonly logger: Logger;
}

type Judged = Pick<Reviewer<never, never>, 'id' | 'severity' | 'grading'>;

const onePass =
  `a text needs one pass, because ${whatJudgesBuy}. Name models of other families in \`confirmWith\`; ` +
  'until then set a stricter bar: `scale: 10, passFrom: 7` makes it 3.0 % with one judge, and ' +
  'approves 67 instead of 83 % of the right texts';
