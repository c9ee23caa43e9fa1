import type { TerminalStreams } from '../people/prompts.js';
import type { Draw } from '../terminal/screen.js';
import type { GithubStep } from './github-step.js';

/** A block of rows that change, below everything that was written. */
export interface LiveBlock {
  readonly show: (draw: Draw) => void;
  readonly hide: () => void;
}

/** Who reads the output: a person, a log, or a coding agent. */
export type Reader = 'default' | 'plain' | 'agent';

/** The streams and the environment of a command, from the process or from a test. */
export interface Io {
  readonly cwd: string;
  /**
   * Writes results to the standard output. Resolves when they are written.
   *
   * @throws ReviewLoopError `output_unwritable`
   */
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
  /** Reads all of the standard input. */
  readonly readStdin: (maxBytes: number) => Promise<Buffer>;
  /** Columns of the terminal of results; `undefined` without a terminal. */
  readonly outColumns: number | undefined;
  /** Columns of the terminal of progress; `undefined` without a terminal. */
  readonly errColumns: number | undefined;
  /** Whether results may have colours. */
  readonly colours: boolean;
  /** The streams of the terminal for questions to a person; `undefined` without a terminal. */
  readonly terminal?: TerminalStreams | undefined;
  /** The step of a GitHub workflow that runs the command; `undefined` outside of one. */
  readonly github?: GithubStep | undefined;
  /** Whether a worker watches for checks that block this thread. */
  readonly watched: boolean;
  /** Aborted when the user ends the command. */
  readonly signal: AbortSignal;
}
