import { join } from 'node:path';
import * as z from 'zod';
import { type Artifact, artifactsOf } from '../core/artifact.js';
import { messageOf, ReviewLoopError } from '../core/errors.js';
import { engineErrors } from '../engine/errors.js';
import { isMissing, systemCode } from '../node/durable.js';
import { nodeErrors } from '../node/errors.js';
import { unreadableFile } from '../node/file-errors.js';
import { mountOf, placeName } from '../node/mounted-folder.js';
import { isGone, processPlace } from '../node/process-identity.js';
import { insideFolder } from '../node/safe-path.js';
import {
  listStoreFolder,
  makeIgnoredFolder,
  readStoreFile,
  removeFromStore,
  writeInStore,
} from '../node/store-file.js';
import { redactJson } from '../redact/redact-json.js';
import { reportErrors } from './errors.js';
import { type RunReport, RunReportSchema } from './run-report.js';
import { type RunVersions, saveVersions } from './run-versions.js';

/** A run in the list of a folder: its report, or why it cannot be read. */
export type ListedRun =
  | { readonly kind: 'report'; readonly report: RunReport }
  | UnfinishedRun
  | { readonly kind: 'broken'; readonly runId: string; readonly why: string };

/** A run without a report: it still runs, or its process was killed. */
export interface UnfinishedRun {
  readonly kind: 'running' | 'interrupted';
  readonly runId: string;
  readonly why: string;
}

/**
 * Creates the folder that stores runs. A new folder gets a `.gitignore` for everything in it; an
 * existing one stays unchanged.
 *
 * @throws ReviewLoopError `output_unwritable`
 */
export async function prepareStore(folder: string): Promise<void> {
  if (mountOf(folder) !== undefined) return;
  try {
    await makeIgnoredFolder(folder, join(folder, 'runs'));
  } catch (error) {
    throw new ReviewLoopError(
      nodeErrors.output_unwritable,
      `cannot create the folder ${folder}: ${messageOf(error)}`,
      { cause: error, value: folder },
    );
  }
}

/**
 * Stores a run: its output unchanged under `output/`, and `review.json` and `summary.md` without
 * secrets.
 *
 * @returns The run's folder.
 * @throws ReviewLoopError `output_unwritable`
 */
export async function saveRun(
  folder: string,
  run: {
    readonly report: RunReport;
    readonly summary: string;
    readonly output: unknown;
    /** The content of its versions. @default those of an earlier process stay */
    readonly versions?: RunVersions | undefined;
  },
): Promise<string> {
  const place = insideFolder(join(folder, 'runs'), run.report.runId);
  const text = `${JSON.stringify(redactJson(run.report), null, 2)}\n`;
  await writeInStore(folder, join(place, 'review.json'), text);
  await writeInStore(folder, join(place, 'summary.md'), run.summary);
  if (run.versions !== undefined) await saveVersions(folder, place, run.versions);
  await removeFromStore(join(place, 'output')).catch(() => {});
  for (const artifact of artifactsOf(run.output))
    await saveArtifact(join(place, 'output'), artifact);
  return place;
}

/** Returns the stored report of a run; `undefined` if there is none that can be read. */
export async function storedReport(folder: string, runId: string): Promise<RunReport | undefined> {
  const run = await readRun(folder, runId);
  return run.kind === 'report' ? run.report : undefined;
}

/** Returns the stored content of an artifact of a run; `undefined` if it is not stored. */
export async function storedContent(place: string, path: string): Promise<string | undefined> {
  return readStoreFile(insideFolder(join(place, 'output'), path)).catch(() => undefined);
}

async function saveArtifact(folder: string, { path, content }: Artifact): Promise<void> {
  if (content === undefined) return;
  await writeInStore(folder, insideFolder(folder, path), content);
}

/**
 * Lists the runs of a folder, newest first.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function listRuns(folder: string): Promise<ListedRun[]> {
  const ids = await runIds(folder);
  // a database returns many reports at once
  const texts = await mountOf(folder)?.files.readEach('review.json');
  const runs = await Promise.all(ids.map((id) => readRun(folder, id, texts?.get(id))));
  return runs.sort((a, b) => (dateOf(a) > dateOf(b) ? -1 : 1));
}

/**
 * Finds the run with an id, or with a unique prefix of it.
 *
 * @throws ReviewLoopError `run_unknown`, `file_unreadable`
 */
export async function findRun(
  folder: string,
  id: string,
): Promise<{ readonly report: RunReport; readonly folder: string }> {
  const ids = await runIds(folder);
  const matching = ids.includes(id)
    ? [id]
    : ids.filter((known) => known.startsWith(id) && id !== '');
  const [found] = matching;
  if (found === undefined)
    throw new ReviewLoopError(engineErrors.run_unknown, `no run ${id} in ${placeName(folder)}`, {
      value: id,
    });
  if (matching.length > 1)
    throw new ReviewLoopError(
      engineErrors.run_unknown,
      `${matching.length} runs in ${placeName(folder)} start with ${id}; pass more of the id`,
      { value: id },
    );
  const run = await readRun(folder, found);
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
  return { report: run.report, folder: join(folder, 'runs', found) };
}

/**
 * Returns the ids of the runs in a folder that have a report or a request. The store may have runs
 * of other pipelines.
 *
 * @throws ReviewLoopError `file_unreadable`
 */
export async function runIds(folder: string): Promise<string[]> {
  try {
    const names = await listStoreFolder(join(folder, 'runs'));
    // a database has no folders with only a journal
    if (mountOf(folder) !== undefined) return [...names];
    const stored = await Promise.all(names.map((name) => isStored(join(folder, 'runs', name))));
    return names.filter((_, index) => stored[index]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unreadableFile(folder, error);
  }
}

/** Returns whether a folder contains a stored run, not only the journal of another pipeline. */
async function isStored(place: string): Promise<boolean> {
  const names = await listStoreFolder(place).catch((error: unknown): string[] | undefined =>
    systemCode(error) === 'ENOTDIR' ? undefined : [],
  );
  if (names === undefined) return false;
  return (
    !names.includes('journal.jsonl') ||
    names.includes('review.json') ||
    names.includes('request.json')
  );
}

/** Returns whether a run has a report or a request in a folder: a command started it. */
export async function hasReport(folder: string, runId: string): Promise<boolean> {
  const names = await listStoreFolder(join(folder, 'runs', runId)).catch((): string[] => []);
  return names.includes('review.json') || names.includes('request.json');
}

async function readRun(folder: string, runId: string, text?: string): Promise<ListedRun> {
  try {
    const report = text ?? (await readStoreFile(join(folder, 'runs', runId, 'review.json')));
    const parsed = RunReportSchema.safeParse(JSON.parse(report));
    return parsed.success
      ? { kind: 'report', report: parsed.data }
      : { kind: 'broken', runId, why: z.prettifyError(parsed.error) };
  } catch (error) {
    const unfinished = isMissing(error) ? await unfinishedRun(folder, runId) : undefined;
    return unfinished ?? { kind: 'broken', runId, why: messageOf(error) };
  }
}

function isUnfinished(run: ListedRun): run is UnfinishedRun {
  return run.kind === 'interrupted' || run.kind === 'running';
}

const StartedSchema = z.object({
  command: z.string().optional(),
  process: z.object({ pid: z.number(), place: z.string() }).optional(),
});

/** Returns a run that was started and has no report; `undefined` if it was not started. */
async function unfinishedRun(folder: string, runId: string): Promise<UnfinishedRun | undefined> {
  const place = join(folder, 'runs', runId);
  const request = await readStoreFile(join(place, 'request.json')).catch(() => undefined);
  if (request === undefined) return undefined;
  const { command, process: by } = startedFrom(request);
  const isHere = by?.place === processPlace();
  const works = isHere ? !isGone(by.pid) : await mountOf(place)?.files.isHeld(runId);
  if (works === true) return { kind: 'running', runId, why: 'is still running' };
  const why = `was interrupted; run it again${command === undefined ? '' : `: ${command}`}`;
  return { kind: 'interrupted', runId, why };
}

function startedFrom(request: string): z.infer<typeof StartedSchema> {
  try {
    return StartedSchema.safeParse(JSON.parse(request)).data ?? {};
  } catch {
    return {};
  }
}

function dateOf(run: ListedRun): string {
  return isUnfinished(run) || run.kind === 'broken' ? '' : run.report.at;
}
