import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { CalibrationSchema } from './calibration.js';
import { RiskModelSchema } from './risk-model.js';

const estimate = () => z.object({ value: z.number(), low: z.number(), high: z.number() });

/** How reliable several judges are together, as plain JSON. */
export const JudgesCalibrationSchema = builtOnUse(() =>
  z.object({
    schema: z.literal(1),
    /** One for each judge. */
    calibrations: z.array(CalibrationSchema),
    /** How alike two judges vote; null if it cannot be measured. */
    betweenJudges: estimate().nullable(),
    /** How alike two calls of one judge vote; null without repetitions. */
    withinJudge: estimate().nullable(),
    /** The share of first texts that are wrong. */
    prior: estimate(),
    /** What `riskOf` and `withinRisk` take; null if a part could not be measured. */
    model: RiskModelSchema.nullable(),
    /** The risk that the model predicts, with the interval that the examples leave open. */
    predicted: z
      .object({
        passes: z.object({ first: z.int().min(1), edited: z.int().min(1) }),
        /** Of a text that passed at once. */
        first: estimate(),
        /** Of a text that failed once, was edited, and passed. */
        edited: estimate(),
      })
      .nullable(),
    /** Limits of these figures, and what is assumed. */
    notes: z.array(z.string()),
  }),
);
/** How reliable several judges are together, as plain JSON. */
export interface JudgesCalibration extends Readonly<z.infer<typeof JudgesCalibrationSchema>> {}

/** A figure with its interval. */
export type JudgesFigure = JudgesCalibration['prior'];
