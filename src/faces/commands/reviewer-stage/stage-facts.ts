import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Diff } from '../../../core/diff/diff-source.js';
import { isReviewError, messageOf, ReviewLoopError } from '../../../core/errors.js';
import type { AllowedSecret } from '../../../core/redact/allowed-secrets.js';
import { redactSecretsAsync } from '../../../core/redact/redact-with-secretlint.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { engineErrors } from '../../../engine/errors.js';
import { readText } from '../../../node/files.js';
import { repositoryAbove } from '../../../node/folder-state.js';
import { gitDiff } from '../../../node/git/git-diff.js';
import { gitFiles } from '../../../node/git/git-files.js';
import { programOf, runProcess } from '../../../node/process.js';
import { sanitise } from '../../../node/terminal/sanitise.js';
import {
  type CompletedWork,
  ExecutionResultSchema,
  VerificationResultSchema,
} from '../../../products/reviewer-stage/completed-work.js';
import type { StageFeedback } from '../../../products/reviewer-stage/stage-feedback.js';
import type { ReplanContext } from '../../../products/reviewer-stage/stage-options.js';
import { cycleLines } from '../../../products/reviewer-stage/stage-text.js';
import {
  type WorkFromDiffOptions,
  workFromDiff,
} from '../../../products/reviewer-stage/work-from-diff.js';
import type { StageSettings } from './stage-flags.js';
import type { StageRequest } from './stage-request.js';

type Facts = 'plan' | 'results' | 'verification';

type WorkFacts = Pick<CompletedWork, 'plan' | 'executionResults' | 'verificationResults'> &
  Pick<WorkFromDiffOptions, 'allowedSecrets' | 'allowUnseen'>;

export function workOf(
  diff: Diff,
  request: StageRequest,
  { facts, signal }: { readonly facts: WorkFacts; readonly signal: AbortSignal },
): Promise<CompletedWork> {
  const { sessionId, task, cwd, allowTruncated } = request;
  return workFromDiff(diff, {
    ...facts,
    sessionId,
    request: task.text,
    files: gitFiles(diff, { cwd }),
    allowTruncated,
    signal,
  });
}

/**
 * Returns a diff without new files that the review itself uses: its task, plan and configuration.
 */
export function withoutOwnFiles(
  diff: Diff,
  cwd: string,
  own: readonly (string | false | undefined)[],
): Diff {
  const root = repositoryAbove(cwd);
  if (root === undefined) return diff;
  const left = new Set(
    own.flatMap((path) => (typeof path === 'string' && path !== '-' ? [resolve(cwd, path)] : [])),
  );
  const files = diff.files.filter(
    ({ path, status }) => status !== 'new' || !left.has(join(root, path)),
  );
  return files.length === diff.files.length ? diff : { ...diff, files };
}

/** Reads the files that the flags name: the plan as a text, results as JSON. */
export async function readFacts(
  cwd: string,
  { plan, results, verification }: Partial<Pick<StageSettings, Facts>>,
): Promise<WorkFacts> {
  return {
    ...(plan !== undefined && { plan: await textOf(cwd, plan) }),
    executionResults: await listOf(cwd, results, ExecutionResultSchema),
    verificationResults: await listOf(cwd, verification, VerificationResultSchema),
  };
}

async function textOf(cwd: string, path: string): Promise<string> {
  return redactSecrets(await readText(resolve(cwd, path), { shown: path, maxBytes: 1_000_000 }));
}

async function listOf<Entry>(
  cwd: string,
  path: string | undefined,
  schema: z.ZodType<Entry>,
): Promise<Entry[]> {
  if (path === undefined) return [];
  const text = await textOf(cwd, path);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new ReviewLoopError('task_invalid', `${path} is not JSON`, { cause: error, value: path });
  }
  const parsed = z.array(schema).safeParse(given);
  if (!parsed.success)
    throw new ReviewLoopError(
      'task_invalid',
      `${path} is not a list of results: ${z.prettifyError(parsed.error)}`,
      { cause: parsed.error, value: path },
    );
  return parsed.data;
}

interface PlannerParts {
  readonly request: StageRequest;
  readonly verify: readonly (string | readonly string[])[];
  /** Lines that look like secrets and are allowed. */
  readonly allowedSecrets: readonly AllowedSecret[];
  /** Endings of paths of files that may be approved unseen. */
  readonly allowUnseen?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly say: (lines: readonly string[]) => Promise<void>;
}

const plannerMs = 3_600_000;

/**
 * Creates a planner from a command. The command reads the feedback from its standard input, fixes
 * the files, and prints the new plan. It prints nothing if the plan stays. The work is then read
 * and verified again, against the same base.
 */
export function planner(
  command: string | readonly string[],
  { request, verify, allowedSecrets, allowUnseen, signal: ended, say }: PlannerParts,
): (feedback: StageFeedback, context: ReplanContext) => Promise<CompletedWork> {
  return async (feedback, { work, cycle, signal: timed }) => {
    const signal = AbortSignal.any([ended, timed]);
    const decided = ['  Decision: REJECTED', `  Reason: ${sanitise(feedback.reason)}`];
    await say(['', ...decided, '', ...cycleLines({ feedback, cycles: cycle }, sanitise)]);
    const { exitCode, stdout, stderr } = await runProcess({
      ...programOf(command),
      cwd: request.cwd,
      input: feedback.text,
      env: { REVIEWLOOP_CYCLE: String(cycle), REVIEWLOOP_RUN: request.runId },
      timeoutMs: plannerMs,
      signal,
    });
    if (exitCode !== 0)
      throw new ReviewLoopError(
        engineErrors.address_failed,
        `the planner ended with exit code ${exitCode}: ${sanitise(stderr).trim().slice(-500)}`,
      );
    const plan = redactSecrets(stdout.trim()) || work.plan;
    const names = new Set(
      await Promise.all(verify.map((command) => redactSecretsAsync(nameOfCommand(command)))),
    );
    const others = work.verificationResults.filter(({ name }) => !names.has(name));
    const verificationResults = await verifyWork(verify, { cwd: request.cwd, signal });
    const facts = {
      ...(plan !== undefined && { plan }),
      ...{ allowedSecrets, allowUnseen, executionResults: work.executionResults },
      verificationResults: [...others, ...verificationResults],
    };
    const { cwd, paths, diff, own } = request;
    const now = await gitDiff({ cwd, paths }).diff(diff, { signal });
    return workOf(withoutOwnFiles(now, cwd, own), request, { facts, signal });
  };
}

interface CommandPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

const verificationMs = 600_000;

const mostCharacters = 4000;

/** Runs commands one after another. Each is a verification, which passes with exit code 0. */
export async function verifyWork(
  commands: readonly (string | readonly string[])[],
  place: CommandPlace,
): Promise<CompletedWork['verificationResults']> {
  const results: CompletedWork['verificationResults'] = [];
  for (const command of commands) results.push(await verified(command, place));
  return results;
}

async function verified(
  command: string | readonly string[],
  { cwd, signal }: CommandPlace,
): Promise<CompletedWork['verificationResults'][number]> {
  const name = nameOfCommand(command);
  try {
    const { exitCode, stdout, stderr } = await runProcess({
      ...programOf(command),
      cwd,
      signal,
      timeoutMs: verificationMs,
    });
    return { name, passed: exitCode === 0, details: endOf(`${stdout}\n${stderr}`) };
  } catch (error) {
    if (isReviewError(error) && error.code === 'cancelled') throw error;
    return { name, passed: false, details: messageOf(error) };
  }
}

function nameOfCommand(command: string | readonly string[]): string {
  return typeof command === 'string' ? command : command.join(' ');
}

function endOf(output: string): string {
  const text = redactSecrets(sanitise(output).trim());
  return text.length <= mostCharacters
    ? text
    : `[${text.length - mostCharacters} characters left out]\n${text.slice(-mostCharacters)}`;
}
