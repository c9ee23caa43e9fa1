import { type Assessment, isJudged, type JudgedAssessment } from '../core/assessment.js';
import type { Gap } from '../core/gap.js';
import { identifyGaps } from '../core/gap-identity.js';
import { signedGaps } from '../core/reviewer-answer.js';

/** One finding, and how many looks have it. */
interface Candidate {
  readonly gap: Gap;
  /** Whether nothing speaks against it but the lack of votes; an invented quote does. */
  readonly credible: boolean;
  /** Whether the first look has it. */
  readonly first: boolean;
  votes: number;
}

/** How findings are counted. */
export interface VoteRules {
  readonly reviewer: string;
  readonly output: unknown;
  /** How many looks must have a finding. */
  readonly needed: number;
  /** Whether a look agrees with a finding when it fails the same criterion anywhere. */
  readonly byCriterion: boolean;
  readonly isCredible: (gap: Gap) => boolean;
}

/** The findings of several looks at one version, counted. The same finding is known by the rules that know a gap again. */
export class LookVotes {
  readonly #rules: VoteRules;
  readonly #candidates: Candidate[] = [];

  constructor(rules: VoteRules, first: readonly Assessment[]) {
    this.#rules = rules;
    this.#add(this.#gapsOf(first), true);
  }

  /** The criteria that have a finding of the first look of which it is open whether it will be confirmed. */
  undecided(looksLeft: number): ReadonlySet<string> {
    const open = this.#candidates.filter(
      ({ credible, first, votes }) =>
        first && credible && votes < this.#rules.needed && votes + looksLeft >= this.#rules.needed,
    );
    return new Set(open.map(({ gap }) => gap.criterionId ?? ''));
  }

  /** Counts what another look found. */
  count(look: readonly Assessment[]): void {
    const gaps = this.#gapsOf(look);
    if (this.#rules.byCriterion) {
      const failed = new Set(gaps.map(({ criterionId }) => criterionId));
      for (const candidate of this.#candidates)
        if (failed.has(candidate.gap.criterionId)) candidate.votes += 1;
      return;
    }
    const known = this.#candidates.map(({ gap }) => gap);
    const found = identifyGaps(
      gaps,
      this.#rules.output,
      { gaps: known, output: this.#rules.output },
      new Set(),
    );
    const again = new Set(
      found.filter(({ lifecycle }) => lifecycle === 'persisting').map(({ id }) => id),
    );
    for (const candidate of this.#candidates) if (again.has(candidate.gap.id)) candidate.votes += 1;
    this.#add(
      gaps.filter((_, index) => found[index]?.lifecycle !== 'persisting'),
      false,
    );
  }

  /** The gaps of one criterion, each confirmed or disputed. */
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
    for (const gap of identifyGaps(gaps, output, undefined, new Set())) {
      if (taken.has(gap.id)) continue;
      this.#candidates.push({ gap, credible: isCredible(gap), first, votes: 1 });
    }
  }
}
