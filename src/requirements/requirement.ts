import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';

/** One checkable statement of what was asked, with the place where it stands. */
export const RequirementSchema = builtOnUse(() =>
  z.object({
    text: z.string().min(1),
    source: z.enum(['explicit', 'implicit', 'inferred']),
    /** The form it was written in: `bullet`, `numbered`, `task`, `statement`, `row`, `step`, `acceptance_criterion`, `implicit`. */
    kind: z.string(),
    /** RFC 2119; `MUST` for acceptance criteria and steps, `SHOULD` for others where the text does not say. */
    strength: z.enum(['MUST', 'SHOULD', 'MAY']),
    /** 1-based, in the text it was read from; for acceptance criteria of a request the position in their list. */
    line: z.int().min(1),
    endLine: z.int().min(1),
    /** The headings above it, the outermost first. */
    section: z.array(z.string()).readonly(),
    /** The state of a task item. */
    checked: z.boolean().optional(),
    /** True where the text was too long or too deeply nested for a syntax tree, and was read line by line. */
    approximate: z.boolean().optional(),
  }),
);
/** One checkable statement of what was asked. */
export type Requirement = z.infer<typeof RequirementSchema>;
/** How binding a requirement is (RFC 2119). */
export type RequirementStrength = Requirement['strength'];
