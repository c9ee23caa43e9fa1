import { DocumentReader } from './document-reader.js';
import type { GherkinLanguages } from './gherkin-words.js';
import { allGrounds, type Grounds, noGrounds } from './ground.js';
import { hidesNearlyAll } from './hidden.js';
import type { MarkdownBlock } from './markdown.js';
import { withoutPastedText } from './pasted-text.js';
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
