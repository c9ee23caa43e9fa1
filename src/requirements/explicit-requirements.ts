import { asMarkdown } from './as-markdown.js';
import type { Block } from './block.js';
import { dedupeRequirements } from './dedupe.js';
import { gherkinRequirements, isGherkin } from './gherkin.js';
import { lineBlocks } from './line-blocks.js';
import { loadedMarkdown, loadMarkdown, type Markdown } from './markdown.js';
import { readBlocks } from './read-blocks.js';
import { fitsTree, linesOf, partsOf } from './readable.js';
import type { Requirement } from './requirement.js';
import { treeBlocks } from './tree-blocks.js';

/**
 * The requirements that a text states, each once, with its lines: what its lists, sentences, tables and scenarios ask for,
 * without what only explains. It reads Markdown, plain text and feature files, and follows rules, never a model.
 *
 * @example
 * ```ts
 * const requirements = await explicitRequirements('The page must load within 2 s.\n\n- It shows the total');
 * ```
 */
export async function explicitRequirements(text: string): Promise<Requirement[]> {
  await loadMarkdown();
  return explicitRequirementsNow(text);
}

/** The same at once. Without the parser, when {@link loadMarkdown} was not awaited before, the text is read line by line. */
export function explicitRequirementsNow(text: string): Requirement[] {
  const source = linesOf(text);
  if (isGherkin(source)) return dedupeRequirements(gherkinRequirements(source));
  const lines = asMarkdown(source);
  const markdown = loadedMarkdown();
  const blocks =
    markdown === undefined || !fitsTree(lines) ? undefined : blocksOfTree(lines, markdown);
  if (blocks !== undefined) return dedupeRequirements(readBlocks(blocks));
  return dedupeRequirements(readBlocks(lineBlocks(lines))).map((requirement) => ({
    ...requirement,
    approximate: true,
  }));
}

/** Undefined where the parser gives up. */
function blocksOfTree(lines: readonly string[], markdown: Markdown): Block[] | undefined {
  try {
    return [...partsOf(lines)].flatMap((part) => treeBlocks(part.lines, markdown, part.shift));
  } catch {
    return undefined;
  }
}
