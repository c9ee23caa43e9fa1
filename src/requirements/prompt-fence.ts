import type { MarkdownBlock, MarkdownCode } from './markdown.js';
import { isBinding, wordCount } from './obligation.js';

/** Languages of fences that may contain a text. */
const texts = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'md', 'markdown', 'prompt']);

/** Matches a line that tells its reader to use the text below: "Paste the prompt below". */
const announces =
  /\b(?:paste|copy|send|give|use|run)\b.{0,60}\b(?:prompts?|below|following|block)\b/i;

const fewestWords = 25;
/** The fewest lines of a fence that bind, so that it contains requirements. */
const fewestDuties = 3;
/** The share of a document's words that makes a fence its body. */
const mostWords = 0.5;

/**
 * Returns a document with the marks of fences blanked whose text is the task: the document says
 * "Paste the prompt below", or the fence is most of it. Each line keeps its number.
 */
export function withoutPromptFences(
  lines: readonly string[],
  blocks: readonly MarkdownBlock[],
): string[] | undefined {
  const half = blocks.reduce((sum, block) => sum + wordsOf(block), 0) * mostWords;
  const prompts = blocks.filter(
    (block, index): block is MarkdownCode =>
      isProse(block) && (wordsOf(block) >= half || isAnnounced(blocks, index) || binds(block)),
  );
  return opened(lines, prompts);
}

/** Returns a document with the marks of all fences blanked that contain sentences and lists. */
export function withoutProseFences(
  lines: readonly string[],
  blocks: readonly MarkdownBlock[],
): string[] | undefined {
  return opened(lines, blocks.filter(isProse));
}

function opened(lines: readonly string[], fences: readonly MarkdownCode[]): string[] | undefined {
  if (fences.length === 0) return undefined;
  const marks = new Set(fences.flatMap(({ line, lines: own }) => [line - 1, line + own.length]));
  return lines.map((line, index) => (marks.has(index + 1) ? '' : line));
}

/** Returns whether a fence contains sentences and lists, and no code. */
function isProse(block: MarkdownBlock): block is MarkdownCode {
  if (block.kind !== 'code') return false;
  const { language, lines } = block;
  if (language === undefined || !texts.has(language)) return false;
  const filled = lines.filter((line) => line !== '');
  const said = filled.filter(isSentence);
  return said.length * 2 >= filled.length && wordCount(filled.join(' ')) >= fewestWords;
}

/** Returns whether most lines of a fence say what must be: "1. The page shall …". */
function binds({ lines }: MarkdownCode): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const binding = filled.filter((line) =>
    isBinding(line.slice(0, 300).replace(/^[\s\d.)*-]{1,8}/, ''), false),
  );
  return binding.length >= fewestDuties && binding.length * 2 > filled.length;
}

/** Returns whether a line consists of words: at least three, and no marks of code at its end. */
function isSentence(line: string): boolean {
  const text = line.slice(0, 300);
  if (/^(?:\$|\/\/|<\/?\w|[{}[\]|@+])|[;{}[\],=]$|=>|[│├└]/.test(text) && !/[a-z],$/.test(text))
    return false;
  return /^\W{0,12}(?:\S+\s+){2}\S/.test(text) || /^#{1,6}\s/.test(text);
}

/** Returns whether the paragraph or the heading above tells its reader to use the text below. */
function isAnnounced(blocks: readonly MarkdownBlock[], index: number): boolean {
  const above = blocks.slice(Math.max(0, index - 4), index).reverse();
  const stop = above.findIndex(({ kind }) => kind === 'code' || kind === 'list');
  return above
    .slice(0, stop === -1 ? undefined : stop)
    .some((block) => announces.test(textOf(block).slice(0, 300)));
}

function textOf(block: MarkdownBlock): string {
  if (block.kind === 'heading') return block.text;
  if (block.kind === 'list')
    return block.items.flatMap((item) => item.blocks.map(textOf)).join(' ');
  return block.lines.join(' ');
}

function wordsOf(block: MarkdownBlock): number {
  return wordCount(textOf(block));
}
