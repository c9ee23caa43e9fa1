import type { Gap } from '../../core/gap.js';
import { hashText } from '../../core/hash.js';
import { requirementPrefix } from '../../core/scores.js';
import { plainLine } from './plain-text.js';

const longestRule = 200;

export function ruleOf({ criterionId, raisedBy }: Gap): string {
  return ruleOfCriterion(criterionId ?? raisedBy ?? '');
}

/** Returns the id of the rule of a criterion. All requirements of tasks share one rule. */
export function ruleOfCriterion(criterion: string): string {
  if (criterion.startsWith(requirementPrefix)) return 'requirement';
  const name = plainLine(criterion);
  if (name === '') return 'review';
  return name.length <= longestRule
    ? name
    : `${plainLine(name.slice(0, longestRule))}-${hashText(name).slice(0, 8)}`;
}
