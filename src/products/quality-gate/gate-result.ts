import * as z from 'zod';
import { redactSecrets } from '../../core/redact/secrets.js';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';

const CriterionAnswerSchema = z.object({
  criterion: z.string(),
  passed: z.boolean(),
  feedback: z.string().nullish(),
});

export const GateAnswerSchema = z.object({
  passed: z.boolean(),
  feedback: z.string(),
  criteria_results: z.array(CriterionAnswerSchema).optional(),
});

export const CriterionVerdictSchema = z.object({
  criterion: z.string(),
  passed: z.boolean(),
  /** What to change; `null` without feedback. */
  feedback: z.string().nullable(),
});

type CriterionVerdict = Readonly<z.infer<typeof CriterionVerdictSchema>>;

/** The result of one evaluation: DeepWork's fields, and what the gate adds. */
export interface GateResult {
  /** True only if the reviewer passed the whole and each criterion. */
  readonly passed: boolean;
  readonly feedback: string;
  readonly criteria_results: readonly CriterionVerdict[];
  /** Criteria that failed although the reviewer passed the whole. */
  readonly contradicted: readonly string[];
  /** Whether the result has criteria. */
  readonly reviewed: boolean;
}

const LenientSchema = z.looseObject({
  passed: z.boolean().default(false),
  feedback: z.string().default('No feedback provided'),
  criteria_results: z.array(CriterionAnswerSchema.loose()).nullish(),
});

/** A missing member fails. A member of another type is an error. */
export function parseResult(data: unknown): GateResult {
  const parsed = LenientSchema.safeParse(data);
  if (!parsed.success) {
    throw new QualityGateError(
      gateErrors.gate_result_invalid,
      `Failed to interpret quality gate result: ${z.prettifyError(parsed.error)}\nData was: ${shown(data)}`,
      { cause: parsed.error, value: data },
    );
  }
  const { passed: claimed, feedback } = parsed.data;
  const criteria = (parsed.data.criteria_results ?? []).map((result) => ({
    criterion: result.criterion,
    passed: result.passed,
    feedback: typeof result.feedback === 'string' ? redactSecrets(result.feedback) : null,
  }));
  return gateResult({ claimed, feedback: redactSecrets(feedback), criteria });
}

/** `passed` is false if a criterion failed, even if the reviewer claimed a pass. */
export function gateResult({
  claimed,
  feedback,
  criteria,
}: {
  readonly claimed: boolean;
  readonly feedback: string;
  readonly criteria: readonly CriterionVerdict[];
}): GateResult {
  const failed = criteria.filter(({ passed }) => !passed).map(({ criterion }) => criterion);
  return {
    passed: claimed && failed.length === 0,
    feedback,
    criteria_results: criteria,
    contradicted: claimed ? failed : [],
    reviewed: true,
  };
}

export function autoPassed(): GateResult {
  return {
    passed: true,
    feedback: 'No quality criteria defined - auto-passing',
    criteria_results: [],
    contradicted: [],
    reviewed: false,
  };
}

function shown(data: unknown): string {
  try {
    return (JSON.stringify(data) ?? String(data)).slice(0, 2000);
  } catch {
    return Object.prototype.toString.call(data);
  }
}
