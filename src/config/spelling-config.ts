import * as z from 'zod';

const words = z.array(z.string().regex(/\p{L}/u, 'expected a word')).optional();

/** How the spelling of texts is judged, in a configuration. */
export const SpellingConfigSchema = z.strictObject({
  language: z.enum(['en', 'en-US', 'en-GB']).optional(),
  words,
  wrongWords: words,
  settings: z.string().min(1).optional(),
  maxFindings: z.int().min(1).optional(),
});

/** How the spelling of texts is judged. */
export interface ConfiguredSpelling {
  /** The language of the texts. `en` accepts American and British spelling. @default 'en' */
  readonly language?: 'en' | 'en-US' | 'en-GB' | undefined;
  /** Words that are right, such as names. @default [] */
  readonly words?: readonly string[] | undefined;
  /** Words that are wrong, though a dictionary has them. @default [] */
  readonly wrongWords?: readonly string[] | undefined;
  /**
   * A settings file of CSpell, JSON or YAML, relative to the configuration. Only its lists of words
   * count: `words`, `userWords`, `ignoreWords`, `flagWords`.
   *
   * @default none
   */
  readonly settings?: string | undefined;
  /** How many misspelt words are listed. @default 100 */
  readonly maxFindings?: number | undefined;
}
