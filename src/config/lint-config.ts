import * as z from 'zod';

/** How ESLint judges code, in a configuration. */
export const LintConfigSchema = z.strictObject({
  sanitizers: z.array(z.string().regex(/^[\w$.]+$/, 'expected the name of a function')).optional(),
});

/** How ESLint judges code. */
export interface ConfiguredLint {
  /**
   * The functions whose result may become markup, such as `DOMPurify.sanitize`.
   *
   * @default escapeHTML, escapeHtml, DOMPurify.sanitize, sanitizeHtml, Sanitizer.escapeHTML
   */
  readonly sanitizers?: readonly string[] | undefined;
}
