import type { Pipeline } from '../../../blocks/pipeline/pipeline-options.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { digestOf } from '../../../core/json.js';
import type { Outcome } from '../../../core/outcome.js';
import { redactJson } from '../../../core/redact/redact-json.js';
import { digestOfBytes, digestOfFile, writeFileAtomic } from '../../../node/files.js';
import type { StoreFiles } from '../../../node/store-file.js';
import { sanitise, terminalSafeJson } from '../../../node/terminal/sanitise.js';
import type { AgentOutput, AgentRequest } from '../../../products/self-review/agent.js';
import { cliErrors } from '../../cli-kit/errors.js';
import type { SourceFile } from '../../cli-kit/inputs/read-inputs.js';
import { outcomeExitCode } from '../../cli-kit/outcome-exit-code.js';
import { waysFor } from '../../cli-kit/require-person.js';
import { carryOut } from '../../cli-kit/runs/carry-out.js';
import type { FoundRun, OpenRun, RunCall } from '../../cli-kit/runs/run-kind.js';
import { withAdvice } from '../../cli-kit/show/error-text.js';
import { quoted } from '../../cli-kit/show/listing.js';
import {
  type NextOptions,
  nextCommands,
  shortIdOf,
  showCommand,
} from '../../cli-kit/show/next-command.js';
import { reportText } from '../../cli-kit/show/render-report.js';
import type { StoreHandle } from '../../cli-kit/store-handle.js';
import {
  noWatchdog,
  restoreText,
  startWatchdog,
  type Watchdog,
} from '../../cli-kit/watchdog/watchdog.js';
import { type AboutRun, reportRun } from '../../reports/report-run.js';
import { storedContent } from '../../reports/run-folder.js';
import { recordRun } from '../../reports/run-recorder.js';
import type { RunReport } from '../../reports/run-report.js';
import { runWords } from '../../reports/run-words.js';
import { summaryMarkdown } from '../../reports/summary-markdown.js';
import { rebuildPipeline } from './file-pipeline.js';
import { type RunRequest, readRequest } from './run-request.js';

export interface FileRun {
  readonly request: RunRequest;
  readonly pipeline: Pipeline<AgentRequest, AgentOutput>;
  readonly act: OpenRun<Outcome<AgentOutput>>['act'];
  readonly judges: readonly { readonly id: string; readonly tier: string }[];
  readonly about: Omit<AboutRun, 'durationMs' | 'exitCode' | 'changed' | 'written' | 'fixers'>;
  /** What is stored about a run that goes on. @default the run is new */
  readonly before?: RunReport | undefined;
  readonly ways: (
    report: RunReport,
    output: AgentOutput | undefined,
  ) => Promise<Omit<NextOptions, 'shortId' | 'store'>>;
}

export function fileRun(
  { io, store, cwd, format }: RunCall,
  { request, pipeline, act, judges, about, before, ways }: FileRun,
): OpenRun<Outcome<AgentOutput>> {
  const recorder = recordRun(pipeline, { reviewers: judges });
  return {
    run: pipeline,
    act,
    recorder,
    outcomeOf: (outcome) => outcome,
    writeBack: (outcome) => writtenBack({ request, before, files: store.files }, outcome),
    reportOf: async (outcome, seen) =>
      redactJson(
        reportRun(withAdvice(outcome), {
          ...about,
          ...seen,
          exitCode: outcomeExitCode(outcome, request.failOn),
          changed: changedPaths(request, outcome.output),
        }),
      ),
    storedOf: ({ output }, report) => ({ summary: summaryMarkdown(report, sanitise), output }),
    waysOf: async ({ output }, report) =>
      nextCommands(report, {
        ...(await ways(report, output)),
        shortId: await shortIdOf(store.files, report.runId),
        store: store.words(cwd),
      }),
    show: async (_, report, folder) => {
      if (format === 'json')
        return io.out(
          `${terminalSafeJson({ ...report, next: waysFor(io, report.next), words: runWords(report) })}\n`,
        );
      const shown = showCommand(await shortIdOf(store.files, report.runId), store.words(cwd));
      await io.out(reportText(io, report, { folder, show: shown }));
    },
  };
}

export async function withWatchdog(
  { io, watchdogEntry }: Pick<RunCall, 'io' | 'watchdogEntry'>,
  { checkTimeout }: Pick<RunRequest, 'checkTimeout'>,
  work: (watchdog: Watchdog) => Promise<number>,
): Promise<number> {
  const watchdog =
    watchdogEntry === undefined
      ? noWatchdog
      : startWatchdog(watchdogEntry, { timeoutMs: checkTimeout * 1000, restore: restoreText(io) });
  try {
    return await work(watchdog);
  } finally {
    await watchdog.stop();
  }
}

export async function foundFileRun(store: StoreHandle, report: RunReport): Promise<FoundRun> {
  const request = await readRequest(store.files, report.runId);
  const { config, files, write } = request;
  return {
    report,
    needs: { config, files: write ? files.map(({ absolute }) => absolute) : [] },
    next: `reviewloop resume ${quoted(report.runId)}`,
    goOn: (call, { act }) =>
      withWatchdog(call, request, (watchdog) =>
        carryOut(call, {
          times: 'review',
          before: report,
          open: async () => {
            const pipeline = await rebuildPipeline(store, request, watchdog);
            return fileRun(call, {
              request,
              pipeline,
              act: () => act(pipeline),
              judges: judgesOf(report),
              about: aboutOf(report),
              before: report,
              ways: async () => ({
                again: undefined,
                command: request.command,
                example: false,
                fix: request.fix,
                fixable: false,
                model: request.provider !== undefined,
              }),
            });
          },
        }),
      ),
  };
}

function aboutOf(report: RunReport): FileRun['about'] {
  const { at, task, criteria, files, notReviewed, bars, pipeline, requirements } = report;
  return {
    ...{ at, task, criteria, files, notReviewed },
    ...(bars !== undefined && { bars }),
    ...(pipeline !== undefined && { pipeline }),
    ...(requirements !== undefined && { requirements }),
  };
}

function judgesOf({ judges = [] }: RunReport) {
  return judges.flatMap(({ id, tier }) => (tier === undefined ? [] : [{ id, tier }]));
}

/** `digest` is that of the content that the file must still have. */
type WriteTarget = Pick<SourceFile, 'absolute' | 'path' | 'bom' | 'digest'>;

interface ChangedFile {
  readonly source: WriteTarget;
  readonly content: string;
}

/**
 * If one of them has changed on the disk, it writes none.
 *
 * @returns The paths that were written.
 */
async function writeBack(changed: readonly ChangedFile[]): Promise<string[]> {
  const files = changed.filter(({ source }) => source.absolute !== '');
  for (const { source } of files) {
    if ((await digestOfFile(source.absolute)) === source.digest) continue;
    throw new ReviewLoopError(
      cliErrors.file_changed,
      `${source.path} changed on the disk during the review; nothing was written`,
      { value: source.path },
    );
  }
  for (const { source, content } of files)
    await writeFileAtomic(source.absolute, onDisk(source, content), { shared: true });
  return files.map(({ source }) => source.path);
}

function onDisk({ bom }: Pick<WriteTarget, 'bom'>, content: string): string {
  return `${bom ? '\ufeff' : ''}${content}`;
}

/** `before` is its last report if it went on. */
export interface WrittenRun {
  readonly request: RunRequest;
  readonly before: RunReport | undefined;
  readonly files: StoreFiles;
}

/**
 * Writes if it was started with `--write`. A file is compared with the content that was read or
 * written last.
 *
 * @returns The paths that contain the version, from now or from before.
 */
async function writtenBack(
  run: WrittenRun,
  { status, output }: Pick<Outcome<AgentOutput>, 'status' | 'output'>,
): Promise<string[]> {
  const { request, before } = run;
  if (!request.write || status === 'cancelled') return [];
  const now = await writeBack(await changesOf(run, output));
  return request.files
    .map(({ path }) => path)
    .filter((path) => now.includes(path) || before?.written.includes(path) === true);
}

async function changesOf(
  { request, before, files }: WrittenRun,
  output: AgentOutput | undefined,
): Promise<ChangedFile[]> {
  const contents = contentsOf(output);
  const changed: ChangedFile[] = [];
  for (const file of request.files) {
    const content = contents.get(file.path);
    if (content === undefined) continue;
    const written =
      before?.written.includes(file.path) === true
        ? await storedContent(files, before.runId, file.path)
        : undefined;
    if (written === undefined ? digestOf(content) === file.digest : content === written) continue;
    const digest = written === undefined ? file.onDisk : digestOfBytes(onDisk(file, written));
    changed.push({ source: { ...file, digest }, content });
  }
  return changed;
}

/** Leaves out added and removed files. */
function changedPaths({ files }: RunRequest, output: AgentOutput | undefined): string[] {
  const contents = contentsOf(output);
  return files.flatMap(({ path, digest }) => {
    const content = contents.get(path);
    return content === undefined || digestOf(content) === digest ? [] : [path];
  });
}

function contentsOf(output: AgentOutput | undefined): ReadonlyMap<string, string | undefined> {
  return new Map(output?.artifacts.map(({ path, content }) => [path, content]));
}
