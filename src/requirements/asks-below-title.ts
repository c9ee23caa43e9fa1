import { loneLabel } from './label.js';
import type { MarkdownBlock } from './markdown.js';
import { isRequired, sectionKind } from './sections.js';

/**
 * Returns whether a heading below the title, or a label, names requirements. Then the title only
 * names the document: "Backlog" leaves nothing out where each item has acceptance criteria.
 */
export function asksBelowTitle(block: MarkdownBlock): boolean {
  if (block.kind === 'heading') return block.level > 1 && isRequired(sectionKind(block.text));
  if (block.kind !== 'paragraph') return false;
  return block.lines.some((line) => isRequired(loneLabel(line)?.kind ?? 'open'));
}
