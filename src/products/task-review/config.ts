import * as z from 'zod';
import { camelKeys } from '../../core/text/keys.js';

/**
 * The `executor` section of a configuration: options of `reviewloop tasks run`. Keys may be in
 * snake_case.
 */
export interface ConfiguredExecutor {
  /** The command that does a task. It reads the task from its standard input. @default none */
  readonly exec?: string | undefined;
  /** The command that runs the tests. @default none */
  readonly testCommand?: string | undefined;
  /** The command that runs the linter. @default none */
  readonly lintCommand?: string | undefined;
  /** Whether a person decides after every review. @default false */
  readonly hitlReview?: boolean | undefined;
  /** Whether a failed review blocks the task; `required` needs a review. @default 'advisory' */
  readonly reviewPolicy?: 'advisory' | 'required' | undefined;
  /** The maximum number of attempts at a task; a whole number from 1. @default 3 */
  readonly maxAttempts?: number | undefined;
  /** The most tokens that one command may spend; from 1. @default unlimited */
  readonly budgetTokens?: number | undefined;
  /** The most US dollars that one command may spend; above 0. @default unlimited */
  readonly budgetUsd?: number | undefined;
  /**
   * The roles of reviewers, each with its own call.
   *
   * @default one call for quality, implementation and testing
   */
  readonly reviewRoles?:
    | readonly ('quality' | 'implementation' | 'testing' | 'simplification' | 'docs')[]
    | undefined;
  /**
   * The most bytes of the diff that reviewers see; from 200. A pass about a larger diff is no
   * verdict.
   *
   * @default 30000
   */
  readonly diffBytes?: number | undefined;
  /**
   * Endings of paths, such as `.png`, of binary files and submodules that may be approved although
   * no reviewer sees them.
   *
   * @default []
   */
  readonly allowUnseen?: readonly string[] | undefined;
  /**
   * The template of the review prompt. Missing sections are appended.
   *
   * @default the built-in template
   */
  readonly reviewTemplate?: string | undefined;
}

const line = z.string().trim().min(1).optional();

export const ExecutorConfigSchema = z.preprocess(
  camelKeys,
  z.strictObject({
    exec: line,
    testCommand: line,
    lintCommand: line,
    hitlReview: z.boolean().optional(),
    reviewPolicy: z.enum(['advisory', 'required']).optional(),
    maxAttempts: z.int().min(1).optional(),
    budgetTokens: z.int().min(1).optional(),
    budgetUsd: z.number().positive().optional(),
    reviewRoles: z
      .array(z.enum(['quality', 'implementation', 'testing', 'simplification', 'docs']))
      .min(1)
      .optional(),
    diffBytes: z.int().min(200).optional(),
    allowUnseen: z.array(z.string().min(1)).optional(),
    reviewTemplate: z.string().min(1).optional(),
  }),
);

export function executorIn(section: unknown): ConfiguredExecutor {
  return ExecutorConfigSchema.parse(section ?? {}) as ConfiguredExecutor;
}
