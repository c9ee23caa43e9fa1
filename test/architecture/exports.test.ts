import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { binEntries, libraryEntries } from '../../scripts/entries.mjs';
import { readSource } from './repository.js';

const Manifest = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.strictObject({ types: z.string(), default: z.string() })])),
  bin: z.record(z.string(), z.string()),
});
const manifest = Manifest.parse(JSON.parse(readSource('package.json')));
const subpathOf = (entry: string) => (entry === 'index' ? '.' : `./${entry}`);

describe('package.json exports', () => {
  it('has one subpath per build entry, and package.json', () => {
    const built = Object.keys(libraryEntries).map((entry) => [subpathOf(entry), { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` }]);
    expect(manifest.exports).toEqual({ ...Object.fromEntries(built), './package.json': './package.json' });
  });

  it('has one command per bin entry', () => {
    expect(Object.values(manifest.bin)).toEqual(Object.keys(binEntries).map((entry) => `./dist/${entry}.js`));
  });

  it('is what the documentation check reads', () => {
    const { entryPoints } = z.object({ entryPoints: z.array(z.string()) }).parse(JSON.parse(readSource('typedoc.json')));
    expect(entryPoints).toEqual(Object.values(libraryEntries));
  });
});
