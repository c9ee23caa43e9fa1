import {
  checkTable,
  elsewhere,
  invalid,
  type OptionTable,
  oneOf,
  required,
  withDefaults,
} from '../../core/options.js';
import { plural } from '../../core/plural.js';
import { figureText } from '../../core/score-text.js';
import { type Clock, systemClock } from '../../ports/clock.js';
import {
  type ApprovalLabel,
  checkedLabels,
  checkOpenShare,
  countOf,
  firstCount,
  labelsDigest,
} from './approval-label.js';
import {
  type Arrangement,
  arrangementDigest,
  type Certificate,
  checkedArrangement,
} from './certificate.js';
import {
  type CertifyMethod,
  isHopeless,
  type LabelCount,
  labelsNeeded,
  shows,
  upperBoundOf,
} from './certified-test.js';

export interface CertifyOptions {
  /** Labels of a random sample of approvals, the oldest first. */
  readonly labels: readonly ApprovalLabel[];
  /** What approved them: an arrangement, or its digest. */
  readonly arrangement: Arrangement | string;
  /** The greatest share of wrong approvals; above 0, below 1. @default 0.1 */
  readonly alpha?: number | undefined;
  /** The greatest probability of a false certificate; above 0, below 1. @default 0.1 */
  readonly delta?: number | undefined;
  /**
   * `fixed` tests one sample, whose size was fixed before. `sequential` tests after every label, so
   * that labels may be added until it certifies. It needs more of them.
   *
   * @default 'fixed'
   */
  readonly method?: CertifyMethod | undefined;
  /** Source of time. @default systemClock */
  readonly clock?: Clock | undefined;
}

export interface NotCertified extends LabelCount {
  readonly certified: false;
  readonly method: CertifyMethod;
  /** The upper bound of the share of wrong approvals, at confidence 1 - delta. */
  readonly upperBound: number;
  /**
   * How many labels in all could decide it, if the share of wrong ones stays as seen. Undefined if
   * no number up to a million could.
   */
  readonly labelsNeeded: number | undefined;
  /** Whether the labels show that more than `alpha` of the approvals are wrong. */
  readonly hopeless: boolean;
  /** Why, and what to do, for people. */
  readonly reason: string;
}

/** What {@link certify} returns. */
export type Certification =
  | { readonly certified: true; readonly certificate: Certificate }
  | NotCertified;

/**
 * Tests whether at most `alpha` of what an arrangement approves is wrong, by an exact one-sided
 * test (Clopper-Pearson). It certifies a worse arrangement with a probability of at most `delta`.
 * The test holds for further tasks like the labelled ones, and for nothing else.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const result = certify({ labels, arrangement, alpha: 0.1 });
 * if (!result.certified) console.log(result.reason);
 * ```
 */
export function certify(options: CertifyOptions): Certification {
  checkTable('certify', table, options);
  const { method, alpha, delta, clock } = withDefaults(options, defaults);
  const arrangement = boundTo(options.arrangement);
  const labels = checkedLabels(options.labels, arrangement.digest);
  const isShown = (at: { n: number; k: number }) => shows(method, { ...at, alpha, delta });
  const all = countOf(labels);
  const deciding = method === 'fixed' ? all : (firstCount(labels, isShown) ?? all);
  const count = { ...deciding, alpha, delta };
  const upperBound = upperBoundOf(method, count);
  if (!shows(method, count)) return refusal(method, count, upperBound);
  return {
    certified: true,
    certificate: {
      schema: 1,
      at: new Date(clock.now()).toISOString(),
      method,
      ...count,
      upperBound,
      arrangement,
      labels: labelsDigest(labels.slice(0, count.n)),
    },
  };
}

function refusal(method: CertifyMethod, count: LabelCount, upperBound: number): NotCertified {
  const needed = labelsNeeded(method, count);
  const hopeless = isHopeless(method, count);
  const reason = [
    `${count.k} of ${plural(count.n, 'approval')} ${count.k === 1 ? 'is' : 'are'} wrong`,
    `at confidence ${figureText(1 - count.delta)} up to ${figureText(upperBound, count.alpha)} may be, above alpha ${count.alpha}`,
    whatNext(method, { count, needed, hopeless }),
  ].join('; ');
  return {
    certified: false,
    method,
    ...count,
    upperBound,
    labelsNeeded: needed,
    hopeless,
    reason,
  };
}

function whatNext(
  method: CertifyMethod,
  {
    count: { n, k, alpha },
    needed,
    hopeless,
  }: { count: LabelCount; needed: number | undefined; hopeless: boolean },
): string {
  if (hopeless) return 'no number of labels can certify it: change the arrangement';
  if (k / n >= alpha) return 'no number of labels could certify it at this rate';
  if (needed === undefined) return 'more than a million labels would be needed at this rate';
  return method === 'sequential'
    ? `about ${needed - n} more could certify it at this rate`
    : `a new sample of about ${needed} labels could certify it at this rate; only the sequential method may add labels to these`;
}

const table: OptionTable<CertifyOptions> = {
  ...{ labels: required(elsewhere()), arrangement: required(elsewhere()), clock: elsewhere() },
  ...{ alpha: checkOpenShare, delta: checkOpenShare, method: oneOf('fixed', 'sequential') },
};

const defaults = { alpha: 0.1, delta: 0.1, method: 'fixed', clock: systemClock } as const;

function boundTo(given: Arrangement | string): Certificate['arrangement'] {
  if (typeof given !== 'string') {
    const arrangement = checkedArrangement('arrangement', given);
    return { digest: arrangementDigest(arrangement), of: arrangement };
  }
  if (!/^[0-9a-f]{64}$/.test(given))
    throw invalid('arrangement', 'an arrangement or the 64 digits of its digest', given);
  return { digest: given };
}
