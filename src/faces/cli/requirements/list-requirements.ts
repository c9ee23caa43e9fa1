import { resolve } from 'node:path';
import { askedBy } from '../../../blocks/criteria/deciders/asked.js';
import {
  type ListChanges,
  type ListedRequirement,
  numberRequirements,
  refreshList,
  taskDigest,
} from '../../../blocks/requirements/requirement-list.js';
import { requirementsText } from '../../../blocks/requirements/requirements-file.js';
import { requirementsOfTask } from '../../../blocks/requirements/rest-of-task.js';
import { taskTextOf } from '../../../blocks/requirements/task-text.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { plural } from '../../../core/plural.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { isThere, writeFileAtomic } from '../../../node/files.js';
import { oneLine } from '../../../node/terminal/sanitise.js';
import { cliErrors, usageError } from '../../cli-kit/errors.js';
import type { SettingsOf } from '../../cli-kit/flags/flag.js';
import {
  type ReadTask,
  readTask,
  requirementsPath,
  type TaskRequirements,
  taskRequirements,
} from '../../cli-kit/inputs/read-task.js';
import { type Io, tell } from '../../cli-kit/io.js';
import { listing, quoted } from '../../cli-kit/show/listing.js';
import type { requirementsFlags } from './requirements-flags.js';

type Settings = SettingsOf<typeof requirementsFlags>;

export async function listRequirements(io: Io, settings: Settings): Promise<number> {
  checkTogether(settings);
  const task = await readTask(io, settings);
  const found = await requirementsOfTask(task.request);
  const file = fileOf(settings, task);
  const before =
    file !== undefined && (await isThere(resolve(io.cwd, file)))
      ? await taskRequirements(io, task, file)
      : undefined;
  const changes = before && refreshList(before.list, found);
  const { source, file: taskFile, request } = task;
  const digest = taskDigest(taskTextOf(request));
  const listed = { format: settings.format, source, taskFile, digest, before, changes };
  if (settings.write === undefined || file === undefined)
    return show(io, { ...listed, list: before?.list ?? numberRequirements(found) });
  const list = changes?.list ?? numberRequirements(found);
  if (before !== undefined && !settings.force && isChanged(changes)) {
    await show(io, { ...listed, list: before.list, refused: true });
    throw new ReviewLoopError(
      cliErrors.already_exists,
      `${file} exists and was left unchanged; pass --force to make these changes`,
      { value: file },
    );
  }
  const content = { task: source, digest: listed.digest, requirements: list };
  const text = await requirementsText(content, before?.content);
  await writeFileAtomic(resolve(io.cwd, file), text, { shared: true });
  return show(io, { ...listed, list, written: file });
}

function checkTogether({ task, taskText, write, force }: Settings): void {
  if (force && write === undefined) throw usageError('--force requires --write');
  if (write === '') throw usageError('--write is empty: name a file');
  if (typeof write === 'string' && task === undefined && taskText === undefined)
    throw usageError(
      `no task was given: --write takes ${write} as its file; name the task before --write`,
    );
}

/** The one that is written, or that `review` would read. */
function fileOf({ write }: Settings, { file }: ReadTask): string | undefined {
  if (typeof write === 'string') return write;
  if (file !== undefined) return requirementsPath(file);
  if (write === undefined) return undefined;
  throw usageError('the task is not a file, so --write needs a name: pass --write FILE');
}

function isChanged(changes: ListChanges | undefined): boolean {
  return (
    changes !== undefined &&
    changes.added.length + changes.removed.length + changes.changed.length > 0
  );
}

interface RequirementsReport {
  readonly format: 'text' | 'json';
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

async function show(io: Io, given: RequirementsReport): Promise<number> {
  const report = redactJson(given);
  return tell(io, given.format, { data: asJson(report), lines: lines(io, report) });
}

function asJson({ source, digest, list, before, changes, written }: RequirementsReport) {
  return {
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
      checks: one.strength === 'OUT' ? [] : checksFor(one.text),
    })),
  };
}

function* lines(io: Io, report: RequirementsReport): Generator<string> {
  const { source, list, before, written } = report;
  const from = before === undefined || written !== undefined ? '' : `, listed in ${before.file}`;
  yield oneLine(`${source}: ${plural(list.length, 'requirement')}${from}`);
  const rows = list.map((one) => [
    one.id,
    one.strength,
    one.line === undefined ? 'by hand' : `line ${one.line}`,
    decidedBy(one),
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

/** Without them, a model or a person decides. */
function checksFor(text: string): readonly string[] {
  const check = askedBy(text)?.about;
  return check === undefined ? [] : [check];
}

function decidedBy({ text, strength }: ListedRequirement): string {
  if (strength === 'OUT') return 'left out';
  const checks = checksFor(text);
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
