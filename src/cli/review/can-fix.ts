import { providerFor } from '../../cli-kit/provider/choose-provider.js';
import { type Gap, isOpen } from '../../core/gap.js';
import { digestOf } from '../../core/json.js';
import { isBuiltIn } from '../../criteria/artifact-criterion.js';
import type { AgentOutput } from '../../self-review/agent.js';
import type { PreparedReview } from './review-settings.js';

export interface Reviewed {
  readonly gaps: readonly Gap[];
  readonly output: AgentOutput | undefined;
}

export function asksModel({ settings, loaded }: PreparedReview): boolean {
  return providerFor(settings, loaded.config) !== undefined;
}

/**
 * Returns whether --fix can change something: a model works on the gaps, or a fixer applies to one.
 * A fixer of the user counts without being called, because it may cost something.
 */
export async function canFix(
  prepared: PreparedReview,
  { gaps, output }: Reviewed,
  signal: AbortSignal,
): Promise<boolean> {
  const open = gaps.filter(isOpen);
  const revises = prepared.loaded.config.address !== undefined || asksModel(prepared);
  if (revises && open.some(({ autoFixable }) => autoFixable)) return true;
  for (const gap of open)
    if (output !== undefined && (await applies(prepared, { gap, output, signal }))) return true;
  return false;
}

async function applies(
  { criteria, task }: PreparedReview,
  {
    gap,
    output,
    signal,
  }: { readonly gap: Gap; readonly output: AgentOutput; readonly signal: AbortSignal },
): Promise<boolean> {
  const owner = criteria.reviewers.find(({ id }) => id === (gap.raisedBy ?? gap.criterionId));
  if (owner?.fix === undefined) return false;
  if (!isBuiltIn(owner)) return true;
  try {
    const fixed = await owner.fix(output, gap, { task: task.request, signal });
    return digestOf(fixed) !== digestOf(output);
  } catch {
    return false;
  }
}
