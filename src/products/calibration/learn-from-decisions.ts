import type { RejectionReason } from '../../blocks/lessons/draft-criteria.js';
import { digestJson } from '../../core/json.js';
import { checkChoice, checkKeys, checkList, checkRange, checkWhole } from '../../core/options.js';
import { requirementPrefix } from '../../core/scores.js';
import type { AskRule } from './ask-where-unreliable.js';
import { enoughExamples } from './calibration.js';
import { decidedVerdicts, type UnusedLabels } from './decided-verdicts.js';
import { wilsonInterval } from './interval.js';
import type { ReadLabel } from './labels.js';

export interface LearnOptions {
  /** Least share of verdicts that people agree with, from 0 to 1. @default 0.7 */
  readonly minAgreement?: number | undefined;
  /** Least number of decisions about passes, or about fails, that make a rule; from 1. @default 20 */
  readonly minDecisions?: number | undefined;
  /** Compares the low end of the interval, or the share itself. @default 'interval' */
  readonly compare?: 'interval' | 'estimate' | undefined;
}

export interface Agreement {
  readonly agreed: number;
  readonly of: number;
  /** The interval of the share, at 95 %; null without decisions. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

export interface JudgeLesson {
  readonly criterion: string;
  readonly passes: Agreement;
  readonly fails: Agreement;
  /** How often people accepted what it failed. It shows disagreement, but no good work. */
  readonly overridden: number;
  /** The verdicts that a person should be asked about. @default undefined no rule is needed or known */
  readonly rule?: AskRule | undefined;
}

/** What {@link learnFromDecisions} returns. */
export interface Learned {
  /** The judges, most decisions first. */
  readonly judges: readonly JudgeLesson[];
  readonly unused: UnusedLabels;
}

/**
 * Returns how often people agreed with each judge, and drafts of rules: which verdicts a person
 * should be asked about. A rule changes nothing until a person accepts it, see
 * {@link askWhereUnreliable}.
 *
 * @param labels - Labels with `verdicts`, as `reviewloop calibrate --export-labels` writes them.
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const { judges, unused } = learnFromDecisions(readLabels(text, 'labels.jsonl'));
 * ```
 */
export function learnFromDecisions(
  labels: readonly ReadLabel[],
  options: LearnOptions = {},
): Learned {
  checkList('labels', labels);
  checkKeys('learnFromDecisions', options, ['minAgreement', 'minDecisions', 'compare']);
  const { minAgreement = 0.7, minDecisions = enoughExamples, compare = 'interval' } = options;
  checkRange('minAgreement', minAgreement);
  checkWhole('minDecisions', minDecisions, 1);
  checkChoice('compare', compare, ['interval', 'estimate']);
  const { decided, overridden, unused } = decidedVerdicts(labels);
  const bars = { minAgreement, minDecisions, compare };
  const byCriterion = new Map([...overridden.keys()].map((id) => [id, [] as typeof decided]));
  for (const one of decided) {
    const own = byCriterion.get(one.criterion);
    if (own === undefined) byCriterion.set(one.criterion, [one]);
    else own.push(one);
  }
  const judges = [...byCriterion].map(([criterion, own]): JudgeLesson => {
    const passFrom = trustedBound(own, 'pass', bars);
    const failTo = trustedBound(own, 'fail', bars);
    return {
      criterion,
      passes: withInterval(agreementOf(own, 'pass')),
      fails: withInterval(agreementOf(own, 'fail')),
      overridden: overridden.get(criterion) ?? 0,
      ...((passFrom !== undefined || failTo !== undefined) && {
        rule: {
          criterion,
          ...(passFrom !== undefined && { passFrom }),
          ...(failTo !== undefined && { failTo }),
        },
      }),
    };
  });
  const size = ({ passes, fails }: JudgeLesson): number => passes.of + fails.of;
  return { judges: judges.sort((a, b) => size(b) - size(a)), unused };
}

function withInterval({ agreed, of }: { agreed: number; of: number }): Agreement {
  return { agreed, of, interval: wilsonInterval(agreed, of) ?? null };
}

interface Decided {
  readonly verdict: 'pass' | 'fail';
  readonly score?: number | undefined;
  readonly label: 'pass' | 'fail';
}

interface Bars {
  readonly minAgreement: number;
  readonly minDecisions: number;
  readonly compare: 'interval' | 'estimate';
}

function agreementOf(
  decided: readonly Decided[],
  verdict: Decided['verdict'],
): { readonly agreed: number; readonly of: number } {
  const own = decided.filter((one) => one.verdict === verdict);
  return { agreed: own.filter(({ label }) => label === verdict).length, of: own.length };
}

/**
 * Returns the score from which passes, or up to which fails, are trusted: the bound that keeps the
 * most verdicts while people agree with enough of them. Null if no bound does, and undefined if all
 * are trusted or too few were decided.
 */
function trustedBound(
  decided: readonly Decided[],
  verdict: Decided['verdict'],
  { minAgreement, minDecisions, compare }: Bars,
): number | null | undefined {
  const own = decided.filter((one) => one.verdict === verdict);
  const isEnough = (agreed: number, of: number): boolean => {
    if (of < minDecisions) return false;
    const low = compare === 'interval' ? wilsonInterval(agreed, of)?.low : agreed / of;
    return low !== undefined && low >= minAgreement;
  };
  const whole = agreementOf(own, verdict);
  if (whole.of < minDecisions || isEnough(whole.agreed, whole.of)) return undefined;
  // the surest first; the last bound that holds keeps the most
  const sure = own
    .flatMap(({ score, label }) => (score === undefined ? [] : [{ score, label }]))
    .sort((a, b) => (verdict === 'pass' ? b.score - a.score : a.score - b.score));
  let agreed = 0;
  let bound: number | null = null;
  for (const [index, { score, label }] of sure.entries()) {
    if (label === verdict) agreed += 1;
    const isLastOfScore = sure[index + 1]?.score !== score;
    if (isLastOfScore && isEnough(agreed, index + 1)) bound = score;
  }
  return bound;
}

/** It changes nothing until a person accepts it. */
export interface JudgeDraft {
  readonly status: 'draft';
  readonly id: string;
  readonly rule: AskRule;
  readonly basis: Pick<JudgeLesson, 'passes' | 'fails' | 'overridden'>;
}

export function judgeDrafts({ judges }: Learned): JudgeDraft[] {
  return judges.flatMap(({ criterion, rule, ...basis }): JudgeDraft[] => {
    if (rule === undefined || isOfOneTask(criterion)) return [];
    const id = `judge-${criterion}-${digestJson(rule).slice(0, 6)}`;
    return [{ status: 'draft', id, rule, basis }];
  });
}

/** Requirements belong to one task: nothing about them holds for the next one. */
export function isOfOneTask(criterion: string): boolean {
  return criterion.startsWith(requirementPrefix);
}

export function ruleText({ criterion, passFrom, failTo }: AskRule): string {
  const asked = [
    ...(passFrom === undefined ? [] : [whenAsked('pass', passFrom, 'below')]),
    ...(failTo === undefined ? [] : [whenAsked('fail', failTo, 'above')]),
  ];
  return `ask a person when ${criterion} says ${asked.join(', or ')}`;
}

function whenAsked(verdict: string, bound: number | null, side: string): string {
  return bound === null ? verdict : `${verdict} with a score ${side} ${bound}`;
}

export function agreementText({ passes, fails, overridden }: JudgeDraft['basis']): string {
  const of = ({ agreed, of: all }: Agreement, name: string): string =>
    `${agreed} of ${all} ${name}`;
  const accepted = overridden === 0 ? '' : `; ${overridden} fails were overridden`;
  return `people agreed with ${of(passes, 'passes')} and ${of(fails, 'fails')}${accepted}`;
}

/** Only who rejects says what is wrong; who overrides says why that does not matter. */
export function rejectionReasons(labels: readonly ReadLabel[]): RejectionReason[] {
  return labels.flatMap(({ id, label, overridden, reason }) =>
    label === 'pass' || overridden === true || reason === undefined
      ? []
      : [{ run: id.split(':')[0] ?? id, reason }],
  );
}
