import * as z from 'zod';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';
import { GateReviewSchema } from './gate-plan.js';
import type { GateOutputs, OutputTypes } from './payload/gate-outputs.js';

const OutputTypeSchema = z.enum(['file', 'files', 'string']);

/** One output of a step in a job file. A type without more declares a required output. */
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
    /** The path of the file, for `reviewloop gate` without `--output`. */
    path: z.string().min(1).optional(),
    /** The paths of the files, for `reviewloop gate` without `--output`. */
    paths: z.array(z.string().min(1)).optional(),
  }),
]);

/** A step of a job: its outputs and their reviews. */
export const GateStepSchema = z.looseObject({
  id: z.string().min(1).max(200),
  name: z.string().optional(),
  description: z.string().optional(),
  outputs: z.record(z.string().min(1), GateOutputSpecSchema).default({}),
  reviews: z.array(GateReviewSchema).default([]),
});
/** A step of a job: its outputs and their reviews. */
export interface GateStep extends z.infer<typeof GateStepSchema> {}

/** The members of a DeepWork job file that the gate reads. It ignores other members. */
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
/** The members of a DeepWork job file that the gate reads. */
export interface GateJob extends z.infer<typeof GateJobSchema> {}

/** Returns the types of the outputs that a step declares. */
export function typesOf({ outputs }: Pick<GateStep, 'outputs'>): OutputTypes {
  return Object.fromEntries(Object.entries(outputs).map(([name, { type }]) => [name, type]));
}

/** @throws QualityGateError `gate_output_invalid` for undeclared or missing required outputs */
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
