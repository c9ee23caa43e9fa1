import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folderOf, goodPage, runCli } from './harness.js';

const isPosix = process.platform !== 'win32';

/** The commands that read stored runs. */
const readers = (id: string): readonly (readonly string[])[] => [
  ['runs'],
  ['runs', id],
  ['runs', '--json'],
  ['report', id, '--html', 'o.html'],
  ['diff', id],
  ['show'],
  ['history'],
  ['summary'],
  ['metrics'],
  ['audit', 'verify'],
  ['resume', id],
  ['answer', id, 'reject', '--reason', 'x', '--by', 'Ada'],
];

it.runIf(isPosix)(
  'no command follows a link in a store, nor waits for a pipe in it',
  async () => {
    const secret = 'private words of another file';
    const cwd = await folderOf({ 'page.html': goodPage, 'other.txt': `${secret}\n` });
    await runCli(cwd, ['review', 'page.html', '--task-text', 'Show tea.', '--criteria', 'html']);
    const [id = ''] = await readdir(join(cwd, '.reviewloop', 'runs'));
    const folder = join('.reviewloop', 'runs', id);
    const entries = await readdir(join(cwd, folder), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
    expect(files.length).toBeGreaterThan(4);
    for (const file of [...files, '.reviewloop/audit.jsonl'])
      for (const kind of ['link', 'pipe'] as const) {
        const copy = await mkdtemp(join(tmpdir(), 'reviewloop-hostile-'));
        onTestFinished(() => rm(copy, { recursive: true, force: true }));
        await cp(cwd, copy, { recursive: true });
        await rm(join(copy, file), { force: true });
        if (kind === 'link') await symlink(join(cwd, 'other.txt'), join(copy, file));
        else execFileSync('mkfifo', [join(copy, file)]);
        for (const argv of readers(id)) {
          const { out, err } = await runCli(copy, argv);
          expect(`${out}${err}`, `${argv.join(' ')} over a ${kind} as ${file}`).not.toContain(
            secret.slice(0, 7),
          );
        }
      }
  },
  120_000,
);
