import { defineConfig } from 'tsup';
import { bundled } from './scripts/bundled.cjs';
import { writeDeclarations } from './scripts/declarations.js';
import { binEntries, internalEntries, libraryEntries } from './scripts/entries.mjs';
import { writeLicences } from './scripts/licences.js';
import { mergeChunks } from './scripts/merge-chunks.js';
import { esbuildReportShell, reportShell } from './scripts/report-shell.mjs';

export default defineConfig({
  entry: { ...libraryEntries, ...binEntries, ...internalEntries },
  external: ['#hash'],
  format: ['esm'],
  target: 'es2022',
  platform: 'node',
  // tsup would strip `node:`, which hides the built-in imports from the test that looks for them
  removeNodeProtocol: false,
  // maps without the sources beside them point nowhere, and they were two fifths of the package
  sourcemap: false,
  clean: true,
  splitting: true,
  treeshake: true,
  metafile: true,
  noExternal: [...bundled],
  esbuildPlugins: [esbuildReportShell],
  onSuccess: async () => {
    writeLicences('dist/metafile-esm.json', (await reportShell()).inputs);
    await mergeChunks();
    await writeDeclarations();
  },
});
