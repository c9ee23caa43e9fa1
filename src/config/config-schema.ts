import * as z from 'zod';

/** The names that `criteria` may hold. */
export const criteriaNames = ['auto', 'html', 'css', 'plan', 'ui-designer', 'project-manager'] as const;

/** The name of a set of criteria that the package brings along. */
export const CriteriaNameSchema = z.enum(criteriaNames, { error: ({ input }) => `${JSON.stringify(input)} is none of ${criteriaNames.join(', ')}` });

const fn = (what: string) => z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', `expected ${what}`);
const ratio = z.number().min(0).max(1).optional();
const positive = z.number().positive().optional();

const entry = z.union([fn('a function'), z.looseObject({ check: fn('a function') })], { error: 'expected a function or { check, severity, ... }' });
const single = z.looseObject({ id: z.string().min(1) }).refine((value) => ['validate', 'review'].some((name) => typeof value[name] === 'function'), 'expected a criterion with `validate`, or a reviewer with `review`');
const ofAgent = z.looseObject({ agentId: z.string(), criteria: z.array(single) });
const listed = z.union([z.string(), ofAgent, single], { error: 'expected the name of a set of criteria, a criterion or a reviewer' });

const criteria = z.union([z.string(), z.array(listed), ofAgent, z.record(z.string(), entry)], { error: 'expected a name, a list, or a map from ids to functions' });

/** What a configuration file may hold; everything else is refused. */
export const ConfigSchema = z.strictObject({
  criteria: criteria.optional(),
  reviewers: z.array(z.looseObject({ id: z.string().min(1), review: fn('a function') })).optional(),
  policy: z.union([fn('a function'), z.strictObject({ quality: ratio, completeness: ratio })], { error: 'expected a policy, or { quality, completeness } from 0 to 1' }).optional(),
  budget: z.strictObject({ iterations: z.int().min(1).optional(), tokens: positive, costUsd: positive, timeoutMs: positive }).optional(),
  address: fn('a function').optional(),
});

/** The keys of a configuration, for messages. */
export const configKeys = Object.keys(ConfigSchema.shape);
