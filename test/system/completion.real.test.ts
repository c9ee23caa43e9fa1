import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../resume/children.js';
import { itInTerminal, terminal } from '../support/tmux.js';
import { bin } from './cli-harness.js';

/** Returns whether a shell is there; without one that is required, the tests fail. */
function isThere(shell: string): boolean {
  const isRequired = (process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes(shell);
  return isRequired || spawnSync(shell, ['--version']).status === 0;
}

/** A folder with `reviewloop` on its own path, two runs and a task. */
function project() {
  const cwd = newFolder();
  for (const run of ['01abc', '02def'])
    mkdirSync(join(cwd, '.reviewloop/runs', run), { recursive: true });
  mkdirSync(join(cwd, 'bin'));
  writeFileSync(join(cwd, 'TASK.md'), '# Task\n');
  writeFileSync(
    join(cwd, 'bin/reviewloop'),
    `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
    {
      mode: 0o755,
    },
  );
  return { cwd, path: `${join(cwd, 'bin')}:${process.env['PATH']}` };
}

describe('fish', () => {
  it.skipIf(!isThere('fish'))(
    'completes commands, flags, values, files and runs, and prints nothing else (skipped without fish)',
    () => {
      const { cwd, path } = project();
      const lines = [
        'reviewloop ',
        'reviewloop re',
        'reviewloop review --tr',
        'reviewloop review --format ',
        'reviewloop review --task TA',
        'reviewloop review --task TASK.md --form',
        'reviewloop answer 0',
        'reviewloop checklist dec',
      ];
      const script = lines.map((line) => `echo "<"; complete -C '${line}'`).join('; ');
      const { stdout, stderr } = spawnSync(
        'fish',
        ['-N', '-c', `reviewloop completion fish | source; ${script}`],
        { cwd, env: { ...process.env, PATH: path, HOME: cwd }, encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      const found = stdout
        .split('<\n')
        .slice(1)
        .map((part) => part.split('\n').flatMap((line) => line.split('\t')[0] || []));
      expect(found[0]).toEqual(expect.arrayContaining(['review', 'runs', 'gate', 'inbox']));
      expect(found.slice(1)).toEqual([
        ['report', 'requirements', 'resume', 'review'],
        ['--trust'],
        ['json', 'text'],
        ['TASK.md'],
        ['--format'],
        ['01abc', '02def'],
        ['decompose'],
      ]);
    },
  );
});

describe.runIf(isThere('zsh'))('zsh (skipped without zsh)', () => {
  itInTerminal('completes commands with their help, flags, values, files and runs', async () => {
    const { cwd, path } = project();
    const start = `cd '${cwd}' && PATH='${path}' HOME='${cwd}' PS1='> ' zsh -f -i`;
    const { type, press, until } = terminal(start);
    await until(/^> ?$/m);
    type(
      'autoload -Uz compinit && compinit -u && eval "$(reviewloop completion zsh)" && echo READY',
    );
    press('Enter');
    await until(/^READY$/m);
    const completes = async (line: string, shown: RegExp): Promise<void> => {
      type(line);
      press('Tab');
      press('Tab');
      await until(shown);
      press('C-c');
      press('C-l');
    };
    await completes(
      'reviewloop re',
      /review +-- review files[\s\S]*requirements +-- [\s\S]*report +-- /,
    );
    await completes('reviewloop review --tru', /review --trust/);
    await completes('reviewloop review --format j', /--format json/);
    await completes('reviewloop review --task TA', /--task TASK\.md/);
    await completes('reviewloop answer 02', /answer 02def/);
    await completes('reviewloop checklist dec', /checklist decompose/);
  });
});
