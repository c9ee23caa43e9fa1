import { ReviewLoopError } from '../../core/errors.js';
import { checkKeys, checkPositive } from '../../core/options.js';
import { withTempFiles } from '../temp-folder.js';
import { gitErrors } from './errors.js';
import { type GitPlace, gitError, runGit } from './git-command.js';

export interface ApplyCheckOptions {
  /** The timeout of each git command, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
}

/** Diffs, and the files to apply them to. */
export interface DiffsToApply {
  /** Files by path, before the diffs. */
  readonly files: Readonly<Record<string, string>>;
  /** Diffs to apply first; those that do not apply are skipped. */
  readonly before: readonly string[];
  /** The diffs to check, in order. Each must apply after the ones before it. */
  readonly diffs: readonly string[];
}

/**
 * Creates a check of diffs with `git apply --check` on copies of the files in a temporary folder.
 * It changes nothing else.
 *
 * @returns A function that returns why a diff does not apply; `undefined` if it applies.
 * @throws ReviewLoopError `invalid_options`; the function rejects with `process_not_found`,
 *   `process_timeout`, `cancelled`, `output_unwritable`, `git_failed`
 * @example
 * ```ts
 * const decompose = planCode({ applyCheck: gitApplyCheck() });
 * const gate = new ChecklistGate({ phase: 'plan-code', decompose, store });
 * ```
 */
export function gitApplyCheck(
  options: ApplyCheckOptions = {},
): (
  given: DiffsToApply,
  call?: { readonly signal?: AbortSignal | undefined },
) => Promise<string | undefined> {
  checkKeys('gitApplyCheck', options, ['timeoutMs']);
  const { timeoutMs = 30_000 } = options;
  checkPositive('timeoutMs', timeoutMs);
  return ({ files, before, diffs }, { signal } = {}) =>
    withTempFiles(files, ({ path: cwd }) =>
      firstProblem(
        { before, diffs },
        {
          cwd,
          timeoutMs,
          signal,
          env: { GIT_CEILING_DIRECTORIES: cwd.replace(/[/\\][^/\\]+$/, '') },
        },
      ),
    );
}

async function firstProblem(
  { before, diffs }: Omit<DiffsToApply, 'files'>,
  place: GitPlace,
): Promise<string | undefined> {
  for (const diff of before) await apply(diff, place, []);
  for (const [index, diff] of diffs.entries()) {
    const problem = (await apply(diff, place, ['--check'])) ?? (await apply(diff, place, []));
    if (problem !== undefined) return diffs.length > 1 ? `diff ${index + 1}: ${problem}` : problem;
  }
  return undefined;
}

async function apply(
  diff: string,
  place: GitPlace,
  options: readonly string[],
): Promise<string | undefined> {
  const args = ['apply', ...options, '-'];
  const result = await runGit(args, { ...place, input: new TextEncoder().encode(diff) });
  if (result.exitCode === 0) return undefined;
  if (result.exitCode !== 1 && result.exitCode !== 128) throw gitError(args, place, result);
  const said = result.stderr.trim().split('\n').slice(0, 3).join('; ').slice(0, 500);
  if (said === '')
    throw new ReviewLoopError(
      gitErrors.git_failed,
      `git apply ended with ${result.exitCode} and said nothing`,
    );
  return said;
}
