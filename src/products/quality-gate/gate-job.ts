import * as z from 'zod';
import { namedValues } from '../../core/text/keys.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { type GateReview, GateReviewSchema } from './gate-plan.js';
import type { GateOutputs, OutputTypes } from './payload/gate-outputs.js';

/**
 * A member of DeepWork's job files that the gate does not read. A review inside of it would never
 * be made, so it is refused.
 */
const ignoredMember = z
  .unknown()
  .superRefine((value, context) => {
    const path = misplacedReview(value, 0);
    if (path !== undefined)
      context.addIssue({
        code: 'custom',
        path,
        message: 'is not read here; move it into `reviews` of a step',
      });
  })
  .optional();

/** Deeper data is not of DeepWork's format. */
const maxDepth = 8;

function misplacedReview(value: unknown, depth: number): PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if (!isList && reviewing.has(key.toLowerCase())) return [key];
    const inner = misplacedReview(member, depth + 1);
    if (inner !== undefined) return [isList ? Number(key) : key, ...inner];
  }
  return undefined;
}

const OutputTypeSchema = z.enum(['file', 'files', 'string']);

/** A type without more declares a required output. */
const GateOutputSpecSchema = z.union([
  OutputTypeSchema.transform((type) => ({
    type,
    required: true,
    description: undefined,
    path: undefined,
    paths: undefined,
  })),
  z.strictObject({
    type: OutputTypeSchema,
    description: z.string().optional(),
    required: z.boolean().default(true),
    path: z.string().min(1).optional(),
    paths: z.array(z.string().min(1)).optional(),
  }),
]);

export const GateStepSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .refine((id) => id !== '__proto__', 'no id can be `__proto__`'),
  name: z.string().optional(),
  description: z.string().optional(),
  outputs: namedValues(GateOutputSpecSchema).default({}),
  reviews: z.array(GateReviewSchema).default([]),
  instructions_file: ignoredMember,
  inputs: ignoredMember,
  dependencies: ignoredMember,
  hooks: ignoredMember,
  stop_hooks: ignoredMember,
  exposed: ignoredMember,
  hidden: ignoredMember,
  agent: ignoredMember,
  /** Members of other tools. The gate does not read them. */
  extensions: z.record(z.string(), z.unknown()).optional(),
});
export interface GateStep extends z.infer<typeof GateStepSchema> {}

/**
 * A DeepWork job file. The gate reads `name` and `steps`, and ignores the other members of
 * DeepWork. Members of other tools belong into `extensions`; others are refused.
 */
export const GateJobSchema = z
  .strictObject({
    name: z.string().min(1),
    steps: z.array(GateStepSchema).min(1),
    $schema: ignoredMember,
    version: ignoredMember,
    summary: ignoredMember,
    description: ignoredMember,
    common_job_info_provided_to_all_steps_at_runtime: ignoredMember,
    workflows: ignoredMember,
    changelog: ignoredMember,
    /** Members of other tools. The gate does not read them. */
    extensions: z.record(z.string(), z.unknown()).optional(),
  })
  .superRefine(({ steps }, context) => {
    for (const [index, { id, outputs, reviews }] of steps.entries()) {
      if (steps.findIndex((step) => step.id === id) !== index)
        context.addIssue({
          code: 'custom',
          path: ['steps', index, 'id'],
          message: `two steps have the id ${id}`,
        });
      for (const [at, { run_each: name }] of reviews.entries()) {
        if (name === 'step' || Object.hasOwn(outputs, name)) continue;
        context.addIssue({
          code: 'custom',
          path: ['steps', index, 'reviews', at, 'run_each'],
          message: `${JSON.stringify(name)} is neither \`step\` nor an output of the step`,
        });
      }
    }
  });
/** A DeepWork job file, as the gate reads it. */
export interface GateJob extends z.infer<typeof GateJobSchema> {}

/** A step without criteria is accepted unreviewed. */
export function hasCriteria({ reviews }: { readonly reviews: readonly GateReview[] }): boolean {
  return reviews.some(({ quality_criteria: criteria }) => Object.keys(criteria).length > 0);
}

export function typesOf({ outputs }: Pick<GateStep, 'outputs'>): OutputTypes {
  return Object.fromEntries(Object.entries(outputs).map(([name, { type }]) => [name, type]));
}

export function checkStepOutputs(step: Pick<GateStep, 'id' | 'outputs'>, given: GateOutputs): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(step.outputs, name));
  if (unknown.length > 0)
    throw refused(
      `step ${step.id} has no output ${unknown.join(', ')}; it has ${Object.keys(step.outputs).join(', ') || 'none'}`,
      unknown,
    );
  const missing = Object.entries(step.outputs).flatMap(([name, { required }]) =>
    required && isAbsent(given, name) ? [name] : [],
  );
  if (missing.length > 0)
    throw refused(`step ${step.id} needs the output ${missing.join(', ')}`, missing);
}

/** An empty list is the same as no output. */
export function isAbsent(given: GateOutputs, name: string): boolean {
  if (!Object.hasOwn(given, name)) return true;
  const value = given[name];
  return Array.isArray(value) && value.length === 0;
}

function refused(what: string, value: unknown): QualityGateError {
  return new QualityGateError(gateErrors.gate_output_invalid, what, { value });
}

/** Keys that open the gate if they stand in a place that the gate does not read. */
const reviewing = new Set(['reviews', 'run_each', 'quality_criteria']);
