import type { HtmlRule } from '../rule.js';
import { ariaRules } from './aria-rules.js';
import { documentRules } from './document-rules.js';
import { focusRules } from './focus-rules.js';
import { languageRules } from './language-rules.js';
import { linkRules } from './link-rules.js';
import { mediaRules } from './media-rules.js';
import { nameRules } from './name-rules.js';
import { outlineRules } from './outline-rules.js';
import { wordRules } from './word-rules.js';

/** The rules for HTML, in the order of their criteria. */
export const htmlRules: readonly HtmlRule[] = [
  ...languageRules,
  ...documentRules,
  ...nameRules,
  ...wordRules,
  ...outlineRules,
  ...ariaRules,
  ...focusRules,
  ...mediaRules,
  ...linkRules,
];
