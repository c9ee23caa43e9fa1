import { askWhereUnreliable } from '../../calibration/ask-where-unreliable.js';
import { acceptedPath, readAccepted } from '../../cli-kit/criteria/accepted-file.js';
import type { FileReviewer } from '../../cli-kit/inputs/file-reviewer.js';
import type { Config } from '../../config/config.js';
import { learns } from '../../config/config-parts.js';

/**
 * Returns the judges of files, with the rules about them that people accepted: verdicts that people
 * often disagreed with become questions. Without `learn` in the configuration no rule counts.
 *
 * @throws ReviewLoopError `config_invalid`
 */
export async function askingFiles(
  cwd: string,
  { learn }: Pick<Config, 'learn'>,
  reviewers: readonly FileReviewer[],
): Promise<readonly FileReviewer[]> {
  if (!learns(learn)) return reviewers;
  const { judges = [] } = (await readAccepted(cwd, await acceptedPath(cwd))) ?? {};
  return reviewers.map((reviewer) =>
    askWhereUnreliable(
      reviewer,
      judges.filter(({ criterion }) => criterion === reviewer.id),
    ),
  );
}
