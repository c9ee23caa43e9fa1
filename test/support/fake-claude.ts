import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempFolder } from './temp-folder.js';

/** One call of the fake `claude`. */
export interface ClaudeCall {
  readonly args: readonly string[];
  readonly input: string;
  readonly cwd: string;
}

export interface FakeClaude {
  readonly executable: string;
  readonly calls: () => readonly ClaudeCall[];
}

/** A `claude` that answers in a mode, or in one after the other; gone after the test. */
export function fakeClaude(modes = ''): FakeClaude {
  const folder = tempFolder('fake-claude');
  const executable = join(folder, 'claude');
  const calls = join(folder, 'calls.jsonl');
  const program = resolve(import.meta.dirname, 'fake-claude.mjs');
  writeFileSync(
    executable,
    `#!/bin/sh\nREVIEW_RESULT="${modes}" FAKE_CALLS="${calls}" exec "${process.execPath}" "${program}" "$@"\n`,
  );
  chmodSync(executable, 0o755);
  return {
    executable,
    calls: () =>
      existsSync(calls)
        ? readFileSync(calls, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as ClaudeCall)
        : [],
  };
}
