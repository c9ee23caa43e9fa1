import { promptNonce } from '../../blocks/models/prompt/fence.js';
import { ReviewLoopError } from '../../core/errors.js';
import { systemRandom } from '../../ports/random.js';
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
import {
  aggregateVerdicts,
  type ReviewedVerdict,
  type ReviewIssue,
  type ReviewVerdict,
} from './review-answer.js';
import type { ReviewTask } from './task.js';
import { changeOf, diffsOf, partOf, type TaskChange } from './task-change.js';

/** The review of a change by one or more roles. */
export interface CodeReview {
  readonly verdict: ReviewedVerdict;
  /** The reason why the review did not pass, in one line; `undefined` for `passed` and `fixed`. */
  readonly error: string | undefined;
  /** The reviewers' texts. */
  readonly output: string;
  readonly reason: string;
  /** The issues; `null` if their number is unknown. */
  readonly issues: readonly ReviewIssue[] | null;
  /** The review of each role. */
  readonly roles: readonly RoleReview[];
  /** Whether a retry may help, if nobody reviewed. */
  readonly retryable: boolean;
}

/** For each role's text in the output. */
const maxRoleCharacters = 2000;

/**
 * Reviews the change of a task with one call, or with one concurrent call for each role. A diff that
 * exceeds `diffBytes` is reviewed in parts, one call for each. A timeout and an answer without a
 * verdict are `not_run`. A failed call and contradicting verdicts are `error`. A pass is `not_run`,
 * too, if the diff of one file exceeds `diffBytes`.
 *
 * @throws ReviewLoopError `invalid_options`, `provider_missing`, `task_invalid`, `cancelled`
 * @example
 * ```ts
 * const config = { provider, roles: ['quality', 'testing'] } as const;
 * const { verdict, issues } = await reviewCode(task, config, { change, testOutput });
 * ```
 */
export async function reviewCode(
  task: ReviewTask,
  config: CodeReviewConfig,
  context: CodeReviewContext = {},
): Promise<CodeReview> {
  const { part, ...review } = await reviewShown(task, config, context);
  const { verdict } = review;
  if (part === undefined || (verdict !== 'passed' && verdict !== 'fixed')) return review;
  return { ...review, verdict: 'not_run', error: part, reason: part };
}

/** A review, and why its pass does not count if reviewers saw only a part of the change. */
export interface ShownReview extends CodeReview {
  readonly part: string | undefined;
}

export async function reviewShown(
  task: ReviewTask,
  config: CodeReviewConfig,
  context: CodeReviewContext = {},
): Promise<ShownReview> {
  checkReviewConfig(config);
  const { provider } = config;
  if (provider === undefined)
    throw new ReviewLoopError('provider_missing', 'the code review has no `provider`');
  const { nonce: secret = systemRandom.nonce(), change, testOutput, lintOutput } = context;
  const material = [task, change ?? null, testOutput, lintOutput, context.previousError];
  const nonce = promptNonce(secret, material);
  const shown = change && shownChange(change, config);
  const part = partOf(shown, config);
  const prompts = promptsOf(task, config, { ...context, nonce, change: shown });
  const roles = await Promise.all(
    prompts.map(async ({ role, parts }) =>
      wholeReview(
        role,
        await Promise.all(
          parts.map((prompt, index) =>
            askRole({ role, part: index + 1, prompt, provider, context }, config),
          ),
        ),
      ),
    ),
  );
  return { ...combinedReview(roles), part };
}

function shownChange(
  change: NonNullable<CodeReviewContext['change']>,
  { diffBytes, redact }: CodeReviewConfig,
): TaskChange {
  return 'digest' in change ? change : changeOf(change, { maxBytes: diffBytes, redact });
}

/**
 * Calls {@link reviewCode} and returns a tuple, as in spec-runner: the verdict, the error and the
 * text of the reviewers.
 *
 * @throws ReviewLoopError `invalid_options`, `provider_missing`, `task_invalid`, `cancelled`
 * @example
 * ```ts
 * const context = { change, testOutput, lintOutput: 'clean' };
 * const [verdict, error, output] = await runCodeReview(task, { provider }, context);
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
  context: ReviewPromptContext & { readonly change: TaskChange | undefined },
): { readonly role: RoleReview['role']; readonly parts: readonly string[] }[] {
  const { roles } = config;
  const base: ReviewPromptConfig = {
    ...promptConfigOf(config),
    verdicts: config.verdicts ?? 'structured',
  };
  const { change } = context;
  const contexts = change
    ? diffsOf(change).map((diff) => ({ ...context, change: { ...change, diff } }))
    : [context];
  const partsOf = (own: ReviewPromptConfig): string[] =>
    contexts.map((part) => buildReviewPrompt(task, own, part));
  return roles === undefined
    ? [{ role: 'review', parts: partsOf(base) }]
    : roles.map((role) => ({ role, parts: partsOf({ ...base, roles: [role] }) }));
}

function wholeReview(role: RoleReview['role'], parts: readonly RoleReview[]): RoleReview {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const verdict = aggregateVerdicts(parts.map((part) => part.verdict));
  const named = parts.map((part, index) => ({ ...part, name: `part ${index + 1}` }));
  const deciding = named.filter((part) => part.verdict !== 'passed' || verdict === 'passed');
  return {
    role,
    verdict,
    reason: deciding.map(({ name, reason }) => `${name}: ${reason}`).join('; '),
    issues: issuesOf(parts),
    text: named.map(({ name, text, reason }) => `${name}:\n${text || reason}`).join('\n\n'),
    retryable: parts.some(({ retryable }) => retryable),
  };
}

/** Its reason names the roles without a verdict. */
function combinedReview(roles: readonly RoleReview[]): CodeReview {
  const verdict = aggregateVerdicts(roles.map((role) => role.verdict));
  const silent = roles.filter((role) => role.verdict === 'not_run' || role.verdict === 'error');
  const speaking = roles.filter((role) => role.verdict === verdict && !silent.includes(role));
  const reasons = [...speaking, ...silent].map(({ role, verdict: own, reason }) =>
    roles.length === 1 ? reason : `${role} ${own}: ${reason}`,
  );
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
                `=== ${role.toUpperCase()} REVIEW ===\n${(text || reason).slice(0, maxRoleCharacters)}`,
            )
            .join('\n\n'),
    reason: reasons.filter((reason) => reason !== '').join('; ') || verdict,
    issues: issuesOf(roles),
    roles,
    retryable: silent.some(({ retryable }) => retryable),
  };
}

/** `null` if their number is unknown. */
function issuesOf(reviews: readonly RoleReview[]): readonly ReviewIssue[] | null {
  const known = reviews.flatMap(({ issues }) => issues ?? []);
  const isUnknown = reviews.some(({ issues, verdict }) => issues === null && verdict !== 'passed');
  return isUnknown && known.length === 0 ? null : known;
}
