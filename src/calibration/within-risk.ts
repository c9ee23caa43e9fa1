import { checkChoice, checkKeys, invalid } from '../core/options.js';
import type { Evidence, Policy } from '../core/policy.js';
import { checkOpenShare } from './approval-label.js';
import { figureText } from './figure-text.js';
import { type Otherwise, refuseApproval } from './refuse-approval.js';
import type { RiskModel } from './risk-model.js';
import { type ApprovalRisk, checkedCounts, type RiskOptions, riskReader } from './risk-of.js';
import { votedTexts } from './voted-texts.js';

/** Options of {@link withinRisk}. */
export interface WithinRiskOptions extends RiskOptions {
  /** What is assumed about judges, texts and edits. */
  readonly model: RiskModel;
  /** The greatest risk of an approval; above 0, below 1. */
  readonly budget: number;
  /**
   * Whether an approval above the budget becomes a question (`ask`) or ends the run as escalated.
   *
   * @default 'ask'
   */
  readonly otherwise?: Otherwise | undefined;
}

/** How many texts a reason names. */
const named = 3;

/**
 * Creates a policy that approves only within a budget of risk. Above it, a person is asked; the
 * reason names the riskiest texts first. The risk is unknown, and a person is asked, if a model
 * judges but none of its verdicts counts. Other decisions of the inner policy pass through.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const policy = withinRisk(thresholds(), { model, budget: 0.05 });
 * ```
 */
export function withinRisk(policy: Policy, options: WithinRiskOptions): Policy {
  if (typeof policy !== 'function') throw invalid('policy', 'a policy', policy);
  checkKeys('withinRisk', options, ['model', 'budget', 'otherwise', 'counts']);
  const { budget, otherwise = 'ask', counts } = options;
  checkOpenShare('budget', budget);
  checkChoice('otherwise', otherwise, ['ask', 'escalate']);
  const isCounted = checkedCounts('withinRisk', counts === undefined ? {} : { counts });
  const read = riskReader(options.model);
  return (evidence) => {
    const decision = policy(evidence);
    if (decision?.kind !== 'approve') return decision;
    const found = read(votedTexts(evidence, isCounted));
    const isUnknown = found.texts.length === 0 && hasModel(evidence);
    if (!isUnknown && found.risk <= budget) return decision;
    const why = isUnknown
      ? 'no verdict of a model counts, so the risk is unknown'
      : reasonOf(found, budget);
    return refuseApproval(decision, { why, code: 'risk_over_budget', otherwise });
  };
}

/** Returns whether a model judges, or the judges are unknown. */
function hasModel({ judges }: Pick<Evidence, 'judges'>): boolean {
  return judges === undefined || judges.some(({ tier }) => tier !== 'code');
}

function reasonOf({ risk, texts }: ApprovalRisk, budget: number): string {
  const riskiest = texts
    .slice(0, named)
    .map(({ id, risk: own, unknown }) =>
      unknown.length === 0
        ? `${id} ${figureText(own)}`
        : `${id} 1 (the model does not know ${unknown.join(', ')})`,
    );
  const more = texts.length > named ? ` and ${texts.length - named} more` : '';
  return `the risk ${figureText(risk, budget)} is above the budget ${budget}; riskiest: ${riskiest.join(', ')}${more}`;
}
