import * as z from 'zod';

/** The record of a finished command. */
export const CommandRunSchema = z.object({
  exitCode: z.int(),
  stdout: z.string(),
  stderr: z.string(),
  report: z.string().optional(),
  truncated: z.boolean(),
  /** Its working folder, to shorten absolute paths. */
  folder: z.string(),
  /** Paths below that folder that differ from those of the output. */
  moved: z.record(z.string(), z.string()),
});
/** The record of a finished command. */
export type CommandRun = z.infer<typeof CommandRunSchema>;
