import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';

/** Where the programs are installed that no package.json names: they have 700 MB. */
const folder = process.env['REVIEWLOOP_CLI_DIR'] ?? join(homedir(), '.cache/reviewloop-cli');

/** A suite over a real program: skipped, visibly, without it; failing when REVIEWLOOP_REQUIRE names `cli`. */
export function describeCli(
  name: 'claude' | 'codex' | 'copilot',
  suite: (executable: string) => void,
): void {
  const executable = join(folder, 'node_modules/.bin', name);
  if (existsSync(executable)) {
    describe(`the real ${name}`, () => suite(executable));
  } else if ((process.env['REVIEWLOOP_REQUIRE'] ?? '').split(',').includes('cli')) {
    it(`the real ${name} is required`, () => {
      throw new Error(`no ${executable}; set REVIEWLOOP_CLI_DIR, or run scripts/install-cli.mjs`);
    });
  } else {
    it.skip(`the real ${name} (skipped: not installed, run scripts/install-cli.mjs or set REVIEWLOOP_CLI_DIR)`, () =>
      undefined);
  }
}
