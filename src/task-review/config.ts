import * as z from 'zod';
import { camelKeys } from '../text/camel-keys.js';

/** The `executor` section of a configuration: how `reviewloop tasks run` does tasks. Keys may be in snake_case. */
export interface ConfiguredExecutor {
  /** Does a task; it gets the task on its standard input. */
  readonly exec?: string | undefined;
  /** @default none */
  readonly testCommand?: string | undefined;
  /** @default none */
  readonly lintCommand?: string | undefined;
  /** Whether a person is asked after every review. @default false */
  readonly hitlReview?: boolean | undefined;
  /** @default 'advisory' */
  readonly reviewPolicy?: 'advisory' | 'required' | undefined;
  /** How often a task is done at most. @default 3 */
  readonly maxAttempts?: number | undefined;
  /** One reviewer for each. @default one for all of quality, implementation and testing */
  readonly reviewRoles?:
    | readonly ('quality' | 'implementation' | 'testing' | 'simplification' | 'docs')[]
    | undefined;
  /** A template of the review prompt; sections that it does not name are appended. @default the built-in one */
  readonly reviewTemplate?: string | undefined;
}

const line = z.string().trim().min(1).optional();

/** The `executor` section, with its keys in camelCase. */
export const ExecutorConfigSchema = z.preprocess(
  camelKeys,
  z.strictObject({
    exec: line,
    testCommand: line,
    lintCommand: line,
    hitlReview: z.boolean().optional(),
    reviewPolicy: z.enum(['advisory', 'required']).optional(),
    maxAttempts: z.int().min(1).optional(),
    reviewRoles: z
      .array(z.enum(['quality', 'implementation', 'testing', 'simplification', 'docs']))
      .min(1)
      .optional(),
    reviewTemplate: z.string().min(1).optional(),
  }),
);

/** The section with its keys in camelCase. */
export function executorIn(section: unknown): ConfiguredExecutor {
  return ExecutorConfigSchema.parse(section ?? {}) as ConfiguredExecutor;
}
