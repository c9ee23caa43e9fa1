import { type Assessment, isJudged } from '../core/assessment.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { Gap } from '../core/gap.js';
import { hashText } from '../core/hash.js';
import type { LLMProvider } from '../core/llm-provider.js';
import { checkKeys, checkWhole, invalid } from '../core/options.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../core/reviewer.js';
import { checkedAnswer } from '../core/reviewer-answer.js';
import { checkProvider } from '../model/answer/ask-options.js';
import { artifactNamed, isQuoted, type Shown } from './quoted-in.js';
import { freshLook } from './second-opinion-context.js';
import { LookVotes } from './second-opinion-votes.js';

/** How findings are checked before they may become edits. */
export interface VerifiedOptions {
  /**
   * How many looks there are at most, the first one included; more than half of them must have a finding. 1 checks quotes only.
   *
   * @default 3 for reviewers of the tiers model and confirm, 1 for those of the tier code: they would find the same again
   */
  readonly looks?: number | undefined;
  /** Who takes the further looks, in turn; best a model of another family. @default the reviewer's own */
  readonly confirmWith?: LLMProvider | readonly LLMProvider[] | undefined;
  /** Whether a look agrees when it finds the same `place`, or when it fails the same `criterion` anywhere. @default 'place' */
  readonly agree?: 'place' | 'criterion' | undefined;
}

/**
 * Checks every finding of a reviewer before it may be edited (law 4): its quote occurs in what was judged, and more than half of
 * the looks have it. Further looks are taken only while a finding is undecided; they see neither history nor earlier verdicts.
 * What is not confirmed is `disputed`: kept and shown, never edited. Verdicts stay as they are, so that one dissent still blocks.
 * After Liu and Meng's verify-first rule and the validators of Claude Code's review plugin.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const clear = verified(llmCriterion({ id: 'clear', question: 'Is every term explained?' }));
 * ```
 */
export function verified<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  options: VerifiedOptions = {},
): Reviewer<Task, Output> {
  const settings = checked(reviewer, options);
  const { id, tier, reuse, scope, fix, withProvider, asks } = reviewer;
  return {
    id,
    version: hashText(
      [
        'verified',
        reviewer.version,
        settings.looks,
        options.agree ?? 'place',
        ...settings.others.flatMap((other) => [other.id, other.model ?? '']),
      ].join('\u0000'),
    ).slice(0, 16),
    tier,
    reuse,
    scope,
    fix,
    checksFindings: true,
    ...(withProvider && {
      withProvider: (provider: LLMProvider) => verified(withProvider(provider), options),
    }),
    ...(asks && {
      asks: {
        provider: asks.provider,
        asking: (provider, how) => verified(asks.asking(provider, how), options),
      },
    }),
    review: async (subject, context) => {
      const { assessments, proposal } = checkedAnswer(id, await reviewer.review(subject, context));
      const looked = await lookAgain({ reviewer, settings, subject, context }, assessments);
      const disputed = looked.some(
        (assessment) =>
          isJudged(assessment) && assessment.gaps.some(({ standing }) => standing === 'disputed'),
      );
      // a proposal is an edit, and it cannot be told for which findings
      return { assessments: looked, proposal: disputed ? undefined : proposal };
    },
  };
}

interface Settings {
  readonly looks: number;
  readonly others: readonly LLMProvider[];
  readonly byCriterion: boolean;
}

interface Looking<Task, Output> {
  readonly reviewer: Reviewer<Task, Output>;
  readonly settings: Settings;
  readonly subject: ReviewSubject<Task, Output>;
  readonly context: ReviewerContext;
}

/** The first assessments with the standing of every gap; a criterion whose further look failed is errored. */
async function lookAgain<Task, Output>(
  looking: Looking<Task, Output>,
  first: readonly Assessment[],
): Promise<readonly Assessment[]> {
  const { reviewer, settings, subject } = looking;
  const { looks, byCriterion } = settings;
  const isCredible = (gap: Gap): boolean => credible(gap, reviewer, subject);
  const votes = new LookVotes(
    {
      reviewer: reviewer.id,
      output: subject.output,
      needed: Math.floor(looks / 2) + 1,
      byCriterion,
      isCredible,
    },
    first,
  );
  const failed = new Map<string, ReviewLoopError>();
  let taken = 1;
  for (; taken < looks; taken += 1) {
    const undecided = [...votes.undecided(looks - taken)].filter(
      (criterion) => !failed.has(criterion),
    );
    if (undecided.length === 0) break;
    const look = await another(looking, taken + 1);
    for (const criterion of undecided) {
      const error = look.errors.get(criterion) ?? look.errors.get('');
      if (error !== undefined) failed.set(criterion, error);
    }
    votes.count(look.assessments);
  }
  return first.map((assessment) => {
    if (!isJudged(assessment)) return assessment;
    const error = failed.get(assessment.criterion);
    if (error !== undefined) return { verdict: 'errored', criterion: assessment.criterion, error };
    return withStandings(assessment, votes.gapsOf(assessment.criterion), taken);
  });
}

/** A program that found something stands by it, unless its quote is refuted; what a model quotes must be there. */
function credible(gap: Gap, { tier }: Pick<Reviewer<never, never>, 'tier'>, shown: Shown): boolean {
  const quoted = isQuoted(gap, shown);
  if (quoted !== false || tier !== 'code') return quoted !== false;
  const file = gap.location?.file ?? gap.affectedArtifact;
  return file !== undefined && artifactNamed(file, shown.output) === undefined;
}

function withStandings(
  assessment: Extract<Assessment, { verdict: 'pass' | 'fail' }>,
  gaps: readonly Gap[],
  looks: number,
): Assessment {
  const disputed = gaps.filter(({ standing }) => standing === 'disputed').length;
  if (gaps.length === 0) return assessment;
  const counted = `(${gaps.length - disputed} of ${gaps.length} findings confirmed in ${looks} ${looks === 1 ? 'look' : 'looks'}.)`;
  return {
    ...assessment,
    gaps,
    explanation: [assessment.explanation, counted].filter((part) => part !== '').join(' '),
  };
}

interface Look {
  readonly assessments: readonly Assessment[];
  /** By criterion; under '' what broke the whole look. */
  readonly errors: ReadonlyMap<string, ReviewLoopError>;
}

/** One more look, by whoever's turn it is. */
async function another<Task, Output>(
  { reviewer, settings, subject, context }: Looking<Task, Output>,
  number: number,
): Promise<Look> {
  const { others } = settings;
  const other = others[(number - 2) % Math.max(1, others.length)];
  const looker = other === undefined ? reviewer : (reviewer.asks?.asking(other) ?? reviewer);
  const name = `look${number}`;
  try {
    const { assessments } = checkedAnswer(
      reviewer.id,
      await looker.review(subject, freshLook(context, name)),
    );
    const errored = assessments.filter((assessment) => assessment.verdict === 'errored');
    return {
      assessments,
      errors: new Map(
        errored.map(({ criterion, error }) => [criterion, lookFailed(reviewer.id, name, error)]),
      ),
    };
  } catch (error) {
    return { assessments: [], errors: new Map([['', lookFailed(reviewer.id, name, error)]]) };
  }
}

function lookFailed(id: string, name: string, error: unknown): ReviewLoopError {
  const retryable = error instanceof ReviewLoopError ? error.retryable : true;
  return new ReviewLoopError(
    error instanceof ReviewLoopError ? error : 'reviewer_threw',
    `${name} of ${id} failed, so its findings are not confirmed: ${messageOf(error)}`,
    {
      cause: error,
      retryable,
    },
  );
}

/** @throws ReviewLoopError `invalid_options` */
function checked<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  options: VerifiedOptions,
): Settings {
  if (typeof reviewer?.review !== 'function') throw invalid('reviewer', 'a reviewer', reviewer);
  checkKeys('verified', options, ['looks', 'confirmWith', 'agree']);
  const { looks = reviewer.tier === 'code' ? 1 : 3, confirmWith, agree = 'place' } = options;
  checkWhole('looks', looks, 1);
  if (agree !== 'place' && agree !== 'criterion')
    throw invalid('agree', "'place' or 'criterion'", agree);
  const others = isList(confirmWith) ? confirmWith : confirmWith === undefined ? [] : [confirmWith];
  for (const other of others) checkProvider(other);
  if (others.length > 0 && reviewer.asks === undefined)
    throw invalid(
      'confirmWith',
      `left out: ${reviewer.id} cannot ask another model`,
      others.map(({ id }) => id).join(', '),
    );
  return { looks, others, byCriterion: agree === 'criterion' };
}

function isList(value: VerifiedOptions['confirmWith']): value is readonly LLMProvider[] {
  return Array.isArray(value);
}
