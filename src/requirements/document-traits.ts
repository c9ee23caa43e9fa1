import { loneLabel } from './label.js';
import type { MarkdownBlock } from './markdown.js';
import { headingStrength, isObligation } from './obligation.js';
import { isRequired, sectionKind } from './sections.js';

/** Traits of a whole document that decide how its texts are read. */
export interface DocumentTraits {
  /** Whether the document names a section for its requirements. */
  readonly named: boolean;
  /** Whether a paragraph says "must" or the like. Other sentences then explain. */
  readonly obliges: boolean;
}

export function documentTraits(blocks: readonly MarkdownBlock[]): DocumentTraits {
  return {
    named: blocks.some(namesRequirements),
    obliges: blocks.some(
      (block) => block.kind === 'paragraph' && isObligation(block.lines.join(' ')),
    ),
  };
}

/** Matches names of sections that contain the requirements, and not those of one topic only. */
const listing =
  /\b(?:requirements?|criteri(?:a|on)|acceptance|stor(?:y|ies)|tasks?|checklist|definition of done|dod|features?|goals?|deliverables?|scope|action items?|what changes|expected)\b/i;

/** Returns whether a block names a section for requirements; "Nice to have" alone does not. */
function namesRequirements(block: MarkdownBlock): boolean {
  const name =
    block.kind === 'heading'
      ? block.text
      : block.kind === 'paragraph'
        ? loneLabel(block.lines.join(' '))?.name
        : undefined;
  return (
    name !== undefined &&
    listing.test(name) &&
    headingStrength(name) === undefined &&
    isRequired(sectionKind(name))
  );
}
