import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import type { HumanAnswerKind } from '../core/human.js';
import { digestJson } from '../core/json.js';
import { digestWith } from '../core/version.js';
import type { JournalRecord } from '../ports/store.js';
import { calibrationErrors } from './errors.js';

/** One line of a file of labels. More members may stand in it. */
const LabelSchema = z.looseObject({
  id: z.string().min(1).optional(),
  task: z.unknown().optional(),
  output: z
    .unknown()
    .refine((output) => output !== undefined && output !== null, 'there is no output'),
  label: z.enum(['pass', 'fail']),
});

/** Work of which a person said whether it is good, as a line of a file tells it. */
export interface ReadLabel {
  readonly id: string;
  readonly task: unknown;
  readonly output: unknown;
  readonly label: 'pass' | 'fail';
}

const listedProblems = 10;

/**
 * Reads labels: an object of JSON in every line, `{ "task": ..., "output": ..., "label": "pass" }`, perhaps with an `id`.
 *
 * @param shown - What the file is called in errors.
 * @throws ReviewLoopError `labels_invalid` that names every line that is wrong
 */
export function readLabels(text: string, shown: string): ReadLabel[] {
  const problems: string[] = [];
  const labels = new Map<string, ReadLabel & { readonly line: number }>();
  for (const { line, read } of linesOf(text)) {
    const id = (typeof read === 'string' ? undefined : read.id) ?? `line ${line}`;
    const first = labels.get(id);
    if (typeof read === 'string') problems.push(`${shown}:${line}: ${read}`);
    else if (first !== undefined)
      problems.push(
        `${shown}:${line}: the id ${JSON.stringify(id)} was already given in line ${first.line}`,
      );
    else
      labels.set(id, { id, task: read.task ?? null, output: read.output, label: read.label, line });
  }
  if (problems.length > 0)
    throw new ReviewLoopError(calibrationErrors.labels_invalid, listed(problems));
  if (labels.size === 0)
    throw new ReviewLoopError(calibrationErrors.labels_invalid, `${shown} holds no label`);
  return [...labels.values()].map(({ line, ...label }) => label);
}

function listed(problems: readonly string[]): string {
  const more =
    problems.length > listedProblems ? [`and ${problems.length - listedProblems} more`] : [];
  return [...problems.slice(0, listedProblems), ...more].join('\n');
}

/** The lines that hold something, read, each with its number. */
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
    if (parsed.success) return parsed.data;
    return parsed.error.issues
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join('; ');
  } catch (error) {
    return `no JSON: ${messageOf(error)}`;
  }
}

/** What a person said of a version, as a label. */
export interface AnswerLabel extends ReadLabel {
  readonly by: string;
  readonly reason?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
}

const meanings: Readonly<Record<HumanAnswerKind, 'pass' | 'fail' | undefined>> = {
  approve: 'pass',
  override: 'pass',
  reject: 'fail',
  revise: 'fail',
  skip: undefined,
};

/**
 * The answers of people that a journal holds, as labels: an approval or an override is a pass, a rejection or a wish for a revision a
 * failure, and who skips says nothing. The last answer about a version counts.
 *
 * @param kept - A version that is known beside the journal.
 * @returns The labels, and how many answers are about a version that is not there any more.
 */
export function labelsOfJournal(
  records: readonly JournalRecord[],
  kept?: { readonly digest: string; readonly output: unknown },
): { readonly labels: readonly AnswerLabel[]; readonly lost: number } {
  const outputs = outputsOf(records);
  if (kept !== undefined) outputs.set(kept.digest, kept.output);
  const header = records.find((record) => record.type === 'run');
  const labels = new Map<string, AnswerLabel>();
  const lost = new Set<string>();
  for (const record of records) {
    if (record.type !== 'answer') continue;
    const { answer, digest, at } = record;
    const label = meanings[answer.kind];
    const output = outputs.get(digest);
    if (label === undefined) continue;
    if (output === undefined) lost.add(digest);
    else
      labels.set(digest, {
        id: `${header?.runId}:${digest.slice(0, 12)}`,
        task: header?.task,
        output,
        label,
        by: answer.by,
        ...reasonOf(answer),
        at: new Date(at).toISOString(),
      });
  }
  return { labels: [...labels.values()], lost: lost.size };
}

/** What steps gave, by the digest that it has as a version. */
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
