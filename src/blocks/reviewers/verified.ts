import { artifactsOf } from '../../core/artifact.js';
import { type Assessment, isJudged } from '../../core/assessment.js';
import { decorate } from '../../core/decorate-reviewer.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import type { Gap } from '../../core/gap.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import {
  checkTable,
  elsewhere,
  invalid,
  type OptionTable,
  oneOf,
  whole,
} from '../../core/options.js';
import { plural } from '../../core/plural.js';
import type { Reviewer, ReviewerContext, ReviewSubject } from '../../core/reviewer.js';
import { checkedAnswer } from '../../core/reviewer-answer.js';
import { placeOfQuote } from '../../core/text/quote.js';
import { taskText } from '../address/address-prompt.js';
import { checkProvider } from '../models/answer/ask-options.js';
import { SecondOpinionVotes, secondOpinionContext } from './second-opinion.js';

export interface VerifiedOptions {
  /**
   * The greatest number of opinions, the first one included. More than half of them must contain a
   * finding; 1 checks quotes only. A second opinion of a code check would be the same again.
   *
   * @default 3 for the tiers model and confirm, 1 for the tier code
   */
  readonly opinions?: number | undefined;
  /**
   * The models that give further opinions, in turn. Choose another model family.
   *
   * @default the model of the reviewer
   */
  readonly confirmWith?: LLMProvider | readonly LLMProvider[] | undefined;
  /**
   * Whether opinions agree if they name the same `place`, or if they fail the same `criterion`.
   *
   * @default 'place'
   */
  readonly agree?: 'place' | 'criterion' | undefined;
}

/**
 * Returns a reviewer whose findings are confirmed before they may be edited. A finding is confirmed
 * if its quote occurs in the output and more than half of the opinions contain it. Otherwise it is
 * `disputed`: reports show it, and nothing edits it. Verdicts stay, so one dissent still blocks.
 *
 * Further opinions are asked for only while a finding is undecided. They see neither the history
 * nor earlier verdicts. After Liu and Meng's verify-first rule and the validators of Claude Code's
 * review plugin.
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
  const others = settings.others.flatMap((other) => [other.id, other.model ?? '']);
  return decorate(reviewer, {
    tag: ['verified', settings.opinions, options.agree ?? 'place', ...others].join('\u0000'),
    checksFindings: true,
    reply: async ({ reviewer, subject, context, answer }) => {
      const { assessments, proposal } = checkedAnswer(reviewer.id, await answer());
      const confirmed = await confirmFindings(
        { reviewer, settings, subject, context },
        assessments,
      );
      // a proposal is an edit, and nobody knows for which findings
      return {
        assessments: confirmed,
        proposal: confirmed.some(hasDispute) ? undefined : proposal,
      };
    },
  });
}

function hasDispute(assessment: Assessment): boolean {
  return isJudged(assessment) && assessment.gaps.some(({ standing }) => standing === 'disputed');
}

interface Settings {
  readonly opinions: number;
  readonly others: readonly LLMProvider[];
  readonly byCriterion: boolean;
}

interface Confirmation<Task, Output> {
  readonly reviewer: Reviewer<Task, Output>;
  readonly settings: Settings;
  readonly subject: ReviewSubject<Task, Output>;
  readonly context: ReviewerContext;
}

/** With the standing of every gap; a criterion is errored if a further opinion on it failed. */
async function confirmFindings<Task, Output>(
  confirmation: Confirmation<Task, Output>,
  first: readonly Assessment[],
): Promise<readonly Assessment[]> {
  const { reviewer, settings, subject } = confirmation;
  const { opinions, byCriterion } = settings;
  const votes = new SecondOpinionVotes(
    {
      reviewer: reviewer.id,
      output: subject.output,
      needed: Math.floor(opinions / 2) + 1,
      byCriterion,
      isCredible: (gap) => isCredible(gap, reviewer, subject),
    },
    first,
  );
  const failed = new Map<string, ReviewLoopError>();
  let asked = 1;
  for (; asked < opinions; asked += 1) {
    const undecided = [...votes.undecided(opinions - asked)].filter(
      (criterion) => !failed.has(criterion),
    );
    if (undecided.length === 0) break;
    const opinion = await askAgain(confirmation, asked + 1);
    for (const criterion of undecided) {
      const error = opinion.errors.get(criterion) ?? opinion.errors.get('');
      if (error !== undefined) failed.set(criterion, error);
    }
    votes.count(opinion.assessments);
  }
  return first.map((assessment) => {
    if (!isJudged(assessment)) return assessment;
    const error = failed.get(assessment.criterion);
    if (error !== undefined) return { verdict: 'errored', criterion: assessment.criterion, error };
    return withStandings(assessment, votes.gapsOf(assessment.criterion), asked);
  });
}

/**
 * Returns whether a gap may be confirmed. A model's quote must occur in the output. A program is
 * trusted unless its quote is absent from the file that it names.
 */
function isCredible(
  gap: Gap,
  { tier }: Pick<Reviewer<never, never>, 'tier'>,
  shown: Shown,
): boolean {
  const quoted = isQuoted(gap, shown);
  if (quoted !== false || tier !== 'code') return quoted !== false;
  const file = gap.location?.file ?? gap.affectedArtifact;
  return file !== undefined && artifactNamed(file, shown.output) === undefined;
}

function withStandings(
  assessment: Extract<Assessment, { verdict: 'pass' | 'fail' }>,
  gaps: readonly Gap[],
  opinions: number,
): Assessment {
  if (gaps.length === 0) return assessment;
  const confirmed = gaps.filter(({ standing }) => standing !== 'disputed').length;
  const counted = [
    `(${confirmed} of ${plural(gaps.length, 'finding')} confirmed`,
    `by ${opinions} ${opinions === 1 ? 'opinion' : 'opinions'}.)`,
  ].join(' ');
  return {
    ...assessment,
    gaps,
    explanation: [assessment.explanation, counted].filter((part) => part !== '').join(' '),
  };
}

interface Opinion {
  readonly assessments: readonly Assessment[];
  /** By criterion; under '' the error of the whole opinion. */
  readonly errors: ReadonlyMap<string, ReviewLoopError>;
}

/** Asks for one more opinion: the next of the other models, or the reviewer itself. */
async function askAgain<Task, Output>(
  { reviewer, settings, subject, context }: Confirmation<Task, Output>,
  number: number,
): Promise<Opinion> {
  const { others } = settings;
  const other = others[(number - 2) % Math.max(1, others.length)];
  const judge = other === undefined ? reviewer : (reviewer.asks?.asking(other) ?? reviewer);
  try {
    const { assessments } = checkedAnswer(
      reviewer.id,
      await judge.review(subject, secondOpinionContext(context, `opinion${number}`)),
    );
    const errored = assessments.filter((assessment) => assessment.verdict === 'errored');
    return {
      assessments,
      errors: new Map(
        errored.map(({ criterion, error }) => [criterion, opinionFailed(reviewer, number, error)]),
      ),
    };
  } catch (error) {
    return { assessments: [], errors: new Map([['', opinionFailed(reviewer, number, error)]]) };
  }
}

function opinionFailed(
  { id }: Pick<Reviewer<never, never>, 'id'>,
  number: number,
  error: unknown,
): ReviewLoopError {
  const known = error instanceof ReviewLoopError ? error : undefined;
  const opinion = number === 2 ? 'second opinion' : `opinion ${number}`;
  return new ReviewLoopError(
    known ?? 'reviewer_threw',
    `${opinion} on '${id}' failed: findings unconfirmed (${messageOf(error)})`,
    { cause: error, retryable: known?.retryable ?? true },
  );
}

const table: OptionTable<VerifiedOptions> = {
  ...{ opinions: whole(1), confirmWith: elsewhere(), agree: oneOf('place', 'criterion') },
};

function checked<Task, Output>(
  reviewer: Reviewer<Task, Output>,
  options: VerifiedOptions,
): Settings {
  if (typeof reviewer?.review !== 'function') throw invalid('reviewer', 'a reviewer', reviewer);
  checkTable('verified', table, options);
  const { opinions = reviewer.tier === 'code' ? 1 : 3, confirmWith, agree } = options;
  const others = confirmWith === undefined ? [] : [confirmWith].flat();
  for (const other of others) checkProvider(other);
  if (others.length > 0 && reviewer.asks === undefined)
    throw invalid(
      'confirmWith',
      `left out: ${reviewer.id} cannot ask another model`,
      others.map(({ id }) => id).join(', '),
    );
  return { opinions, others, byCriterion: agree === 'criterion' };
}

interface Shown {
  readonly task: unknown;
  readonly output: unknown;
}

/**
 * Searches the file that the gap names, or all of the output if it has no such file. A quote of the
 * task is not evidence. Undefined if the gap has no quote.
 */
export function isQuoted(
  { evidence, location, affectedArtifact }: Gap,
  { task, output }: Shown,
): boolean | undefined {
  if (evidence === undefined || evidence.trim() === '') return undefined;
  const file = location?.file ?? affectedArtifact;
  const named = file === undefined ? undefined : artifactNamed(file, output);
  const texts = named === undefined ? textsIn(output, taskText(task ?? '').trim()) : [named];
  return texts.some((text) => placeOfQuote(evidence, text) !== undefined);
}

function artifactNamed(file: string, output: unknown): string | undefined {
  return artifactsOf(output).find(({ path }) => path === file)?.content;
}

/**
 * Returns every text of a value, and its JSON, without the task's text: judges see no more than
 * that.
 */
function textsIn(value: unknown, task: string): string[] {
  if (typeof value === 'string') return [value];
  const texts: string[] = [];
  const shown = JSON.stringify(
    value,
    (name, member: unknown) => {
      if (name === 'task' && member === task) return undefined;
      if (typeof member === 'string') texts.push(member);
      return member;
    },
    2,
  );
  return [...texts, shown ?? ''];
}
