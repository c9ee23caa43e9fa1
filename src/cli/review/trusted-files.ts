import type { FileReviewer } from '../../cli-kit/inputs/file-reviewer.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { nodeErrors } from '../../node/errors.js';
import { isSameModel, wholeTask } from '../../reviewers/confirm.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import type { TrustChoice } from './choose-trust.js';

/** Returns a warning if there is one model only. */
export function lonelyJudgeWarning(
  { trust, confirmWith }: TrustChoice,
  provider: LLMProvider | undefined,
): string | undefined {
  const judges = provider === undefined ? confirmWith : [provider, ...confirmWith];
  const [one, ...others] = judges;
  if (trust === undefined || one === undefined) return undefined;
  if (others.some((other) => !isSameModel(other, one))) return undefined;
  return `--trust ${trust}: ${one.id} judges alone, so a text needs one pass: pass models of other families with --confirm-with, or set a stricter bar (scale, passFrom)`;
}

/**
 * Returns the judges of files under a preset. If none of them asks a model, models decide whether
 * the files do what the task asks for.
 *
 * @throws ReviewLoopError `usage` if no model is configured
 */
export function trustedFiles(
  reviewers: readonly FileReviewer[],
  { trust, confirmWith }: TrustChoice,
  provider: LLMProvider | undefined,
): readonly FileReviewer[] {
  if (trust === undefined || reviewers.some(({ tier }) => tier !== 'code')) return reviewers;
  const first = provider ?? confirmWith[0];
  if (first === undefined)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `--trust ${trust} asks a model: pass --provider or --confirm-with`,
    );
  return [...reviewers, wholeTask<AgentRequest, AgentOutput>(first)];
}
