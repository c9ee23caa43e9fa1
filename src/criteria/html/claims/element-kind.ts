import type { ElementTest } from './element-tests.js';

/** How a kind of element is recognised. */
export interface ElementKind {
  /** Everybody calls such an element so. */
  readonly sure: ElementTest;
  /** Somebody may call such an element so. Elements that are sure count, too. */
  readonly maybe: ElementTest;
  /** Styles that may show a thing without its element. */
  readonly styles?: RegExp | undefined;
}
