import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf, runCli } from './harness.js';

const page =
  '<!doctype html>\n<html>\n<head>\n<title>Tea</title>\n</head>\n<body>\n<h1>Tea</h1>\n</body>\n</html>\n';

async function reviewed() {
  const cwd = await folderOf({ 'page.html': page });
  await runCli(cwd, ['review', 'page.html', '--task-text', 'Show tea.', '-q', '--fix']);
  const [{ runId }] = JSON.parse((await runCli(cwd, ['runs', '--json'])).out).runs;
  return { cwd, runId };
}

describe('reviewloop diff', () => {
  it('shows what changed from the first to the best version, and the gaps that it closed', async () => {
    const { cwd, runId } = await reviewed();
    const { code, out } = await runCli(cwd, ['diff', runId]);
    expect(code).toBe(0);
    expect(out).toMatch(/^review 1 to review 2: 1 file changed\n/);
    expect(out).toMatch(
      /^--- page\.html$[\s\S]*^\+\+\+ page\.html$[\s\S]*^\+.*<meta name="viewport"/m,
    );
    expect(out).toMatch(/1 closed gap:\n {2}major {2}.*viewport/i);
  });

  it('compares two named reviews, the other way round too', async () => {
    const { cwd, runId } = await reviewed();
    const { out } = await runCli(cwd, ['diff', runId, '2', '1']);
    expect(out).toMatch(/^-.*<meta name="viewport"/m);
    expect(out).toMatch(/1 new gap:/);
    const same = await runCli(cwd, ['diff', runId, '2', '2']);
    expect(same.out).toBe('review 2 to review 2: 0 files changed\n');
  });

  it('is data with --json', async () => {
    const { cwd, runId } = await reviewed();
    const found = JSON.parse((await runCli(cwd, ['diff', runId, '--json'])).out);
    expect(found).toMatchObject({ from: 1, to: 2, patches: [{ path: 'page.html' }], opened: [] });
  });

  it('says which reviews there are, and that the versions are not stored', async () => {
    const { cwd, runId } = await reviewed();
    const unknown = await runCli(cwd, ['diff', runId, '7']);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(/has no review 7; its reviews: 1, 2/);
    rmSync(join(cwd, '.reviewloop/runs', runId, 'versions.json'));
    const gone = await runCli(cwd, ['diff', runId]);
    expect(gone.err).toMatch(/the version of review 1 is not stored/);
  });
});
