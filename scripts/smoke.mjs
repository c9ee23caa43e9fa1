// Runs each command of the built package once, in a new folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const cwd = mkdtempSync(join(tmpdir(), 'reviewloop-smoke-'));
const program = resolve('test/package/consumer/commands.mjs');
const { status } = spawnSync(process.execPath, [program, resolve('dist/bin.js')], {
  cwd,
  stdio: 'inherit',
});
rmSync(cwd, { recursive: true, force: true });
process.exitCode = status ?? 1;
