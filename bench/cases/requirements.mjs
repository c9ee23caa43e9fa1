// What reading requirements costs beside the parser alone, and how it grows with the document.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { runChild } from '../lib/child.mjs';
import { root } from '../lib/library.mjs';

export async function requirements(report) {
  const entry = `${root}bench/results/requirements-${process.pid}.mjs`;
  await build({
    entryPoints: [`${root}src/blocks/requirements/explicit-requirements.ts`],
    outfile: entry,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  try {
    let first;
    for (const times of [1, 10, 100]) {
      const { bytes, parser, reader, found } = await runChild('requirements', { times, entry });
      first ??= reader / bytes;
      report.line('requirements', 'reviewloop', {
        times,
        bytes,
        found,
        parserMs: parser,
        readerMs: reader,
        parserRatio: reader / parser,
        growthPerByte: reader / bytes / first,
      });
    }
  } finally {
    rmSync(entry, { force: true });
  }
}
