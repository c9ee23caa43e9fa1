import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { RunReport } from '@/reports/run-report.js';
import { words } from '../support/matchers.js';
import { runCli, writeFiles } from '../unit/cli/harness.js';
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
