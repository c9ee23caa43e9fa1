import { plainLine } from './plain-text.js';

/** Characters that Markdown and HTML read as more than text. */
const special = /[\\`*_[\]<>|#~$!]/g;

/**
 * Returns a text for one cell of Markdown. It forms no markup, no HTML, no link, and mentions no
 * person or issue.
 */
export function markdownText(text: string, most?: number): string {
  return plainLine(text, most)
    .replaceAll('&', '&amp;')
    .replace(special, (found) => (found === '<' ? '&lt;' : found === '>' ? '&gt;' : `\\${found}`))
    .replace(/@(?=[\w-])/g, '@\u200b')
    .replace(/#(?=\d)/g, '#\u200b')
    .replace(/\bGH-(?=\d)/gi, 'GH\u200b-')
    .replace(/:\/\//g, ':\u200b//')
    .replace(/\bwww\./gi, 'www\u200b.');
}

/** Returns a command for a block of code on one line. */
export function markdownCode(text: string): string {
  return plainLine(text).replaceAll('`', "'");
}
