import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { libraryEntries } from './entries.mjs';

/**
 * Writes the declarations: those of every module under dist/types, and for each entry point one file that leads there. Bundled
 * declarations of thirty entry points need more memory than a process has.
 */
export function writeDeclarations(): void {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.build.json'],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('the declarations could not be made');
  for (const [name, source] of Object.entries(libraryEntries)) {
    const target = `dist/${name}.d.ts`;
    const module = source.replace(/^src\//, 'dist/types/').replace(/\.ts$/, '.js');
    mkdirSync(dirname(target), { recursive: true });
    const path = posix.relative(posix.dirname(target), module);
    writeFileSync(target, `export * from '${path.startsWith('.') ? path : `./${path}`}';\n`);
  }
}
