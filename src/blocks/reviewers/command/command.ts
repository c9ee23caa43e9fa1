import stripAnsi from 'strip-ansi';
import * as z from 'zod';
import { type Artifacts, artifactsOf } from '../../../core/artifact.js';
import { VerifiedAssessments } from '../../../core/assessment.js';
import {
  type CriterionContext,
  type CriterionResult,
  CriterionResultSchema,
  FindingSchema,
} from '../../../core/criterion.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { hashText } from '../../../core/hash.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { nodeErrors } from '../../../node/errors.js';
import { fileState, readSmallFile } from '../../../node/files.js';
import { type ProcessResult, programOf, runProcess } from '../../../node/process.js';
import { withTempFiles } from '../../../node/temp-folder.js';
import type { Criterion } from '../criterion.js';
import { reviewerErrors, thrownBy } from '../errors.js';
import { assess } from '../from-criterion.js';
import { type CommandOptions, type CommandOutput, checkCommandOptions } from './command-options.js';
import { readFindings, resultOf, shorten } from './command-result.js';

const defaultTimeoutMs = 120_000;
/**
 * A step waits this much longer than its command, so that the command's own timeout is reported.
 */
const graceMs = 15_000;
const mostReportBytes = 20_000_000;

/**
 * Creates a judge from a command: tests, linters, type checks. Its exit code and the errors that it
 * reports decide, and findings become gaps with file and line. If it cannot start, is killed or
 * times out, the criterion is errored, so nothing passes.
 *
 * It runs code with your permissions: you write the command, and it reads the files of the output.
 * No part of an output becomes part of the command.
 *
 * @throws ReviewLoopError `invalid_options`
 * @example
 * ```ts
 * const tests = command({ id: 'tests', run: ['node', '--test'] });
 * const pipeline = definePipeline({ produce: writeCode, reviewers: [tests] });
 * ```
 */
export function command<Output = Artifacts>(
  options: CommandOptions<Output>,
): Criterion<Output, unknown> {
  checkCommandOptions(options);
  const {
    id,
    run,
    severity = 'major',
    category = 'incorrect',
    timeoutMs = defaultTimeoutMs,
    parse,
  } = options;
  const shown = shorten((typeof run === 'string' ? run : run.join(' ')).trim(), 200).replaceAll(
    '\n',
    ' ',
  );
  const { name = id, description = `\`${shown}\` passes` } = options;
  const about = { id, name, description, severity, category };
  const version = hashText(
    JSON.stringify([
      run,
      options.cwd,
      options.env,
      options.report,
      options.passExitCodes,
      typeof parse === 'function' ? String(parse) : parse,
      String(options.files),
    ]),
  ).slice(0, 16);
  return {
    ...about,
    version,
    tier: options.tier ?? 'code',
    validate: async (output: Output, _task: unknown, context: CriterionContext) =>
      judge(await execute(options, filesOf(options, output), context.signal), options, shown),
    review: async ({ output }, context) => {
      try {
        const files = filesOf(options, output);
        const input = { version, ...(files === undefined ? { output } : { files }) };
        const done = await context.step(
          'run',
          { input, schema: CommandRunSchema, timeoutMs: timeoutMs + graceMs },
          ({ signal }) => execute(options, files, signal),
        );
        return new VerifiedAssessments(assess(about, judge(done, options, shown)));
      } catch (error) {
        return failedAssessment(id, error);
      }
    },
  };
}

function filesOf<Output>(
  { cwd, files }: CommandOptions<Output>,
  output: Output,
): Readonly<Record<string, string>> | undefined {
  if (cwd !== undefined) return undefined;
  const given =
    files === undefined
      ? Object.fromEntries(artifactsOf(output).map(({ path, content = '' }) => [path, content]))
      : files(output);
  const parsed = z.record(z.string(), z.string()).safeParse(given);
  if (!parsed.success)
    throw new ReviewLoopError(
      reviewerErrors.criterion_invalid,
      'expected `files` to return texts by path',
      {
        cause: parsed.error,
      },
    );
  return parsed.data;
}

async function execute<Output>(
  options: CommandOptions<Output>,
  files: Readonly<Record<string, string>> | undefined,
  signal: AbortSignal | undefined,
): Promise<CommandRun> {
  if (files === undefined)
    return runIn(options, { path: options.cwd ?? '.', places: new Map() }, signal);
  return withTempFiles(files, (folder) => runIn(options, folder, signal));
}

async function runIn<Output>(
  options: CommandOptions<Output>,
  folder: { readonly path: string; readonly places: ReadonlyMap<string, string> },
  signal: AbortSignal | undefined,
): Promise<CommandRun> {
  const { run, env, allowEnv, timeoutMs = defaultTimeoutMs, maxOutputBytes, report } = options;
  const { command: program, args } = programOf(run);
  const place = report === undefined ? undefined : `${folder.path}/${report}`;
  const before = place && (await fileState(place));
  const result = await runProcess({
    command: program,
    args,
    cwd: folder.path,
    env,
    allowEnv,
    timeoutMs,
    signal,
    maxOutputBytes,
  });
  // a report of another run, or of the author of the output, says nothing about this run
  const isNew = place !== undefined && (await fileState(place)) !== before;
  const written = isNew ? await readSmallFile(place, mostReportBytes) : undefined;
  return {
    exitCode: outcomeExitCode(result, program),
    stdout: tidy(result.stdout),
    stderr: tidy(result.stderr),
    ...(written !== undefined && { report: tidy(written) }),
    truncated: result.truncated,
    folder: folder.path,
    moved: Object.fromEntries([...folder.places].filter(([place, name]) => place !== name)),
  };
}

/** Records contain no escape sequences and no secrets. */
function tidy(text: string): string {
  return redactSecrets(stripAnsi(text));
}

function outcomeExitCode({ exitCode, signal, stderr }: ProcessResult, program: string): number {
  if (exitCode !== null) return exitCode;
  throw new ReviewLoopError(
    nodeErrors.process_failed,
    `${program} was ended by ${signal ?? 'a signal'}: ${stderr.slice(-200)}`,
    { value: signal },
  );
}

function judge<Output>(
  run: CommandRun,
  options: CommandOptions<Output>,
  shown: string,
): CriterionResult {
  const { parse, passExitCodes = [0], report } = options;
  const { folder, moved, ...output } = run;
  if (isNotFound(run, options))
    throw new ReviewLoopError(
      nodeErrors.process_not_found,
      `the shell did not find a command: ${run.stderr.trim().slice(-200)}`,
      { value: shown },
    );
  const read = readFindings(output satisfies CommandOutput, parse);
  for (const found of read.findings) FindingSchema.parse(found);
  const isPass = passExitCodes.includes(run.exitCode);
  if (isPass && report !== undefined && run.report === undefined)
    throw new ReviewLoopError(
      nodeErrors.process_failed,
      `${shown} exited with ${run.exitCode} and did not write its report ${report}`,
      { value: report },
    );
  const hasErrors = read.findings.some(({ level }) => level === 'error');
  if (isPass && !hasErrors && read.unclear !== undefined)
    throw new ReviewLoopError(
      reviewerErrors.report_unclear,
      `${shown} exited with ${run.exitCode}, but ${read.unclear}`,
      { value: run.stdout.slice(0, 1000) },
    );
  return CriterionResultSchema.parse(
    resultOf(output, read, { shown, passExitCodes, pathOf: (file) => pathIn(file, folder, moved) }),
  );
}

function isNotFound<Output>(
  { exitCode, stdout }: CommandRun,
  { run, passExitCodes = [0] }: CommandOptions<Output>,
): boolean {
  return (
    typeof run === 'string' &&
    (exitCode === 127 || exitCode === 126) &&
    !passExitCodes.includes(exitCode) &&
    stdout.trim() === ''
  );
}

function pathIn(file: string, folder: string, moved: Readonly<Record<string, string>>): string {
  const plain = file.replaceAll('\\', '/');
  const at = folder === '.' ? -1 : plain.indexOf(`${folder.replaceAll('\\', '/')}/`);
  const below = (at === -1 ? plain : plain.slice(at + folder.length + 1)).replace(/^(?:\.\/)+/, '');
  return moved[below] ?? below;
}

export function failedAssessment(criterion: string, thrown: unknown): VerifiedAssessments {
  const error = thrownBy(criterion, thrown, reviewerErrors.criterion_threw, false);
  return new VerifiedAssessments({ verdict: 'errored', criterion, error });
}

export const CommandRunSchema = z.object({
  exitCode: z.int(),
  stdout: z.string(),
  stderr: z.string(),
  report: z.string().optional(),
  truncated: z.boolean(),
  folder: z.string(),
  moved: z.record(z.string(), z.string()),
});
export type CommandRun = z.infer<typeof CommandRunSchema>;
