import { ReviewLoopError } from '../../core/errors.js';
import type { Requirement } from './requirement.js';

/** Loaded on first use, because the rules are long and many pipelines read no task. */
let read: ((text: string) => Requirement[]) | undefined;

/**
 * Returns the requirements that a text states, each once, with its lines. They come from lists,
 * sentences, tables and scenarios. It reads Markdown, plain text and feature files by rules,
 * without a model.
 *
 * @throws ReviewLoopError `task_too_long` for a text of more than 10,000 lines
 * @example
 * ```ts
 * const text = 'The page must load within 2 s.\n\n- It shows the total';
 * const requirements = await explicitRequirements(text);
 * ```
 */
export async function explicitRequirements(text: string): Promise<Requirement[]> {
  await loadReader(text);
  return explicitRequirementsNow(text);
}

export async function loadReader(text: string): Promise<void> {
  read = await (await import('./text-reader.js')).textReader(text);
}

/** Await {@link loadReader} for the text first. */
export function explicitRequirementsNow(text: string): Requirement[] {
  if (read === undefined)
    throw new ReviewLoopError(
      'invalid_options',
      'the reader is not loaded: use explicitRequirements(text), which loads it',
    );
  return read(text);
}
