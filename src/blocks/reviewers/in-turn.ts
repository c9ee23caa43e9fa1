import { type Assessment, isJudged, type Votes } from '../../core/assessment.js';
import { digestOf } from '../../core/json.js';
import { signedGaps } from '../../core/named-gaps.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../../core/reviewer.js';
import { checkedAnswer } from '../../core/reviewer-answer.js';
import { thrownBy } from './errors.js';
import { type InTurnOptions, type TurnRules, turnRules } from './in-turn-options.js';
import { secondOpinionContext, type Vote, votesOf } from './second-opinion.js';

/**
 * Creates a reviewer whose judges take turns: a text needs the passes of a number of different judges,
 * and one failure is reported at once. No judge is asked twice about one text, because it repeats its
 * own mistakes. A verdict holds while its text is equal: give the reviewer a `scope`, so that its text
 * is no more than it judges. An edited text needs more passes than a first one. A judge that fails is
 * asked again; if it keeps failing, the criterion is `errored`.
 *
 * docs/trust.md has the figures of recorded judges.
 *
 * @param reviewer - A reviewer that asks a model: `llmCriterion`, or one of `llmCriteria`.
 * @throws ReviewLoopError `invalid_options`, `provider_missing`
 * @example
 * ```ts
 * const clear = inTurn(llmCriterion({ id: 'clear', question: 'Is every term explained?' }), {
 *   providers: [oneModel, anotherModel, aThirdModel],
 *   passes: { first: 2, edited: 3 },
 * });
 * ```
 */
export function inTurn<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  options: InTurnOptions,
): Reviewer<Task, Output> {
  const rules = turnRules(reviewer, options);
  const { id, tier, scope, after, fix, reuse, severity } = reviewer;
  const seats = rules.providers.map((provider) => reviewer.asks?.asking(provider) ?? reviewer);
  const { first, edited, after: patience } = rules;
  const isMinor = severity === 'minor';
  return {
    id,
    version: digestOf([
      'in turn',
      seats.map(({ version }) => version),
      { first, edited, patience, isMinor },
    ]).slice(0, 16),
    tier,
    reuse,
    after,
    countsEdits: true,
    severity,
    checksFindings: true,
    scope: scope && ((subject) => scope.call(reviewer, subject)),
    fix: fix && ((output, gap, context) => fix.call(reviewer, output, gap, context)),
    review: (subject, context) =>
      new Turns({ id, rules, seats, isMinor, subject, context }).answer(),
  };
}

interface TurnsOf<Task, Output> {
  readonly id: string;
  readonly rules: TurnRules;
  readonly seats: readonly Reviewer<Task, Output>[];
  readonly isMinor: boolean;
  readonly subject: ReviewSubject<Task, Output>;
  readonly context: ReviewerContext;
}

class Turns<Task, Output> {
  readonly #of: TurnsOf<Task, Output>;
  readonly #votes: Vote[] = [];
  #asked = 0;
  #passing: readonly Assessment[] = [];
  #failing: readonly Assessment[] = [];
  readonly #abstentions: (readonly Assessment[])[] = [];

  constructor(of: TurnsOf<Task, Output>) {
    this.#of = of;
  }

  async answer(): Promise<readonly Assessment[]> {
    const { seats } = this.#of;
    for (const seat of seats.keys()) {
      const said = await this.#ask(seat);
      if (said.some(({ verdict }) => verdict === 'errored')) return this.#withoutVerdict(said);
      this.#count(seat, said);
      if (this.#fails >= this.#failsNeeded) return this.#voted(this.#failing);
      if (this.#passes >= this.#passesNeeded) break;
    }
    // once all judges were asked, those that passed have to outnumber the others
    if (this.#fails > 0 && this.#fails >= this.#passes) return this.#voted(this.#failing);
    return this.#abstention === undefined
      ? this.#voted(this.#passing)
      : this.#withoutVerdict(this.#abstention);
  }

  /** Counts the vote of a judge, or that it could not tell. */
  #count(seat: number, said: readonly Assessment[]): void {
    const verdicts = new Set(said.map(({ verdict }) => verdict));
    const abstains = verdicts.has('undecided') || !verdicts.has('pass');
    if (!verdicts.has('fail') && abstains) {
      this.#abstentions.push(said);
      return;
    }
    const passed = !verdicts.has('fail');
    const provider = this.#of.rules.providers[seat];
    const grade = said.filter(isJudged).find((one) => one.grade !== undefined)?.grade;
    this.#votes.push({ passed, provider, grade });
    if (passed) this.#passing = said;
    else this.#failing = said;
  }

  /** What does not apply to one judge, while others judged it, is undecided. */
  #withoutVerdict(said: readonly Assessment[]): readonly Assessment[] {
    if (this.#votes.length === 0) return said;
    return said.map((one) => {
      if (one.verdict !== 'skipped') return one;
      const { criterion } = one;
      const reason = `it does not apply (${one.reason}), says one judge; another one judged it`;
      return { verdict: 'undecided', criterion, reason, decidableBy: ['person'] };
    });
  }

  get #abstention(): readonly Assessment[] | undefined {
    return this.#abstentions.length < this.#votes.length ? undefined : this.#abstentions[0];
  }

  get #fails(): number {
    return this.#votes.filter(({ passed }) => !passed).length;
  }

  get #passes(): number {
    return this.#votes.length - this.#fails;
  }

  get #failsNeeded(): number {
    const { subject, rules } = this.#of;
    return (subject.edits ?? 0) >= rules.after ? 2 : 1;
  }

  /** Each failure that was not enough has to be outvoted by two passes. */
  get #passesNeeded(): number {
    const { subject, rules, isMinor } = this.#of;
    const isEdited = (subject.edits ?? 0) > 0;
    const need = isMinor ? 1 : isEdited ? rules.edited : rules.first;
    return need + 2 * this.#fails;
  }

  /** A judge that failed is asked again. */
  async #ask(seat: number): Promise<readonly Assessment[]> {
    const { seats, rules, context } = this.#of;
    let said: readonly Assessment[] = [];
    for (let attempt = 0; attempt < rules.tries; attempt += 1) {
      this.#asked += 1;
      const judge = seats[seat];
      if (judge === undefined) break;
      said = await this.#look(judge, secondOpinionContext(context, `turn${this.#asked}`));
      const failure = said.find((assessment) => assessment.verdict === 'errored');
      if (failure?.verdict !== 'errored' || !failure.error.retryable) break;
      context.signal.throwIfAborted();
    }
    return said;
  }

  /** Never rejects, unless the run has ended: a failed judge is an `errored` assessment. */
  async #look(
    judge: Reviewer<Task, Output>,
    context: ReviewerContext,
  ): Promise<readonly Assessment[]> {
    const { id, subject } = this.#of;
    try {
      return checkedAnswer(id, await judge.review(subject, context)).assessments;
    } catch (cause) {
      context.signal.throwIfAborted();
      const error = thrownBy(id, cause);
      if (error.code === 'suspended') throw error;
      return [{ verdict: 'errored', criterion: id, error }];
    }
  }

  /** The findings of a failure may be edited. */
  #voted(said: readonly Assessment[]): readonly Assessment[] {
    const { id } = this.#of;
    const votes = this.#counted();
    return said.map((assessment) =>
      isJudged(assessment)
        ? {
            ...assessment,
            votes,
            gaps: signedGaps(assessment, id).map((gap) => ({ ...gap, standing: 'confirmed' })),
          }
        : assessment,
    );
  }

  #counted(): Votes {
    const failed = this.#asked - this.#votes.length - this.#abstentions.length;
    const by = this.#votes.map(({ provider, passed, grade }) => ({
      judge: provider?.id ?? '',
      ...(provider?.model !== undefined && { model: provider.model }),
      passed,
      ...(grade !== undefined && { grade }),
    }));
    const { edits } = this.#of.subject;
    return {
      ...votesOf(this.#votes, failed),
      by,
      ...(edits !== undefined && { edits }),
    };
  }
}
