import * as z from 'zod';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { givenOf } from '../../core/options.js';
import { nearestWord } from '../../core/text/schema-problems.js';
import { calibrationErrors } from './errors.js';

const VerdictSchema = z.object({
  verdict: z.enum(['pass', 'fail']),
  score: z.number().min(0).max(1).optional(),
  /** The version of the judge. */
  version: z.string().min(1).optional(),
});

/** What a judge said about the output of a label. */
export interface LabelledVerdict extends Readonly<z.infer<typeof VerdictSchema>> {}

const OptionalMembers = z.object({
  /** The digest of the arrangement that approved the output. */
  arrangement: z.string().min(1).optional(),
  /** The criterion that the label is about. @default undefined it is about the whole output */
  criterion: z.string().min(1).optional(),
  /** What judges said about the output, by criterion. */
  verdicts: z.record(z.string(), VerdictSchema).readonly().optional(),
  /** Why the person answered so. */
  reason: z.string().optional(),
  /** ISO 8601. */
  at: z.string().optional(),
});

/** Other members are ignored. */
const LabelSchema = z.looseObject({
  id: z.string().min(1).optional(),
  task: z.unknown().optional(),
  output: z
    .unknown()
    .refine((output) => output !== undefined && output !== null, 'output is missing'),
  label: z.enum(['pass', 'fail']),
  overridden: z.boolean().optional(),
  ...OptionalMembers.shape,
});

/** A labelled example from a label file. */
export interface ReadLabel extends Readonly<z.infer<typeof OptionalMembers>> {
  readonly id: string;
  readonly task: unknown;
  readonly output: unknown;
  readonly label: 'pass' | 'fail';
  /** Whether a person accepted the output although reviewers did not approve it. */
  readonly overridden?: true | undefined;
}

/** A label without them means something else. */
const decidingKeys = ['arrangement', 'overridden', 'criterion', 'verdicts'];

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

function membersOf(read: z.infer<typeof LabelSchema>): Omit<ReadLabel, 'id'> {
  const { task = null, output, label, overridden } = read;
  return {
    ...{ task, output, label },
    ...(overridden === true && { overridden }),
    ...givenOf(read, OptionalMembers.keyof().options),
  };
}

function listed(problems: readonly string[]): string {
  const more =
    problems.length > listedProblems ? [`and ${problems.length - listedProblems} more`] : [];
  return [...problems.slice(0, listedProblems), ...more].join('\n');
}

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
