import * as z from 'zod';
import { gateErrors } from './errors.js';
import { QualityGateError } from './gate-error.js';

/** What a reviewer is asked to answer: exactly the schema of seed 000. */
export const GateAnswerSchema = z.object({
  passed: z.boolean(),
  feedback: z.string(),
  criteria_results: z
    .array(
      z.object({
        criterion: z.string(),
        passed: z.boolean(),
        feedback: z.string().nullable().optional(),
      }),
    )
    .optional(),
});

/** What was said of one criterion. */
export interface CriterionVerdict {
  readonly criterion: string;
  readonly passed: boolean;
  readonly feedback: string | null;
}

/** The result of one evaluation, as in seed 000, and what must be known beside it. */
export interface GateResult {
  /** True only when the reviewer passed the whole and every criterion. */
  readonly passed: boolean;
  readonly feedback: string;
  readonly criteria_results: readonly CriterionVerdict[];
  /** Criteria that failed although the reviewer passed the whole. */
  readonly contradicted: readonly string[];
  /** False where there was nothing to judge by. */
  readonly reviewed: boolean;
}

const CriterionSchema = z.looseObject({
  criterion: z.string(),
  passed: z.boolean(),
  feedback: z.string().nullish(),
});
const LenientSchema = z.looseObject({
  passed: z.boolean().default(false),
  feedback: z.string().default('No feedback provided'),
  criteria_results: z.array(CriterionSchema).nullish(),
});

/**
 * Reads the structured output of a reviewer: what is left out fails closed, and what is of another type is refused.
 *
 * @throws QualityGateError `gate_result_invalid`
 */
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
    feedback: result.feedback ?? null,
  }));
  return gateResult({ claimed, feedback, criteria });
}

/** The result of what was said; `passed` is computed, so that it stands beside no failed criterion. */
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

/** The result where there are no criteria. */
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
