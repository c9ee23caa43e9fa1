import * as z from 'zod';
import { ReviewLoopError } from '../../kernel/errors.js';
import { type Usage, UsageSchema } from '../../kernel/usage.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, SqliteRow, Tables } from './database.js';
import { headOf, plainText } from './plain-text.js';

/** What can be said of the review of an attempt. `not_run` and `error` are no verdicts: nobody has judged. */
export const AttemptReviewSchema = z.enum(['passed', 'fixed', 'failed', 'skipped', 'rejected', 'not_run', 'error']);
/** What can be said of the review of an attempt. `not_run` and `error` are no verdicts: nobody has judged. */
export type AttemptReview = z.infer<typeof AttemptReviewSchema>;

/** What a person may have decided about an attempt. */
export const AttemptDecisionSchema = z.enum(['approve', 'reject', 'fix', 'skip']);
/** What a person may have decided about an attempt. */
export type AttemptDecision = z.infer<typeof AttemptDecisionSchema>;

const label = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => !/\p{Cc}|\p{Cs}/u.test(text), 'it holds control characters');
const count = z.int().min(0);

/** What is recorded of one attempt at a task. What is left out stays as it was recorded before. */
export const AttemptEntrySchema = z.strictObject({
  taskId: label,
  /** From 1; left out, it is one more than the last of the task. */
  attempt: z.int().min(1).optional(),
  runId: label.optional(),
  /** How the task ended, in the words of the caller. */
  status: label.optional(),
  error: z.string().optional(),
  errorCode: label.optional(),
  /** What counts, after everybody has spoken. */
  reviewStatus: AttemptReviewSchema.optional(),
  /** What the review found; the first 2048 bytes are kept, cut between two characters. */
  reviewFindings: z.string().optional(),
  reviewIssues: count.optional(),
  /** What the machine had said; a decision of a person does not change it. */
  machineVerdict: AttemptReviewSchema.optional(),
  humanDecision: AttemptDecisionSchema.optional(),
  humanBy: z.string().min(1).optional(),
  humanReason: z.string().optional(),
  /** Milliseconds since 1970. */
  startedAt: z.number().optional(),
  durationMs: z.number().min(0).optional(),
  reviewDurationMs: z.number().min(0).optional(),
  /** What is not known is left out, and is NULL in the table, never 0. */
  usage: UsageSchema.optional(),
});
/** What is recorded of one attempt at a task. What is left out stays as it was recorded before. */
export type AttemptEntry = z.infer<typeof AttemptEntrySchema>;

/** One attempt at a task, as it is recorded. */
export interface Attempt extends Omit<AttemptEntry, 'attempt'> {
  readonly attempt: number;
  /** When it was recorded last, in milliseconds since 1970. */
  readonly at: number;
}

/** The attempts at tasks, with what machine and person said of each. */
export interface Attempts {
  /**
   * Records an attempt, or more about one that has the same number.
   *
   * @throws ReviewLoopError `invalid_options`, `journal_write_failed`, `store_busy`
   */
  readonly record: (entry: AttemptEntry) => Promise<Attempt>;
  /** The attempts at a task, the oldest first. */
  readonly of: (taskId: string) => Promise<readonly Attempt[]>;
  /** The last attempt at a task; `undefined` for none. */
  readonly last: (taskId: string) => Promise<Attempt | undefined>;
}

/** How much of the findings is kept. */
const mostFindings = 2048;

/** The attempts in a database. */
export function attemptsIn(database: Database, clock: Clock): Attempts {
  const ofTask = (tables: Tables, taskId: string): readonly Attempt[] =>
    tables.all('SELECT * FROM attempts WHERE task_id = ? ORDER BY attempt', plainText(taskId)).map((row) => attemptIn(row, database.name));
  return {
    record: async (given) => {
      const parsed = AttemptEntrySchema.safeParse(given);
      if (!parsed.success) throw new ReviewLoopError('invalid_options', `the attempt was refused: ${z.prettifyError(parsed.error)}`, { cause: parsed.error, value: given });
      const entry = parsed.data;
      return database.write((tables) => {
        const [row] = tables.all('SELECT coalesce(max(attempt), 0) + 1 AS next FROM attempts WHERE task_id = ?', entry.taskId);
        const attempt = entry.attempt ?? Number(row?.['next']);
        put(tables, { ...entry, attempt, at: clock.now() });
        return attemptIn(tables.all('SELECT * FROM attempts WHERE task_id = ? AND attempt = ?', entry.taskId, attempt)[0], database.name);
      });
    },
    of: (taskId) => database.read((tables) => ofTask(tables, taskId)),
    last: (taskId) => database.read((tables) => ofTask(tables, taskId).at(-1)),
  };
}

function put(tables: Tables, attempt: Attempt): void {
  const columns = columnsOf(attempt);
  const names = columns.map(([name]) => name);
  const kept = names.map((name) => `${name} = excluded.${name}`).join(', ');
  tables.run(
    `INSERT INTO attempts (task_id, attempt, ${names.join(', ')}) VALUES (?, ?, ${names.map(() => '?').join(', ')}) ON CONFLICT (task_id, attempt) DO UPDATE SET ${kept}`,
    ...[attempt.taskId, attempt.attempt, ...columns.map(([, value]) => value)],
  );
}

/** The columns that are told something, named after the members. */
function columnsOf({ taskId: _taskId, attempt: _attempt, usage = {}, reviewFindings, ...rest }: Attempt): readonly (readonly [name: string, value: string | number])[] {
  const findings = reviewFindings === undefined ? undefined : headOf(reviewFindings, mostFindings);
  return Object.entries({ ...rest, ...usage, reviewFindings: findings }).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[snakeCase(name), typeof value === 'string' ? plainText(value) : value]];
  });
}

const RowSchema = AttemptEntrySchema.extend({ attempt: z.int().min(1), at: z.number() });

/** A row as an attempt: a column that is NULL is a member that is not there. */
function attemptIn(row: SqliteRow | undefined, database: string): Attempt {
  const { input_tokens, output_tokens, cached_input_tokens, total_tokens, cost_usd, ...rest } = row ?? {};
  const usage: Usage = known({ inputTokens: input_tokens, outputTokens: output_tokens, cachedInputTokens: cached_input_tokens, totalTokens: total_tokens, costUsd: cost_usd });
  const members = Object.fromEntries(Object.entries(rest).map(([name, value]) => [camelCase(name), value]));
  const { success, data, error } = RowSchema.strip().safeParse({ at: 0, ...known(members), ...(Object.keys(usage).length > 0 && { usage }) });
  if (success) return data;
  throw new ReviewLoopError('journal_corrupt', `${database} holds an attempt that is none: ${z.prettifyError(error)}`, { cause: error, value: row });
}

function known(members: Readonly<Record<string, string | number | null | undefined>>): Record<string, number & string> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined)) as Record<string, number & string>;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
