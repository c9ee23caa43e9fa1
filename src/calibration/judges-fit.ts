import type { Passes } from '../reviewers/in-turn-options.js';
import type { RiskModel } from './risk-model.js';
import { riskReader } from './risk-of.js';
import { type FailedTogether, voteCorrelation } from './vote-correlation.js';
import type { JudgeVote } from './voted-texts.js';

/** A labelled text with the verdicts of each judge: `true` for a pass. */
export interface JudgedText {
  readonly good: boolean;
  readonly passes: readonly (readonly boolean[])[];
}

/** What a fit does not learn from the verdicts. */
export interface Assumed {
  /** The names of the judges. */
  readonly judges: readonly string[];
  /** The share of wrong first texts; undefined for the share of the texts. */
  readonly prior: number | undefined;
  readonly fix: number;
  readonly damage: number;
  readonly passes: Required<{ readonly [Name in keyof Passes]: number }>;
}

/** The figures of one fit. */
export interface JudgesFit {
  readonly betweenJudges: number | undefined;
  readonly withinJudge: number | undefined;
  readonly prior: number;
  readonly model: RiskModel | undefined;
  /** The risk of a text that passed at once, and of one that failed, was edited, and passed. */
  readonly first: number | undefined;
  readonly edited: number | undefined;
}

/** Fits a model of risk to labelled texts, and predicts the risk of what passes. */
export function fitJudges(texts: readonly JudgedText[], assumed: Assumed): JudgesFit {
  const { judges, passes } = assumed;
  const counts = judges.map((_, judge) => countsOf(texts, judge));
  const withinJudge = voteCorrelation(judges.flatMap((_, judge) => ownPairs(texts, judge)));
  const betweenJudges = voteCorrelation(
    judges.flatMap((_, one) =>
      judges.slice(one + 1).flatMap((__, offset) => pairsOf(texts, one, one + 1 + offset)),
    ),
  );
  const prior = assumed.prior ?? smooth(texts.filter(({ good }) => !good).length, texts.length);
  const isWhole = counts.every(({ good, bad }) => good.all > 0 && bad.all > 0);
  const between = judges.length === 1 ? withinJudge : betweenJudges;
  const figures = { betweenJudges, withinJudge, prior };
  if (!isWhole || between === undefined || withinJudge === undefined)
    return { ...figures, model: undefined, first: undefined, edited: undefined };
  const model: RiskModel = {
    rates: Object.fromEntries(
      judges.map((name, judge) => [
        name,
        {
          tpr: 1 - rateOf(counts[judge]?.good),
          tnr: rateOf(counts[judge]?.bad),
        },
      ]),
    ),
    betweenJudges: between,
    withinJudge: Math.max(between, withinJudge),
    prior,
    fix: assumed.fix,
    damage: assumed.damage,
  };
  return { ...figures, model, ...predicted(model, judges, passes) };
}

function predicted(
  model: RiskModel,
  judges: readonly string[],
  { first, edited }: Assumed['passes'],
): Pick<JudgesFit, 'first' | 'edited'> {
  const read = riskReader(model);
  const inTurn = (count: number): JudgeVote[] =>
    Array.from({ length: count }, (_, turn) => ({
      judge: judges[turn % judges.length] ?? '',
      passed: true,
    }));
  const failed = { votes: [{ judge: judges[0] ?? '', passed: false }] };
  return {
    first: read([{ id: '', versions: [{ votes: inTurn(first) }] }]).risk,
    edited: read([{ id: '', versions: [failed, { votes: inTurn(edited), told: true }] }]).risk,
  };
}

interface FailCount {
  readonly fails: number;
  readonly all: number;
}

function countsOf(
  texts: readonly JudgedText[],
  judge: number,
): { readonly good: FailCount; readonly bad: FailCount } {
  return {
    good: failsOf(ofLabel(texts, true), judge),
    bad: failsOf(ofLabel(texts, false), judge),
  };
}

function ofLabel(texts: readonly JudgedText[], label: boolean): JudgedText[] {
  return texts.filter(({ good }) => good === label);
}

function failsOf(texts: readonly JudgedText[], judge: number): FailCount {
  const calls = texts.flatMap(({ passes }) => passes[judge] ?? []);
  return { fails: calls.filter((passed) => !passed).length, all: calls.length };
}

/** A measured rate of 0 or 1 would make a single vote a proof. */
function smooth(count: number, all: number): number {
  return (count + 0.5) / (all + 1);
}

function rateOf(count: FailCount | undefined): number {
  return count === undefined ? 0.5 : smooth(count.fails, count.all);
}

/** Returns how often two judges fail the same texts, for good and for bad ones. */
function pairsOf(texts: readonly JudgedText[], one: number, other: number): FailedTogether[] {
  return [true, false].map((label) => {
    const same = ofLabel(texts, label);
    const together = same.map(({ passes }) => {
      const [a, b] = [passes[one] ?? [], passes[other] ?? []];
      return { all: a.length * b.length, both: failsIn(a) * failsIn(b) };
    });
    return { rates: [shareOf(same, one), shareOf(same, other)], ...sumOf(together) };
  });
}

/** Returns how often two calls of a judge fail the same texts. */
function ownPairs(texts: readonly JudgedText[], judge: number): FailedTogether[] {
  return [true, false].map((label) => {
    const same = ofLabel(texts, label);
    const together = same.map(({ passes }) => {
      const calls = passes[judge] ?? [];
      return { all: pairCount(calls.length), both: pairCount(failsIn(calls)) };
    });
    const rate = shareOf(same, judge);
    return { rates: [rate, rate], ...sumOf(together) };
  });
}

function failsIn(calls: readonly boolean[]): number {
  return calls.filter((passed) => !passed).length;
}

function pairCount(count: number): number {
  return (count * (count - 1)) / 2;
}

function shareOf(texts: readonly JudgedText[], judge: number): number {
  const { fails, all } = failsOf(texts, judge);
  return all === 0 ? 0 : fails / all;
}

function sumOf(
  counts: readonly { readonly all: number; readonly both: number }[],
): Pick<FailedTogether, 'all' | 'both'> {
  return {
    all: counts.reduce((sum, { all }) => sum + all, 0),
    both: counts.reduce((sum, { both }) => sum + both, 0),
  };
}
