import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { type HumanAnswerKind, isAboutWork, isOverride } from '../core/human.js';
import { digestJson } from '../core/json.js';
import { digestWith } from '../core/version.js';
import type { JournalRecord } from '../ports/store.js';
import { nearestWord } from '../text/nearest-word.js';
import { calibrationErrors } from './errors.js';

/** A line of a label file; other members are ignored. */
const LabelSchema = z.looseObject({
  id: z.string().min(1).optional(),
  task: z.unknown().optional(),
  output: z
    .unknown()
    .refine((output) => output !== undefined && output !== null, 'output is missing'),
  label: z.enum(['pass', 'fail']),
  arrangement: z.string().min(1).optional(),
  overridden: z.boolean().optional(),
});

/** A labelled example from a label file. */
export interface ReadLabel {
  readonly id: string;
  readonly task: unknown;
  readonly output: unknown;
  readonly label: 'pass' | 'fail';
  /** The digest of the arrangement that approved the output. */
  readonly arrangement?: string | undefined;
  /** Whether a person accepted the output although reviewers did not approve it. */
  readonly overridden?: true | undefined;
}

/** A label without them means something else. */
const decidingKeys = ['arrangement', 'overridden'];

const listedProblems = 10;

/**
 * Reads a label file: one JSON object on each line,
 * `{ "task": ..., "output": ..., "label": "pass" }`, optionally with an `id`.
 *
 * @param name - The name of the file in errors.
 * @throws ReviewLoopError `labels_invalid`, which lists the first ten wrong lines
 */
export function readLabels(text: string, name: string): ReadLabel[] {
  const problems: string[] = [];
  const labels = new Map<string, ReadLabel & { readonly line: number }>();
  for (const { line, read } of linesOf(text)) {
    const id = (typeof read === 'string' ? undefined : read.id) ?? `line ${line}`;
    const first = labels.get(id);
    if (typeof read === 'string') problems.push(`${name}:${line}: ${read}`);
    else if (first !== undefined)
      problems.push(
        `${name}:${line}: duplicate id ${JSON.stringify(id)}, first in line ${first.line}`,
      );
    else labels.set(id, { id, ...membersOf(read), line });
  }
  if (problems.length > 0)
    throw new ReviewLoopError(calibrationErrors.labels_invalid, listed(problems));
  if (labels.size === 0)
    throw new ReviewLoopError(calibrationErrors.labels_invalid, `${name} contains no labels`);
  return [...labels.values()].map(({ line, ...label }) => label);
}

function membersOf({
  task = null,
  output,
  label,
  arrangement,
  overridden,
}: z.infer<typeof LabelSchema>): Omit<ReadLabel, 'id'> {
  return {
    task,
    output,
    label,
    ...(arrangement !== undefined && { arrangement }),
    ...(overridden === true && { overridden }),
  };
}

function listed(problems: readonly string[]): string {
  const more =
    problems.length > listedProblems ? [`and ${problems.length - listedProblems} more`] : [];
  return [...problems.slice(0, listedProblems), ...more].join('\n');
}

/** Returns the non-empty lines, each with its number. */
function linesOf(
  text: string,
): { readonly line: number; readonly read: ReturnType<typeof readLine> }[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ line: index + 1, read: readLine(line) }],
  );
}

function readLine(line: string): z.infer<typeof LabelSchema> | string {
  try {
    const parsed = LabelSchema.safeParse(JSON.parse(line));
    if (parsed.success) return misspelt(parsed.data) ?? parsed.data;
    return parsed.error.issues
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join('; ');
  } catch (error) {
    return `not JSON: ${messageOf(error)}`;
  }
}

/** Other members are ignored, but not what was meant as one that decides. */
function misspelt(label: object): string | undefined {
  for (const key of Object.keys(label)) {
    const meant = decidingKeys.includes(key) ? undefined : nearestWord(key, decidingKeys);
    if (meant !== undefined)
      return `unknown member ${JSON.stringify(key)}; the nearest is ${meant}`;
  }
  return undefined;
}

/** A person's answer about a version, as a label. */
export interface AnswerLabel extends ReadLabel {
  /** The name of the person. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
}

const meanings: Readonly<Record<HumanAnswerKind, 'pass' | 'fail' | undefined>> = {
  approve: 'pass',
  override: 'fail',
  reject: 'fail',
  revise: 'fail',
  skip: undefined,
  decide: undefined,
  reply: undefined,
};

/**
 * Returns the answers of people in a journal as labels. An approval is a pass; a rejection or a
 * requested revision is a failure; a skip is ignored. An override accepts work for other reasons
 * than its quality: it is a failure with `overridden`, also where it was given as an approval. The
 * last answer about a version counts.
 *
 * @param version - A version that the journal does not contain.
 * @returns The labels, and the number of versions whose output is missing.
 */
export function labelsOfJournal(
  records: readonly JournalRecord[],
  version?: { readonly digest: string; readonly output: unknown },
): { readonly labels: readonly AnswerLabel[]; readonly lost: number } {
  const outputs = outputsOf(records);
  if (version !== undefined) outputs.set(version.digest, version.output);
  const header = records.find((record) => record.type === 'run');
  const labels = new Map<string, AnswerLabel>();
  const lost = new Set<string>();
  for (const record of answersAboutVersions(records)) {
    const { answer, digest, at } = record;
    const overrides = isOverrideAnswer(records, record);
    const label = overrides ? 'fail' : meanings[answer.kind];
    const output = outputs.get(digest);
    if (label === undefined) continue;
    if (output === undefined) lost.add(digest);
    else
      labels.set(digest, {
        id: `${header?.runId}:${digest.slice(0, 12)}`,
        task: header?.task,
        output,
        label,
        ...(overrides && { overridden: true }),
        by: answer.by,
        ...reasonOf(answer),
        at: new Date(at).toISOString(),
      });
  }
  return { labels: [...labels.values()], lost: lost.size };
}

type AnswerRecord = Extract<JournalRecord, { type: 'answer' }>;

/** Returns the answers to everything but the questions of `produce` and `address`. */
function answersAboutVersions(records: readonly JournalRecord[]): AnswerRecord[] {
  const aboutWork = new Set(
    records.flatMap((record) =>
      record.type === 'request' && isAboutWork(record.request) ? [record.request.id] : [],
    ),
  );
  return records.filter(
    (record): record is AnswerRecord => record.type === 'answer' && !aboutWork.has(record.id),
  );
}

/** Returns whether an answer accepts what reviewers did not approve. */
function isOverrideAnswer(records: readonly JournalRecord[], given: AnswerRecord): boolean {
  if (given.answer.kind !== 'approve') return given.answer.kind === 'override';
  return records.some(
    (record) =>
      record.type === 'request' && record.request.id === given.id && isOverride(record.request),
  );
}

/** Returns the results of steps by their digest as a version. */
function outputsOf(records: readonly JournalRecord[]): Map<string, unknown> {
  return new Map(
    records.flatMap((record) =>
      record.type === 'step'
        ? [[digestWith(digestJson(record.value), record.workspace), record.value] as const]
        : [],
    ),
  );
}

function reasonOf(answer: Extract<JournalRecord, { type: 'answer' }>['answer']): {
  readonly reason?: string;
} {
  const reason = answer.kind === 'revise' ? answer.note : answer.reason;
  return reason === undefined ? {} : { reason };
}
