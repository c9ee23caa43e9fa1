import * as z from 'zod';
import { VotesSchema } from '../../core/assessment-schema.js';
import { builtOnUse } from '../../core/built-on-use.js';
import { RequirementCoverageSchema } from '../../core/coverage.js';
import { GapSchema } from '../../core/gap.js';
import { GradeSchema } from '../../core/grade.js';
import { HumanRequestSchema } from '../../core/human.js';
import { TrySchema } from '../../core/tries.js';
import { UsageSchema } from '../../core/usage.js';

const DenominatorSchema = z
  .object({ met: z.number(), judged: z.number(), total: z.number() })
  .default({ met: 0, judged: 0, total: 0 });

const CountsSchema = z.object({
  passed: z.number(),
  failed: z.number(),
  /** Checks that found nothing to judge. */
  skipped: z.number(),
  undecided: z.number(),
  errored: z.number(),
});

const CoverageReportSchema = builtOnUse(() =>
  RequirementCoverageSchema.extend({
    id: z.string().optional(),
  }),
);

/** `null` is unknown: nothing was judged. */
const ScoresSchema = z.object({
  quality: z.number().nullable(),
  completeness: z.number().nullable(),
  correctness: z.number().nullable(),
  overall: z.number().nullable(),
  judged: z.number(),
  total: z.number(),
  criteria: DenominatorSchema,
  requirements: DenominatorSchema,
});

const AssessmentReportSchema = z.object({
  criterion: z.string(),
  id: z.string().optional(),
  verdict: z.enum(['pass', 'fail', 'undecided', 'skipped', 'errored']),
  score: z.number().optional(),
  text: z.string(),
  code: z.string().optional(),
  /** The calls that no service answered, if a failed judge made several. */
  tries: z.array(TrySchema).optional(),
  question: z.string().optional(),
  decidableBy: z.array(z.string()).optional(),
  /** `false` if approval does not need the decision. */
  mandatory: z.literal(false).optional(),
  decidedBy: z.string().optional(),
  grade: GradeSchema.optional(),
  /** How the judges voted, if several gave this verdict: who voted what, on which text. */
  votes: VotesSchema.optional(),
});

const ReviewReportSchema = z.object({
  iteration: z.number(),
  version: z.string(),
  parent: z.string().optional(),
  at: z.string(),
  durationMs: z.number(),
  complete: z.boolean(),
  best: z.boolean(),
  scores: ScoresSchema,
  counts: CountsSchema.optional(),
  decision: z.object({ kind: z.string(), reason: z.string() }),
  gaps: z.array(GapSchema),
  fixed: z.array(GapSchema),
  /** Earlier gaps that nobody judged again: `lifecycle` is `gone` or `unknown`. */
  closed: z.array(GapSchema).optional(),
  assessments: z.array(AssessmentReportSchema),
  reused: z.object({ verdicts: z.number(), saved: UsageSchema }).optional(),
  usage: UsageSchema.optional(),
});

const BarSchema = z.object({
  score: z.enum(['quality', 'completeness', 'correctness', 'overall']),
  at: z.number(),
});

const JudgeReportSchema = z.object({
  id: z.string(),
  /** What it judges with: code, one model, or several. */
  tier: z.string().optional(),
  passed: z.number(),
  failed: z.number(),
  undecided: z.number(),
  skipped: z.number(),
  errored: z.number(),
  reused: z.number().optional(),
  durationMs: z.number().optional(),
  usage: UsageSchema.optional(),
  /** Why it failed, each reason once. */
  errors: z.array(z.string()),
});

const WaitReportSchema = z.object({
  question: z.string(),
  askedAt: z.string().optional(),
  answeredAt: z.string().optional(),
  answer: z.string().optional(),
  by: z.string().optional(),
  reason: z.string().optional(),
});

const AttemptReportSchema = z.object({
  name: z.string(),
  code: z.string(),
  message: z.string(),
  at: z.string(),
});

const WayOnSchema = z.object({
  /** What the command is good for. */
  why: z.string(),
  command: z.string(),
});

/** `review.json` and `--format json` contain it. */
export const RunReportSchema = z.object({
  schemaVersion: z.literal(1),
  runId: z.string(),
  /** Whether the report was made from the journal of the run, which does not contain its reviews. */
  recorded: z.literal(true).optional(),
  pipeline: z.string().optional(),
  /** ISO 8601. */
  at: z.string(),
  durationMs: z.number(),
  status: z.string(),
  approved: z.boolean(),
  /** The reason for the status, as a code. */
  code: z.string(),
  /** The reason for the status, in words. */
  reason: z.string(),
  exitCode: z.number(),
  /** All checks passed, nobody judged the rest, and `--require checks` asked for no more. */
  checksPassed: z.literal(true).optional(),
  /** The person who decided, if any. */
  decidedBy: z.string().optional(),
  task: z.object({ source: z.string(), text: z.string().optional() }),
  /** The file that lists the requirements. Without it, they were read from the task. */
  requirements: z
    .object({
      file: z.string(),
      /** How many of them were judged. */
      judged: z.number(),
      /** The texts of those that are left out on purpose. */
      leftOut: z.array(z.string()),
      /** The ids that the file gives them, by criterion. */
      ids: z.record(z.string(), z.string()).optional(),
      /** Whether the task has changed since the file was written. */
      taskChanged: z.boolean(),
      /** What to do if the task has changed. */
      warning: z.string().optional(),
    })
    .optional(),
  /** The chosen sets of criteria. */
  criteria: z.object({
    chosen: z.array(z.string()),
    /** How the sets were chosen. */
    reason: z.string(),
    /** Why each set was chosen, if no option named it. */
    why: z.array(z.string()).optional(),
    names: z.record(z.string(), z.string()),
  }),
  files: z.array(z.object({ path: z.string(), type: z.string(), bytes: z.number() })),
  notReviewed: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** The digest of the returned version; all following members describe it. */
  version: z.string().optional(),
  scores: ScoresSchema.optional(),
  counts: CountsSchema.optional(),
  gaps: z.array(GapSchema),
  coverage: z.array(CoverageReportSchema),
  /** Assessments of failed judges. */
  failures: z.array(AssessmentReportSchema),
  /** What no judge could decide. */
  undecided: z.array(AssessmentReportSchema).default([]),
  /** Gaps that fixers and `address` fixed up to this version. */
  fixed: z.array(z.object({ iteration: z.number(), by: z.string(), gap: GapSchema })),
  /** Files that differ from the reviewed input. */
  changed: z.array(z.string()),
  /** Files that were written back. */
  written: z.array(z.string()),
  /** The questions that a suspended run waits for. */
  requests: z.array(HumanRequestSchema).optional(),
  /** Who accepted what reviewers did not approve, and why. */
  acceptance: z.object({ kind: z.string(), by: z.string(), reason: z.string() }).optional(),
  /** Assessments of a review that was interrupted. */
  partial: z.array(AssessmentReportSchema).optional(),
  bars: z.array(BarSchema).optional(),
  /** What each judge did in the run. */
  judges: z.array(JudgeReportSchema).optional(),
  /** Calls that failed; some were made again. */
  attempts: z.array(AttemptReportSchema).optional(),
  /** What people were asked, and what they answered. */
  waits: z.array(WaitReportSchema).optional(),
  /** What all calls of the run used. */
  usage: UsageSchema.optional(),
  /** What leads on, the most helpful first. */
  next: z.array(WayOnSchema).optional(),
  reviews: z.array(ReviewReportSchema),
});

/** A run as `review.json` and `--format json` contain it. */
export interface RunReport extends z.infer<typeof RunReportSchema> {}
export type ReviewReport = z.infer<typeof ReviewReportSchema>;
export type AssessmentReport = z.infer<typeof AssessmentReportSchema>;
export type JudgeReport = z.infer<typeof JudgeReportSchema>;
export type WaitReport = z.infer<typeof WaitReportSchema>;
export type AttemptReport = z.infer<typeof AttemptReportSchema>;
/** A command that leads on from a {@link RunReport}. */
export type WayOn = z.infer<typeof WayOnSchema>;
export interface ScoreBar extends z.infer<typeof BarSchema> {}
