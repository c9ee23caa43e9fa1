import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { type RollupLog, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { libraryEntries } from './entries.mjs';

const emitted = 'temp/types';

/**
 * Writes one file of declarations for each entry point, and what several of them share under `dist/types`.
 * The compiler writes those of every module first; bundling them straight from the sources needs more memory.
 */
export async function writeDeclarations(): Promise<void> {
  rmSync(emitted, { recursive: true, force: true });
  const compiler = ['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.build.json'];
  const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
  if (status !== 0) throw new Error('the declarations could not be made');
  const problems: string[] = [];
  const bundle = await rollup({
    input: Object.fromEntries(
      Object.entries(libraryEntries).map(([name, source]) => [name, declarationOf(source)]),
    ),
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith(emitted),
    plugins: [dts()],
    onwarn: ({ message }: RollupLog) => problems.push(message),
  });
  await bundle.write({
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types/[name]-[hash].d.ts',
  });
  if (problems.length > 0) throw new Error(`declarations: ${problems.join('\n')}`);
}

const declarationOf = (source: string): string =>
  source.replace(/^src\//, `${emitted}/`).replace(/\.ts$/, '.d.ts');
