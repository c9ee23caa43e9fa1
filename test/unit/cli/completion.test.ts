import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/cli/program.js';
import { flagName } from '../../../src/cli-kit/flags/flag.js';
import { folderOf, runCli } from './harness.js';

async function scriptFor(shell: string): Promise<string> {
  const { out, code } = await runCli(process.cwd(), ['completion', shell]);
  expect(code).toBe(0);
  return out;
}

/** What a real bash offers after words, the last of which is begun. */
function offered(script: string, cwd: string, words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const lines = [
    script,
    `COMP_WORDS=(reviewloop ${quoted}); COMP_CWORD=${words.length}; COMPREPLY=()`,
    `_reviewloop; printf "%s\\n" "\${COMPREPLY[@]}"`,
  ];
  const out = execFileSync('bash', ['--norc', '-c', lines.join('\n')], { cwd, encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

describe('shell completion', () => {
  it('bash completes commands, flags, values, files and runs', async () => {
    const script = await scriptFor('bash');
    const cwd = await folderOf({ 'TASK.md': 'x', 'my site.html': 'x' });
    mkdirSync(join(cwd, '.reviewloop/runs/0192f3c8-aaaa'), { recursive: true });
    writeFileSync(join(cwd, '.reviewloop/runs/0192f3c8-aaaa/review.json'), '{}');
    const offers = (...words: string[]): string[] => offered(script, cwd, words);
    expect(offers('re')).toEqual(['review', 'requirements', 'report', 'resume']);
    expect(offers('tasks', '')).toEqual(['run', 'status', '--help']);
    expect(offers('tasks', 'run', '--all', '--hitl')).toEqual([
      '--hitl-unattended',
      '--hitl-review',
    ]);
    expect(offers('review', 'site', '--format', '')).toEqual(['text', 'json']);
    expect(offers('review', '--no-c')).toEqual(['--no-config']);
    expect(offers('review', '-t', 'TA')).toEqual(['TASK.md']);
    expect(offers('review', 'my')).toEqual(['my site.html']);
    expect(offers('runs', '01')).toEqual(['0192f3c8-aaaa']);
    expect(offers('answer', '0192f3c8', 'app')).toEqual(['approve']);
    expect(offers('completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
  });

  it.each(['bash', 'zsh', 'fish'])('%s: every flag of every command is there', async (shell) => {
    const script = await scriptFor(shell);
    const all = commands.flatMap((command) => [command, ...command.commands]);
    const missing = all.flatMap(({ name, flags }) =>
      flags
        .filter(({ operand }) => operand !== true)
        .map(({ name: flag, arg, off }) =>
          off !== undefined && arg === undefined ? flagName(`no-${flag}`) : flagName(flag),
        )
        .filter((flag) => !script.includes(shell === 'fish' ? `-l ${flag.slice(2)} ` : flag))
        .map((flag) => `${name} ${flag}`),
    );
    expect(missing).toEqual([]);
    for (const { name, summary } of commands) {
      expect(script).toContain(name);
      if (shell !== 'bash') expect(script).toContain(summary.slice(0, 20));
    }
  });

  it('refuses another shell', async () => {
    expect(await runCli(process.cwd(), ['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});
