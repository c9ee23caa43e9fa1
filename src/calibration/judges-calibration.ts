import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import { CalibrationSchema } from './calibration.js';
import { GateSchema } from './gate.js';

/** How reliable several judges are, alone and in turn, as plain JSON. */
export const JudgesCalibrationSchema = builtOnUse(() =>
  z.object({
    schema: z.literal(2),
    /** One for each judge. */
    calibrations: z.array(CalibrationSchema),
    /** The share of texts that are wrong, for calls and wrong approvals. */
    prior: z.number().min(0).max(1),
    /** What each order of judges lets through, at each bar. */
    gates: z.array(GateSchema),
    /** Limits of these figures, and what is assumed. */
    notes: z.array(z.string()),
  }),
);
/** How reliable several judges are, alone and in turn, as plain JSON. */
export interface JudgesCalibration extends Readonly<z.infer<typeof JudgesCalibrationSchema>> {}
