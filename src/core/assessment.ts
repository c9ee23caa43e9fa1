import type * as z from 'zod';
import type { AssessmentSchema, ComparisonSchema, VotesSchema } from './assessment-schema.js';
import type { RequirementCoverage } from './coverage.js';
import type { Gap } from './gap.js';
import type { Grade } from './grade.js';

export interface Votes extends z.infer<typeof VotesSchema> {}

export interface Comparison extends z.infer<typeof ComparisonSchema> {}

type Inferred = z.infer<typeof AssessmentSchema>;

export interface PassedAssessment extends Extract<Inferred, { verdict: 'pass' }> {
  readonly gaps: readonly Gap[];
  coverage?: RequirementCoverage | undefined;
  grade?: Grade | undefined;
  votes?: Votes | undefined;
  /** The person who decided. The engine sets it; what a reviewer says of it is dropped. */
  decidedBy?: string | undefined;
  comparison?: Comparison | undefined;
}

export interface FailedAssessment extends Extract<Inferred, { verdict: 'fail' }> {
  readonly gaps: readonly Gap[];
  coverage?: RequirementCoverage | undefined;
  grade?: Grade | undefined;
  votes?: Votes | undefined;
  /** The person who decided. The engine sets it; what a reviewer says of it is dropped. */
  decidedBy?: string | undefined;
  comparison?: Comparison | undefined;
}

/** A judge looked, and could not tell. Approval needs every mandatory one decided. */
export interface UndecidedAssessment extends Extract<Inferred, { verdict: 'undecided' }> {
  coverage?: RequirementCoverage | undefined;
}

/** A criterion does not apply, and why. */
export interface SkippedAssessment extends Extract<Inferred, { verdict: 'skipped' }> {
  /**
   * Whether a check by code looked, and found nothing that it applies to. The engine sets it; what a
   * reviewer says of it is dropped. A judge that was not asked, or abstained, does not count.
   */
  notApplicable?: true | undefined;
}

/** The judge failed, not the output. */
export interface ErroredAssessment extends Extract<Inferred, { verdict: 'errored' }> {}

/** An assessment with a verdict and a score. */
export type JudgedAssessment = PassedAssessment | FailedAssessment;

/** What one reviewer says about one criterion. */
export type Assessment =
  | JudgedAssessment
  | UndecidedAssessment
  | SkippedAssessment
  | ErroredAssessment;

/** Returns whether the judge gave a verdict. A judge that skipped or failed gave none. */
export function isJudged(assessment: Assessment): assessment is JudgedAssessment {
  return assessment.verdict === 'pass' || assessment.verdict === 'fail';
}

export function isOpenQuestion(assessment: Assessment): assessment is UndecidedAssessment {
  return assessment.verdict === 'undecided' && assessment.mandatory !== false;
}

/** Returns whether an assessment judges the version alone, in contrast to comparing it with another one. */
export function isVerdict(assessment: Assessment): assessment is JudgedAssessment {
  return isJudged(assessment) && assessment.comparison === undefined;
}

/** The engine does not check them again. */
export class VerifiedAssessments {
  readonly assessments: readonly Assessment[];
  readonly proposal = undefined;

  constructor(...assessments: readonly Assessment[]) {
    this.assessments = assessments;
  }
}
