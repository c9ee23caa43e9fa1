import { ReviewLoopError } from '../core/errors.js';
import { dedupeRequirements } from './dedupe.js';
import { documentRequirements } from './document-requirements.js';
import { gherkinRequirements, isGherkin } from './gherkin.js';
import { loadedGherkin, loadGherkin } from './gherkin-words.js';
import { hidesNearlyAll } from './hidden.js';
import { withIndentedTextAsLists } from './indented-text.js';
import { loadedMarkdown, loadMarkdown, type MarkdownBlock } from './markdown.js';
import { linesOf } from './markdown-lines.js';
import { withoutPromptFences, withoutProseFences } from './prompt-fence.js';
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
  const read = (blocks: readonly MarkdownBlock[]): Requirement[] =>
    dedupeRequirements(documentRequirements(blocks, gherkin));
  const given = parse(text);
  const listed = withIndentedTextAsLists(lines, given);
  const blocks = listed === undefined ? given : parse(listed.join('\n'));
  const opened = withoutPromptFences(listed ?? lines, blocks);
  const found = read(opened === undefined ? blocks : parse(opened.join('\n')));
  for (const form of otherForms(listed ?? lines, blocks)) {
    const without = read(parse(form.join('\n')));
    if (hidesNearlyAll(found, without)) return without;
  }
  return found;
}

/** Returns a document without the marks that may wrongly make it code or a quotation. */
function otherForms(lines: readonly string[], blocks: readonly MarkdownBlock[]): string[][] {
  const forms = [withoutProseFences(lines, blocks), withoutQuoteMarks(lines, blocks)];
  return forms.filter((form) => form !== undefined);
}

/** Returns a document with its quotes as plain text. */
function withoutQuoteMarks(
  lines: readonly string[],
  blocks: readonly MarkdownBlock[],
): string[] | undefined {
  const hasQuotes = blocks.some(
    (block) => block.kind === 'other' && block.lines[0]?.startsWith('>') === true,
  );
  return hasQuotes ? lines.map((line) => line.replace(/^(?: {0,3}> ?)+/, '')) : undefined;
}

/**
 * Returns whether a text may contain Gherkin: its first line could be a heading of a feature file,
 * or a fence names Gherkin, or names nothing and may contain steps.
 */
function mayContainGherkin(text: string): boolean {
  const first = linesOf(text).find((line) => line.trim() !== '' && !/^\s*[#@]/.test(line)) ?? '';
  return (
    /^\s*[\p{L}\p{M}][\p{L}\p{M}' ]{0,40}:/u.test(first) ||
    /^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:gherkin|feature|cucumber)\b/im.test(text) ||
    (/^[ \t]*(?:`{3,}|~{3,})(?:[ \t]*te?xt)?[ \t]*$/im.test(text) && /^[ \t]*then\b/im.test(text))
  );
}
