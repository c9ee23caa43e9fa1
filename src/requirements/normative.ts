import type { Block } from './block.js';
import { isKeyWordNotice, isObligation } from './modality.js';

const capitals = /\b(?:MUST|SHALL|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b/;

/** Whether a text uses the words of RFC 2119 as that says, in capitals and outside of code and quotation marks. */
export function isBinding(text: string): boolean {
  return (
    capitals.test(text.slice(0, 4000).replace(/`[^`]*`|"[^"\n]{1,60}"|“[^”\n]{1,60}”/g, '')) &&
    !isKeyWordNotice(text)
  );
}

/** Whether a document says that it states its requirements with the words of RFC 2119, and mostly does. */
export function isNormative(blocks: readonly Block[]): boolean {
  let notice = false;
  let binding = 0;
  let others = 0;
  for (const block of blocks) {
    if (block.kind !== 'paragraph' && block.kind !== 'item') continue;
    const text = block.lines.join(' ');
    if (isKeyWordNotice(text))
      notice ||= block.kind === 'paragraph' && /\bRFC ?-?(?:2119|8174)\b|\bBCP ?-?14\b/i.test(text);
    else if (isBinding(text)) binding += 1;
    else if (isObligation(text)) others += 1;
  }
  return notice && binding > 0 && binding >= others;
}
