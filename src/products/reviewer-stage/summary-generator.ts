import * as z from 'zod';
import { builtOnUse } from '../../core/built-on-use.js';
import type { Outcome } from '../../core/outcome.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { UsageSchema } from '../../core/usage.js';
import { ChangeKindSchema, type CompletedWork, OmittedSchema } from './completed-work.js';
import { QualityLevelSchema } from './quality-level.js';
import type { StageDimension } from './stage-dimension.js';

const summaryDimension = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    shortName: z.string(),
    level: QualityLevelSchema.nullable(),
    verdict: z.enum(['errored', 'undecided', 'skipped']).optional(),
    passed: z.boolean(),
    explanation: z.string(),
    issues: z.array(z.string()),
  });

/** It contains no secrets. */
export const StageSummarySchema = builtOnUse(() =>
  z.object({
    schemaVersion: z.literal(1),
    runId: z.string(),
    sessionId: z.string(),
    goal: z.string(),
    changes: z.array(
      z.object({
        path: z.string(),
        oldPath: z.string().optional(),
        kind: ChangeKindSchema,
        added: z.int().optional(),
        removed: z.int().optional(),
        omitted: OmittedSchema.optional(),
      }),
    ),
    notes: z.array(z.string()),
    decision: z.enum(['APPROVED', 'REJECTED', 'INCONCLUSIVE']),
    outcome: z.enum([
      'completed',
      'rejected',
      'escalated',
      'overridden',
      'declined',
      'timed_out',
      'suspended',
      'cancelled',
      'failed',
    ]),
    reasoning: z.string(),
    /** Levels by dimension id; `null` for a dimension that could not be assessed. */
    levels: z.record(z.string(), QualityLevelSchema.nullable()),
    dimensions: z.array(summaryDimension()),
    /** The ids of the dimensions that sent the work back, one list for each cycle. */
    cycleTriggers: z.array(z.array(z.string())),
    /** The known cost of judging. */
    usage: UsageSchema,
    cycles: z.int(),
    /** The time of the end, in ISO 8601. */
    completedAt: z.string(),
    durationMs: z.number(),
    /** `the reviewers`, or the name of the person who answered. */
    decidedBy: z.string(),
    /** The reason why a person overrode the decision. */
    overrideReason: z.string().optional(),
    /** The commit that the changes start from. */
    base: z.string().optional(),
    /** The state that was compared with `base`. */
    head: z.string().optional(),
  }),
);

/** The summary of reviewed work: request, changes, decision and levels, without secrets. */
export interface StageSummary extends z.infer<typeof StageSummarySchema> {}

/** The facts of a run for a summary, besides the work and its dimensions. */
export interface SummaryFacts
  extends Readonly<Pick<StageSummary, 'runId' | 'decision' | 'outcome' | 'reasoning' | 'cycles'>>,
    Readonly<Pick<StageSummary, 'usage' | 'completedAt' | 'durationMs' | 'decidedBy'>>,
    Readonly<Pick<StageSummary, 'overrideReason'>> {
  readonly cycleTriggers: readonly (readonly string[])[];
}

/**
 * Writes the summary of reviewed work. Subclasses may change the notes.
 *
 * @example
 * ```ts
 * const summary = new SummaryGenerator().generate(work, facts, dimensions);
 * ```
 */
export class SummaryGenerator {
  /** Returns the summary of work, decision and dimensions, without secrets. */
  generate(
    work: CompletedWork,
    facts: SummaryFacts,
    dimensions: readonly StageDimension[],
  ): StageSummary {
    const { overrideReason, cycleTriggers, ...rest } = facts;
    return redactJson({
      schemaVersion: 1 as const,
      ...rest,
      sessionId: work.sessionId,
      goal: work.request,
      changes: work.changedFiles.map(({ path, oldPath, status, added, removed, omitted }) => ({
        path,
        kind: status,
        ...(oldPath !== undefined && { oldPath }),
        ...(added !== undefined && { added }),
        ...(removed !== undefined && { removed }),
        ...(omitted !== undefined && { omitted }),
      })),
      notes: this.notesOf(work, dimensions),
      levels: Object.fromEntries(dimensions.map(({ id, level }) => [id, level ?? null])),
      dimensions: dimensions.map(
        ({ id, name, shortName, level = null, passed, explanation, issues, ...rest }) => ({
          id,
          name,
          shortName,
          level,
          ...('verdict' in rest && { verdict: rest.verdict }),
          passed,
          explanation,
          issues: issues.map(({ message }) => message),
        }),
      ),
      cycleTriggers: cycleTriggers.map((ids) => [...ids]),
      ...(work.base !== undefined && { base: work.base }),
      ...(work.head !== undefined && { head: work.head }),
      ...(overrideReason !== undefined && { overrideReason }),
    });
  }

  /** Returns the explanations and issues of the dimensions, then the author's notes. */
  protected notesOf(work: CompletedWork, dimensions: readonly StageDimension[]): string[] {
    const explained = dimensions
      .filter(({ explanation }) => explanation.trim() !== '')
      .map(({ name, explanation }) => `${name}: ${explanation}`);
    const concerns = dimensions.flatMap(({ name, issues }) =>
      issues.map(({ message }) => `${name}: ${message}`),
    );
    return [...new Set([...explained, ...concerns, ...(work.notes ?? [])])];
  }
}

/**
 * The decision of the reviewers. `INCONCLUSIVE`: no judge rejected the work, and something stayed
 * undecided.
 */
export type StageDecision = StageSummary['decision'];

/**
 * The outcome of the work. `overridden`: a person accepted it against the decision. `declined`: a
 * person rejected it. `suspended`: it waits for a person.
 */
export type StageOutcome = StageSummary['outcome'];

/**
 * The error code of a stage result. 001: the stage failed. 002: a dimension could not be assessed.
 * 003: the review timed out. 004: a person declined the work. 005: the summary could not be written
 * or saved.
 */
export type StageErrorCode =
  | 'ACODE-REVIEW-001'
  | 'ACODE-REVIEW-002'
  | 'ACODE-REVIEW-003'
  | 'ACODE-REVIEW-004'
  | 'ACODE-REVIEW-005';

export function stageOutcomeOf(run: Outcome<CompletedWork>): StageOutcome {
  switch (run.status) {
    case 'approved':
      return 'completed';
    case 'accepted':
      return run.acceptance.kind === 'override' ? 'overridden' : 'completed';
    case 'rejected':
      return run.code === 'person_rejected' ? 'declined' : 'rejected';
    case 'exhausted':
      return run.code === 'no_address' ? 'rejected' : 'escalated';
    case 'inconclusive':
      return ranOutOfTime(run) ? 'timed_out' : 'escalated';
    case 'escalated':
    case 'stalled':
      return 'escalated';
    case 'timed_out':
    case 'suspended':
    case 'cancelled':
    case 'failed':
      return run.status;
  }
}

/** Returns whether timeouts are the only reason for a missing verdict. */
function ranOutOfTime({ reviews }: Outcome<CompletedWork>): boolean {
  const codes =
    reviews
      .at(-1)
      ?.assessments.flatMap((assessment) =>
        assessment.verdict === 'errored' ? [assessment.error.code] : [],
      ) ?? [];
  return codes.length > 0 && codes.every((code) => code === 'timeout');
}

const exitCodes: Readonly<Record<StageOutcome, number>> = {
  completed: 0,
  overridden: 0,
  rejected: 50,
  escalated: 50,
  declined: 51,
  timed_out: 52,
  suspended: 53,
  cancelled: 130,
  failed: 1,
};

export function stageExitCode(outcome: StageOutcome): number {
  return exitCodes[outcome];
}

const errorCodes: Partial<Record<StageOutcome, StageErrorCode>> = {
  failed: 'ACODE-REVIEW-001',
  timed_out: 'ACODE-REVIEW-003',
  declined: 'ACODE-REVIEW-004',
};

export function stageErrorCode(
  run: Outcome<CompletedWork>,
  outcome: StageOutcome,
): StageErrorCode | undefined {
  if (run.status === 'inconclusive' && outcome !== 'timed_out') return 'ACODE-REVIEW-002';
  return errorCodes[outcome];
}
