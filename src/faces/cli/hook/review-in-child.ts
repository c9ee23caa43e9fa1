import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { isReviewError, messageOf } from '../../../core/errors.js';
import { jsonIn } from '../../../core/json-or-text.js';
import { runProcess } from '../../../node/process.js';
import type { CommandCall } from '../../cli-kit/flags/command.js';
import type { Io } from '../../cli-kit/io.js';
import { hookErrors } from '../../hooks/errors.js';
import { GateVerdictSchema, noVerdict } from '../../hooks/gate-verdict.js';
import { TreeSchema } from '../../hooks/session-state.js';
import type { SessionReview, SessionReviewResult } from '../../hooks/stop-step.js';
import type { HookDeadline } from './hook-deadline.js';

export interface HookReview {
  readonly io: Io;
  readonly entry: URL;
  readonly deadline: HookDeadline;
}

const ReviewSchema = z.object({
  root: z.string(),
  start: TreeSchema,
  now: TreeSchema,
  prompt: z.string().optional(),
});

/** From the process that reviews. */
const LineSchema = z.union([
  z.object({ limit: z.number() }),
  z.object({
    verdict: GateVerdictSchema,
    limits: z
      .object({
        maxBlocks: z.number().optional(),
        onFailure: z.enum(['tell', 'block']).optional(),
      })
      .optional(),
  }),
]);

/** The deadline ends a review earlier. */
const mostMs = 600_000;

/** It waits for its subject, and can be ended without one. */
export interface BegunReview {
  readonly review: (review: SessionReview) => Promise<SessionReviewResult>;
  readonly end: () => void;
}

/** For tests and programs without a watchdog. */
export function reviewInProcess({ io, deadline }: HookReview): BegunReview {
  const onLimit = (seconds: number): void => deadline.limit(seconds);
  return {
    review: async (review) => {
      const { reviewSession } = await import('./review-session.js');
      return reviewSession(review, { io, entry: undefined, onLimit });
    },
    end: () => {},
  };
}

/**
 * The other process loads its code while this one saves the files. A check that never returns, or a
 * configuration that ends its process, cannot keep the hook from answering.
 */
export function reviewInChild(root: string, { io, entry, deadline }: HookReview): BegunReview {
  let tell = (_: string): void => {};
  const input = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const unused = new AbortController();
  let result: SessionReviewResult | undefined;
  const onOutput = lineReader((line) => {
    const read = LineSchema.safeParse(jsonIn(line)).data;
    if (read === undefined) return;
    if ('limit' in read) deadline.limit(read.limit);
    else result = read;
  });
  const ended = runProcess({
    command: process.execPath,
    args: [...process.execArgv, fileURLToPath(entry), 'hook', 'review'],
    cwd: root,
    // it may see everything that the hook sees, such as the key of a model
    allowEnv: Object.keys(process.env),
    input,
    onOutput,
    timeoutMs: mostMs,
    killAfterMs: 500,
    signal: AbortSignal.any([io.signal, unused.signal]),
  }).then(
    ({ exitCode, stderr }) => {
      const lines = stderr.trim().split('\n').slice(-3);
      const said = lines.map((line) => line.trim()).join(' ');
      const what = `the process of the review ended with ${exitCode ?? 'a signal'}: ${said}`;
      return result ?? { verdict: noVerdict(hookErrors.hook_failed.code, what) };
    },
    (error) => {
      const code = isReviewError(error) ? error.code : hookErrors.hook_failed.code;
      return { verdict: noVerdict(code, messageOf(error)) };
    },
  );
  return {
    review: (review) => {
      tell(JSON.stringify(review));
      return ended;
    },
    end: () => unused.abort(),
  };
}

export async function serveReview({ io, entry }: CommandCall): Promise<number> {
  const loading = import('./review-session.js');
  const given = ReviewSchema.parse(jsonIn((await io.readStdin(64_000_000)).toString('utf8')));
  const { reviewSession } = await loading;
  const print = (value: object): Promise<void> => io.out(`${JSON.stringify(value)}\n`);
  const printed: Promise<void>[] = [];
  const result = await reviewSession(
    { ...given, prompt: given.prompt },
    {
      io,
      entry: io.watched ? entry : undefined,
      onLimit: (limit) => void printed.push(print({ limit })),
    },
  );
  await Promise.all(printed);
  await print(result);
  return 0;
}

function lineReader(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}
