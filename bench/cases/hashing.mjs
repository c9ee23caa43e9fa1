// What content addressing costs per version, and per criterion that has a scope.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { runChild } from '../lib/child.mjs';
import { root } from '../lib/library.mjs';

export async function hashing(report) {
  const kernel = `${root}bench/results/json-${process.pid}.mjs`;
  await build({
    entryPoints: [`${root}src/core/json.ts`],
    outfile: kernel,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  try {
    for (const kilobytes of [1, 40, 1000]) {
      const { bytes, baseline, digest, copy, view } = await runChild('hashing', {
        kilobytes,
        kernel,
      });
      report.line('hashing', 'reviewloop', {
        kilobytes,
        bytes,
        digestMicros: digest,
        copyMicros: copy,
        scopeViewMicros: view,
        jsonAndSha256Micros: baseline,
        digestRatio: digest / baseline,
      });
    }
  } finally {
    rmSync(kernel, { force: true });
  }
}
