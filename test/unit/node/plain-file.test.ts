import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPlainText } from '@/node/plain-file.js';

it.runIf(process.platform !== 'win32')(
  'a link, a pipe, a device and a folder are refused',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reviewloop-plain-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('file'), 'tea');
    symlinkSync(at('file'), at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    expect(await readPlainText(at('file'))).toBe('tea');
    for (const path of [at('link'), at('pipe'), folder, '/dev/zero'])
      await expect(readPlainText(path), path).rejects.toThrow();
  },
);
