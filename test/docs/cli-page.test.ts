import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { runCli } from '../unit/cli/harness.js';

const page = readFileSync(`${root}docs/cli.md`, 'utf8');

/** The names below `Commands:` of a help text. */
function commandsIn(help: string): string[] {
  const list = help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
  return [...list.matchAll(/^ {2}(\w[\w-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

async function helpOf(...argv: string[]): Promise<string> {
  return (await runCli(root, [...argv, '--help'])).out;
}

async function everyCommand(): Promise<string[][]> {
  const commands = commandsIn(await helpOf()).map((name) => [name]);
  const own = await Promise.all(
    commands.map(async ([name = '']) => commandsIn(await helpOf(name)).map((sub) => [name, sub])),
  );
  return [...commands, ...own.flat()];
}

describe('the page of the command line', () => {
  it('names every command and every option, and each help ends alike', async () => {
    const commands = await everyCommand();
    expect(commands.length).toBeGreaterThan(20);
    const missing: string[] = [];
    for (const argv of commands) {
      const help = await helpOf(...argv);
      expect(help, argv.join(' ')).toMatch(/\nAll exit codes: reviewloop --help\n$/);
      const names = argv.length === 1 ? [`reviewloop ${argv[0]}`] : argv.slice(1);
      const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
        .map(([, option = '']) => option)
        .filter((option) => option !== '--help');
      missing.push(
        ...[...names, ...options]
          .filter((word) => !page.includes(word))
          .map((word) => `${argv.join(' ')}: ${word}`),
      );
    }
    expect(missing).toEqual([]);
  });
});
