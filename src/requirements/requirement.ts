import * as z from 'zod';

/** One checkable statement of what was asked, with the place where it stands. */
export const RequirementSchema = z.object({
  text: z.string().min(1),
  source: z.enum(['explicit', 'implicit', 'inferred']),
  /** The form it was written in: `bullet`, `numbered`, `task`, `statement`, `row`, `acceptance_criterion`, `implicit`. */
  kind: z.string(),
  /** RFC 2119; `SHOULD` where the text does not say. */
  strength: z.enum(['MUST', 'SHOULD', 'MAY']),
  /** 1-based, in the text it was read from; for acceptance criteria the position in their list. */
  line: z.int().min(1),
  endLine: z.int().min(1),
  /** The headings above it, the outermost first. */
  section: z.array(z.string()).readonly(),
  /** The state of a task item. */
  checked: z.boolean().optional(),
});
/** One checkable statement of what was asked. */
export type Requirement = z.infer<typeof RequirementSchema>;
/** How binding a requirement is (RFC 2119). */
export type RequirementStrength = Requirement['strength'];
