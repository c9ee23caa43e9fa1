import {
  call,
  checkTable,
  elsewhere,
  filled,
  invalid,
  list,
  type OptionTable,
  oneOf,
  required,
} from '../../core/options.js';
import type { Policy } from '../../core/policy.js';
import { refuseApproval } from '../../engine/policies/guards.js';
import { noProgress } from '../../engine/policies/no-progress.js';
import { checkOpenShare } from './approval-label.js';
import {
  arrangementDigest,
  type Certificate,
  certificateProblem,
  checkedCertificate,
  checkedRules,
  type PolicyRules,
} from './certificate.js';

export interface RequireCertificateOptions {
  /** Certificates of any arrangements. */
  readonly certificates: readonly Certificate[];
  /** The policy whose approvals are checked. It needs `rules`. @default noProgress() */
  readonly policy?: Policy | undefined;
  /**
   * The name of `policy` with its options. A function has no digest, so you state what it is.
   *
   * @default { name: 'noProgress' } without a `policy`
   */
  readonly rules?: PolicyRules | undefined;
  /**
   * What the tasks are about, and who makes the outputs. Another text is another arrangement.
   *
   * @default undefined
   */
  readonly tasks?: string | undefined;
  /** The greatest share of wrong approvals; above 0, below 1. @default 0.1 */
  readonly alpha?: number | undefined;
  /** The greatest probability of a false certificate; above 0, below 1. @default 0.1 */
  readonly delta?: number | undefined;
  /**
   * Whether an approval without a certificate becomes a question (`ask`) or ends the run as
   * escalated.
   *
   * @default 'ask'
   */
  readonly otherwise?: 'ask' | 'escalate' | undefined;
}

/**
 * Creates a policy that approves only under a certificate of this very arrangement: the same
 * reviewers with the same versions, the same policy, the same kind of tasks. Any other approval
 * becomes a question to a person, whose reason says what is missing. Other decisions pass through.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = requireCertificate({ certificates, alpha: 0.1, tasks: 'release notes' });
 * const pipeline = definePipeline({ produce, reviewers: [judge], policy });
 * ```
 */
export function requireCertificate(options: RequireCertificateOptions): Policy {
  const { certificates, policy, rules, tasks, otherwise, ...bars } = checkedOptions(options);
  return (evidence) => {
    const decision = policy(evidence);
    if (decision?.kind !== 'approve') return decision;
    const { judges = [] } = evidence;
    const arrangement = { judges, rules, ...(tasks !== undefined && { tasks }) };
    const problem =
      judges.length === 0
        ? 'the judges are unknown'
        : certificateProblem(
            certificates,
            { arrangement, digest: arrangementDigest(arrangement) },
            bars,
          );
    return problem === undefined
      ? decision
      : refuseApproval(decision, { why: problem, code: 'not_certified', otherwise });
  };
}

const table: OptionTable<RequireCertificateOptions> = {
  ...{ certificates: required(list), policy: call, rules: elsewhere(), tasks: filled('a text') },
  ...{ alpha: checkOpenShare, delta: checkOpenShare, otherwise: oneOf('ask', 'escalate') },
};

function checkedOptions(options: RequireCertificateOptions) {
  checkTable('requireCertificate', table, options);
  const { alpha = 0.1, delta = 0.1, tasks, otherwise = 'ask' } = options;
  const certificates = options.certificates.map((certificate, index) =>
    checkedCertificate(`certificates[${index}]`, certificate),
  );
  return { certificates, ...identified(options), tasks, alpha, delta, otherwise };
}

/** A given policy needs a name: otherwise a certificate would hold for any policy. */
function identified({ policy, rules }: RequireCertificateOptions) {
  if (policy === undefined) {
    if (rules !== undefined) throw invalid('rules', 'absent without a `policy`', rules.name);
    return { policy: noProgress(), rules: { name: 'noProgress' } };
  }
  return { policy, rules: checkedRules(rules) };
}
