import type { Found, Place } from './place.js';
import type { StepReader } from './steps.js';

/** What readers of single blocks work with. */
export interface Reading {
  readonly place: Place;
  readonly steps: StepReader;
  /** Whether the document has a section that is named for its requirements. */
  readonly stated: boolean;
  readonly add: (found: Found) => void;
  /** Whether nothing but headings was read before. */
  opening: boolean;
}
