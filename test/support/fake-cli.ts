import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** One call of the fake program. */
export interface FakeCall {
  readonly args: readonly string[];
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

export interface FakeCli {
  readonly executable: string;
  /** To be passed on to the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly calls: () => readonly FakeCall[];
  readonly remove: () => void;
}

const program = resolve(import.meta.dirname, 'fake-model-cli.mjs');

/** A program that answers as `claude`, `codex` or any other would. */
export function fakeCli(kind: 'claude' | 'codex' | 'text', answer: object): FakeCli {
  const folder = mkdtempSync(join(tmpdir(), 'fake-cli-'));
  const answerFile = join(folder, 'answer.json');
  const callsFile = join(folder, 'calls.jsonl');
  const executable = join(folder, 'model');
  writeFileSync(answerFile, JSON.stringify(answer));
  writeFileSync(executable, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(executable, 0o755);
  return {
    executable,
    folder,
    env: { FAKE_KIND: kind, FAKE_ANSWER: answerFile, FAKE_CALLS: callsFile },
    calls: () => {
      if (!existsSync(callsFile)) return [];
      // What stands behind the last line break is still being written.
      const lines = readFileSync(callsFile, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as FakeCall);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
