import { ReviewLoopError } from '../core/errors.js';
import { dedupeRequirements } from './dedupe.js';
import { documentRequirements } from './document-requirements.js';
import { gherkinRequirements, isGherkin } from './gherkin.js';
import { loadedGherkin, loadGherkin } from './gherkin-words.js';
import { loadedMarkdown, loadMarkdown } from './markdown.js';
import { linesOf } from './markdown-lines.js';
import { withoutPromptFences } from './prompt-fence.js';
import type { Requirement } from './requirement.js';

/**
 * Returns the requirements that a text states, each once, with its lines. They come from lists,
 * sentences, tables and scenarios. It reads Markdown, plain text and feature files by rules,
 * without a model.
 *
 * @example
 * ```ts
 * const text = 'The page must load within 2 s.\n\n- It shows the total';
 * const requirements = await explicitRequirements(text);
 * ```
 */
export async function explicitRequirements(text: string): Promise<Requirement[]> {
  await loadParsers(text);
  return explicitRequirementsNow(text);
}

/** Loads the parsers that a text needs. */
export async function loadParsers(text: string): Promise<void> {
  await loadMarkdown();
  if (mayContainGherkin(text)) await loadGherkin();
}

/** Returns the same synchronously. Await {@link loadParsers} for the text first. */
export function explicitRequirementsNow(text: string): Requirement[] {
  const gherkin = loadedGherkin();
  const lines = linesOf(text);
  if (gherkin !== undefined && isGherkin(lines, gherkin))
    return dedupeRequirements(gherkinRequirements({ lines }, gherkin));
  const parse = loadedMarkdown();
  if (parse === undefined)
    throw new ReviewLoopError(
      'invalid_options',
      'the Markdown parser is not loaded: use explicitRequirements(text), which loads it',
    );
  const blocks = parse(text);
  const opened = withoutPromptFences(lines, blocks);
  const read = opened === undefined ? blocks : parse(opened.join('\n'));
  return dedupeRequirements(documentRequirements(read, gherkin));
}

/**
 * Returns whether a text may contain Gherkin: its first line could be a heading of a feature file,
 * or a fence names Gherkin.
 */
function mayContainGherkin(text: string): boolean {
  const first = linesOf(text).find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  return (
    /^\s*[\p{L}\p{M}][\p{L}\p{M}' ]{0,40}:/u.test(first) ||
    /^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:gherkin|feature|cucumber)\b/im.test(text)
  );
}
