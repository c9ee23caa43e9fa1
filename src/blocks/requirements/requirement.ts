import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';

/** One checkable statement of a task, with its place in the text. */
export const RequirementSchema = builtOnUse(() =>
  z.object({
    /** The id in a list of requirements, such as `R1`. */
    id: z.string().optional(),
    text: z.string().min(1),
    source: z.enum(['explicit', 'implicit', 'inferred']),
    /**
     * The form of the statement: `bullet`, `numbered`, `task`, `statement`, `row`, `step`,
     * `acceptance_criterion`, `implicit`, `listed` in a file, or `whole`: the task as a whole, because
     * no requirement was found in it.
     */
    kind: z.string(),
    /**
     * The strength in terms of RFC 2119. If the text states none, it is `MUST` for acceptance
     * criteria and steps, else `SHOULD`.
     */
    strength: z.enum(['MUST', 'SHOULD', 'MAY']),
    /**
     * The line in the text, from 1. For acceptance criteria of a request, it is the position in
     * their list.
     */
    line: z.int().min(1),
    endLine: z.int().min(1),
    /** The headings above it, outermost first. */
    section: z.array(z.string()).readonly(),
    /** The state of a task item. */
    checked: z.boolean().optional(),
  }),
);
/** One checkable statement of a task. */
export type Requirement = z.infer<typeof RequirementSchema>;
/** In terms of RFC 2119. */
export type RequirementStrength = Requirement['strength'];
