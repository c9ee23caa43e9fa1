import { messageOf, ReviewLoopError } from '../core/errors.js';
import { nodeErrors } from '../node/errors.js';
import { isCi, isPlainTerminal } from '../people/plain-terminal.js';
import type { Io } from './io.js';
import { StatusLine } from './status-line.js';

/** The streams of a process. */
export interface Streams {
  readonly stdin: AsyncIterable<unknown> & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/**
 * Returns the streams of this process. Piping into `head` is safe: a closed pipe is not an error.
 */
export function processIo(signal: AbortSignal, streams: Streams = process): Io {
  const { stdin, stdout, stderr } = streams;
  let broken: Error | undefined;
  stdout.on('error', (error) => {
    broken = error;
  });
  stderr.on('error', () => {});
  const line = new StatusLine(stderr);
  return {
    cwd: currentFolder(),
    signal,
    watched: true,
    terminal:
      streams === process &&
      process.stdin.isTTY === true &&
      process.stdout.isTTY === true &&
      !isCi()
        ? { input: process.stdin, output: process.stdout }
        : undefined,
    outColumns: columnsOf(stdout),
    errColumns: columnsOf(stderr),
    colours: Boolean(stdout.isTTY) && !isPlainTerminal(),
    ...(stderr.isTTY && process.env['TERM'] !== 'dumb' && { status: (text) => line.show(text) }),
    err: (text) => {
      line.show('');
      stderr.write(text);
    },
    out: async (text) => {
      // both streams show on one terminal
      line.show('');
      if (broken === undefined)
        await new Promise<void>(
          (resolve) =>
            void stdout.write(text, (error) => {
              broken ??= error ?? undefined;
              resolve();
            }),
        );
      if (broken !== undefined && !isClosedPipe(broken))
        throw new ReviewLoopError(
          nodeErrors.output_unwritable,
          `cannot write the result to the standard output: ${messageOf(broken)}`,
          { cause: broken },
        );
    },
    readStdin: (maxBytes) => readAll(stdin, maxBytes),
  };
}

/** Returns the working directory, also after it was removed: a hook must answer from there, too. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

/** Returns the width of a terminal; `undefined` if it is unknown, as in a container. */
function columnsOf(stream: Streams['stdout']): number | undefined {
  const { isTTY = false, columns = 0 } = stream;
  return isTTY && columns > 0 ? columns : undefined;
}

async function readAll(stdin: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > maxBytes)
        throw new ReviewLoopError(
          nodeErrors.file_too_large,
          `the standard input is larger than ${maxBytes} bytes`,
        );
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof ReviewLoopError) throw error;
    throw new ReviewLoopError(
      nodeErrors.file_unreadable,
      `cannot read the standard input: ${messageOf(error)}`,
      { cause: error },
    );
  }
  return Buffer.concat(chunks);
}

function isClosedPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
