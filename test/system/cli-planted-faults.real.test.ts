import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { RunReport } from '@/faces/reports/run-report.js';
import { ending, failing, words } from '../support/matchers.js';
import { folderOf, runCli, writeFiles } from '../unit/faces/cli/harness.js';
import { run } from './cli-harness.js';
import { type PlantedSite, plantedSite } from './cli-planted-site.js';

vi.setConfig({ testTimeout: 120_000 });

const task = 'We must show our products';

async function reviewOf(site: PlantedSite): Promise<RunReport> {
  const cwd = await mkdtemp(join(tmpdir(), 'reviewloop-planted-'));
  try {
    await writeFiles(cwd, site.files);
    const { out, err } = await runCli(cwd, [
      ...words('review . --task-text'),
      task,
      ...words('--no-requirements --format json -q'),
    ]);
    if (out === '') throw new Error(err);
    return JSON.parse(out) as RunReport;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

describe('faults planted at random in a folder that nobody has seen', () => {
  test('every one is listed by file, and by line where it has one; and none where none was planted', async () => {
    await fc.assert(
      fc.asyncProperty(plantedSite(), async (site) => {
        const report = await reviewOf(site);
        const pages = report.gaps.filter(({ location }) => location?.file.endsWith('.html'));
        const missed = site.faults.filter(
          (fault) =>
            !pages.some(
              (gap) =>
                gap.criterionId === fault.criterion &&
                gap.location?.file === fault.file &&
                (fault.line === undefined || gap.location.line === fault.line),
            ),
        );
        expect(missed).toEqual([]);
        const invented = pages.filter(
          (gap) =>
            !site.faults.some(
              (fault) => fault.criterion === gap.criterionId && fault.file === gap.location?.file,
            ),
        );
        expect(invented).toEqual([]);
        expect(report.approved).toBe(site.faults.length === 0);
      }),
      { numRuns: 40, seed: 20_261_121 },
    );
  });

  test('a site without faults is approved', async () => {
    const [site] = fc.sample(plantedSite(), { numRuns: 1, seed: 1 });
    expect(site?.clean).toBeDefined();
    expect((await reviewOf({ files: site?.clean ?? {}, faults: [], clean: {} })).status).toBe(
      'approved',
    );
  });
});

vi.setConfig({ testTimeout: 120_000 });

const review = ['review', 'a.txt', '--task-text', 'x', '--no-requirements', '--check-timeout'];

describe('a criterion that blocks the event loop for good', () => {
  test.each([
    ['at once', '() => { while (true); }'],
    ['after an await', 'async () => { await null; for (;;); }'],
    ['in a regular expression', "() => /^(a+)+$/.test('a'.repeat(60) + 'b')"],
  ])('%s is named, what was assessed is kept, and the process ends', async (_, check) => {
    const config = `export default { criteria: { first: () => 'this one answered', loops: ${check} } };`;
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': config });
    const exit = await run(cwd, [...review, '2']);
    expect(exit).toMatchObject(
      failing(1, /error: the criterion loops blocked the event loop for more than 2000 ms/),
    );
    expect(exit.err).not.toMatch(/debugger/);
    expect(exit.err).toMatch(/Make the call async/);
    const [kept = ''] = await readdir(join(cwd, '.reviewloop/runs'));
    const report = join('.reviewloop/runs', kept, 'review.json');
    expect(exit.err).toContain(report);
    expect(JSON.parse(await readFile(join(cwd, report), 'utf8'))).toMatchObject({
      ...{ status: 'failed', approved: false, code: 'event_loop_blocked' },
      failures: [{ criterion: 'loops' }],
    });
    expect(await run(cwd, ['runs'])).toMatchObject(ending(0, /failed/));
  });

  test('a configuration that never loads', async () => {
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': 'while (true);' });
    expect(await run(cwd, [...review, '2'])).toMatchObject(failing(1, /the configuration blocked/));
  });

  test('one that works in bits is left alone', async () => {
    const config =
      'export default { criteria: { busy: async () => { for (let turn = 0; turn < 12; turn += 1) { const end = Date.now() + 50; while (Date.now() < end); await new Promise(setImmediate); } return true; } } };';
    const cwd = await folderOf({ 'a.txt': 'x', 'reviewloop.config.mjs': config });
    expect((await run(cwd, [...review, '3'])).code).toBe(0);
  });
});
