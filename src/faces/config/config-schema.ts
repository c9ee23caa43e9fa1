import * as z from 'zod';
import { trustNames } from '../../blocks/pipeline/trust-names.js';
import { checkCommandOptions } from '../../blocks/reviewers/command/command-options.js';
import { messageOf } from '../../core/errors.js';
import { isProvider } from '../../core/llm-provider.js';
import { ReviewerConfigSchema } from '../../products/reviewer-stage/config.js';
import { ExecutorConfigSchema } from '../../products/task-review/config.js';
import {
  HonestWorkConfigSchema,
  HookConfigSchema,
  LearningConfigSchema,
  LimitsConfigSchema,
  PagesConfigSchema,
  SecretsConfigSchema,
  ToolConfigSchema,
} from './config-parts.js';

export const criteriaNames = [
  'auto',
  'html',
  'css',
  'plan',
  'text',
  'code',
  'code-lint',
  'spelling',
  'page',
  'ui-designer',
  'project-manager',
  'accepted',
] as const;

const fn = (what: string) =>
  z.custom<(...given: never[]) => unknown>(
    (value) => typeof value === 'function',
    `expected ${what}`,
  );

const ratio = z.number().min(0).max(1).optional();

const positive = z.number().positive().optional();

function isVerdictStore(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'get' in value &&
    typeof value.get === 'function' &&
    'put' in value &&
    typeof value.put === 'function'
  );
}

function checkedBy(problemsOf: (value: unknown) => readonly Problem[]) {
  return z.unknown().superRefine((value, context) => {
    if (value === undefined) return;
    for (const { path, message } of problemsOf(value))
      context.addIssue({ code: 'custom', path: [...path], message });
  });
}

const provider = z.union([z.string().min(1), z.custom<object>(isProvider)], {
  error: "expected a name such as 'openai:MODEL', or a provider with `id` and `generate`",
});

const shape = z.strictObject({
  criteria: checkedBy(criteriaProblems).optional(),
  requirements: z.literal(false).optional(),
  lint: z.union([z.boolean(), ToolConfigSchema]).optional(),
  pages: z.union([z.boolean(), PagesConfigSchema]).optional(),
  spelling: z.union([z.boolean(), ToolConfigSchema]).optional(),
  words: z.enum(['decide', 'hint']).optional(),
  reviewers: checkedBy(reviewerProblems).optional(),
  commands: checkedBy(commandProblems).optional(),
  policy: z
    .union([fn('a function'), z.strictObject({ quality: ratio, completeness: ratio })], {
      error: 'expected a policy, or { quality, completeness } from 0 to 1',
    })
    .optional(),
  budget: z
    .strictObject({
      reviews: z.int().min(1).optional(),
      tokens: positive,
      costUsd: positive,
      timeoutMs: positive,
    })
    .optional(),
  limits: LimitsConfigSchema.optional(),
  human: z
    .strictObject({ policy: z.enum(['auto', 'prompt', 'require']), expiresAfterMs: positive })
    .optional(),
  provider: provider.optional(),
  model: z.string().min(1).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  contextTokens: z.int().min(1).optional(),
  structured: z.enum(['strict', 'json', 'prompt']).optional(),
  trust: z.enum(trustNames).optional(),
  confirmWith: z
    .union([provider, z.array(provider).min(1)], {
      error: "expected a name such as 'openai:MODEL', a provider, or a non-empty list of them",
    })
    .optional(),
  verdicts: z.custom(isVerdictStore, 'expected a verdict store, with `get` and `put`').optional(),
  learn: z
    .union([z.boolean(), LearningConfigSchema], {
      error: 'expected true, false or an object with `labels`, `minAgreement`, `minDecisions`',
    })
    .optional(),
  secrets: SecretsConfigSchema.optional(),
  honestWork: z.union([z.literal(false), HonestWorkConfigSchema]).optional(),
  address: fn('a function').optional(),
  reviewer: ReviewerConfigSchema.optional(),
  executor: ExecutorConfigSchema.optional(),
  hook: HookConfigSchema.optional(),
});

export const ConfigSchema = shape.superRefine((config, context) => {
  const { provider: named, model, baseUrl, contextTokens, structured } = config;
  if (typeof named === 'string') return;
  for (const [name, value] of Object.entries({ model, baseUrl, contextTokens, structured }))
    if (value !== undefined)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'requires a `provider` that is a name',
      });
});

function commandProblems(value: unknown): Problem[] {
  if (!Array.isArray(value)) return [{ path: [], message: 'expected a list of commands' }];
  return value.flatMap((entry: unknown, index): Problem[] => {
    try {
      // the check takes any value
      checkCommandOptions(entry as never);
      return [];
    } catch (error) {
      return [{ path: [index], message: messageOf(error) }];
    }
  });
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function criteriaProblems(value: unknown): Problem[] {
  if (typeof value === 'string') return [];
  if (Array.isArray(value))
    return value.flatMap((entry: unknown, index) =>
      listedProblems(entry).map((message) => ({ path: [index], message })),
    );
  if (!isObject(value))
    return [{ path: [], message: 'expected a name, a list, or a map from ids to functions' }];
  if (isOfAgent(value)) return [];
  return Object.entries(value).flatMap(([id, entry]) =>
    isCheck(entry)
      ? []
      : [{ path: [id], message: 'expected a function or { check, severity, ... }' }],
  );
}

function reviewerProblems(value: unknown): Problem[] {
  if (!Array.isArray(value)) return [{ path: [], message: 'expected a list of reviewers' }];
  return value.flatMap((entry: unknown, index) =>
    hasId(entry) && isFunction(entry['review'])
      ? []
      : [{ path: [index], message: 'expected a reviewer with `id` and `review`' }],
  );
}

function listedProblems(entry: unknown): string[] {
  if (typeof entry === 'string' || isOfAgent(entry)) return [];
  const judges = hasId(entry) && (isFunction(entry['validate']) || isFunction(entry['review']));
  return judges
    ? []
    : [
        'expected the name of a set of criteria, a criterion with `id` and `validate`, ' +
          'or a reviewer with `id` and `review`',
      ];
}

/** Its members are not copied: methods of a class are on its prototype. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function hasId(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && typeof value['id'] === 'string' && value['id'] !== '';
}

function isOfAgent(value: unknown): boolean {
  return (
    isObject(value) && typeof value['agentId'] === 'string' && Array.isArray(value['criteria'])
  );
}

function isCheck(value: unknown): boolean {
  return isFunction(value) || (isObject(value) && isFunction(value['check']));
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
