import { digestOf } from '../core/json.js';
import {
  checkChoice,
  checkKeys,
  checkList,
  checkRange,
  checkWhole,
  invalid,
} from '../core/options.js';
import type { AskRule } from './ask-rule.js';
import { enoughExamples } from './calibration.js';
import { wilsonInterval } from './interval.js';
import type { ReadLabel } from './labels.js';
import { agreementOf, trustedBound } from './trusted-bound.js';

/** Options of {@link learnFromDecisions}. */
export interface LearnOptions {
  /** Least share of verdicts that people agree with, from 0 to 1. @default 0.7 */
  readonly minAgreement?: number | undefined;
  /** Least number of decisions about passes, or about fails, that make a rule; from 1. @default 20 */
  readonly minDecisions?: number | undefined;
  /** Compares the low end of the interval, or the share itself. @default 'interval' */
  readonly compare?: 'interval' | 'estimate' | undefined;
}

/** How often people agreed with a verdict. */
export interface Agreement {
  readonly agreed: number;
  readonly of: number;
  /** The interval of the share, at 95 %; null without decisions. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** What people taught about the judge of one criterion. */
export interface JudgeLesson {
  readonly criterion: string;
  readonly passes: Agreement;
  readonly fails: Agreement;
  /** How often people accepted what it failed. It shows disagreement, but no good work. */
  readonly overridden: number;
  /** The verdicts that a person should be asked about. @default undefined no rule is needed or known */
  readonly rule?: AskRule | undefined;
}

/** The labels that teach nothing, by reason. */
export interface UnusedLabels {
  /** A person accepted the work for other reasons than its quality. */
  readonly overridden: number;
  /** The same work with the same criterion has both labels. */
  readonly contradictory: number;
  /** The same work with the same criterion and label once more. */
  readonly repeated: number;
  /** Several judges said something, or none: it is unknown who is meant. */
  readonly unattributed: number;
}

/** What {@link learnFromDecisions} returns. */
export interface Learned {
  /** The judges, most decisions first. */
  readonly judges: readonly JudgeLesson[];
  readonly unused: UnusedLabels;
}

/** A decision of a person about one verdict of one judge. */
export interface DecidedVerdict {
  readonly criterion: string;
  readonly verdict: 'pass' | 'fail';
  readonly score?: number | undefined;
  readonly version?: string | undefined;
  readonly label: 'pass' | 'fail';
  readonly id: string;
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
  const criteria = new Set([...decided.map(({ criterion }) => criterion), ...overridden.keys()]);
  const judges = [...criteria].map((criterion): JudgeLesson => {
    const own = decided.filter((one) => one.criterion === criterion);
    const bars = { minAgreement, minDecisions, compare };
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

/** Returns the verdicts that people decided about, each once, and what is not used. */
export function decidedVerdicts(labels: readonly ReadLabel[]): {
  readonly decided: readonly DecidedVerdict[];
  /** Overrides of failed criteria. */
  readonly overridden: ReadonlyMap<string, number>;
  readonly unused: UnusedLabels;
} {
  const overridden = new Map<string, number>();
  const found = new Map<string, DecidedVerdict | 'contradictory'>();
  const unused = { overridden: 0, contradictory: 0, repeated: 0, unattributed: 0 };
  for (const [index, label] of labels.entries()) {
    checkLabel(label, index);
    const meant = meantBy(label);
    if (label.overridden === true) {
      unused.overridden += 1;
      if (meant?.verdict === 'fail')
        overridden.set(meant.criterion, (overridden.get(meant.criterion) ?? 0) + 1);
      continue;
    }
    if (meant === undefined) {
      unused.unattributed += 1;
      continue;
    }
    const key = digestOf([meant.criterion, meant.version ?? null, label.task, label.output]);
    const before = found.get(key);
    if (before === undefined) found.set(key, meant);
    else if (before === 'contradictory') unused.contradictory += 1;
    else if (before.label === meant.label) unused.repeated += 1;
    else {
      found.set(key, 'contradictory');
      unused.contradictory += 2;
    }
  }
  const decided = [...found.values()].filter((one) => one !== 'contradictory');
  return { decided, overridden, unused };
}

function checkLabel(label: unknown, index: number): void {
  const isLabel =
    typeof label === 'object' &&
    label !== null &&
    'label' in label &&
    (label.label === 'pass' || label.label === 'fail');
  if (!isLabel) throw invalid(`labels[${index}]`, "{ task, output, label: 'pass' | 'fail' }", label);
}

/** Returns the verdict that a label is about; undefined if it is unknown which judge is meant. */
function meantBy({ id, label, criterion, verdicts = {} }: ReadLabel): DecidedVerdict | undefined {
  const said = Object.entries(verdicts);
  const meant =
    criterion === undefined
      ? said.length === 1
        ? said[0]
        : undefined
      : said.find(([name]) => name === criterion);
  return meant && { criterion: meant[0], ...meant[1], label, id };
}
