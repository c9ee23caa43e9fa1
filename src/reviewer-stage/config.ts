import * as z from 'zod';
import { isProvider, type LLMProvider } from '../core/llm-provider.js';
import { camelKeys } from '../text/camel-keys.js';
import type { Dimension } from './dimension.js';
import { type QualityLevel, QualityLevelSchema } from './quality-level.js';

/** The `reviewer` section of a configuration: how `reviewloop review --diff` judges. Keys may be in snake_case, as in `.agent/config.yml`. */
export interface ConfiguredReviewer {
  /** Dimensions by id: `false` switches one of the five off, a dimension of your own is added. @default the five are on */
  readonly dimensions?: Readonly<Record<string, boolean | Dimension>> | undefined;
  /** For one review. @default 120 */
  readonly timeoutSeconds?: number | undefined;
  /** Whether a person is asked after an approval. @default 'auto' */
  readonly humanReview?: 'auto' | 'prompt' | 'require' | undefined;
  /** The level that every dimension needs. @default 'good' */
  readonly minQuality?: QualityLevel | undefined;
  /** Another level for single dimensions. */
  readonly thresholds?: Readonly<Record<string, QualityLevel>> | undefined;
  /** How often work may go back to `replan`. @default 3 */
  readonly maxCycles?: number | undefined;
  /** Where work goes that a person declines. @default 'replan' */
  readonly onDecline?: 'replan' | 'stop' | undefined;
  /** Commands that verify the work before it is reviewed; they execute code. @default none */
  readonly verify?: readonly (string | readonly string[])[] | undefined;
  /** A command that gets the feedback on its standard input, mends the files, and prints the new plan. @default none */
  readonly replan?: string | readonly string[] | undefined;
  /** Files that may be judged in part. @default none */
  readonly allowTruncated?: readonly string[] | undefined;
  /** Who judges, unless --provider names a model. @default `provider` of the whole configuration */
  readonly provider?: LLMProvider | undefined;
}

const dimensionIds = ['intent_alignment', 'code_quality', 'completeness', 'consistency', 'safety'];
const bars = QualityLevelSchema.options.slice(1) as [QualityLevel, ...QualityLevel[]];
const bar = z.enum(bars, `expected one of ${[...bars].reverse().join(', ')}`);
const command = z.union(
  [z.string().trim().min(1), z.array(z.string()).min(1)],
  'expected a command, as a text or as a list',
);
const dimension = z.custom<Dimension>(isDimension, 'expected true, false, or a dimension');

/** The `reviewer` section, with its keys in camelCase. */
export const ReviewerConfigSchema = z.preprocess(
  camelKeys,
  z
    .strictObject({
      dimensions: z
        .record(
          z.string(),
          z.union([z.boolean(), dimension], 'expected true, false, or a dimension'),
        )
        .optional(),
      timeoutSeconds: z.number().positive().optional(),
      humanReview: z
        .enum(['auto', 'prompt', 'require'], 'expected auto, prompt or require')
        .optional(),
      minQuality: bar.optional(),
      thresholds: z.record(z.string(), bar).optional(),
      maxCycles: z.int().min(0).optional(),
      onDecline: z.enum(['replan', 'stop']).optional(),
      verify: z.array(command).optional(),
      replan: command.optional(),
      allowTruncated: z.array(z.string()).optional(),
      provider: z
        .custom<LLMProvider>(isProvider, 'expected a provider, with `id` and `generate`')
        .optional(),
    })
    .superRefine(checkIds),
);

/** A name that is no dimension's would be ignored. */
function checkIds(
  { dimensions = {}, thresholds = {} }: Pick<ConfiguredReviewer, 'dimensions' | 'thresholds'>,
  context: z.RefinementCtx,
): void {
  const own = Object.entries(dimensions).flatMap(([id, value]) =>
    typeof value === 'boolean' ? [] : [id],
  );
  const known = [...dimensionIds, ...own];
  const message = (id: string): string =>
    `no dimension is called ${id}; there are ${known.join(', ')}`;
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
      message: 'every dimension is switched off',
    });
}

/** The section as the command line uses it; it was checked before. */
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
