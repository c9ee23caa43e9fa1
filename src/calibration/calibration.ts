import * as z from 'zod';

const share = z.number().min(0).max(1);

/** A figure with the interval that it may well lie in; null where it cannot be told. */
const estimate = z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable();

/** Which judge was calibrated. Another prompt, model or rule is another version. */
const CalibratedJudgeSchema = z.object({
  id: z.string().min(1),
  version: z.string(),
  provider: z.string().optional(),
  model: z.string().optional(),
});

/** How well a judge did on labelled examples; plain JSON. */
export const CalibrationSchema = z.object({
  schema: z.literal(1),
  judge: CalibratedJudgeSchema,
  /** ISO 8601. */
  at: z.string(),
  /** The digest of the labelled examples. */
  labels: z.string(),
  examples: z.object({
    total: z.int().min(0),
    good: z.int().min(0),
    bad: z.int().min(0),
    /** Those with a verdict; the others count neither as passes nor as failures. */
    judged: z.int().min(0),
    errored: z.int().min(0),
    skipped: z.int().min(0),
  }),
  confusion: z.object({
    truePass: z.int().min(0),
    falsePass: z.int().min(0),
    trueFail: z.int().min(0),
    falseFail: z.int().min(0),
  }),
  /** The share of good work that passes, */
  tpr: estimate,
  /** the share of bad work that fails, */
  tnr: estimate,
  /** and the mean of the two: 0.5 is chance. */
  balancedAccuracy: estimate,
  /** The share of passes that were good, at the share of good work among these examples. */
  precision: estimate,
  /** Cohen's kappa between the judge and the labels. */
  kappa: estimate,
  /** How often two runs over the same example disagree; null without repetitions. */
  flipRate: share.nullable(),
  repetitions: z.int().min(1),
  confidence: share,
  /** Runs that gave no verdict, the first of them. */
  errors: z.array(z.object({ example: z.string(), code: z.string(), message: z.string() })),
  /** What limits what these figures can be used for. */
  notes: z.array(z.string()),
});
/** How well a judge did on labelled examples; plain JSON. */
export type Calibration = z.infer<typeof CalibrationSchema>;

/** How many examples of each label a gate needs, unless it is told otherwise. */
export const enoughExamples = 20;
