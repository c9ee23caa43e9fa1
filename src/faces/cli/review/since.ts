import * as z from 'zod';

export const SinceSchema = z.strictObject({
  root: z.string(),
  trees: z.string(),
  start: z.string(),
  now: z.string(),
  changed: z.array(z.string()),
  renamed: z.record(z.string(), z.string()),
  around: z.array(z.string()),
  /** Whether `changed` and `around` are all files of the folder. */
  whole: z.boolean(),
  commands: z.array(z.string()),
});
export type Since = z.infer<typeof SinceSchema>;
