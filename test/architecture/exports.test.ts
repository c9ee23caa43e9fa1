import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { binEntries, packageExports, sourcePaths } from '../../scripts/entries.mjs';
import { readSource } from './repository.js';

const Manifest = z.object({
  exports: z.record(
    z.string(),
    z.union([z.string(), z.strictObject({ types: z.string(), default: z.string() })]),
  ),
  bin: z.record(z.string(), z.string()),
});
const manifest = Manifest.parse(JSON.parse(readSource('package.json')));

describe('package.json exports', () => {
  it('are those of the list of entry points', () => {
    expect(manifest.exports).toEqual(packageExports);
  });

  it('has one command per bin entry', () => {
    expect(Object.values(manifest.bin)).toEqual(
      Object.keys(binEntries).map((entry) => `./dist/${entry}.js`),
    );
  });

  it('are the paths under which sources, tests and examples import the package', () => {
    const Config = z.object({
      compilerOptions: z.object({ paths: z.record(z.string(), z.array(z.string())) }),
    });
    const { compilerOptions } = Config.parse(JSON.parse(readSource('tsconfig.json')));
    expect(compilerOptions.paths).toEqual(sourcePaths);
  });
});
