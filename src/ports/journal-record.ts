import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import {
  type HumanAnswer,
  HumanAnswerSchema,
  type HumanRequest,
  HumanRequestSchema,
} from '../core/human.js';
import { type Usage, UsageSchema } from '../core/usage.js';

const at = builtOnUse(() => z.number());

/**
 * One line of a run's journal. The first is `run`. Only steps that succeeded have a `step` record.
 * A step that may change a workspace is recorded with the tree after it.
 */
export const JournalRecordSchema = builtOnUse(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('run'),
      schema: z.literal(1),
      runId: z.string(),
      pipeline: z.string(),
      taskDigest: z.string(),
      task: z.unknown(),
      nonce: z.string(),
      carried: z.record(z.string(), z.string()).optional(),
      parts: z.record(z.string(), z.string()).optional(),
      at,
    }),
    z.object({
      type: z.literal('step'),
      name: z.string(),
      input: z.string(),
      value: z.unknown(),
      usage: UsageSchema.optional(),
      workspace: z.string().optional(),
      at,
    }),
    z.object({
      type: z.literal('attempt'),
      name: z.string(),
      input: z.string(),
      code: z.string(),
      message: z.string(),
      usage: UsageSchema.optional(),
      at,
    }),
    z.object({ type: z.literal('request'), request: HumanRequestSchema, at }),
    z.object({
      type: z.literal('answer'),
      id: z.string(),
      digest: z.string(),
      answer: HumanAnswerSchema,
      /** The questions that it decides, by criterion. */
      questions: z.record(z.string(), z.string()).optional(),
      at,
    }),
    z.object({
      type: z.literal('end'),
      status: z.string(),
      code: z.string(),
      usage: z.record(z.string(), UsageSchema).optional(),
      waits: z.array(z.string()).optional(),
      at,
    }),
  ]),
);
type RecordOf<Type> = Extract<z.infer<typeof JournalRecordSchema>, { type: Type }>;

/**
 * The first record of a run. `carried` is data of a tracer for later calls; `parts` are the versions
 * of what the pipeline consists of, by name.
 */
export interface RunRecord extends RecordOf<'run'> {
  carried?: Readonly<Record<string, string>> | undefined;
  parts?: Readonly<Record<string, string>> | undefined;
}

export interface StepRecord extends RecordOf<'step'> {
  usage?: Usage | undefined;
}

export interface AttemptRecord extends RecordOf<'attempt'> {
  usage?: Usage | undefined;
}

export interface RequestRecord extends RecordOf<'request'> {
  request: HumanRequest;
}

export interface AnswerRecord extends RecordOf<'answer'> {
  answer: HumanAnswer;
}

/**
 * The last record of a run; `usage` is what no other record contains, by activity. `waits` are the
 * ids of the questions that a suspended run waits for.
 */
export interface EndRecord extends RecordOf<'end'> {
  usage?: Record<string, Usage> | undefined;
}

/** One line of a run's journal. */
export type JournalRecord =
  | RunRecord
  | StepRecord
  | AttemptRecord
  | RequestRecord
  | AnswerRecord
  | EndRecord;
