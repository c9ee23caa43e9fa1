import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import type { ReviewLoopError } from '../core/errors.js';
import {
  type HumanAnswer,
  HumanAnswerSchema,
  type HumanRequest,
  HumanRequestSchema,
} from '../core/human.js';
import type { Review } from '../core/review.js';
import { type Usage, UsageSchema } from '../core/usage.js';

const at = builtOnUse(() => z.number());

/** One line of a run's journal. The first is `run`; a step is recorded only when it succeeded, with the tree that it left where it may change a workspace. */
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
      at,
    }),
    z.object({ type: z.literal('request'), request: HumanRequestSchema, at }),
    z.object({
      type: z.literal('answer'),
      id: z.string(),
      digest: z.string(),
      answer: HumanAnswerSchema,
      at,
    }),
    z.object({ type: z.literal('end'), status: z.string(), code: z.string(), at }),
  ]),
);
type RecordOf<Type> = Extract<z.infer<typeof JournalRecordSchema>, { type: Type }>;

/** The first record of a run. */
export interface RunRecord extends RecordOf<'run'> {}

/** A step that succeeded, with its value. */
export interface StepRecord extends RecordOf<'step'> {
  usage?: Usage | undefined;
}

/** A step that failed. */
export interface AttemptRecord extends RecordOf<'attempt'> {}

/** A question to a person. */
export interface RequestRecord extends RecordOf<'request'> {
  request: HumanRequest;
}

/** What a person answered. */
export interface AnswerRecord extends RecordOf<'answer'> {
  answer: HumanAnswer;
}

/** The last record of a run. */
export interface EndRecord extends RecordOf<'end'> {}

/** One line of a run's journal. */
export type JournalRecord =
  | RunRecord
  | StepRecord
  | AttemptRecord
  | RequestRecord
  | AnswerRecord
  | EndRecord;

/** A run's journal, open for one writer. */
export interface Journal {
  /** What was recorded before it was opened, the oldest first. */
  readonly records: readonly JournalRecord[];
  /** Takes over the record, which is not changed afterwards. Resolves when it will survive; a store that survives nothing may answer at once. */
  readonly append: (record: JournalRecord) => Promise<void> | void;
  /**
   * Told of every finished review, of the same one again when the run is gone through again. Nothing of it is replayed: it is there for
   * stores that can be asked about reviews and gaps.
   */
  readonly review?: ((review: Review) => Promise<void> | void) | undefined;
  /** Calls back when another writer took over while nothing was being appended; what is still out need not be paid for. */
  readonly onLost?: ((callback: (error: ReviewLoopError) => void) => void) | undefined;
  /** Lets the next writer in. */
  readonly close: () => Promise<void> | void;
}

/** Stores runs. */
export interface Store {
  /** The runs that are known, by status where one is asked for. */
  readonly list: (query?: {
    status?: string | undefined;
  }) => Promise<readonly { runId: string; status: string }[]>;
  /**
   * Opens the journal of a run for writing, an empty one for a new run.
   *
   * @param keep - Whether somebody may ask for the run again once it has ended; false for runs whose id the engine made.
   * @throws ReviewLoopError `run_busy` while another writer has it open.
   */
  readonly open: (runId: string, keep: boolean) => Promise<Journal> | Journal;
  /** What is recorded of a run, without opening it; `undefined` for an unknown one. */
  readonly read: (runId: string) => Promise<readonly JournalRecord[] | undefined>;
}
