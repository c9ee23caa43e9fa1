import * as z from 'zod';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { GateReviewSchema } from './gate-plan.js';
import type { GateOutputs, OutputTypes } from './payload/outputs.js';

const OutputTypeSchema = z.enum(['file', 'files', 'string']);

/** One output of a step, as a job file declares it. A type alone is short for an output that is required. */
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
    /** Where the file is, for programs that are not told. */
    path: z.string().min(1).optional(),
    paths: z.array(z.string().min(1)).optional(),
  }),
]);

/** A step of a job: what it makes, and how that is reviewed. */
export const GateStepSchema = z.looseObject({
  id: z.string().min(1).max(200),
  name: z.string().optional(),
  description: z.string().optional(),
  outputs: z.record(z.string().min(1), GateOutputSpecSchema).default({}),
  reviews: z.array(GateReviewSchema).default([]),
});
/** A step of a job: what it makes, and how that is reviewed. */
export type GateStep = z.infer<typeof GateStepSchema>;

/** A job file of seed 000, as far as the gate reads it; other members are left alone. */
export const GateJobSchema = z
  .looseObject({ name: z.string().min(1), steps: z.array(GateStepSchema).min(1) })
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
/** A job of seed 000, as far as the gate reads it. */
export type GateJob = z.infer<typeof GateJobSchema>;

/** The types of the outputs that a step declares. */
export function typesOf({ outputs }: Pick<GateStep, 'outputs'>): OutputTypes {
  return Object.fromEntries(Object.entries(outputs).map(([name, { type }]) => [name, type]));
}

/** @throws QualityGateError `gate_output_invalid` for outputs that the step does not declare, and for required ones that are not there */
export function checkStepOutputs(step: Pick<GateStep, 'id' | 'outputs'>, given: GateOutputs): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(step.outputs, name));
  if (unknown.length > 0)
    throw new QualityGateError(
      gateErrors.gate_output_invalid,
      `step ${step.id} has no output ${unknown.join(', ')}; it has ${Object.keys(step.outputs).join(', ') || 'none'}`,
      { value: unknown },
    );
  const missing = Object.entries(step.outputs).flatMap(([name, { required }]) =>
    required && !Object.hasOwn(given, name) ? [name] : [],
  );
  if (missing.length > 0)
    throw new QualityGateError(
      gateErrors.gate_output_invalid,
      `step ${step.id} needs the output ${missing.join(', ')}`,
      { value: missing },
    );
}
