import { defineConfig } from 'tsup';
import { writeDeclarations } from './scripts/declarations.js';
import { binEntries, internalEntries, libraryEntries } from './scripts/entries.mjs';

export default defineConfig({
  entry: { ...libraryEntries, ...binEntries, ...internalEntries },
  external: ['#hash'],
  format: ['esm'],
  target: 'es2022',
  platform: 'node',
  // tsup would strip `node:`, which hides the built-in imports from the test that looks for them
  removeNodeProtocol: false,
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
  onSuccess: async () => writeDeclarations(),
});
