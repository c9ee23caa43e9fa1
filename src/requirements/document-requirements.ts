import { allGrounds, type Grounds, noGrounds } from './document-place.js';
import { DocumentReader } from './document-reader.js';
import type { GherkinLanguages } from './gherkin-words.js';
import type { MarkdownBlock } from './markdown.js';
import type { Requirement } from './requirement.js';

/**
 * Returns the requirements that the blocks of a document state, in their order. A task asks for
 * something: what leaves nearly all of it out is not believed, and the document is read again
 * without it.
 */
export function documentRequirements(
  blocks: readonly MarkdownBlock[],
  gherkin: GherkinLanguages | undefined,
): Requirement[] {
  const readWithout = (doubted: Grounds): Requirement[] => {
    const reader = new DocumentReader(blocks, gherkin, doubted);
    reader.read(withoutPastedText(blocks), { lead: undefined, nested: false });
    reader.endSection();
    return reader.found;
  };
  const found = readWithout(noGrounds);
  const all = readWithout(new Set(allGrounds));
  if (!hidesNearlyAll(found, all)) return found;
  for (const ground of allGrounds) {
    const without = readWithout(new Set([ground]));
    if (hidesNearlyAll(found, without)) return without;
  }
  return all;
}

/**
 * Returns the blocks without text that somebody pasted between quotation marks: it begins with one
 * and ends with one some blocks later, below the same heading.
 */
function withoutPastedText(blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
  if (!blocks.some(opensQuote)) return blocks;
  const kept: MarkdownBlock[] = [];
  let waiting: MarkdownBlock[] = [];
  for (const block of blocks) {
    if (waiting.length === 0 && !opensQuote(block)) kept.push(block);
    else if (waiting.length > 0 && closesQuote(block)) waiting = [];
    else if (block.kind === 'heading') {
      kept.push(...waiting, block);
      waiting = [];
    } else waiting.push(block);
  }
  return [...kept, ...waiting];
}

function opensQuote(block: MarkdownBlock): boolean {
  return block.kind === 'paragraph' && /^["“]/.test(block.lines[0] ?? '') && hasOddQuotes(block);
}

function closesQuote(block: MarkdownBlock): boolean {
  const last = block.kind === 'paragraph' ? (block.lines.at(-1) ?? '') : '';
  return /["”][.,;]?\s*$/.test(last.slice(-8)) && hasOddQuotes(block);
}

function hasOddQuotes(block: MarkdownBlock): boolean {
  const text = block.kind === 'paragraph' ? block.lines.join(' ') : '';
  return (text.match(/["“”]/g) ?? []).length % 2 === 1;
}

/** The fewest lines whose loss shows that a document was misread. */
const fewest = 3;
/** The share of what a document asks that must stay visible. */
const leastShare = 0.1;

/**
 * Returns whether a ground to leave text out hides nearly all of what a document asks without it: at
 * least three lines, and nine of ten.
 */
export function hidesNearlyAll(
  found: readonly Requirement[],
  without: readonly Requirement[],
): boolean {
  const hidden = without.length - found.length;
  return hidden >= fewest && found.length <= without.length * leastShare;
}
