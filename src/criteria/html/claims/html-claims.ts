import type { ClaimCheck } from '../../deciders/claim-check.js';
import { languageClaims, titleClaims, viewportClaims } from './head-claims.js';
import {
  duplicateIdClaims,
  headingOrderClaims,
  inlineStyleClaims,
  scriptClaims,
} from './markup-claims.js';
import { nameClaims } from './name-claims.js';
import { numberOfElements } from './number-of-elements.js';
import { shownTextInPages } from './shown-text.js';

/** The checks that decide claims about pages. One with the id of a rule belongs to its criterion. */
export const htmlClaims: readonly ClaimCheck[] = [
  languageClaims,
  titleClaims,
  viewportClaims,
  ...nameClaims,
  duplicateIdClaims,
  headingOrderClaims,
  inlineStyleClaims,
  ...scriptClaims,
  numberOfElements,
  shownTextInPages,
];
