import { join } from 'node:path';
import * as z from 'zod';
import { type Artifact, ArtifactSchema, artifactsOf } from '../../core/artifact.js';
import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { jsonIn } from '../../core/json-or-text.js';
import { redactJson } from '../../core/redact/redact-json.js';
import { isMissing, systemCode } from '../../node/durable.js';
import { nodeErrors } from '../../node/errors.js';
import { unreadableFile } from '../../node/files.js';
import { insideFolder } from '../../node/inside-root.js';
import { isGone, processPlace } from '../../node/process-identity.js';
import type { StoreFiles } from '../../node/store-file.js';
import { reportErrors } from './errors.js';
import { type RunReport, RunReportSchema } from './run-report.js';

export type ListedRun =
  | { readonly kind: 'report'; readonly report: RunReport }
  | UnfinishedRun
  | { readonly kind: 'broken'; readonly runId: string; readonly why: string };

export interface UnfinishedRun {
  readonly kind: 'running' | 'interrupted';
  readonly runId: string;
  readonly why: string;
}

/** The output is unchanged under `output/`; `review.json` and `summary.md` have no secrets. */
export async function saveRun(
  files: StoreFiles,
  run: {
    readonly report: RunReport;
    readonly summary: string;
    readonly output: unknown;
    /** The content of its versions. @default those of an earlier process stay */
    readonly versions?: RunVersions | undefined;
  },
): Promise<void> {
  const { runId } = run.report;
  await writeJson(files, runPath(runId, 'review.json'), redactJson(run.report));
  await files.write(runPath(runId, 'summary.md'), run.summary);
  if (run.versions !== undefined) await saveVersions(files, runId, run.versions);
  await files.remove(runPath(runId, 'output')).catch(() => {});
  for (const { path, content } of artifactsOf(run.output))
    if (content !== undefined) await files.write(outputPath(runId, path), content);
}

export async function storedReport(
  files: StoreFiles,
  runId: string,
): Promise<RunReport | undefined> {
  const run = await readRun(files, runId);
  return run.kind === 'report' ? run.report : undefined;
}

export async function storedContent(
  files: StoreFiles,
  runId: string,
  path: string,
): Promise<string | undefined> {
  return files.read(outputPath(runId, path)).catch(() => undefined);
}

function outputPath(runId: string, path: string): string {
  return insideFolder(runPath(runId, 'output'), path);
}

export async function listRuns(files: StoreFiles): Promise<ListedRun[]> {
  const ids = await runIds(files);
  const texts = await files.readEach?.('review.json');
  const runs = await Promise.all(ids.map((id) => readRun(files, id, texts?.get(id))));
  return runs.sort((a, b) => (dateOf(a) > dateOf(b) ? -1 : 1));
}

/** The one with the id, or else all whose ids start with it. */
export function withId<Value>(
  all: readonly Value[],
  id: string,
  idOf: (value: Value) => string,
): readonly Value[] {
  const exact = all.filter((one) => idOf(one) === id);
  return exact.length > 0 || id === '' ? exact : all.filter((one) => idOf(one).startsWith(id));
}

/** Throws for a run that has no report yet. */
export async function findRun(files: StoreFiles, found: string): Promise<RunReport> {
  const run = await readRun(files, found);
  if (isUnfinished(run))
    throw new ReviewLoopError(
      run.kind === 'running' ? 'run_busy' : reportErrors.run_interrupted,
      `run ${found} ${run.why}`,
      { value: found },
    );
  if (run.kind === 'broken')
    throw new ReviewLoopError(nodeErrors.file_unreadable, `cannot read run ${found}: ${run.why}`, {
      value: found,
    });
  return run.report;
}

/** These runs have a report or a request. The store may have runs of other pipelines. */
export async function runIds(files: StoreFiles): Promise<string[]> {
  try {
    const names = await files.list('runs');
    // a database has no folders with only a journal
    if (files.readEach !== undefined) return [...names];
    const stored = await Promise.all(names.map((name) => isStored(files, join('runs', name))));
    return names.filter((_, index) => stored[index]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unreadableFile(files.name, error);
  }
}

/** The journal of another pipeline alone does not count. */
async function isStored(files: StoreFiles, place: string): Promise<boolean> {
  const names = await files
    .list(place)
    .catch((error: unknown): string[] | undefined =>
      systemCode(error) === 'ENOTDIR' ? undefined : [],
    );
  if (names === undefined) return false;
  return (
    !names.includes('journal.jsonl') ||
    names.includes('review.json') ||
    names.includes('request.json')
  );
}

export async function hasReport(files: StoreFiles, runId: string): Promise<boolean> {
  const names = await files.list(join('runs', runId)).catch((): string[] => []);
  return names.includes('review.json') || names.includes('request.json');
}

async function readRun(files: StoreFiles, runId: string, text?: string): Promise<ListedRun> {
  try {
    const report = text ?? (await files.read(join('runs', runId, 'review.json')));
    const parsed = RunReportSchema.safeParse(JSON.parse(report));
    return parsed.success
      ? { kind: 'report', report: parsed.data }
      : { kind: 'broken', runId, why: z.prettifyError(parsed.error) };
  } catch (error) {
    const unfinished = isMissing(error) ? await unfinishedRun(files, runId) : undefined;
    return unfinished ?? { kind: 'broken', runId, why: messageOf(error) };
  }
}

function isUnfinished(run: ListedRun): run is UnfinishedRun {
  return run.kind === 'interrupted' || run.kind === 'running';
}

const startedShape = {
  /** The line that runs it again. */
  command: z.string().optional(),
  process: z.strictObject({ pid: z.number(), place: z.string() }).optional(),
};

const StartedSchema = z.object(startedShape);

/** What the request of every kind of run contains. */
export const requestShape = {
  ...startedShape,
  schemaVersion: z.literal(2),
  runId: z.string(),
  cwd: z.string(),
  paths: z.array(z.string()),
  task: z.strictObject({ source: z.string(), text: z.string() }),
  /** The path of the configuration, or `false` without a configuration. */
  config: z.union([z.string(), z.literal(false)]),
};

export function startedHere(): z.infer<typeof StartedSchema>['process'] {
  return { pid: process.pid, place: processPlace() };
}

/** Must come before the run starts. */
export function saveRequest(files: StoreFiles, request: { readonly runId: string }): Promise<void> {
  return writeJson(files, runPath(request.runId, 'request.json'), request);
}

/** `undefined` if it was not started. */
async function unfinishedRun(files: StoreFiles, runId: string): Promise<UnfinishedRun | undefined> {
  const request = await files.read(join('runs', runId, 'request.json')).catch(() => undefined);
  if (request === undefined) return undefined;
  const { command, process: by } = StartedSchema.safeParse(jsonIn(request)).data ?? {};
  const isHere = by?.place === processPlace();
  const works = isHere ? !isGone(by.pid) : await files.isHeld(runId);
  if (works) return { kind: 'running', runId, why: 'is still running' };
  const why = `was interrupted; run it again${command === undefined ? '' : `: ${command}`}`;
  return { kind: 'interrupted', runId, why };
}

/** In ISO 8601: of the report, else the time in the id of the run, else ''. */
export function dateOf(run: ListedRun): string {
  if (run.kind === 'report') return run.report.at;
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(run.runId) ?? [];
  return high === undefined ? '' : new Date(Number.parseInt(`${high}${low}`, 16)).toISOString();
}

export type RunVersions = Readonly<Record<string, readonly Artifact[]>>;

/** They are stored unchanged, as the output is. Those that an earlier process stored stay. */
async function saveVersions(
  files: StoreFiles,
  runId: string,
  versions: RunVersions,
): Promise<void> {
  const all = { ...(await readVersions(files, runId)), ...versions };
  await files.write(runPath(runId, 'versions.json'), `${JSON.stringify(all)}\n`);
}

export async function readVersions(files: StoreFiles, runId: string): Promise<RunVersions> {
  const schema = z.record(z.string(), z.array(ArtifactSchema));
  return (await jsonOfForm(files, runPath(runId, 'versions.json'), schema)) ?? {};
}

/** `undefined` if it cannot be read, or has another form. */
export async function jsonOfForm<Value>(
  files: StoreFiles,
  path: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  try {
    return schema.safeParse(JSON.parse(await files.read(path))).data;
  } catch {
    return undefined;
  }
}

export function runPath(runId: string, name = ''): string {
  return join(insideFolder('runs', runId), name);
}

export function writeJson(
  files: Pick<StoreFiles, 'write'>,
  path: string,
  value: unknown,
): Promise<void> {
  return files.write(path, `${JSON.stringify(value, null, 2)}\n`);
}

export async function readJson(files: StoreFiles, path: string): Promise<unknown> {
  try {
    return JSON.parse(await files.read(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadableFile(files.at(path), error);
  }
}

/** It must have the form that this version writes. */
export function checkedJson<Value>(schema: z.ZodType<Value>, given: unknown, file: string): Value {
  if (given === undefined) throw unreadableFile(file, new Error('no such file'));
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return data;
  throw new ReviewLoopError(
    nodeErrors.file_unreadable,
    `${file} was not written by this version: ${z.prettifyError(error)}`,
    { cause: error, value: file },
  );
}
