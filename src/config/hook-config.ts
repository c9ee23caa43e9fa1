import * as z from 'zod';

export interface ConfiguredHook {
  /**
   * The file of the task, or `prompt` for what the person asked the agent.
   *
   * @default TASK.md if it exists, else `prompt` if a model is configured, else no task
   */
  readonly task?: string | undefined;
  /**
   * The file that lists the requirements; `false` leaves them out.
   *
   * @default the file beside the task, if it exists
   */
  readonly requirements?: string | false | undefined;
  /** Globs of files that the gate does not review. @default none */
  readonly exclude?: readonly string[] | undefined;
  /**
   * The time limit of one review, in seconds; from 1 to 480. The agent must wait at least a quarter
   * longer.
   *
   * @default 45
   */
  readonly timeoutSeconds?: number | undefined;
  /** The maximum number of blocks in one turn; from 0 to 5. @default 5 */
  readonly maxBlocks?: number | undefined;
  /**
   * What happens if a judge fails: `tell` tells the person, `block` also blocks once.
   *
   * @default 'tell'
   */
  readonly onFailure?: 'tell' | 'block' | undefined;
  /**
   * Whether the person is told about an approval, in one line: `tell`, or `silent`.
   *
   * @default 'tell'
   */
  readonly approvals?: 'tell' | 'silent' | undefined;
}

/** The schema of {@link ConfiguredHook}. */
export const HookConfigSchema = z.strictObject({
  task: z.string().min(1).optional(),
  requirements: z.union([z.string().min(1), z.literal(false)]).optional(),
  exclude: z.array(z.string().min(1)).optional(),
  timeoutSeconds: z.number().min(1).max(480).optional(),
  maxBlocks: z.int().min(0).max(5).optional(),
  onFailure: z.enum(['tell', 'block']).optional(),
  approvals: z.enum(['tell', 'silent']).optional(),
});
