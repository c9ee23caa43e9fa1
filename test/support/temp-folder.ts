import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder, gone after the test. A test that fails keeps it, with its journals and logs, and prints where. */
export function tempFolder(prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${prefix}-`)));
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') console.log(`kept after "${task.name}" failed: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
