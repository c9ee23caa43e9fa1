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

/** A run's journal, open for one writer. */
export interface Journal {
  /** The records from before it was opened, oldest first. */
  readonly records: readonly JournalRecord[];
  /**
   * Appends a record, which the engine does not change afterwards. Resolves when the record is
   * durable. A store in memory may return immediately.
   */
  readonly append: (record: JournalRecord) => Promise<void> | void;
  /**
   * Called with every finished review, and again with the same review when a run is replayed.
   * Reviews are not replayed. This is for stores with queries about reviews and gaps.
   */
  readonly review?: ((review: Review) => Promise<void> | void) | undefined;
  /**
   * Calls back if another writer took over the run while nothing was being appended. The engine
   * then cancels the calls in progress.
   */
  readonly onLost?: ((callback: (error: ReviewLoopError) => void) => void) | undefined;
  /**
   * Called before each paid call. Rejects or throws once another writer has taken over the run; the
   * engine then makes no call. A store that knows it without asking returns immediately.
   *
   * @throws ReviewLoopError `journal_fenced`
   */
  readonly held?: (() => Promise<void> | void) | undefined;
  /** Closes the journal, so that another writer can open it. */
  readonly close: () => Promise<void> | void;
}

/** Asks for a page of the runs that wait for a person. */
export interface WaitingQuery {
  /** The most runs of a page. */
  readonly limit: number;
  /** The `next` of the page before. @default the first page */
  readonly after?: string | undefined;
}

/** A suspended run, and what it waits for. */
export interface WaitingRun {
  readonly runId: string;
  readonly pipeline: string;
  /** The questions that nobody has answered, oldest first; at least one. */
  readonly questions: readonly RequestRecord[];
}

/** A page of the runs that wait for a person. */
export interface WaitingPage {
  readonly runs: readonly WaitingRun[];
  /** Leads to the next page; `undefined` after the last run. */
  readonly next?: string | undefined;
}

/** Asks for runs. */
export interface RunQuery {
  /** Only runs with this status. @default runs with any status */
  readonly status?: string | undefined;
  /** Only runs of this pipeline. @default the runs of all pipelines */
  readonly pipeline?: string | undefined;
  /** The most runs. @default all of them */
  readonly limit?: number | undefined;
  /** The `cursor` of the last run of the page before. @default the first page */
  readonly after?: string | undefined;
}

/** A run in a list. A query with a `limit` returns all members that the store knows. */
export interface RunSummary {
  readonly runId: string;
  /** The status of its last end, or `running`. */
  readonly status: string;
  readonly pipeline?: string | undefined;
  readonly code?: string | undefined;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt?: number | undefined;
  /** Leads to the runs after this one. */
  readonly cursor?: string | undefined;
}

/** Asks for a page of the runs that nobody continues. */
export interface OrphanQuery {
  /** The most runs of a page. */
  readonly limit: number;
  /** The `next` of the page before. @default the first page */
  readonly after?: string | undefined;
  /**
   * How long nobody has had the run open, in milliseconds, if its last writer closed it. A run
   * whose writer died counts at once.
   * @default 60000
   */
  readonly olderThanMs?: number | undefined;
}

/** A run that is `running`, and that nobody has open. */
export interface OrphanRun {
  readonly runId: string;
  readonly pipeline: string;
  /** Changes whenever somebody opens or continues the run. */
  readonly epoch: string;
}

/** A page of the runs that nobody continues. */
export interface OrphanPage {
  readonly runs: readonly OrphanRun[];
  /** Leads to the next page; `undefined` after the last run. */
  readonly next?: string | undefined;
}

/** Stores runs. */
export interface Store {
  /** Returns the runs that a query asks for, each once; without a query all. */
  readonly list: (query?: RunQuery) => Promise<readonly RunSummary[]>;
  /**
   * Opens the journal of a run for writing. A new run has an empty journal.
   *
   * @param keep - Whether the run must stay readable after its end; false for runs with a
   *   generated id.
   * @throws ReviewLoopError `run_busy` while another writer has the journal open
   */
  readonly open: (runId: string, keep: boolean) => Promise<Journal> | Journal;
  /**
   * Opens the journal of a run that has records. It creates nothing for an unknown run.
   *
   * @throws ReviewLoopError `run_unknown`, `run_busy`
   * @default the run is read, then opened
   */
  readonly openKnown?: ((runId: string) => Promise<Journal>) | undefined;
  /** Returns the records of a run without opening it; `undefined` for an unknown run. */
  readonly read: (runId: string) => Promise<readonly JournalRecord[] | undefined>;
  /**
   * Returns a page of the suspended runs with their open questions, newest first.
   *
   * @default an inbox reads every suspended run
   */
  readonly waiting?: ((query: WaitingQuery) => Promise<WaitingPage>) | undefined;
  /**
   * Returns a page of the runs that are `running` and that nobody has open, because their process
   * died or let go. Whoever runs them again continues them.
   *
   * @default every running run is opened for a moment, to see whether somebody has it open
   */
  readonly orphans?: ((query: OrphanQuery) => Promise<OrphanPage>) | undefined;
  /**
   * Returns the time of the store, in milliseconds since 1970, if several machines share it.
   *
   * @default the clock of this machine
   */
  readonly now?: (() => Promise<number>) | undefined;
}

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
