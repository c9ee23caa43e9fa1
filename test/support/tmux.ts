import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { it, onTestFinished } from 'vitest';

const there = spawnSync('tmux', ['-V']).status === 0;
let count = 0;

/** A test in a real pseudo-terminal: skipped, visibly, without tmux; failing when REVIEWLOOP_REQUIRE names it. */
export function itInTerminal(name: string, test: () => Promise<void>): void {
  if (there) it(name, test);
  else if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('tmux')) {
    it(`${name}: tmux is required`, () => {
      throw new Error('tmux is not installed');
    });
  } else it.skip(`${name} (skipped: no tmux)`, () => undefined);
}

/** A terminal that a person types into. */
export interface Terminal {
  /** Sends keys by the names that tmux has for them. */
  readonly press: (...keys: string[]) => void;
  readonly type: (text: string) => void;
  /** Waits until the screen matches, or a check of it holds; gives the screen. */
  readonly until: (wanted: RegExp | ((screen: string) => boolean)) => Promise<string>;
  /** Changes the size of the window. */
  readonly resize: (columns: number, rows: number) => void;
  /** Closes the terminal, as somebody does who closes the window. */
  readonly close: () => void;
}

/** Runs a shell line in a new terminal; a server of its own, gone after the test. */
export function terminal(line: string): Terminal {
  const socket = `reviewloop-${process.pid}-${++count}`;
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const close = (): void => void spawnSync('tmux', ['-L', socket, 'kill-server']);
  onTestFinished(({ task }) => {
    const args = ['-L', socket, 'capture-pane', '-p', '-J'];
    if (task.result?.state === 'fail')
      console.log(
        `the screen when "${task.name}" failed:\n${spawnSync('tmux', args, { encoding: 'utf8' }).stdout}`,
      );
    close();
  });
  // under CI and for an agent nobody is asked, and here a person is at the terminal
  tmux('new-session', '-d', '-x', '120', '-y', '40', `unset CI; ${line}`);
  return {
    close,
    resize: (columns, rows) => void tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`),
    press: (...keys) => void tmux('send-keys', ...keys),
    type: (text) => void tmux('send-keys', '-l', text),
    until: async (wanted) => {
      const isThere = (shown: string): boolean =>
        typeof wanted === 'function' ? wanted(shown) : wanted.test(shown);
      let screen = '';
      for (const end = Date.now() + 280_000; Date.now() < end; await sleep(100)) {
        const args = ['-L', socket, 'capture-pane', '-p', '-J'];
        screen = (await promisify(execFile)('tmux', args)).stdout;
        if (isThere(screen)) return screen;
      }
      throw new Error(`${String(wanted)} never came up on the screen:\n${screen}`);
    },
  };
}
