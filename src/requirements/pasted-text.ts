import type { MarkdownBlock } from './markdown.js';

/**
 * Returns the blocks without text that somebody pasted between quotation marks: it begins with one
 * and ends with one some blocks later, below the same heading.
 */
export function withoutPastedText(blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
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
