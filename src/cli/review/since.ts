import * as z from 'zod';

/** Two states of a folder, of which a run reviews the difference. */
export const SinceSchema = z.strictObject({
  /** The folder of the files. */
  root: z.string(),
  /** The folder of the saved trees. */
  trees: z.string(),
  start: z.string(),
  now: z.string(),
  /** The paths that differ. */
  changed: z.array(z.string()),
  /** The earlier paths of renamed files, by their path now. */
  renamed: z.record(z.string(), z.string()),
  /** The paths of the unchanged files that some judges read. */
  around: z.array(z.string()),
  /** Whether `changed` and `around` are all files of the folder. */
  whole: z.boolean(),
  /** The ids of commands, which need all files. */
  commands: z.array(z.string()),
});
/** Two states of a folder, of which a run reviews the difference. */
export type Since = z.infer<typeof SinceSchema>;
