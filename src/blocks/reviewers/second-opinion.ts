import {
  type Assessment,
  isJudged,
  type JudgedAssessment,
  type Votes,
} from '../../core/assessment.js';
import { deriveContext } from '../../core/decorate-reviewer.js';
import type { Gap } from '../../core/gap.js';
import { identifyGaps } from '../../core/gap-identity.js';
import type { Grade } from '../../core/grade.js';
import { hashText } from '../../core/hash.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { signedGaps } from '../../core/named-gaps.js';
import type { ReviewerContext } from '../../core/reviewer.js';

/**
 * Returns the context of another opinion on the same version. It has no history and its own names
 * for calls. Its own nonce keeps every cache of answers from returning the first opinion.
 *
 * @param name - Name of the opinion; unique in the reviewer.
 */
export function secondOpinionContext(context: ReviewerContext, name: string): ReviewerContext {
  return deriveContext(namedContext(context, name), { previous: [], best: undefined });
}

/** Has its own nonce and its own names for calls, and the history of `context`. */
export function namedContext(context: ReviewerContext, name: string): ReviewerContext {
  return deriveContext(context, {
    nonce: hashText(`${context.nonce}\u0000${name}`).slice(0, 32),
    step: (step, options, work) => context.step(`${name}/${step}`, options, work),
    check: (schema, work, check = 'check') => context.check(schema, work, `${name}/${check}`),
    ask: (question, request) => context.ask(`${name}/${question}`, request),
  });
}

/** Gaps of one version: those that are known keep their ids. */
export function identified(gaps: readonly Gap[], output: unknown, known?: readonly Gap[]): Gap[] {
  return identifyGaps(gaps, output, known && { gaps: known, output }, new Set());
}

interface Candidate {
  readonly gap: Gap;
  /** Whether enough votes confirm it: an invented quote makes it incredible. */
  readonly credible: boolean;
  /** Whether the first opinion contains it. */
  readonly first: boolean;
  votes: number;
}

export interface VoteRules {
  readonly reviewer: string;
  readonly output: unknown;
  readonly needed: number;
  /** Whether an opinion agrees with a finding if it fails the same criterion anywhere. */
  readonly byCriterion: boolean;
  readonly isCredible: (gap: Gap) => boolean;
}

/** Gap identity decides which findings are the same. */
export class SecondOpinionVotes {
  readonly #rules: VoteRules;
  readonly #candidates: Candidate[] = [];

  constructor(rules: VoteRules, first: readonly Assessment[]) {
    this.#rules = rules;
    this.#add(this.#gapsOf(first), true);
  }

  /** Those with a finding of the first opinion that further opinions can still confirm. */
  undecided(opinionsLeft: number): ReadonlySet<string> {
    const open = this.#candidates.filter(
      ({ credible, first, votes }) =>
        first &&
        credible &&
        votes < this.#rules.needed &&
        votes + opinionsLeft >= this.#rules.needed,
    );
    return new Set(open.map(({ gap }) => gap.criterionId ?? ''));
  }

  count(opinion: readonly Assessment[]): void {
    const gaps = this.#gapsOf(opinion);
    if (this.#rules.byCriterion) {
      const failed = new Set(gaps.map(({ criterionId }) => criterionId));
      for (const candidate of this.#candidates)
        if (failed.has(candidate.gap.criterionId)) candidate.votes += 1;
      return;
    }
    const known = this.#candidates.map(({ gap }) => gap);
    const found = identified(gaps, this.#rules.output, known);
    const again = new Set(
      found.filter(({ lifecycle }) => lifecycle === 'persisting').map(({ id }) => id),
    );
    for (const candidate of this.#candidates) if (again.has(candidate.gap.id)) candidate.votes += 1;
    this.#add(
      gaps.filter((_, index) => found[index]?.lifecycle !== 'persisting'),
      false,
    );
  }

  gapsOf(criterion: string): readonly Gap[] {
    return this.#candidates
      .filter(({ gap }) => gap.criterionId === criterion)
      .map(
        ({ gap, credible, votes }): Gap => ({
          ...gap,
          standing: credible && votes >= this.#rules.needed ? 'confirmed' : 'disputed',
        }),
      );
  }

  #gapsOf(assessments: readonly Assessment[]): readonly Gap[] {
    const { reviewer } = this.#rules;
    return assessments
      .filter((assessment): assessment is JudgedAssessment => isJudged(assessment))
      .flatMap((assessment) =>
        signedGaps(assessment, reviewer).map((gap) => ({
          ...gap,
          criterionId: assessment.criterion,
        })),
      );
  }

  #add(gaps: readonly Gap[], first: boolean): void {
    const { output, isCredible } = this.#rules;
    const taken = new Set(this.#candidates.map(({ gap }) => gap.id));
    for (const gap of identified(gaps, output)) {
      if (taken.has(gap.id)) continue;
      this.#candidates.push({ gap, credible: isCredible(gap), first, votes: 1 });
    }
  }
}

export interface Vote {
  readonly passed: boolean;
  readonly provider: LLMProvider | undefined;
  readonly grade?: Grade | undefined;
}

/** `failed` counts the members that did not vote. */
export function votesOf(votes: readonly Pick<Vote, 'passed'>[], failed: number): Votes {
  const pass = votes.filter(({ passed }) => passed).length;
  const fail = votes.length - pass;
  const pairs = (votes.length * (votes.length - 1)) / 2;
  const agreeing = (pass * (pass - 1) + fail * (fail - 1)) / 2;
  return { pass, fail, failed, agreement: pairs === 0 ? 1 : agreeing / pairs };
}
