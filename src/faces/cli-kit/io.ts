import { readFileSync } from 'node:fs';
import { terminalSafeJson } from '../../node/terminal/sanitise.js';
import type { Draw } from '../../node/terminal/screen.js';
import type { TerminalStreams } from '../people/prompts.js';

export interface LiveBlock {
  readonly show: (draw: Draw) => void;
  readonly hide: () => void;
}

/** Who reads the output: a person, a log, or a coding agent. */
export type Reader = 'default' | 'plain' | 'agent';

export interface Io {
  readonly cwd: string;
  /** Writes results to the standard output. Resolves when they are written. */
  readonly out: (text: string) => Promise<void>;
  /** Writes progress and errors to the standard error. Never fails. */
  readonly err: (text: string) => void;
  /**
   * The rows that change on the terminal of progress. `undefined` where nothing may change: without
   * a terminal, in CI, and for an agent.
   */
  readonly live?: LiveBlock | undefined;
  /** Shows a long text in the pager of the user. `undefined` without a terminal. */
  readonly page?: ((text: string) => Promise<void>) | undefined;
  /** Who reads the output. @default 'default' */
  readonly reader?: Reader | undefined;
  readonly readStdin: (maxBytes: number) => Promise<Buffer>;
  /** Columns of the terminal of results; `undefined` without a terminal. */
  readonly outColumns: number | undefined;
  /** Columns of the terminal of progress; `undefined` without a terminal. */
  readonly errColumns: number | undefined;
  readonly colours: boolean;
  /** The streams of the terminal for questions to a person; `undefined` without a terminal. */
  readonly terminal?: TerminalStreams | undefined;
  /** The step of a GitHub workflow that runs the command; `undefined` outside of one. */
  readonly github?: GithubStep | undefined;
  readonly watched: boolean;
  readonly signal: AbortSignal;
}

export interface GithubStep {
  readonly annotate: (commands: string) => void;
  readonly summaryFile: string | undefined;
  readonly links: { readonly repository: string; readonly commit: string } | undefined;
  readonly pull: PullRequest | undefined;
}

export interface PullRequest {
  readonly number: number;
  readonly base: string;
}

/** Shows nothing, and asks nobody. */
export function silentIo(io: Io): Io {
  return { ...io, terminal: undefined, github: undefined, out: async () => {}, err: () => {} };
}

/** What a command found: data for a program, and lines for a person. */
export interface Found {
  readonly data: object;
  readonly lines: Iterable<string>;
}

/** Returns 0, the exit code of a command that only shows. */
export async function tell(
  { out }: Pick<Io, 'out'>,
  format: string,
  { data, lines }: Found,
): Promise<0> {
  const json = (): string => terminalSafeJson({ schemaVersion: 1, ...data });
  await out(`${format === 'json' ? json() : [...lines].join('\n')}\n`);
  return 0;
}

export function githubStep(
  env: Readonly<Record<string, string | undefined>>,
  write: (text: string) => void,
): GithubStep | undefined {
  if (env['GITHUB_ACTIONS'] !== 'true') return undefined;
  const server = env['GITHUB_SERVER_URL'] ?? '';
  const name = env['GITHUB_REPOSITORY'] ?? '';
  const event = eventIn(env['GITHUB_EVENT_PATH']);
  const pull = memberOf(event, 'pull_request');
  // the commit of a workflow is a merge of its own
  const commit = shaIn(memberOf(pull, 'head')) ?? env['GITHUB_SHA'] ?? '';
  const isKnown = /^https?:\/\/[^\s()<>]+$/.test(server) && /^[\w.-]+\/[\w.-]+$/.test(name);
  return {
    annotate: write,
    summaryFile: env['GITHUB_STEP_SUMMARY'] || undefined,
    links: isKnown && commit !== '' ? { repository: `${server}/${name}`, commit } : undefined,
    pull: pullIn(pull) ?? queuedIn(memberOf(event, 'merge_group')),
  };
}

function eventIn(file: string | undefined): unknown {
  if (file === undefined || file === '') return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function shaIn(commit: unknown): string | undefined {
  const sha = memberOf(commit, 'sha');
  return typeof sha === 'string' && /^[0-9a-f]{40,64}$/.test(sha) ? sha : undefined;
}

/** Anybody may name a branch, so only plain names are taken. */
function pullIn(pull: unknown): PullRequest | undefined {
  const number = memberOf(pull, 'number');
  const base = memberOf(memberOf(pull, 'base'), 'ref');
  return Number.isSafeInteger(number) && typeof base === 'string' && /^\w[\w./-]*$/.test(base)
    ? { number: Number(number), base }
    : undefined;
}

/** A merge queue names its pull request in the branch of the group. */
function queuedIn(group: unknown): PullRequest | undefined {
  const [, number] = /\/pr-(\d+)-[0-9a-f]+$/.exec(String(memberOf(group, 'head_ref'))) ?? [];
  const base = String(memberOf(group, 'base_ref')).replace(/^refs\/heads\//, '');
  return number === undefined ? undefined : pullIn({ number: Number(number), base: { ref: base } });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
