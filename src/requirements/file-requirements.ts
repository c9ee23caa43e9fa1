import { ReviewLoopError } from '../core/errors.js';
import { readTextFile } from '../node/files.js';
import { requirementErrors } from './errors.js';
import { judgedRequirements } from './requirement-list.js';
import { parseRequirementsFile, type RequirementsFile } from './requirements-file.js';
import type { RequirementStrategy } from './strategy.js';

const largest = 2_000_000;

/**
 * Reads a requirements file.
 *
 * @param shown - The name of the file in messages. @default its path
 * @throws ReviewLoopError `requirements_invalid` that names file and line, `file_unreadable`,
 *   `file_too_large`
 */
export async function readRequirementsFile(
  path: string,
  shown = path,
): Promise<RequirementsFile & { readonly content: string }> {
  const content = await readTextFile(path, { shown, maxBytes: largest });
  if (content.kind !== 'text')
    throw new ReviewLoopError(
      requirementErrors.requirements_invalid,
      `${shown}:1: it is not UTF-8 text`,
      { value: shown },
    );
  return { ...(await parseRequirementsFile(content.text, shown)), content: content.text };
}

/**
 * Creates a strategy that returns exactly the requirements of a file that `reviewloop requirements`
 * wrote. It does not read the task. Each call reads the file again.
 *
 * @example
 * ```ts
 * const strategy = fileRequirements('TASK.requirements.yml');
 * const extractor = new RequirementExtractor({ strategy });
 * ```
 */
export function fileRequirements(path: string): RequirementStrategy {
  return async () => judgedRequirements((await readRequirementsFile(path)).requirements);
}
