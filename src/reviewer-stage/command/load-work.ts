import { join, resolve } from 'node:path';
import * as z from 'zod';
import { ReviewLoopError } from '../../core/errors.js';
import type { Diff } from '../../diff/diff-source.js';
import { gitDiff } from '../../git/git-diff.js';
import { gitFiles } from '../../git/git-files.js';
import { readText } from '../../node/files.js';
import { repositoryAbove } from '../../node/folder-state.js';
import { redactSecrets } from '../../redact/secrets.js';
import {
  type CompletedWork,
  ExecutionResultSchema,
  VerificationResultSchema,
} from '../completed-work.js';
import { type WorkFromDiffOptions, workFromDiff } from '../work-from-diff.js';
import type { StageRequest } from './stage-request.js';

/** The facts about the work that its diff does not contain. */
export type WorkFacts = Pick<CompletedWork, 'plan' | 'executionResults' | 'verificationResults'> &
  Pick<WorkFromDiffOptions, 'allowedSecrets' | 'allowUnseen'>;

/** Reads the diff that a request names. */
export function diffOf(
  {
    cwd,
    paths,
    diff,
  }: Pick<StageRequest, 'cwd' | 'paths'> & {
    readonly diff:
      | StageRequest['diff']
      | { readonly kind: 'working-tree'; readonly base: string | undefined };
  },
  signal: AbortSignal,
): Promise<Diff> {
  return gitDiff({ cwd, paths }).diff(diff, { signal });
}

/** Reads the current work. */
export async function loadWork(
  request: StageRequest,
  facts: WorkFacts,
  signal: AbortSignal,
): Promise<CompletedWork> {
  return workOf(withoutOwnFiles(await diffOf(request, signal), request.cwd, request.own), request, {
    facts,
    signal,
  });
}

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
  given: {
    readonly plan?: string | undefined;
    readonly results?: string | undefined;
    readonly verification?: string | undefined;
  },
): Promise<WorkFacts> {
  const plan = given.plan === undefined ? undefined : await textOf(cwd, given.plan);
  return {
    ...(plan !== undefined && { plan }),
    executionResults:
      given.results === undefined ? [] : await listOf(cwd, given.results, ExecutionResultSchema),
    verificationResults:
      given.verification === undefined
        ? []
        : await listOf(cwd, given.verification, VerificationResultSchema),
  };
}

async function textOf(cwd: string, path: string): Promise<string> {
  return redactSecrets(await readText(resolve(cwd, path), { shown: path, maxBytes: 1_000_000 }));
}

async function listOf<Entry>(
  cwd: string,
  path: string,
  schema: z.ZodType<Entry>,
): Promise<Entry[]> {
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
