import type { Block } from './block.js';
import type { Found, Place } from './place.js';
import type { StepReader } from './steps.js';

/** What readers of single blocks work with. */
export interface Reading {
  readonly place: Place;
  readonly steps: StepReader;
  /** Whether the document has a section that is named for its requirements. */
  readonly stated: boolean;
  /** Whether the document says that it states its requirements with the words of RFC 2119. */
  readonly normative: boolean;
  /** Items of lists of demands. */
  readonly parallel: ReadonlySet<Block>;
  /** Items of lists that the author of an issue ticks. */
  readonly declared: ReadonlySet<Block>;
  readonly add: (found: Found) => void;
  /** Whether nothing but headings was read before. */
  opening: boolean;
}
