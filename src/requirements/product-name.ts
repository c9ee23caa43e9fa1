import type { MarkdownBlock } from './markdown.js';
import { plainStart } from './obligation.js';
import { sentencesOf } from './sentences.js';

/** Matches a sentence that says what a product is: "Tides is a calendar". */
const introduces =
  /^(\p{Lu}[\p{L}\p{N}.-]{1,30}(?: \p{Lu}[\p{L}\p{N}.-]{1,30}){0,3}) is (?:an?|the) /u;
const noName =
  /^(?:this|that|it|there|he|she|what|each|every|our|my|your|the|an?|here|one|another|today|currently|background|context)\b/i;

/** Returns the name of the product that a document introduces: "Tides is a calendar of tides". */
export function productNameOf(blocks: readonly MarkdownBlock[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'paragraph') continue;
    for (const { text } of sentencesOf(block.lines)) {
      const [, name] = introduces.exec(plainStart(text)) ?? [];
      if (name !== undefined && !noName.test(name)) return name;
    }
  }
  return undefined;
}

/** Returns a sentence with "the system" in place of the name of the product at its beginning. */
export function withoutProductName(text: string, name: string | undefined): string {
  if (name === undefined) return text;
  const said = plainStart(text);
  const rest = said.slice(name.length);
  return said.startsWith(name) && /^(?:['’]s)? /.test(rest) ? `The system${rest}` : text;
}
