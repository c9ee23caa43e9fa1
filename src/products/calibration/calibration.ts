import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import { ConfusionSchema } from './confusion.js';
import { GateSchema } from './gate.js';

const share = z.number().min(0).max(1);

/** Null if it cannot be computed. */
const estimate = (figure: z.ZodNumber) =>
  z
    .object({ value: figure, low: figure, high: figure })
    .refine(({ value, low, high }) => low <= value && value <= high, {
      error: 'expected low <= value <= high',
    })
    .nullable();

/** Another prompt, model or rule is another version. */
const CalibratedJudgeSchema = z.object({
  id: z.string().min(1),
  version: z.string(),
  provider: z.string().optional(),
  model: z.string().optional(),
});

/** The reliability of a judge on labelled examples, as plain JSON. */
export const CalibrationSchema = z.object({
  schema: z.literal(1),
  judge: CalibratedJudgeSchema,
  /** ISO 8601, with its time zone. */
  at: z.iso.datetime({ offset: true }),
  /** Hash of the labelled examples. */
  labels: z.string(),
  examples: z.object({
    total: z.int().min(0),
    good: z.int().min(0),
    bad: z.int().min(0),
    /** Examples with a verdict. */
    judged: z.int().min(0),
    errored: z.int().min(0),
    skipped: z.int().min(0),
  }),
  confusion: ConfusionSchema,
  /** True positive rate: the share of good work that passes. */
  tpr: estimate(share),
  /** True negative rate: the share of bad work that fails. */
  tnr: estimate(share),
  /** The mean of `tpr` and `tnr`: 0.5 is chance. */
  balancedAccuracy: estimate(share),
  /** The share of passes that are good, for the mix of labels in these examples. */
  precision: estimate(share),
  /** Cohen's kappa between the judge and the labels. */
  kappa: estimate(z.number().min(-1).max(1)),
  /** How often two runs over the same example disagree; null without repetitions. */
  flipRate: share.nullable(),
  repetitions: z.int().min(1),
  confidence: share,
  /** What the judge lets through at each bar of its scale, if it grades. */
  bars: z.array(GateSchema).optional(),
  /** The first 20 runs without a verdict. */
  errors: z.array(z.object({ example: z.string(), code: z.string(), message: z.string() })),
  /** Limits of these figures, such as too few examples. */
  notes: z.array(z.string()),
});

/** The reliability of a judge on labelled examples, as plain JSON. */
export interface Calibration extends z.infer<typeof CalibrationSchema> {}

export const enoughExamples = 20;

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
