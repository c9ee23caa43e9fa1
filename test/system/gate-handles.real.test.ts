import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { root } from '../architecture/repository.js';
import { gateFolder } from '../support/gate-folder.js';

const program = `
import { QualityGate } from './src/products/quality-gate/index.ts';
const [root, count] = process.argv.slice(2);
const pages = Array.from({ length: Number(count) }, (_, index) => 'f' + index + '.md');
const gate = new QualityGate({ root, maxInlineFiles: pages.length });
const payload = await gate.buildPayload({ outputs: { pages } });
const digest = await gate.digest({ outputs: { pages } });
console.log(JSON.stringify({ errors: payload.split('[Error').length - 1, last: payload.includes('content ' + (pages.length - 1)), digest: digest.length }));
`;

it.runIf(process.platform === 'linux')('reads more files than it may have open', async () => {
  const folder = gateFolder(
    Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`f${index}.md`, `content ${index}`]),
    ),
  );
  mkdirSync(join(root, 'temp'), { recursive: true });
  const outfile = join(root, 'temp', `gate-handles-${process.pid}.mjs`);
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    absWorkingDir: root,
  });
  writeFileSync(outfile, outputFiles[0]?.text ?? '');
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -n 1024; exec "${process.execPath}" "${outfile}" "${folder}" 3000`],
    { encoding: 'utf8' },
  );
  rmSync(outfile);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ errors: 0, last: true, digest: 64 });
});
