import type { TerminalStreams } from '../people/prompts.js';

/** What a command reads from and writes to: the process's own, or a test's. */
export interface Io {
  readonly cwd: string;
  /** Results. Resolves when they are out. @throws ReviewLoopError `output_unwritable` */
  readonly out: (text: string) => Promise<void>;
  /** Progress and errors; never fails. */
  readonly err: (text: string) => void;
  /** All of the standard input. */
  readonly readStdin: (maxBytes: number) => Promise<Buffer>;
  /** Columns of the terminal that results go to; `undefined` when they go elsewhere. */
  readonly outColumns: number | undefined;
  /** Columns of the terminal that progress goes to; `undefined` when it goes elsewhere. */
  readonly errColumns: number | undefined;
  readonly colours: boolean;
  /** Both directions of the terminal at which somebody can be asked; none where there is none. */
  readonly terminal?: TerminalStreams | undefined;
  /** Whether a worker watches that no check blocks this thread for good. */
  readonly watched: boolean;
  /** Aborted when the user ends the command. */
  readonly signal: AbortSignal;
}
