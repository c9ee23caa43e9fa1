import { expect, it } from 'vitest';
import { definePipeline } from '../../../../src/pipeline/define-pipeline.js';
import { saveRun } from '../../../../src/reports/run-folder.js';
import { showReview, showSummary } from '../../../../src/reviewer-stage/command/show-review.js';
import { fileStore } from '../../../../src/stores/file/index.js';
import { streams } from '../../../support/command-streams.js';
import { storedPlace, storedReview } from './stored-place.js';

const shown = async (
  { cwd }: { readonly cwd: string },
  show: typeof showReview,
  more: object = {},
): Promise<string> => {
  const { io, written } = streams(cwd);
  const settings = { id: undefined, format: 'text', store: 'file:.reviewloop', ...more };
  expect(await show(io, settings as never)).toBe(0);
  return written.out;
};

it('a review of files is shown as its report, beside reviews of diffs', async () => {
  const place = await storedPlace();
  const { request } = await storedReview(place, 'export const a = 1;\n');
  const about = {
    ...{ at: '2026-01-01T00:00:00.000Z', durationMs: 5, status: 'approved', approved: true },
    ...{ code: 'approved', reason: 'all passed', exitCode: 0, task: { source: 'PAGE.md' } },
    ...{ criteria: { chosen: [], reason: '', names: {} }, files: [], notReviewed: [], gaps: [] },
    ...{
      coverage: [],
      failures: [],
      undecided: [],
      fixed: [],
      changed: [],
      written: [],
      reviews: [],
    },
  };
  const report = { schemaVersion: 1, runId: 'files-1', ...about } as never;
  await saveRun(place.store, { report, summary: '# The page\n', output: undefined });
  const id = { id: 'files-1' };
  expect(JSON.parse(await shown(place, showReview, { ...id, format: 'json' }))).toMatchObject({
    ...{ runId: 'files-1', task: { source: 'PAGE.md' } },
  });
  expect(await shown(place, showReview, id)).not.toContain('Review for session');
  expect(await shown(place, showSummary, id)).toBe('# The page\n');
  expect(await shown(place, showReview, { id: request.runId })).toMatch(/^Review for session/);
});

it('a run that code started is shown as what its record holds', async () => {
  const place = await storedPlace();
  const pipeline = definePipeline({
    ...{ name: 'my-own', store: fileStore(place.store), produce: async () => 'tea' },
    criteria: { short: (text: string) => text.length < 5 },
  });
  await pipeline.run('Write', { runId: 'code-1' });
  expect(await shown(place, showReview, { id: 'code-1' })).toContain('my-own');
});
