import { isAside } from './aside.js';
import type { ListLead } from './document-place.js';
import { isLead } from './lead.js';
import type { MarkdownBlock } from './markdown.js';
import { isObligation, isProhibition, statedStrength } from './obligation.js';
import { type SectionKind, sectionKind } from './sections.js';
import { isDemand } from './text-rules.js';

/** Returns the meaning of a line for the list below it. */
export function leadOf(text: string): ListLead {
  return {
    kind: /\b(?:unless|except):[*_]*$/i.test(text) ? 'background' : kindOfLead(text),
    strength: statedStrength(text),
    answers:
      /\b(?:answers?|includ(?:e|es|ing)|contain(?:s|ing)?|explain(?:s|ing)?|describe[s]?|address(?:es|ing)?|cover(?:s|ing)?|document(?:s|ing)?|report(?:s|ing)?)\b/i.test(
        text,
      ),
    prohibition: isProhibition(text) ? text.replace(/[:：][*_]*$/, ':') : undefined,
  };
}

/** Matches the end of a line that names what the result contains: "Fields to show:". */
const names =
  /\bto (?:be )?(?:display|show|include|support|cover|add|return|store|log|track|print|implement|handle|test|create|build|change|update)(?:s|n|d|ed)?:[*_]*$/i;

function kindOfLead(text: string): SectionKind {
  if (
    /\b(?:for example|for instance|e\.g\.|such as|examples?)\b|\blike (?:this|these|the following):[*_]*$|^given\b/i.test(
      text,
    )
  )
    return 'background';
  if (isAside(text)) return 'background';
  if (/^(?:if|when|once) (?!you\b)/i.test(text)) return 'open';
  if (/\b(?:this|that|which|it) means\b|^this is an?\b/i.test(text)) return 'background';
  if (isObligation(text) || isDemand(text) || names.test(text)) return 'requirements';
  return text.length < 80 ? sectionKind(text) : 'open';
}

/** Returns whether a line only introduces the code below it: "It looks like this:". */
export function showsCode(block: MarkdownBlock, { asks }: ListLead): boolean {
  const says = asks !== undefined && (isObligation(asks.text) || isDemand(asks.text));
  return block.kind === 'code' && !says && !/\b(?:will|can)\b/i.test(asks?.text ?? '');
}

/** Returns the lead of what is below an item: the item if it leads, else the lead of its list. */
export function leadBelow(text: string, lead: ListLead | undefined): ListLead | undefined {
  return isLead(text) ? leadOf(text) : lead;
}
