import { ReviewLoopError } from '../core/errors.js';
import { systemRandom } from '../ports/random.js';
import { askRole, type RoleReview } from './ask-role.js';
import {
  buildReviewPrompt,
  type ReviewPromptConfig,
  type ReviewPromptContext,
} from './build-review-prompt.js';
import {
  type CodeReviewConfig,
  type CodeReviewContext,
  checkReviewConfig,
  promptConfigOf,
} from './code-review-config.js';
import type { ReviewIssue } from './review-answer.js';
import type { ReviewRole } from './review-templates.js';
import { aggregateVerdicts, type ReviewedVerdict, type ReviewVerdict } from './review-verdict.js';
import type { ReviewTask } from './task.js';

/** A review of code, whole. */
export interface CodeReview {
  readonly verdict: ReviewedVerdict;
  /** Why it is no pass, in one line. */
  readonly error: string | undefined;
  /** What the reviewers wrote. */
  readonly output: string;
  readonly reason: string;
  /** `null` where a reviewer named none in a form that can be read. */
  readonly issues: readonly ReviewIssue[] | null;
  readonly roles: readonly RoleReview[];
  /** Whether asking again may help, where nobody reviewed. */
  readonly retryable: boolean;
}

const mostOfRole = 2000;

/**
 * Reviews the change of a task: by one reviewer, or by one for each role side by side. Only a verdict that was read is a verdict: a
 * timeout, an empty answer and one without a verdict are `not_run`, a failed call and contradicting verdicts are `error`.
 *
 * @throws ReviewLoopError `invalid_options`, `provider_missing`, `task_invalid`, `cancelled`
 * @example
 * ```ts
 * const { verdict, issues } = await reviewCode(task, { provider, roles: ['quality', 'testing'] }, { change, testOutput });
 * ```
 */
export async function reviewCode(
  task: ReviewTask,
  config: CodeReviewConfig,
  context: CodeReviewContext = {},
): Promise<CodeReview> {
  checkReviewConfig(config);
  const { provider } = config;
  if (provider === undefined)
    throw new ReviewLoopError('provider_missing', 'nobody is there to review the code');
  const { nonce = systemRandom.nonce() } = context;
  const prompts = promptsOf(task, config, { ...context, nonce });
  const roles = await Promise.all(
    prompts.map(({ role, prompt }) => askRole({ role, prompt, provider, context }, config)),
  );
  return together(roles);
}

/**
 * Seed 002's form of {@link reviewCode}: the verdict, why it is no pass, and what the reviewers wrote.
 *
 * @throws ReviewLoopError `invalid_options`, `provider_missing`, `task_invalid`, `cancelled`
 * @example
 * ```ts
 * const [verdict, error, output] = await runCodeReview(task, { provider }, { change, testOutput, lintOutput: 'clean' });
 * ```
 */
export async function runCodeReview(
  task: ReviewTask,
  config: CodeReviewConfig,
  context: CodeReviewContext = {},
): Promise<[verdict: ReviewVerdict, error: string | null, output: string | null]> {
  const { verdict, error, output } = await reviewCode(task, config, context);
  return [verdict, error ?? null, output === '' ? null : output];
}

function promptsOf(
  task: ReviewTask,
  config: CodeReviewConfig,
  context: ReviewPromptContext,
): { readonly role: ReviewRole | 'review'; readonly prompt: string }[] {
  const { roles } = config;
  const base: ReviewPromptConfig = {
    ...promptConfigOf(config),
    verdicts: config.verdicts ?? 'structured',
  };
  if (roles === undefined)
    return [{ role: 'review', prompt: buildReviewPrompt(task, base, context) }];
  return roles.map((role) => ({
    role,
    prompt: buildReviewPrompt(task, { ...base, roles: [role] }, context),
  }));
}

/** The review that single ones make. Every role that gave no verdict is named. */
function together(roles: readonly RoleReview[]): CodeReview {
  const verdict = aggregateVerdicts(roles.map((role) => role.verdict));
  const silent = roles.filter((role) => role.verdict === 'not_run' || role.verdict === 'error');
  const speaking = roles.filter((role) => role.verdict === verdict && !silent.includes(role));
  const reasons = [...speaking, ...silent].map(({ role, verdict: own, reason }) =>
    roles.length === 1 ? reason : `${role} ${own}: ${reason}`,
  );
  const known = roles.flatMap(({ issues }) => issues ?? []);
  return {
    verdict,
    error:
      verdict === 'passed' || verdict === 'fixed'
        ? undefined
        : verdict === 'failed'
          ? 'Review found issues'
          : reasons.join('; '),
    output:
      roles.length === 1
        ? (roles[0]?.text ?? '')
        : roles
            .map(
              ({ role, text, reason }) =>
                `=== ${role.toUpperCase()} REVIEW ===\n${(text || reason).slice(0, mostOfRole)}`,
            )
            .join('\n\n'),
    reason: reasons.filter((reason) => reason !== '').join('; ') || verdict,
    issues:
      roles.some(({ issues, verdict: own }) => issues === null && own !== 'passed') &&
      known.length === 0
        ? null
        : known,
    roles,
    retryable: silent.some(({ retryable }) => retryable),
  };
}
