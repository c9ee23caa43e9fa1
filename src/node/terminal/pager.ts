import { spawn } from 'node:child_process';
import type { Environment } from './reader.js';
import { widthOf } from './table.js';

export interface PagerOptions {
  readonly rows: number | undefined;
  readonly columns: number | undefined;
  readonly write: (text: string) => Promise<void>;
  /** @default process.env */
  readonly environment?: Environment;
}

/**
 * Shows a text in the pager of the user if it does not fit on the terminal: `PAGER`, or `less`. With
 * `PAGER=cat` or an empty one, and if the pager cannot start, the text is written.
 */
export async function showPaged(text: string, options: PagerOptions): Promise<void> {
  const { rows, columns, write, environment = process.env } = options;
  const pager = (environment['PAGER'] ?? 'less').trim();
  if (rows === undefined || heightOf(text, columns) < rows || pager === '' || pager === 'cat')
    return write(text);
  if (!(await hasPaged(pager, text, environment))) await write(text);
}

function heightOf(text: string, columns: number | undefined): number {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .reduce((sum, line) => sum + rowsOf(line, columns), 0);
}

function rowsOf(line: string, columns: number | undefined): number {
  return columns === undefined || columns < 1 ? 1 : Math.max(1, Math.ceil(widthOf(line) / columns));
}

/** Exit codes of a shell that could not start the program. */
const notStarted = [126, 127];

/** Returns whether the pager could show the text. Until it ends, the keys are its own. */
async function hasPaged(pager: string, text: string, environment: Environment): Promise<boolean> {
  // the pager handles Ctrl-C itself
  const listeners = process.rawListeners('SIGINT').filter(isListener);
  const ignore = (): void => {};
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  try {
    return await new Promise<boolean>((resolve) => {
      const child = spawn(pager, {
        shell: true,
        stdio: ['pipe', 'inherit', 'inherit'],
        env: { ...environment, LESS: environment['LESS'] ?? 'FRX' },
      });
      child.on('error', () => resolve(false));
      child.on('close', (code) => resolve(!notStarted.includes(code ?? 0)));
      // a reader leaves before the end
      child.stdin.on('error', () => {});
      child.stdin.end(text);
    });
  } finally {
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}

function isListener(value: unknown): value is NodeJS.SignalsListener {
  return typeof value === 'function';
}
