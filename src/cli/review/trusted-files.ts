import type { FileReviewer } from '../../cli-kit/inputs/file-reviewer.js';
import { ReviewLoopError } from '../../core/errors.js';
import type { LLMProvider } from '../../core/llm-provider.js';
import { nodeErrors } from '../../node/errors.js';
import type { TrustName } from '../../pipeline/trust-names.js';
import { confirm } from '../../reviewers/confirm.js';
import type { AgentOutput, AgentRequest } from '../../self-review/agent.js';
import type { TrustChoice } from './choose-trust.js';

/** The number of confirming judges if no check asks a model. */
const confirmers: Readonly<Record<TrustName, number>> = { fast: 1, guarded: 1, autonomous: 2 };

/**
 * Returns a warning if a model confirms its own verdicts, or if all confirming judges are the same
 * model.
 */
export function twinWarning(
  reviewers: readonly FileReviewer[],
  { trust, confirmWith }: TrustChoice,
  provider: LLMProvider | undefined,
): string | undefined {
  const alone =
    confirmWith.length > 0 ? (confirmWith.length === 1 ? confirmWith[0] : undefined) : provider;
  if (trust === undefined || alone === undefined) return undefined;
  const more = 'it repeats its own mistakes; pass a model of another family with --confirm-with';
  if (confirmWith.length === 0 && reviewers.some(({ tier }) => tier !== 'code'))
    return `--trust ${trust}: ${alone.id} confirms what it judges itself: ${more}`;
  return confirmers[trust] > 1
    ? `--trust ${trust}: ${alone.id} is each of the ${confirmers[trust]} confirming judges: ${more}`
    : undefined;
}

/**
 * Returns the judges of files under a preset. If none of them asks a model, the confirming judges
 * decide whether the files do what the task asks for.
 *
 * @throws ReviewLoopError `usage` if no model is configured
 */
export function trustedFiles(
  reviewers: readonly FileReviewer[],
  { trust, confirmWith }: TrustChoice,
  provider: LLMProvider | undefined,
): readonly FileReviewer[] {
  if (trust === undefined || reviewers.some(({ tier }) => tier !== 'code')) return reviewers;
  const known = confirmWith.length > 0 || provider === undefined ? confirmWith : [provider];
  if (known.length === 0)
    throw new ReviewLoopError(
      nodeErrors.usage,
      `--trust ${trust} confirms approvals with a model: pass --provider or --confirm-with`,
    );
  const providers = Array.from(
    { length: confirmers[trust] },
    (_, index) => known[index % known.length],
  ).filter((judge) => judge !== undefined);
  return [...reviewers, ...confirm<AgentRequest, AgentOutput>({ providers })];
}
