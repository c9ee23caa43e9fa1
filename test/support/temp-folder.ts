import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, type TestContext } from 'vitest';

const newFolder = (prefix: string) => realpathSync(mkdtempSync(join(tmpdir(), `${prefix}-`)));

let finished: TestContext['onTestFinished'] = onTestFinished;

/** Makes folders for one of several tests that run at once: vitest takes another one for the current test. */
export function foldersOf<Made>(context: TestContext, make: () => Made): Made {
  finished = context.onTestFinished;
  try {
    return make();
  } finally {
    finished = onTestFinished;
  }
}

/** A new folder, gone after the test. A test that fails keeps it, with its journals and logs, and prints where. */
export function tempFolder(prefix: string): string {
  const folder = newFolder(prefix);
  finished(({ task }) => {
    if (task.result?.state === 'fail') console.log(`kept after "${task.name}" failed: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A new folder for all tests of a file, gone after them. */
export function fileFolder(prefix: string): string {
  const folder = newFolder(prefix);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
