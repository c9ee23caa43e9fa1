import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { everyCommand } from '../support/help-texts.js';

const page = readFileSync(`${root}docs/cli.md`, 'utf8');

it('the page of the command line names every command and every option, and each help ends alike', async () => {
  const commands = await everyCommand();
  expect(commands.length).toBeGreaterThan(20);
  const missing: string[] = [];
  for (const { argv, help, options } of commands) {
    expect(help, argv.join(' ')).toMatch(/\nAll exit codes: reviewloop --help\n$/);
    const names = argv.length === 1 ? [`reviewloop ${argv[0]}`] : argv.slice(1);
    missing.push(
      ...[...names, ...options]
        .filter((word) => !page.includes(word))
        .map((word) => `${argv.join(' ')}: ${word}`),
    );
  }
  expect(missing).toEqual([]);
});
