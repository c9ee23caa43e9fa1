import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { widthOf } from '@/node/terminal/table.js';
import { playTerminal } from '../../scripts/terminal-picture/terminal-cells.mjs';
import { newFolder } from '../resume/children.js';
import { faultyPage } from '../unit/faces/cli/harness.js';
import { bin } from './cli-harness.js';

/** `script` of util-linux runs a command in a pseudo terminal of any size. */
const hasScript = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '');

const commands = ['review site --task TASK.md', 'runs', 'history', 'runs --metrics'];

/** Runs commands one after another in a terminal of so many columns; returns what it shows. */
async function shownBy(
  columns: number,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const cwd = newFolder();
  mkdirSync(join(cwd, 'site'));
  writeFileSync(join(cwd, 'site/sign-in-page-with-a-long-name.html'), faultyPage);
  writeFileSync(
    join(cwd, 'TASK.md'),
    '# Task\n\n- The page must have a form with an e-mail field.\n',
  );
  const lines = commands.map((command) => `"${process.execPath}" "${bin}" ${command}; echo END`);
  const line = `stty rows 40 cols ${columns}; ${lines.join('; ')}`;
  const { CI: _, NO_COLOR: _none, ...inherited } = process.env;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { ...inherited, TERM: 'xterm-256color', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  await new Promise((done) => child.on('close', done));
  return shown;
}

function withoutColours(shown: string): string {
  return shown
    .split('\u001b[')
    .map((part, index) =>
      index === 0
        ? part
        : part.replace(/^(?:[\d;]*m|)/, (colour) => (colour === '' ? '\u001b[' : '')),
    )
    .join('');
}

/** Returns the lines of a screen, which may be longer than it is wide. */
function screenOf(shown: string): readonly string[] {
  return playTerminal(shown, 1000).lines;
}

describe.runIf(hasScript)('a real terminal of any size', () => {
  it.each([0, 1, 10, 80, 200])(
    '%d columns: every command ends, and every line of a report is its own [R2-079, R2-080, R2-084]',
    async (columns) => {
      const shown = await shownBy(columns, {});
      const lines = screenOf(shown);
      expect(lines.filter((line) => line === 'END')).toHaveLength(commands.length);
      // a terminal that is too narrow for a block gets no escape but colours
      if (columns < 20) expect(withoutColours(shown)).not.toContain('\u001b');
      for (const line of lines) {
        expect(line).not.toMatch(/\d s review \d.*(?:NOT APPROVED|reviewed \d|Quality Assessment)/);
        if (columns > 0 && /^(?:site\/|…|01a)/.test(line))
          expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      }
      expect(lines.some((line) => line.startsWith('NOT APPROVED'))).toBe(true);
    },
  );

  it.each([{ TERM: 'dumb' }, { NO_COLOR: '1' }])(
    '%j: no escape sequence at all [R2-136]',
    async (environment) => {
      const shown = await shownBy(80, environment);
      expect(screenOf(shown).filter((line) => line === 'END')).toHaveLength(commands.length);
      expect(shown).not.toContain('\u001b');
    },
  );
});
