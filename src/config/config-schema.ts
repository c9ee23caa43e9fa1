import * as z from 'zod';
import { commandProblems } from './command-problems.js';
import { criteriaProblems, type Problem, reviewerProblems } from './criteria-problems.js';
import { ExecutorConfigSchema } from './executor-config.js';
import { ReviewerConfigSchema } from './reviewer-config.js';

/** The names that `criteria` may hold. */
export const criteriaNames = ['auto', 'html', 'css', 'plan', 'text', 'code', 'ui-designer', 'project-manager'] as const;

const fn = (what: string) => z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', `expected ${what}`);
const ratio = z.number().min(0).max(1).optional();
const positive = z.number().positive().optional();

function isVerdictStore(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function' && 'put' in value && typeof value.put === 'function';
}

/** A value whose problems are found by a function, each at its place in the value. */
function checkedBy(problemsOf: (value: unknown) => readonly Problem[]) {
  return z.unknown().superRefine((value, context) => {
    if (value === undefined) return;
    for (const { path, message } of problemsOf(value)) context.addIssue({ code: 'custom', path: [...path], message });
  });
}

/** What a configuration file may hold; everything else is refused. */
export const ConfigSchema = z.strictObject({
  criteria: checkedBy(criteriaProblems).optional(),
  reviewers: checkedBy(reviewerProblems).optional(),
  commands: checkedBy(commandProblems).optional(),
  policy: z.union([fn('a function'), z.strictObject({ quality: ratio, completeness: ratio })], { error: 'expected a policy, or { quality, completeness } from 0 to 1' }).optional(),
  budget: z.strictObject({ iterations: z.int().min(1).optional(), tokens: positive, costUsd: positive, timeoutMs: positive }).optional(),
  human: z.strictObject({ policy: z.enum(['auto', 'prompt', 'require']), expiresAfterMs: positive }).optional(),
  verdicts: z.custom(isVerdictStore, 'expected a verdict store, with `get` and `put`').optional(),
  address: fn('a function').optional(),
  reviewer: ReviewerConfigSchema.optional(),
  executor: ExecutorConfigSchema.optional(),
});

/** The keys of a configuration, for messages. */
export const configKeys = Object.keys(ConfigSchema.shape);
