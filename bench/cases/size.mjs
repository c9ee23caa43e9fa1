// What an application loads first of `definePipeline` and `criterion`, minified and gzipped, zod left outside.
import { bundleOf } from '../../scripts/bundle-size.mjs';
import { root } from '../lib/library.mjs';

export async function size(report) {
  const core = await bundleOf(`export { definePipeline, criterion } from './src/index.ts'`, root);
  const all = await bundleOf(`export * from './src/index.ts'`, root);
  report.line('size', 'reviewloop', {
    coreMinifiedBytes: core.text.length,
    coreKilobytes: core.kilobytes,
    allKilobytes: all.kilobytes,
  });
  report.atMost(
    'definePipeline and criterion, kB minified and gzipped besides zod',
    core.kilobytes,
    28,
  );
  report.page('Size, kB minified and gzipped', [core.kilobytes]);
}
