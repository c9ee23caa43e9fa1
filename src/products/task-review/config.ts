import * as z from 'zod';
import { camelKeys } from '../../core/text/keys.js';

const line = z.string().trim().min(1).optional();

export const ExecutorConfigSchema = z.preprocess(
  camelKeys,
  z.strictObject({
    /** The command that does a task. It reads the task from its standard input. @default none */
    exec: line,
    /** The command that runs the tests. @default none */
    testCommand: line,
    /** The command that runs the linter. @default none */
    lintCommand: line,
    /** Whether a person decides after every review. @default false */
    hitlReview: z.boolean().optional(),
    /** Whether a failed review blocks the task; `required` needs a review. @default 'advisory' */
    reviewPolicy: z.enum(['advisory', 'required']).optional(),
    /** The maximum number of attempts at a task; a whole number from 1. @default 3 */
    maxAttempts: z.int().min(1).optional(),
    /** The most tokens that one command may spend; from 1. @default unlimited */
    budgetTokens: z.int().min(1).optional(),
    /** The most US dollars that one command may spend; above 0. @default unlimited */
    budgetUsd: z.number().positive().optional(),
    /**
     * The roles of reviewers, each with its own call.
     *
     * @default one call for quality, implementation and testing
     */
    reviewRoles: z
      .array(z.enum(['quality', 'implementation', 'testing', 'simplification', 'docs']))
      .min(1)
      .readonly()
      .optional(),
    /**
     * The most bytes of the diff that reviewers see; from 200. A pass about a larger diff is no
     * verdict.
     *
     * @default 30000
     */
    diffBytes: z.int().min(200).optional(),
    /**
     * Endings of paths, such as `.png`, of binary files and submodules that may be approved although
     * no reviewer sees them.
     *
     * @default []
     */
    allowUnseen: z.array(z.string().min(1)).readonly().optional(),
    /**
     * The template of the review prompt. Missing sections are appended.
     *
     * @default the built-in template
     */
    reviewTemplate: z.string().min(1).optional(),
  }),
);

/**
 * The `executor` section of a configuration: options of `reviewloop tasks run`. Keys may be in
 * snake_case.
 */
export interface ConfiguredExecutor extends Readonly<z.infer<typeof ExecutorConfigSchema>> {}

export function executorIn(section: unknown): ConfiguredExecutor {
  return ExecutorConfigSchema.parse(section ?? {});
}
