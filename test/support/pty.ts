import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** `script` of util-linux runs a command in a pseudo terminal. */
export const hasPty = /util-linux/.test(
  spawnSync('script', ['--version']).stdout?.toString() ?? '',
);

/** A pseudo terminal of a size, with the bytes that it was sent. */
export interface Pty {
  readonly child: ChildProcess;
  readonly bytes: () => string;
  /** Waits until the bytes match. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Waits for the end and returns all bytes. */
  readonly end: Promise<string>;
  readonly type: (text: string) => void;
}

/** Options of {@link pty}. */
export interface PtyOptions {
  readonly cwd: string;
  readonly columns: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export function pty(line: string, { cwd, columns, rows = 30, env = {} }: PtyOptions): Pty {
  const { CI: _ci, NO_COLOR: _none, FORCE_COLOR: _force, ...inherited } = process.env;
  const child = spawn(
    'script',
    ['-qec', `stty rows ${rows} cols ${columns}; ${line}`, '/dev/null'],
    {
      cwd,
      env: { ...inherited, TERM: 'xterm-256color', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (const look of waiting) look();
  });
  const end = new Promise<string>((resolve) => void child.on('close', () => resolve(shown)));
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(shown)) return;
        waiting.delete(look);
        resolve(shown);
      };
      waiting.add(look);
      void end.then(() => reject(new Error(`${pattern} never came:\n${shown}`)));
      look();
    });
  return { child, end, until, bytes: () => shown, type: (text) => void child.stdin.write(text) };
}
