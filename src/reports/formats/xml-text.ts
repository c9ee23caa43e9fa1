import { wellFormed } from './plain-text.js';

/** Characters that XML 1.0 does not allow, escaped or not. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Returns a text for an attribute of XML 1.0; forbidden characters become U+FFFD. */
export function xmlAttribute(text: string): string {
  return allowed(text).replace(/[&<>"\t\n\r]/g, (found) => entities[found] ?? '');
}

/** Returns a text for an element of XML 1.0; forbidden characters become U+FFFD. */
export function xmlText(text: string): string {
  return allowed(text).replace(/[&<>\r]/g, (found) => entities[found] ?? '');
}

function allowed(text: string): string {
  return wellFormed(text).replace(forbidden, '\ufffd');
}
