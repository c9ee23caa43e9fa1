import * as z from 'zod';

/** How ESLint or CSpell judge, in a configuration. */
export const ToolConfigSchema = z.strictObject({ config: z.string().min(1).optional() });

export interface ConfiguredTool {
  /**
   * The configuration file of the tool, relative to this configuration.
   *
   * @default the one in the working folder
   */
  readonly config?: string | undefined;
}
