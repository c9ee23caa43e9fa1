// Bytes of `definePipeline` and `criterion` in a bundle, zod left outside.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { dist, root } from '../lib/library.mjs';

const onDemand = ['parse5', 'css-tree'];

async function bundle(entry) {
  const result = await build({
    stdin: {
      contents: `export { definePipeline, criterion } from ${JSON.stringify(entry)}`,
      resolveDir: root,
      loader: 'ts',
    },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: ['zod', 'node:*', ...onDemand],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const [{ contents }] = result.outputFiles;
  const inputs = Object.values(result.metafile.outputs)[0].inputs;
  return { bytes: contents.length, gzip: gzipSync(contents, { level: 9 }).length, inputs };
}

function shares(inputs) {
  const bytes = new Map();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const owner = file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? 'reviewloop';
    bytes.set(owner, (bytes.get(owner) ?? 0) + bytesInOutput);
  }
  return Object.fromEntries([...bytes].sort((a, b) => b[1] - a[1]));
}

export async function size(report) {
  const built = await bundle(`${dist}/index.js`);
  const source = await bundle('./src/index.ts');
  report.line('size', 'reviewloop', {
    minifiedBytes: built.bytes,
    gzipBytes: built.gzip,
    fromSourceGzipBytes: source.gzip,
  });
  report.line('size', 'by package', shares(source.inputs));
  const modules = Object.entries(source.inputs)
    .filter(([file]) => file.startsWith('src/'))
    .map(([file, { bytesInOutput }]) => [file, bytesInOutput])
    .sort((a, b) => b[1] - a[1])
    .slice(0, 10);
  report.line('size', 'largest modules', Object.fromEntries(modules));
  report.atMost(
    'definePipeline and criterion, kB minified and gzipped besides zod',
    built.gzip / 1000,
    15,
  );
}
