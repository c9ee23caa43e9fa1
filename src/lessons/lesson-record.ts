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
import { keepable, taskTextOf, wordsIn } from './lesson-text.js';

/** What a lesson store keeps of one run. */
const LessonRecordSchema = builtOnUse(() =>
  z.object({
    v: z.literal(1),
    /** When the last review of the run was, ISO 8601. */
    at: z.string(),
    /** A hash of the run's id: a run that is told twice counts once. */
    run: z.string(),
    /** Equal for lessons that say the same: a hash of agent, title and kinds of gaps. */
    key: z.string(),
    /** What the task was about. */
    words: z.array(z.string()),
    lesson: LessonInputSchema,
    /** The line before this one is a fragment that a writer left behind. */
    torn: z.literal(true).optional(),
  }),
);
/** What a lesson store keeps of one run. */
export type LessonRecord = z.infer<typeof LessonRecordSchema>;

const mostWords = 60;

/** What a run is kept as; `null` when it teaches nothing. */
export function lessonRecord(
  { task, outcome }: { readonly task: unknown; readonly outcome: Outcome<unknown> },
  agentId: string | undefined,
): LessonRecord | null {
  const lesson = lessonsFrom(outcome, { task, agentId });
  if (lesson === null) return null;
  return {
    v: 1,
    at: keepable(outcome.reviews.at(-1)?.at ?? '', 40),
    run: shortHash(outcome.runId),
    key: keyOf(lesson),
    words: [...wordsIn(keepable(taskTextOf(task), Number.POSITIVE_INFINITY))].slice(0, mostWords),
    lesson,
  };
}

/** The details of a lesson; `undefined` when its text holds none. */
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

/** A record as a line, with a checksum of all before it, so that a flipped byte shows. */
function lineOf(record: LessonRecord): string {
  const body = JSON.stringify(record).slice(0, -1);
  return `${body},"sum":"${shortHash(body)}"}`;
}

/**
 * A record as a line of at most `most` bytes: examples and fixes go first, then the words.
 *
 * @param bytesOf - How many bytes a text takes.
 */
export function boundedLine(
  record: LessonRecord,
  most: number,
  bytesOf: (text: string) => number,
): string {
  for (const keep of [20, 6, 3, 1]) {
    const line = lineOf(shorter(record, keep));
    if (bytesOf(line) <= most) return line;
  }
  return lineOf(shorter(record, 0));
}

function shorter(record: LessonRecord, keep: number): LessonRecord {
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

/** Why a line is no record of this version. */
interface LineProblem {
  readonly error: ErrorEntry;
  readonly what: string;
}

/** A line as a record, or what is wrong with it. */
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
  if (!parsed.success) return { error: portErrors.journal_corrupt, what: 'is no lesson' };
  const [, body = '', sum] = /^(.*),"sum":"([0-9a-f]{16})"\}$/.exec(line) ?? [];
  return sum === shortHash(body)
    ? parsed.data
    : { error: portErrors.journal_corrupt, what: 'was changed after it was written' };
}

function shortHash(text: string): string {
  return hashText(text).slice(0, 16);
}
