import { messageOf, ReviewLoopError } from '../../core/errors.js';
import { nodeErrors } from '../../node/errors.js';
import { hasColours } from '../../node/terminal/colours.js';
import { isAgent, isCi } from '../../node/terminal/reader.js';
import type { TerminalStream } from '../../node/terminal/screen.js';
import { withoutCommands } from '../reports/formats/workflow-text.js';
import { githubStep, type Io } from './io.js';

export interface Streams {
  readonly stdin: AsyncIterable<unknown> & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & TerminalStream;
  readonly stderr: NodeJS.WritableStream & TerminalStream;
}

/** Piping into `head` is safe: a closed pipe is not an error. */
export async function processIo(signal: AbortSignal, streams: Streams = process): Promise<Io> {
  const { stdin, stdout, stderr } = streams;
  let broken: Error | undefined;
  stdout.on('error', (error) => {
    broken = error;
  });
  stderr.on('error', () => {});
  // loaded for a terminal only, which most programs that start this one do not give it
  const screen =
    stderr.isTTY === true
      ? new (await import('../../node/terminal/screen.js')).Screen({ stdout, stderr })
      : undefined;
  const github = githubStep(process.env, (commands) => void stderr.write(commands));
  // a runner looks for commands in all output, and so finds those that somebody else wrote
  const shown = github === undefined ? (text: string): string => text : withoutCommands;
  const out = async (text: string): Promise<void> => {
    if (broken === undefined)
      await new Promise<void>(
        (resolve) =>
          void stdout.write(shown(text), (error) => {
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
  };
  const isAsked =
    streams === process && process.stdin.isTTY === true && process.stdout.isTTY === true && !isCi();
  return {
    cwd: currentFolder(),
    signal,
    github,
    watched: true,
    reader: isAgent() ? 'agent' : 'default',
    terminal: isAsked ? { input: process.stdin, output: process.stdout } : undefined,
    get outColumns() {
      return columnsOf(stdout);
    },
    get errColumns() {
      return isCi() ? undefined : columnsOf(stderr);
    },
    colours: hasColours(stdout),
    ...(screen?.isLive && { live: screen }),
    ...(isAsked && {
      page: async (text) => {
        const { showPaged } = await import('../../node/terminal/pager.js');
        const { rows, columns } = process.stdout;
        await showPaged(text, { rows, columns, write: out });
      },
    }),
    err: (text) => void stderr.write(shown(text)),
    out,
    readStdin: (maxBytes) => readAll(stdin, maxBytes),
  };
}

/** Works also after it was removed: a hook must answer from there, too. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

/** `undefined` if it is unknown, as in a container. */
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
