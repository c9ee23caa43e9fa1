import * as z from 'zod';

const ShownGapSchema = z.object({
  id: z.string(),
  severity: z.string(),
  /** The file and the line; '' if unknown. */
  place: z.string(),
  text: z.string(),
  fix: z.string(),
  /** The requirement of the task that it violates, if the text does not say so. */
  requirement: z.string().optional(),
});

export const GateVerdictSchema = z.object({
  /**
   * - `approved`: every judge answered and nothing blocks, or a person accepted it;
   * - `open`: the agent can close gaps;
   * - `waiting`: a person has to decide;
   * - `none`: no judge could decide, and nobody knows whether the work is good.
   */
  kind: z.enum(['approved', 'open', 'waiting', 'none']),
  /** The stable code of the outcome or of the error. */
  code: z.string(),
  /** Why, for people. */
  reason: z.string(),
  /** The run in the store; it is missing if none was stored. */
  runId: z.string().optional(),
  /** The gaps that block. */
  gaps: z.array(ShownGapSchema),
  /** The gaps that an approved version leaves to the agent. @default none */
  left: z.array(ShownGapSchema).optional(),
  /** What only a person can decide, and what nobody reviewed. */
  forPerson: z.array(z.string()),
  /** What the person is told once in a session, by what it is about. */
  once: z.record(z.string(), z.string()).optional(),
  /** What was approved, in a few words; without it, an approval is silent. */
  summary: z.string().optional(),
  /** The commands with which a person decides. */
  commands: z.array(z.string()),
  byPrompt: z.boolean(),
});

export interface GateVerdict extends z.infer<typeof GateVerdictSchema> {}

export function noVerdict(code: string, reason: string, commands: string[] = []): GateVerdict {
  return { kind: 'none', code, reason, gaps: [], forPerson: [], commands, byPrompt: false };
}
