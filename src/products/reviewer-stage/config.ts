import * as z from 'zod';
import { isProvider, type LLMProvider } from '../../core/llm-provider.js';
import { camelKeys } from '../../core/text/keys.js';
import type { Dimension } from './dimension.js';
import { type QualityLevel, QualityLevelSchema } from './quality-level.js';

const dimensionIds = ['intent_alignment', 'code_quality', 'completeness', 'consistency', 'safety'];
const thresholds = QualityLevelSchema.options.slice(1) as [QualityLevel, ...QualityLevel[]];
const threshold = z.enum(thresholds, `expected one of ${[...thresholds].reverse().join(', ')}`);
const command = z.union(
  [z.string().trim().min(1), z.array(z.string()).min(1).readonly()],
  'expected a command as a string or as a list of strings',
);
const dimension = z.custom<Dimension>(isDimension, 'expected true, false, or a dimension');

export const ReviewerConfigSchema = z.preprocess(
  camelKeys,
  z
    .strictObject({
      /**
       * Dimensions by id. `false` disables a built-in dimension; an object adds your own.
       *
       * @default the five built-in dimensions
       */
      dimensions: z
        .record(
          z.string(),
          z.union([z.boolean(), dimension], 'expected true, false, or a dimension'),
        )
        .readonly()
        .optional(),
      /** The timeout of one review, in seconds. @default 120 */
      timeoutSeconds: z.number().positive().optional(),
      /**
       * Whether to ask a person: `auto` asks nobody, `prompt` lets a person skip, `require` needs an
       * approval.
       *
       * @default 'auto'
       */
      humanReview: z
        .enum(['auto', 'prompt', 'require'], 'expected auto, prompt or require')
        .optional(),
      /** The level that every dimension must reach; `poor` is not allowed. @default 'good' */
      minQuality: threshold.optional(),
      /** Levels that replace `minQuality`, by dimension id. @default {} */
      thresholds: z.record(z.string(), threshold).readonly().optional(),
      /** The maximum number of `replan` runs; a whole number from 0. @default 3 */
      maxCycles: z.int().min(0).optional(),
      /** The action if a person declines: run `replan`, or stop. @default 'replan' */
      onDecline: z.enum(['replan', 'stop']).optional(),
      /** Commands that verify the work before the review. They run code. @default [] */
      verify: z.array(command).readonly().optional(),
      /**
       * A command that reads the feedback from its standard input, changes the files, and prints the
       * new plan.
       *
       * @default none: rejected work ends the review
       */
      replan: command.optional(),
      /** Paths of files that may be judged in part. @default [] */
      allowTruncated: z.array(z.string()).readonly().optional(),
      /**
       * Endings of paths, such as `.png`, of binary files and submodules that may be approved
       * although no judge sees them.
       *
       * @default []
       */
      allowUnseen: z.array(z.string().min(1)).readonly().optional(),
      /**
       * The model that judges, unless `--provider` names one.
       *
       * @default the configuration's `provider`
       */
      provider: z
        .custom<LLMProvider>(isProvider, 'expected a provider, with `id` and `generate`')
        .optional(),
    })
    .superRefine(checkIds),
);

/**
 * The `reviewer` section of a configuration: options of `reviewloop review --diff`. Keys may be in
 * snake_case, as in `.agent/config.yml`.
 */
export interface ConfiguredReviewer extends Readonly<z.infer<typeof ReviewerConfigSchema>> {}

/** An ignored id would hide a mistake. */
function checkIds(
  {
    dimensions = {},
    thresholds = {},
  }: {
    readonly dimensions?: Readonly<Record<string, boolean | Dimension>> | undefined;
    readonly thresholds?: Readonly<Record<string, QualityLevel>> | undefined;
  },
  context: z.RefinementCtx,
): void {
  const own = Object.entries(dimensions).flatMap(([id, value]) =>
    typeof value === 'boolean' ? [] : [id],
  );
  const known = [...dimensionIds, ...own];
  const message = (id: string): string =>
    `unknown dimension ${id}; expected one of ${known.join(', ')}`;
  for (const id of Object.keys(dimensions))
    if (!known.includes(id))
      context.addIssue({ code: 'custom', path: ['dimensions', id], message: message(id) });
  for (const id of Object.keys(thresholds))
    if (!known.includes(id))
      context.addIssue({ code: 'custom', path: ['thresholds', id], message: message(id) });
  if (dimensionIds.every((id) => dimensions[id] === false) && own.length === 0)
    context.addIssue({
      code: 'custom',
      path: ['dimensions'],
      message: 'all dimensions are disabled; enable at least one',
    });
}

/** The caller has validated the section. */
export function reviewerConfig(section: unknown): ConfiguredReviewer {
  return (section === undefined ? {} : camelKeys(section)) as ConfiguredReviewer;
}

function isDimension(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'assess' in value &&
    typeof value.assess === 'function'
  );
}
