import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';

/** One checkable statement of what was asked, with its place in the text. */
export const RequirementSchema = builtOnUse(() =>
  z.object({
    text: z.string().min(1),
    source: z.enum(['explicit', 'implicit', 'inferred']),
    /**
     * The form it was written in: `bullet`, `numbered`, `task`, `statement`, `row`, `step`,
     * `acceptance_criterion`, `implicit`.
     */
    kind: z.string(),
    /**
     * RFC 2119; if the text states none, `MUST` for acceptance criteria and steps, else `SHOULD`.
     */
    strength: z.enum(['MUST', 'SHOULD', 'MAY']),
    /** From 1, in the text; for acceptance criteria of a request, the position in their list. */
    line: z.int().min(1),
    endLine: z.int().min(1),
    /** The headings above it, the outermost first. */
    section: z.array(z.string()).readonly(),
    /** The state of a task item. */
    checked: z.boolean().optional(),
  }),
);
/** One checkable statement of what was asked. */
export type Requirement = z.infer<typeof RequirementSchema>;
/** How binding a requirement is (RFC 2119). */
export type RequirementStrength = Requirement['strength'];
