import type { TerminalStreams } from '../people/prompts.js';
import type { GithubStep } from './github-step.js';

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
   * Shows a line on the terminal of progress in place of the one before; '' removes it. Other output
   * replaces it. `undefined` for a terminal that cannot move its cursor, and without a terminal.
   */
  readonly status?: ((line: string) => void) | undefined;
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
