import * as z from 'zod';
import { builtOnUse } from '../core/built-on-use.js';
import type { ErrorEntry } from '../core/error-table.js';
import { hashText } from '../core/hash.js';
import type { Outcome } from '../core/outcome.js';
import { portErrors } from '../ports/errors.js';
import {
  type LessonDetails,
  LessonDetailsSchema,
  type LessonInput,
  LessonInputSchema,
  lessonsFrom,
} from './lesson.js';
import type { LessonSettings } from './lesson-store.js';
import { keepable, taskTextOf, wordsIn } from './lesson-text.js';

/** The stored record of one run. */
const LessonRecordSchema = builtOnUse(() =>
  z.object({
    v: z.literal(1),
    /** The time of the last review, ISO 8601. */
    at: z.string(),
    /** Hash of the run's id, so that a repeated run counts once. */
    run: z.string(),
    /** Hash of agent, title and kinds of gaps; equal for equal lessons. */
    key: z.string(),
    /** The words of the task. */
    words: z.array(z.string()),
    lesson: LessonInputSchema,
    /** Whether the previous line is a fragment of another writer. */
    torn: z.literal(true).optional(),
  }),
);
/** The stored record of one run. */
export interface LessonRecord extends z.infer<typeof LessonRecordSchema> {}

const maxWords = 60;

/** Returns the record of a run; `null` when the run teaches nothing. */
export function lessonRecord(
  {
    task,
    outcome,
    agentId: ran,
  }: {
    readonly task: unknown;
    readonly outcome: Outcome<unknown>;
    readonly agentId?: string | undefined;
  },
  { agentId = ran, minReviews }: Pick<LessonSettings, 'agentId' | 'minReviews'>,
): LessonRecord | null {
  const lesson = lessonsFrom(outcome, { task, agentId, minReviews });
  if (lesson === null) return null;
  return {
    v: 1,
    at: keepable(outcome.reviews.at(-1)?.at ?? '', 40),
    run: shortHash(outcome.runId),
    key: keyOf(lesson),
    words: [...wordsIn(keepable(taskTextOf(task), Number.POSITIVE_INFINITY))].slice(0, maxWords),
    lesson,
  };
}

/** Returns the details of a lesson; `undefined` when they are malformed. */
export function detailsOf(lesson: LessonInput): LessonDetails | undefined {
  try {
    return LessonDetailsSchema.safeParse(JSON.parse(lesson.details)).data;
  } catch {
    return undefined;
  }
}

function keyOf(lesson: LessonInput): string {
  const patterns =
    detailsOf(lesson)?.gapPatterns.map(({ category, severity }) => `${category}-${severity}`) ?? [];
  return shortHash(JSON.stringify([lesson.sourceAgent, lesson.title, patterns.sort()]));
}

/** Returns a record as a line that ends with a checksum of the rest. */
function lineOf(record: LessonRecord): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"sum":"${shortHash(body)}"}`;
}

/**
 * Returns a record as a line of at most `maxBytes`; examples, fixes and words are shortened.
 *
 * @param bytesOf - Returns the number of bytes of a text.
 */
export function boundedLine(
  record: LessonRecord,
  maxBytes: number,
  bytesOf: (text: string) => number,
): string {
  for (const keep of [20, 6, 3, 1]) {
    const line = lineOf(shortened(record, keep));
    if (bytesOf(line) <= maxBytes) return line;
  }
  return lineOf(shortened(record, 0));
}

function shortened(record: LessonRecord, keep: number): LessonRecord {
  const details = detailsOf(record.lesson);
  if (details === undefined) return record;
  const gapPatterns = details.gapPatterns.map((pattern) => ({
    ...pattern,
    examples: pattern.examples.slice(0, keep),
  }));
  const less: LessonDetails = {
    ...details,
    gapPatterns,
    successfulFixes: details.successfulFixes.slice(0, keep),
  };
  return {
    ...record,
    words: record.words.slice(0, keep * 10),
    lesson: { ...record.lesson, details: JSON.stringify(less) },
  };
}

/** Why a line is not a record of this version. */
interface LineProblem {
  readonly error: ErrorEntry;
  readonly what: string;
}

/** Returns the record in a line, or what is wrong with the line. */
export function parseLine(line: string): LessonRecord | LineProblem {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { error: portErrors.journal_corrupt, what: 'is not JSON' };
  }
  const version = z.object({ v: z.number() }).safeParse(value).data?.v;
  if (version !== undefined && version > 1)
    return {
      error: portErrors.journal_newer,
      what: `was written by a newer version (format ${version})`,
    };
  const parsed = LessonRecordSchema.safeParse(value);
  if (!parsed.success) return { error: portErrors.journal_corrupt, what: 'is not a lesson' };
  const [, body = '', sum] = /^(.*),"sum":"([0-9a-f]{16})"\}$/.exec(line) ?? [];
  return sum === shortHash(body)
    ? parsed.data
    : { error: portErrors.journal_corrupt, what: 'was changed after it was written' };
}

function shortHash(text: string): string {
  return hashText(text).slice(0, 16);
}
