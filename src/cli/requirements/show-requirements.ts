import type { TaskRequirements } from '../../cli-kit/inputs/read-task.js';
import type { Io } from '../../cli-kit/io.js';
import { listing } from '../../cli-kit/show/listing.js';
import { quoted } from '../../cli-kit/show/quoted.js';
import { plural } from '../../core/plural.js';
import { redactJson } from '../../redact/redact-json.js';
import type { ListChanges, ListedRequirement } from '../../requirements/requirement-list.js';
import { oneLine, terminalSafeJson } from '../../terminal/sanitise.js';

/** Returns the ids of the checks that can decide a requirement. */
export type DecidersFor = (requirement: string) => readonly string[];

/** The requirements of a task, and what reading it again would change in their file. */
export interface RequirementsReport {
  /** The file of the task, for people. */
  readonly source: string;
  /** The file of the task. @default undefined it is not a file */
  readonly taskFile: string | undefined;
  readonly digest: string;
  readonly list: readonly ListedRequirement[];
  readonly before: TaskRequirements | undefined;
  readonly changes: ListChanges | undefined;
  /** The file that was written. @default none */
  readonly written?: string;
  /** Whether the file was not written because it exists. @default false */
  readonly refused?: boolean;
}

/** Options of {@link showRequirements}. */
export interface ShowOptions {
  readonly format: 'text' | 'json';
  readonly decidersFor?: DecidersFor | undefined;
}

/** Prints the requirements of a task, without secrets. */
export async function showRequirements(
  io: Io,
  given: RequirementsReport,
  { format, decidersFor = () => [] }: ShowOptions,
): Promise<void> {
  const report = redactJson(given);
  if (format === 'json') await io.out(`${terminalSafeJson(asJson(report, decidersFor))}\n`);
  else await io.out(`${[...lines(io, report, decidersFor)].join('\n')}\n`);
}

function asJson(
  { source, digest, list, before, changes, written }: RequirementsReport,
  decidersFor: DecidersFor,
) {
  return {
    schemaVersion: 1,
    task: { source, digest },
    ...(before !== undefined && {
      file: { path: before.file, taskChanged: before.taskChanged },
      changes: {
        added: changes?.added ?? [],
        removed: changes?.removed ?? [],
        changed: changes?.changed ?? [],
      },
    }),
    ...(written !== undefined && { written }),
    requirements: list.map((one) => ({
      id: one.id,
      text: one.text,
      strength: one.strength,
      ...(one.line !== undefined && { line: one.line }),
      ...(one.whole === true && { whole: true }),
      checks: one.strength === 'OUT' ? [] : decidersFor(one.text),
    })),
  };
}

function* lines(io: Io, report: RequirementsReport, decidersFor: DecidersFor): Generator<string> {
  const { source, list, before, written } = report;
  const from = before === undefined || written !== undefined ? '' : `, listed in ${before.file}`;
  yield oneLine(`${source}: ${plural(list.length, 'requirement')}${from}`);
  const rows = list.map((one) => [
    one.id,
    one.strength,
    one.line === undefined ? 'by hand' : `line ${one.line}`,
    decidedBy(one, decidersFor),
    one.whole === true ? `the task as a whole: ${one.text}` : one.text,
  ]);
  yield* indented(rows, io);
  if (written !== undefined) yield oneLine(`written: ${written}`);
  else yield* changeLines(io, report);
  yield oneLine(`next: ${nextOf(report)}`);
}

function indented(
  rows: readonly (readonly string[])[],
  { reader, outColumns: most }: Io,
): string[] {
  const outColumns = most === undefined ? undefined : Math.max(20, most - 2);
  const lines = listing({ reader, outColumns }, rows);
  return reader === 'agent' ? lines : lines.map((line) => `  ${line}`);
}

function decidedBy({ text, strength }: ListedRequirement, decidersFor: DecidersFor): string {
  if (strength === 'OUT') return 'left out';
  const checks = decidersFor(text);
  return checks.length === 0 ? 'model or person' : `checks: ${checks.join(', ')}`;
}

function* changeLines(
  io: Io,
  { source, before, changes, refused = false }: RequirementsReport,
): Generator<string> {
  if (before === undefined || changes === undefined) return;
  if (!before.taskChanged && !refused) return;
  const { added, removed, changed } = changes;
  yield oneLine(
    before.taskChanged
      ? `${source} has changed since ${before.file} was written:`
      : `${before.file} differs from what is read from ${source}:`,
  );
  const rows = [
    ...added.map(({ id, text }) => ['+', id, text]),
    ...removed.map(({ id, text }) => ['-', id, text]),
    ...changed.flatMap((one) => [
      ['-', one.before.id, one.before.text],
      ['+', one.now.id, one.now.text],
    ]),
  ];
  yield* rows.length === 0 ? ['  no requirement differs'] : indented(rows, io);
}

function nextOf({ taskFile, before, written, refused }: RequirementsReport): string {
  const file = written ?? before?.file;
  if (taskFile === undefined && file === undefined) return 'pass --write FILE to own this list';
  const task = taskFile === undefined ? '--task-text TEXT' : quoted(taskFile);
  const isStale = refused === true || before?.taskChanged === true;
  if (written === undefined && (before === undefined || isStale))
    return `reviewloop requirements ${task} --write${isStale ? ' --force' : ''}`;
  const given = taskFile === undefined ? task : `--task ${task}`;
  return `edit and commit ${file}, then reviewloop review PATHS ${given}`;
}
