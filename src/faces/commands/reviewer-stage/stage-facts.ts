import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Diff } from '../../../core/diff/diff-source.js';
import { ReviewLoopError } from '../../../core/errors.js';
import { redactSecrets } from '../../../core/redact/secrets.js';
import { readText } from '../../../node/files.js';
import { repositoryAbove } from '../../../node/folder-state.js';
import { gitFiles } from '../../../node/git/git-files.js';
import {
  type CompletedWork,
  ExecutionResultSchema,
  VerificationResultSchema,
} from '../../../products/reviewer-stage/completed-work.js';
import {
  type WorkFromDiffOptions,
  workFromDiff,
} from '../../../products/reviewer-stage/work-from-diff.js';
import type { StageSettings } from './stage-flags.js';
import type { StageRequest } from './stage-request.js';

type Facts = 'plan' | 'results' | 'verification';

export type WorkFacts = Pick<CompletedWork, 'plan' | 'executionResults' | 'verificationResults'> &
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
