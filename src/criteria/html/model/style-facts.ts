import type { CssParser } from '../../css-parser.js';
import type { Element, StyleFact } from '../dom.js';
import { cascade, isForScreen, rulesOf } from './cascade.js';

const properties = ['display', 'visibility', 'content'] as const;
const relevant = /display|visibility|content\s*:/i;

/** Returns whether styles may hide something or generate text. */
export function mayHide(css: string): boolean {
  return relevant.test(css);
}

/** Returns the style facts of elements, or none for unreadable or too many styles. */
export function styleFacts(
  css: string,
  elements: readonly Element[],
  parser: CssParser,
): ReadonlyMap<Element, StyleFact> {
  const values = cascade(rulesOf(css, new Set(properties), parser), elements, {
    properties,
    applies: isForScreen,
    generated: ['content'],
  });
  return new Map(
    Array.from(values, ([element, of]): [Element, StyleFact] => {
      const generated = /^(?:"[^"]*[^\s"]|'[^']*[^\s']|attr\()/.test(of.get('content') ?? '');
      return [element, { display: of.get('display'), visibility: of.get('visibility'), generated }];
    }),
  );
}
