import type { TerminalStreams } from '../people/prompts.js';

/** The streams and the surroundings of a command: those of the process, or of a test. */
export interface Io {
  readonly cwd: string;
  /** Writes results. Resolves when they are written. @throws ReviewLoopError `output_unwritable` */
  readonly out: (text: string) => Promise<void>;
  /** Writes progress and errors; never fails. */
  readonly err: (text: string) => void;
  /** Reads all of the standard input. */
  readonly readStdin: (maxBytes: number) => Promise<Buffer>;
  /** Columns of the terminal of results; `undefined` without a terminal. */
  readonly outColumns: number | undefined;
  /** Columns of the terminal of progress; `undefined` without a terminal. */
  readonly errColumns: number | undefined;
  readonly colours: boolean;
  /** The streams of the terminal for questions to a person; `undefined` without a terminal. */
  readonly terminal?: TerminalStreams | undefined;
  /** Whether a worker watches for checks that block this thread. */
  readonly watched: boolean;
  /** Aborted when the user ends the command. */
  readonly signal: AbortSignal;
}
